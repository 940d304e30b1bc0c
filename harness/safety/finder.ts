/** Finds many texts at once: the first four characters of each are its key in an index, and a bitmap rules out nearly
 * every position of the searched text before the index is asked. Adding a text costs nothing elsewhere, so that tokens
 * can be learnt by the hundred while results are being redacted. */

const keyLength = 4

interface Exact {
  readonly kind: 'exact'
  readonly text: string
  readonly label: string
  /** Counts only where no letter or digit stands beside it. */
  readonly alone: boolean
}

/** A window into a long text, of which any part of `shortestPart` characters counts. */
interface Part {
  readonly kind: 'part'
  readonly text: string
  readonly at: number
  readonly label: string
}

type Entry = Exact | Part

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

const step = (key: number, code: number): number => (key << 8) ^ code
const slot = (key: number): number => (Math.imul(key, 0x9e3779b1) >>> 14) & 0x3ffff

export class Finder {
  readonly #index = new Map<number, Entry[]>()
  readonly #present = new Uint8Array(1 << 18)

  addExact(text: string, label: string, alone = false): void {
    this.#add({ kind: 'exact', text, label, alone }, text, 0)
  }

  /** A text that is found in parts, and across line breaks. `open` are windows of it that stand in public keys too: they
   * count only beside another. */
  addWrapped(text: string, label: string, open?: ReadonlySet<string>): void {
    for (let at = 0; at + windowLength <= text.length; at += windowStride)
      if (at >= publicHead || text.length < publicHead + shortestPart)
        if (!open?.has(text.slice(at, at + windowLength))) this.#add({ kind: 'part', text, at, label }, text, at)
  }

  #add(entry: Entry, text: string, from: number): void {
    let key = 0
    for (let index = from; index < from + keyLength; index++) key = step(key, text.charCodeAt(index))
    this.#present[slot(key)] = 1
    const entries = this.#index.get(key)
    if (entries) entries.push(entry)
    else this.#index.set(key, [entry])
  }

  /** Spans in order, not overlapping. */
  find(text: string): Span[] {
    const spans: Span[] = []
    if (this.#index.size === 0) return spans
    let key = 0
    let free = 0
    for (let index = 0; index < text.length; index++) {
      key = step(key, text.charCodeAt(index))
      if (index < free + keyLength - 1 || this.#present[slot(key)] === 0) continue
      const start = index - keyLength + 1
      const span = this.#at(text, start, key, free)
      if (!span) continue
      spans.push(span)
      free = span.end
      index = Math.max(index, span.end - 1)
      key = 0
    }
    return spans
  }

  #at(text: string, start: number, key: number, free: number): Span | undefined {
    let best: Span | undefined
    for (const entry of this.#index.get(key) ?? []) {
      const span = entry.kind === 'exact' ? exactSpan(entry, text, start) : partSpan(entry, text, start, free)
      if (!span) continue
      // Two alphabets of one key match the same part, and one of them goes further back.
      best = best ? { ...(span.end > best.end ? span : best), start: Math.min(best.start, span.start) } : span
    }
    return best
  }
}

function exactSpan(entry: Exact, text: string, start: number): Span | undefined {
  if (!text.startsWith(entry.text, start)) return undefined
  const end = start + entry.text.length
  if (entry.alone && (isWord(text[start - 1]) || isWord(text[end]))) return undefined
  return { start, end, label: entry.label }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[A-Za-z0-9]/.test(character)

function partSpan(entry: Part, text: string, at: number, free: number): Span | undefined {
  const secret = entry.text
  if (!text.startsWith(secret.slice(entry.at, entry.at + windowLength), at)) return undefined
  let start = at
  let first = entry.at
  while (start > free && first > 0) {
    const back = text[start - 1] === secret[first - 1] ? 0 : widthBefore(text, start, free)
    if (back > 0 && text[start - back - 1] !== secret[first - 1]) break
    if (back < 0) break
    start -= back + 1
    first -= 1
  }
  let end = at + windowLength
  let last = entry.at + windowLength
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
  return last - first >= shortestPart ? { start, end, label: entry.label } : undefined
}

/** The width of the gap that ends before `start`; -1 where there is none, or nothing before it. */
function widthBefore(text: string, start: number, free: number): number {
  const width = gapBefore.exec(text.slice(Math.max(free, start - longestGap), start))?.[0].length ?? 0
  return width > 0 && start - width > free ? width : -1
}
