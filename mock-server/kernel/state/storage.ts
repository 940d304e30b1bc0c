import type { Clock } from '../contracts.ts'
import type { StatePart } from './state-part.ts'

/** What a cluster stores for its callers, by part. It does not include the keys and the role in replication. */
export interface Storage {
  readonly parts: Record<string, StatePart>
  /** Resets all parts, and adds the built-in mounts again. */
  clear(): void
  /** Must be called after parts were restored: restores the functions that revoke leases. */
  revive(): void
  /** The number of writes so far. */
  readonly writes: number
  /** Counts one more write, and calls the listeners. If a promise is returned, the write must not be answered before it
   * resolves. */
  written(): Promise<void> | undefined
  /** The returned function removes the listener. */
  onWrite(listener: WriteListener): () => void
}

/** Returns a clock of which each timer counts as a write when it has run: what a server does as time passes is saved, and
 * known to other nodes and clusters, like what requests do. */
export const writingClock = (clock: Clock, written: Storage['written']): Clock => ({
  now: () => clock.now(),
  advance: (ms) => clock.advance(ms),
  at: (at, due) =>
    clock.at(at, async () => {
      await due()
      try {
        await written()
      } catch {
        // The next request tells that the state cannot be saved.
      }
    }),
})

type WriteListener = () => Promise<void> | undefined | void

/** `furnish` adds the built-in mounts; `revive` restores the functions that revoke leases. */
export function createStorage(furnish: () => void, revive: () => void): Storage {
  const parts: Record<string, StatePart> = {}
  const listeners = new Set<WriteListener>()
  let writes = 0
  return {
    parts,
    clear() {
      for (const part of Object.values(parts)) part.reset()
      furnish()
    },
    revive,
    get writes() {
      return writes
    },
    written() {
      writes++
      let saved: Promise<void> | undefined
      for (const listener of listeners) saved = listener() || saved
      return saved
    },
    onWrite(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
