/** Finds many texts at once: six characters of each are its key in an index, and a bitmap rules out nearly every
 * position of the searched text before the index is asked. Adding a text costs nothing elsewhere, so that tokens can be
 * learnt by the hundred while results are being redacted. */

const keyLength = 6
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

/** A window into a long text, of which any part of `shortestPart` characters counts. */
interface Part {
  readonly text: string
  readonly at: number
  readonly label: string
}

export interface Span {
  readonly start: number
  readonly end: number
  readonly label: string
}

export const windowLength = 12
const windowStride = 4
/** The first characters of a key's encoding say which kind of key it is, and stand in public keys too. */
const publicHead = 48
const shortestPart = 24

/** Line breaks in any spelling, and the marks that quote or indent a line. */
const gap = /(?:[\s>|"',]|\\+[nrt]|%0[ADad]|&#1[03];)+/.source
const gapAfter = new RegExp(gap, 'y')
const gapBefore = new RegExp(`${gap}$`)
const longestGap = 40

/** Holds the last six characters: each further one shifts the oldest out. */
const step = (key: number, code: number): number => ((key << 5) ^ code) & 0x3fffffff
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

export class Finder {
  readonly #exact = new Map<number, Exact[]>()
  readonly #windows = new Windows()
  /** A bit for each slot; made for the first text, since a megabyte for each of many redactors that find nothing adds up. */
  #present = new Uint8Array(0)
  #coarse = new Uint8Array(0)

  addExact(text: string, label: string, alone = false): void {
    const at = Math.min(longestLead, text.length - keyLength)
    const key = this.#marked(text, at)
    const entry = { text, at, label, alone }
    const alike = this.#exact.get(key)
    if (alike) alike.push(entry)
    else this.#exact.set(key, [entry])
  }

  /** A text that is found in parts, and across line breaks. `open` are windows of it that stand in public keys too: they
   * count only beside another. */
  addWrapped(text: string, label: string, open?: ReadonlySet<string>): void {
    const owner = this.#windows.own(text, label)
    for (let at = 0; at + windowLength <= text.length; at += windowStride) {
      if (at < publicHead && text.length >= publicHead + shortestPart) continue
      if (open?.has(text.slice(at, at + windowLength))) continue
      this.#windows.add(owner, at, this.#marked(text, at))
    }
  }

  /** The key of what is here in a text; from now on a search stops at it. */
  #marked(text: string, at: number): number {
    const key = keyAt(text, at)
    const place = slot(key)
    if (this.#isEmpty) {
      this.#present = new Uint8Array(1 << (slotBits - 3))
      this.#coarse = new Uint8Array(1 << (coarseBits - 3))
    }
    setBit(this.#present, place)
    setBit(this.#coarse, coarse(place))
    return key
  }

  get #isEmpty(): boolean {
    return this.#present.length === 0
  }

  /** Spans in order, not overlapping; undefined where the text would take too long to search. */
  find(text: string): Span[] | undefined {
    const spans: Span[] = []
    if (this.#isEmpty) return spans
    const near = this.#coarse
    const present = this.#present
    let left = mostSteps + stepsPerCharacter * text.length
    let key = 0
    for (let index = 0; index < text.length; index++) {
      key = step(key, text.charCodeAt(index))
      const place = slot(key)
      if (!hasBit(near, coarse(place)) || !hasBit(present, place)) continue
      const at = index - keyLength + 1
      const exact = this.#exact.get(key) ?? none
      const parts = this.#windows.at(text, at, key)
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

/** Of the six characters that are here in a text. */
function keyAt(text: string, at: number): number {
  let key = 0
  for (let index = at; index < at + keyLength; index++) key = step(key, text.charCodeAt(index))
  return key
}

const noWindow = -1
const firstRoom = 1 << 10

/** Windows by the hundred thousand, in arrays of numbers: as objects they would be most of what a run holds in memory. */
class Windows {
  readonly #owners: { readonly text: string; readonly label: string }[] = []
  #count = 0
  /** By window: the owner, the place in its text, the hash, and the next window in the same bucket. */
  #owner = new Int32Array(firstRoom)
  #place = new Int32Array(firstRoom)
  #hash = new Int32Array(firstRoom)
  #next = new Int32Array(firstRoom)
  /** The newest window of each bucket. */
  #newest = new Int32Array(firstRoom).fill(noWindow)

  /** The number of a text that windows are added of. */
  own(text: string, label: string): number {
    return this.#owners.push({ text, label }) - 1
  }

  /** `key` is that of the first half of the window. */
  add(owner: number, at: number, key: number): void {
    if (this.#count === this.#owner.length) this.#grow()
    const text = this.#owners[owner]?.text ?? ''
    const one = this.#count++
    this.#owner[one] = owner
    this.#place[one] = at
    this.#hash[one] = windowHash(key, text, at)
    this.#chain(one)
  }

  /** The windows that are equal to what is here in a text. */
  at(text: string, at: number, key: number): readonly Part[] {
    if (this.#count === 0 || at + windowLength > text.length) return none
    const hash = windowHash(key, text, at)
    let found: Part[] | undefined
    for (let one = this.#newest[this.#bucket(hash)] ?? noWindow; one !== noWindow; one = this.#next[one] ?? noWindow) {
      if (this.#hash[one] !== hash) continue
      const owner = this.#owners[this.#owner[one] ?? 0]
      const place = this.#place[one] ?? 0
      if (!owner || !areAlike(owner.text, place, text, at)) continue
      found ??= []
      found.push({ text: owner.text, at: place, label: owner.label })
    }
    return found ?? none
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

/** Of both halves of a window; the key of the first is known. */
const windowHash = (key: number, text: string, at: number): number =>
  Math.imul(key, 0x85ebca6b) ^ keyAt(text, at + keyLength)

function areAlike(one: string, oneAt: number, other: string, otherAt: number): boolean {
  for (let index = 0; index < windowLength; index++)
    if (one.charCodeAt(oneAt + index) !== other.charCodeAt(otherAt + index)) return false
  return true
}

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
