/** Finds many texts at once: six characters of each are its key in an index, and a bitmap rules out nearly every
 * position of the searched text before the index is asked. Adding a text costs nothing elsewhere, so that tokens can be
 * learnt by the hundred while results are being redacted. */
import { keyAt, keyLength, keysOf, type Part, step, Windows, windowHash, windowLength } from './key-windows.ts'

/** Tokens of one kind begin alike, so the key of a longer text is taken from behind its beginning. */
const longestLead = 12

interface Exact {
  readonly text: string
  /** Its key is here in the text. */
  readonly at: number
  readonly label: string
  /** Counts only where no letter or digit is beside it. */
  readonly alone: boolean
}

export interface Span {
  readonly start: number
  readonly end: number
  readonly label: string
}

const windowStride = 4
/** The first characters of a key's encoding say which kind of key it is, and stand in public keys too. */
const publicHead = 48
const shortestPart = 24

/** Line breaks in any spelling, and the marks that quote or indent a line. */
const gap = /(?:[\s>|"',]|\\+[nrt]|%0[ADad]|&#1[03];)+/.source
const gapAfter = new RegExp(gap, 'y')
const gapBefore = new RegExp(`${gap}$`)
const longestGap = 40

const slotBits = 23
const slot = (key: number): number => Math.imul(key, 0x9e3779b1) >>> (32 - slotBits)
/** A coarser bitmap, which fits the fastest cache, is asked before the finer one. */
const coarseBits = 18
const coarse = (place: number): number => place >>> (slotBits - coarseBits)

/** Comparisons that a text may cost, besides some for each of its characters. Only a text that is made for it costs more. */
const mostSteps = 2_000_000
const stepsPerCharacter = 20
/** Returns what comparing a text costs at most: a long one may be alike for long. */
const costOf = (text: string): number => 1 + (text.length >>> 4)

/** There is a bit for each slot. They are made for the first text: a megabyte for each of many redactors that find nothing
 * adds up. */
class Marks {
  present = new Uint8Array(0)
  coarse = new Uint8Array(0)

  get isEmpty(): boolean {
    return this.present.length === 0
  }

  /** Makes a search stop at this key. */
  add(key: number): void {
    if (this.isEmpty) {
      this.present = new Uint8Array(1 << (slotBits - 3))
      this.coarse = new Uint8Array(1 << (coarseBits - 3))
    }
    const place = slot(key)
    setBit(this.present, place)
    setBit(this.coarse, coarse(place))
  }
}

export class Finder {
  readonly #exact = new Map<number, Exact[]>()
  readonly #windows: Windows
  readonly #marks: Marks

  /** Finds in parts what another finds in parts, too: windows are most of what either would hold. */
  constructor(other?: Finder) {
    this.#windows = other ? other.#windows : new Windows()
    this.#marks = other ? other.#marks : new Marks()
  }

  addExact(text: string, label: string, alone = false): void {
    const at = Math.min(longestLead, text.length - keyLength)
    const key = keyAt(text, at)
    this.#marks.add(key)
    const entry = { text, at, label, alone }
    const alike = this.#exact.get(key)
    if (alike) alike.push(entry)
    else this.#exact.set(key, [entry])
  }

  /** Adds a text that is found in parts, and across line breaks. `isOpen` tells by its hash whether a window of it stands in
   * public keys too: such a one counts only beside another. */
  addWrapped(text: string, label: string, isOpen?: (hash: number) => boolean): void {
    const owner = this.#windows.own(text, label)
    const keys = keysOf(text)
    const first = text.length >= publicHead + shortestPart ? publicHead : 0
    for (let at = first; at + windowLength <= text.length; at += windowStride) {
      const key = keys[at] ?? 0
      const hash = windowHash(key, keys[at + keyLength] ?? 0)
      if (isOpen?.(hash)) continue
      this.#windows.add(owner, at, hash)
      this.#marks.add(key)
    }
  }

  /** Spans in order, not overlapping; undefined where the text would take too long to search. */
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
      const exact = this.#exact.get(key) ?? none
      const parts = this.#windows.at(text, at, key)
      left -= this.#windows.walked
      this.#windows.walked = 0
      if (exact.length + parts.length > 0) left -= costOfAll(exact) + costOfAll(parts)
      for (const span of spansAt(exact, parts, text, at, spans)) left -= span.end - span.start
      if (left < 0) return undefined
    }
    return spans
  }
}

const none: readonly never[] = []

const costOfAll = (entries: readonly { readonly text: string }[]): number =>
  entries.reduce((sum, { text }) => sum + costOf(text), 0)

function setBit(bitmap: Uint8Array, at: number): void {
  bitmap[at >>> 3] = (bitmap[at >>> 3] ?? 0) | (1 << (at & 7))
}

const hasBit = (bitmap: Uint8Array, at: number): boolean => ((bitmap[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0

/** Adds to `spans` what is at a key in the text, and returns that. */
function spansAt(
  exact: readonly Exact[],
  parts: readonly Part[],
  text: string,
  at: number,
  spans: Span[],
): readonly Span[] {
  const last = spans.at(-1)
  if (exact.length + parts.length === 0) return none
  const found = [
    ...exact.flatMap((entry) => exactSpan(entry, text, at - entry.at, last) ?? []),
    ...parts.flatMap((entry) => partSpan(entry, text, at, last?.end ?? 0) ?? []),
  ]
  // One may begin before another that was found first: all that either covers goes.
  for (const span of found) unite(spans, span)
  return found
}

function unite(spans: Span[], added: Span): void {
  let whole = added
  for (let last = spans.at(-1); last && whole.start < last.end; last = spans.at(-1)) {
    spans.pop()
    const label = last.end - last.start > whole.end - whole.start ? last.label : whole.label
    whole = { start: Math.min(last.start, whole.start), end: Math.max(last.end, whole.end), label }
  }
  spans.push(whole)
}

function exactSpan(entry: Exact, text: string, start: number, last: Span | undefined): Span | undefined {
  const end = start + entry.text.length
  if (start < 0 || (last && start >= last.start && end <= last.end)) return undefined
  if (!text.startsWith(entry.text, start)) return undefined
  if (entry.alone && (isWord(text[start - 1]) || isWord(text[end]))) return undefined
  return { start, end, label: entry.label }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[A-Za-z0-9]/.test(character)

function partSpan(entry: Part, text: string, at: number, free: number): Span | undefined {
  const secret = entry.text
  if (at < free) return undefined
  let start = at
  let first = entry.at
  while (start > free && first > 0) {
    const back = text[start - 1] === secret[first - 1] ? 0 : widthBefore(text, start, free)
    if (back > 0 && text[start - back - 1] !== secret[first - 1]) break
    if (back < 0) break
    start -= back + 1
    first -= 1
  }
  const { end, last } = endOfPart(secret, entry.at + windowLength, text, at + windowLength)
  return last - first >= shortestPart ? { start, end, label: entry.label } : undefined
}

/** Follows a secret in a text, across gaps, for as long as the two agree. */
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

/** The width of the gap that ends before `start`; -1 where there is none, or nothing before it. */
function widthBefore(text: string, start: number, free: number): number {
  const width = gapBefore.exec(text.slice(Math.max(free, start - longestGap), start))?.[0].length ?? 0
  return width > 0 && start - width > free ? width : -1
}
