/** Simulates a server that loses writes. */
import { setTimeout as wait } from 'node:timers/promises'

/** A write takes this many milliseconds. */
export const moment = 30

/** Carries out a write a moment later, and forgets what was added meanwhile. */
export async function losingOthers<T>(stored: Map<string, unknown>, write: () => T | Promise<T>): Promise<T> {
  const known = new Set(stored.keys())
  await wait(moment)
  for (const key of stored.keys()) if (!known.has(key)) stored.delete(key)
  return write()
}

const beingWritten = new WeakSet<object>()

/** Carries out a write a moment later. Another write to the same store meanwhile only has its `reply`. */
export async function droppingOthers<T>(
  store: object,
  write: () => T | Promise<T>,
  reply: () => T | Promise<T>,
): Promise<T> {
  if (beingWritten.has(store)) return reply()
  beingWritten.add(store)
  try {
    await wait(moment)
    return await write()
  } finally {
    beingWritten.delete(store)
  }
}
