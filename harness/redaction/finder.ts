/** Finds many texts at once. Six characters of each are its key in an index, and a bitmap rules out nearly every
 * position of the searched text before the index is read. Adding a text stays cheap, so that hundreds of tokens can be
 * learnt while results are being redacted. Of a text that is found exactly only hashes and its length are kept, because
 * thousands of secrets have dozens of encodings each: one other text in billions is taken for it. */

import { NumberTable } from '../safety/number-table.ts'
import { hashOf, keyAt, keyLength, keysOf, type Part, step, Windows, windowHash, windowLength } from './key-windows.ts'

/** The key of a longer text is taken after this many characters, because tokens of one kind begin alike. */
const longestLead = 12

/** Returns the offset of a text's key in a text of this length. */
const leadOf = (length: number): number => Math.min(longestLead, length - keyLength)

export interface Span {
  readonly start: number
  readonly end: number
  readonly label: string
}

/** Each part that is redacted contains a whole window. */
const windowStride = 8
/** Characters at the start of an encoded private key that only name its type; they occur in public keys too. */
const publicHead = 48
const shortestPart = 24

/** Matches line breaks in any escape, and the characters that quote or indent a line. */
const gap = /(?:[\s>|"',]|\\{1,16}[nrt]|%0[ADad]|&#1[03];)+/.source
const gapAfter = new RegExp(gap, 'y')
const gapBefore = new RegExp(`${gap}$`)
const longestGap = 40

const slotBits = 23
const slot = (key: number): number => Math.imul(key, 0x9e3779b1) >>> (32 - slotBits)
/** A coarser bitmap is read before the finer one, because it fits into the fastest cache. */
const coarseBits = 18
const coarse = (place: number): number => place >>> (slotBits - coarseBits)

/** A search may cost this many comparisons, plus some per character. Only a text that was crafted for it costs more. */
const mostSteps = 2_000_000
const stepsPerCharacter = 20
/** Returns the most that comparing a text costs: a long text may agree for long. */
const costOf = (length: number): number => 1 + (length >>> 4)

/** So few keys need no more than the coarser bitmap. */
const fewKeys = 1 << 12
/** Stands for the finer bitmap while there are few keys. */
const everySlot = new Uint8Array(1 << (slotBits - 3)).fill(0xff)

/** Bitmaps with one bit per slot. The finer one has a megabyte, and most redactors have few texts: so many megabytes, soon
 * given up, would make V8 collect the whole heap again and again. */
class Marks {
  present = new Uint8Array(0)
  coarse = new Uint8Array(0)
  /** The keys so far, until they are many. */
  #few: number[] | undefined = []

  get isEmpty(): boolean {
    return this.present.length === 0
  }

  /** Marks a key, so that a search reads the index at it. */
  add(key: number): void {
    if (this.isEmpty) {
      this.present = everySlot
      this.coarse = new Uint8Array(1 << (coarseBits - 3))
    }
    const place = slot(key)
    setBit(this.coarse, coarse(place))
    if (!this.#few) setBit(this.present, place)
    else if (this.#few.push(key) > fewKeys) this.#refine(this.#few)
  }

  #refine(keys: readonly number[]): void {
    this.present = new Uint8Array(1 << (slotBits - 3))
    for (const key of keys) setBit(this.present, slot(key))
    this.#few = undefined
  }
}

export class Finder {
  /** For each text, by its key: its hash, its length, and twice the number of its label, plus 1 if it is found only
   * where no letter or digit is next to it. */
  readonly #exact = new NumberTable(3)
  readonly #labels: string[] = []
  readonly #windows: Windows
  readonly #marks: Marks

  /** Shares the windows of another finder, because windows take most of the memory of either. */
  constructor(shared?: Finder) {
    this.#windows = shared ? shared.#windows : new Windows()
    this.#marks = shared ? shared.#marks : new Marks()
  }

  addExact(text: string, label: string, alone = false): void {
    const key = keyAt(text, leadOf(text.length))
    this.#marks.add(key)
    if (!this.#labels.includes(label)) this.#labels.push(label)
    const kind = this.#labels.indexOf(label) * 2 + Number(alone)
    this.#exact.add(key, hashOf(text, 0, text.length), text.length, kind)
  }

  /** Adds a text of which parts are found, also across line breaks. `isPublic` says by its hash whether a window also
   * occurs in public keys: such a window is found only next to another one. */
  addWrapped(text: string, label: string, isPublic?: (hash: number) => boolean): void {
    const owner = this.#windows.own(text, label)
    const keys = keysOf(text)
    const first = text.length >= publicHead + shortestPart ? publicHead : 0
    for (let at = first; at + windowLength <= text.length; at += windowStride) {
      const key = keys[at] ?? 0
      const hash = windowHash(key, keys[at + keyLength] ?? 0)
      if (isPublic?.(hash)) continue
      this.#windows.add(owner, at, hash)
      this.#marks.add(key)
    }
  }

  /** Returns the spans in order, without overlaps, or undefined if the search would take too long. */
  find(text: string): Span[] | undefined {
    const spans: Span[] = []
    if (this.#marks.isEmpty) return spans
    const { coarse: near, present } = this.#marks
    let left = mostSteps + stepsPerCharacter * text.length
    let key = 0
    for (let index = 0; index < text.length; index++) {
      key = step(key, text.charCodeAt(index))
      const place = slot(key)
      if (!hasBit(near, coarse(place)) || !hasBit(present, place)) continue
      const at = index - keyLength + 1
      const last = spans.at(-1)
      const { found, cost } = this.#exactAt(text, at, key, last)
      left -= cost + this.#addParts(found, text, at, key, last?.end ?? 0)
      // A match may begin before one that was found earlier; their union is redacted.
      for (const span of found) {
        unite(spans, span)
        left -= span.end - span.start
      }
      if (left < 0) return undefined
    }
    return spans
  }

  /** Adds the parts of texts whose window is at an offset of the searched text, and returns what it cost. */
  #addParts(found: Span[], text: string, at: number, key: number, leftLimit: number): number {
    const parts = this.#windows.at(text, at, key)
    let cost = this.#windows.walked
    this.#windows.walked = 0
    for (const part of parts) {
      cost += costOf(part.text.length)
      const span = partSpan(part, text, at, leftLimit)
      if (span) found.push(span)
    }
    return cost
  }

  /** Returns the texts whose key is at an offset of the searched text, and what it cost to compare them. */
  #exactAt(text: string, at: number, key: number, last: Span | undefined): { found: Span[]; cost: number } {
    const table = this.#exact
    const found: Span[] = []
    let cost = 0
    for (let row = table.first(key); row !== undefined; row = table.next(row)) {
      cost += 1
      const length = table.value(row, 1)
      const start = at - leadOf(length)
      const end = start + length
      if (table.hash(row) !== key || start < 0 || end > text.length) continue
      if (last && start >= last.start && end <= last.end) continue
      cost += costOf(length)
      const kind = table.value(row, 2)
      const isApart = (kind & 1) === 0 || isBetweenWords(text, start, end)
      if (isApart && hashOf(text, start, end) === table.value(row, 0))
        found.push({ start, end, label: this.#labels[kind >>> 1] ?? '' })
    }
    return { found, cost }
  }
}

function setBit(bitmap: Uint8Array, at: number): void {
  bitmap[at >>> 3] = (bitmap[at >>> 3] ?? 0) | (1 << (at & 7))
}

const hasBit = (bitmap: Uint8Array, at: number): boolean => ((bitmap[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0

function unite(spans: Span[], added: Span): void {
  let whole = added
  for (let last = spans.at(-1); last && whole.start < last.end; last = spans.at(-1)) {
    spans.pop()
    const label = last.end - last.start > whole.end - whole.start ? last.label : whole.label
    whole = { start: Math.min(last.start, whole.start), end: Math.max(last.end, whole.end), label }
  }
  spans.push(whole)
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[A-Za-z0-9]/.test(character)

const isBetweenWords = (text: string, start: number, end: number): boolean =>
  !isWord(text[start - 1]) && !isWord(text[end])

function partSpan(entry: Part, text: string, at: number, leftLimit: number): Span | undefined {
  const secret = entry.text
  if (at < leftLimit) return undefined
  let start = at
  let first = entry.at
  while (start > leftLimit && first > 0) {
    const back = text[start - 1] === secret[first - 1] ? 0 : widthBefore(text, start, leftLimit)
    if (back > 0 && text[start - back - 1] !== secret[first - 1]) break
    if (back < 0) break
    start -= back + 1
    first -= 1
  }
  const { end, last } = endOfPart(secret, entry.at + windowLength, text, at + windowLength)
  return last - first >= shortestPart ? { start, end, label: entry.label } : undefined
}

/** Follows a secret through a text, across gaps, as long as the two agree. */
function endOfPart(secret: string, from: number, text: string, at: number): { end: number; last: number } {
  let end = at
  let last = from
  while (last < secret.length) {
    if (text[end] === secret[last]) {
      end += 1
      last += 1
      continue
    }
    gapAfter.lastIndex = end
    if (!gapAfter.test(text) || text[gapAfter.lastIndex] !== secret[last]) break
    end = gapAfter.lastIndex
  }
  return { end, last }
}

/** Returns the width of the gap that ends at `start`, or -1 if there is no gap or no character before it. */
function widthBefore(text: string, start: number, leftLimit: number): number {
  const width = gapBefore.exec(text.slice(Math.max(leftLimit, start - longestGap), start))?.[0].length ?? 0
  return width > 0 && start - width > leftLimit ? width : -1
}
