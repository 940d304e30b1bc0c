import { randomBytes } from 'node:crypto'
import type { Random } from '../contracts.ts'

/** A source of random values whose position can be saved in a state file. */
export interface SeededRandom extends Random {
  /** Returns an independent source. With a seed, the same name gives the same source. */
  fork(name: string): SeededRandom
  snapshot(): readonly number[]
  restore(state: readonly number[]): void
  /** Returns to the start. */
  reset(): void
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Returns the FNV-1a hash of a text as an unsigned 32-bit number. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Returns four words of state from one number (splitmix32). */
function spread(seed: number): [number, number, number, number] {
  let at = seed | 0
  const word = (): number => {
    at = (at + 0x9e3779b9) | 0
    let mixed = at ^ (at >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return mixed ^ (mixed >>> 15)
  }
  return [word(), word(), word(), word() | 1]
}

type Words = [number, number, number, number]

function fresh(): Words {
  const bytes = randomBytes(16)
  return [bytes.readInt32LE(0), bytes.readInt32LE(4), bytes.readInt32LE(8), bytes.readInt32LE(12) | 1]
}

/** Uses xoshiro128**, which is fast but not cryptographically secure: it must never make real secrets. Without a seed
 * it starts from 128 random bits, and each fork starts from others. */
export function createRandom(seed?: number): SeededRandom {
  const start = seed === undefined ? fresh() : spread(seed)
  let [a, b, c, d] = start

  function word(): number {
    const turned = Math.imul(b, 5)
    const result = Math.imul((turned << 7) | (turned >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result
  }
  const hexOf = (value: number): string =>
    `${hex[value >>> 24]}${hex[(value >>> 16) & 255]}${hex[(value >>> 8) & 255]}${hex[value & 255]}`
  const integer = (below: number): number => Math.floor((word() / 2 ** 32) * below)

  return {
    bytes(length) {
      return Buffer.from(Array.from({ length }, () => word() >>> 24))
    },
    uuid() {
      const second = hexOf(word())
      const third = hexOf(((word() & 0x3fffffff) | 0x80000000) >>> 0)
      return `${hexOf(word())}-${second.slice(0, 4)}-4${second.slice(5)}-${third.slice(0, 4)}-${third.slice(4)}${hexOf(word())}`
    },
    token(length) {
      let text = ''
      while (text.length < length) text += letters[integer(letters.length)]
      return text
    },
    integer,
    fork: (name) => createRandom(seed === undefined ? undefined : seed ^ hashOf(name)),
    snapshot: () => [a, b, c, d],
    restore([e = 0, f = 0, g = 0, h = 1]) {
      ;[a, b, c, d] = [e, f, g, h]
    },
    reset() {
      ;[a, b, c, d] = start
    },
  }
}
