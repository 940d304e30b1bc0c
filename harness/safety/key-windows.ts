/** Keys and windows of texts: a key is made of six characters and finds texts in an index; a window is twelve
 * characters, and a long secret has hundreds. */

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

const noPart: readonly never[] = []
const noWindow = -1
const firstRoom = 1 << 10

/** Stores windows in arrays of numbers: there are hundreds of thousands, and as objects they would fill most of the
 * run's memory. */
export class Windows {
  /** The number of windows compared since a caller set this to 0. */
  walked = 0
  readonly #owners: { readonly text: string; readonly label: string }[] = []
  #count = 0
  /** For each window, these four arrays hold its owner, its offset in the text, its hash and the next window in the
   * same bucket. */
  #owner = new Int32Array(firstRoom)
  #place = new Int32Array(firstRoom)
  #hash = new Int32Array(firstRoom)
  #next = new Int32Array(firstRoom)
  /** The newest window of each bucket, or `noWindow`. */
  #newest = new Int32Array(firstRoom).fill(noWindow)

  /** Registers a text, and returns its number for `add`. */
  own(text: string, label: string): number {
    return this.#owners.push({ text, label }) - 1
  }

  add(owner: number, at: number, hash: number): void {
    if (this.#count === this.#owner.length) this.#grow()
    const one = this.#count++
    this.#owner[one] = owner
    this.#place[one] = at
    this.#hash[one] = hash
    this.#chain(one)
  }

  /** Returns the windows that equal the twelve characters at an offset of a text. `key` is the key of their first
   * half. */
  at(text: string, at: number, key: number): readonly Part[] {
    if (this.#count === 0 || at + windowLength > text.length) return noPart
    const hash = windowHash(key, keyAt(text, at + keyLength))
    let found: Part[] | undefined
    for (let one = this.#newest[this.#bucket(hash)] ?? noWindow; one !== noWindow; one = this.#next[one] ?? noWindow) {
      this.walked += 1
      if (this.#hash[one] !== hash) continue
      const owner = this.#owners[this.#owner[one] ?? 0]
      const place = this.#place[one] ?? 0
      if (!owner || !areAlike(owner.text, place, text, at)) continue
      found ??= []
      found.push({ text: owner.text, at: place, label: owner.label })
    }
    return found ?? noPart
  }

  #bucket(hash: number): number {
    return (Math.imul(hash, 0x9e3779b1) >>> 7) & (this.#newest.length - 1)
  }

  #chain(one: number): void {
    const bucket = this.#bucket(this.#hash[one] ?? 0)
    this.#next[one] = this.#newest[bucket] ?? noWindow
    this.#newest[bucket] = one
  }

  #grow(): void {
    const room = this.#owner.length * 2
    const grown = (numbers: Int32Array<ArrayBuffer>) => {
      const larger = new Int32Array(room)
      larger.set(numbers)
      return larger
    }
    this.#owner = grown(this.#owner)
    this.#place = grown(this.#place)
    this.#hash = grown(this.#hash)
    this.#next = new Int32Array(room)
    this.#newest = new Int32Array(room).fill(noWindow)
    for (let one = 0; one < this.#count; one++) this.#chain(one)
  }
}

function areAlike(one: string, oneAt: number, other: string, otherAt: number): boolean {
  for (let index = 0; index < windowLength; index++)
    if (one.charCodeAt(oneAt + index) !== other.charCodeAt(otherAt + index)) return false
  return true
}
