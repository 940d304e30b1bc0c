/** Keys and windows of texts: a key is made of six characters and finds texts in an index; a window is twelve
 * characters, and a long secret has hundreds. */
import { NumberTable } from '../safety/number-table.ts'

export const keyLength = 6
export const windowLength = 12

/** A window into a long text. Any part of the text with `shortestPart` characters or more is redacted. */
export interface Part {
  readonly text: string
  readonly at: number
  readonly label: string
}

/** Returns the key after one more character. It depends on the last six characters, because older ones are shifted
 * out. */
export const step = (key: number, code: number): number => ((key << 5) ^ code) & 0x3fffffff

/** Returns the key of the six characters at an offset of a text. */
export function keyAt(text: string, at: number): number {
  let key = 0
  for (let index = at; index < at + keyLength; index++) key = step(key, text.charCodeAt(index))
  return key
}

let keys = new Int32Array(1 << 12)

/** Returns the key at each offset of a text, in an array that the next call overwrites. */
export function keysOf(text: string): Int32Array {
  if (keys.length < text.length) keys = new Int32Array(text.length * 2)
  let key = 0
  for (let index = 0; index < text.length; index++) {
    key = step(key, text.charCodeAt(index))
    if (index >= keyLength - 1) keys[index - keyLength + 1] = key
  }
  return keys
}

/** Returns a hash of a window from the keys of its halves. */
export const windowHash = (first: number, second: number): number => Math.imul(first, 0x85ebca6b) ^ second

/** Adds the hash of each window of a text to a set. */
export function addHashes(hashes: Set<number>, text: string): void {
  const keys = keysOf(text)
  for (let at = 0; at + windowLength <= text.length; at++)
    hashes.add(windowHash(keys[at] ?? 0, keys[at + keyLength] ?? 0))
}

export function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
    hash ^= hash >>> 15
  }
  return hash
}

const noPart: readonly never[] = []

/** Finds windows by their hashes. */
export class Windows {
  /** The number of windows compared since a caller set this to 0. */
  walked = 0
  readonly #owners: { readonly text: string; readonly label: string }[] = []
  /** For each window, the number of its owner and its offset in the owner's text. */
  readonly #table = new NumberTable(2)

  /** Registers a text, and returns its number for `add`. */
  own(text: string, label: string): number {
    return this.#owners.push({ text, label }) - 1
  }

  add(owner: number, at: number, hash: number): void {
    this.#table.add(hash, owner, at)
  }

  /** Returns the windows that equal the twelve characters at an offset of a text. `key` is the key of their first
   * half. */
  at(text: string, at: number, key: number): readonly Part[] {
    if (this.#owners.length === 0 || at + windowLength > text.length) return noPart
    const table = this.#table
    const hash = windowHash(key, keyAt(text, at + keyLength))
    let found: Part[] | undefined
    for (let row = table.first(hash); row !== undefined; row = table.next(row)) {
      this.walked += 1
      if (table.hash(row) !== hash) continue
      const owner = this.#owners[table.value(row, 0)]
      const place = table.value(row, 1)
      if (!owner || !areAlike(owner.text, place, text, at)) continue
      found ??= []
      found.push({ text: owner.text, at: place, label: owner.label })
    }
    return found ?? noPart
  }
}

function areAlike(one: string, oneAt: number, other: string, otherAt: number): boolean {
  for (let index = 0; index < windowLength; index++)
    if (one.charCodeAt(oneAt + index) !== other.charCodeAt(otherAt + index)) return false
  return true
}
