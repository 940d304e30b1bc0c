/** Finds the words in which two texts differ. */
import { throwAwayName } from '../../throw-away.ts'
import { formatJson } from './body.ts'

export interface Piece {
  readonly text: string
  readonly isDifferent: boolean
}

/** A line of a text; `number` counts from 1. */
export interface Line {
  readonly number: number
  readonly pieces: readonly Piece[]
}

export interface Difference {
  readonly wanted: readonly Line[]
  readonly saw: readonly Line[]
}

/** The largest table of a comparison, in cells. Two longer texts are compared only by their common beginning and
 * end. */
const largestTable = 1_000_000

/** A word. A short text in quotes and a throw-away name count as one word. */
const word = new RegExp(
  `"[\\p{L}\\p{N}_/.*+-][^"\\\\\\n]{0,58}"|${throwAwayName.source}|[\\p{L}\\p{N}_]+|\\s+|.`,
  'giu',
)
const wordsOf = (text: string): readonly string[] => text.match(word) ?? []

/** Lays out JSON, so that each field is compared as a line of its own. */
function laidOut(text: string): string {
  const tokens = formatJson(text)
  return tokens ? tokens.map((token) => token.text).join('') : text
}

/** The minimum length of JSON that is laid out; shorter JSON is readable as it is. */
const shortestLaidOut = 40

/** The words that an expectation may put before the value. */
const before = /^(as before: |exactly )/

export function differenceOf(texts: { readonly wanted: string; readonly saw: string }): Difference {
  const [prefix = ''] = before.exec(texts.wanted) ?? []
  const values = [texts.wanted.slice(prefix.length), texts.saw]
  const isShort = values.every(({ length }) => length < shortestLaidOut)
  const [wanted = '', saw = ''] = isShort ? values : values.map(laidOut)
  const [ofWanted, ofSaw] = [wordsOf(wanted), wordsOf(saw)]
  const common = commonWords(ofWanted, ofSaw)
  const letters = common.reduce((sum, [at]) => sum + (ofWanted[at]?.trim().length ?? 0), 0)
  // Two texts with little in common are easier to read without marks.
  if (letters < Math.min(wanted.length, saw.length) / 3) return { wanted: linesOf(prefix + wanted), saw: linesOf(saw) }
  const marked = piecesOf(ofWanted, new Set(common.map(([at]) => at)))
  return {
    wanted: linesIn(prefix === '' ? marked : [{ text: prefix, isDifferent: false }, ...marked]),
    saw: linesIn(piecesOf(ofSaw, new Set(common.map(([, at]) => at)))),
  }
}

/** Splits a text into lines in which nothing is marked. */
export const linesOf = (text: string): readonly Line[] => linesIn([{ text, isDifferent: false }])

/** Returns the pairs of indices at which both have the same word, in order: the common beginning and end, and a longest
 * common subsequence between them. */
function commonWords(one: readonly string[], other: readonly string[]): readonly (readonly [number, number])[] {
  const shortest = Math.min(one.length, other.length)
  let start = 0
  while (start < shortest && one[start] === other[start]) start += 1
  let end = 0
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const pairs: [number, number][] = Array.from({ length: start }, (_, at) => [at, at])
  const [rows, columns] = [one.length - end - start, other.length - end - start]
  if (rows * columns > 0 && rows * columns <= largestTable)
    for (const [row, column] of longestCommon(one.slice(start, start + rows), other.slice(start, start + columns)))
      pairs.push([start + row, start + column])
  for (let at = end; at > 0; at -= 1) pairs.push([one.length - at, other.length - at])
  return pairs
}

/** Returns a function that tells how many words the ends of both, from these indices on, have in common. */
function commonLengths(one: readonly string[], other: readonly string[]): (row: number, column: number) => number {
  const width = other.length + 1
  const lengths = new Uint32Array((one.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        one[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  return at
}

function longestCommon(one: readonly string[], other: readonly string[]): readonly (readonly [number, number])[] {
  const lengthFrom = commonLengths(one, other)
  const pairs: [number, number][] = []
  let [row, column] = [0, 0]
  while (row < one.length && column < other.length) {
    if (one[row] === other[column]) pairs.push([row++, column++])
    else if (lengthFrom(row + 1, column) >= lengthFrom(row, column + 1)) row += 1
    else column += 1
  }
  return pairs
}

/** Joins neighbouring words into pieces. A single space between two words that differ is marked with them. */
function piecesOf(words: readonly string[], common: ReadonlySet<number>): readonly Piece[] {
  const pieces: { text: string; isDifferent: boolean }[] = []
  for (const [at, text] of words.entries()) {
    const isBetween = text === ' ' && !common.has(at - 1) && at > 0 && at + 1 < words.length && !common.has(at + 1)
    const isDifferent = !common.has(at) || isBetween
    const last = pieces.at(-1)
    if (last?.isDifferent === isDifferent) last.text += text
    else pieces.push({ text, isDifferent })
  }
  // White space and commas are marked only if nothing else differs.
  const isSlight = pieces.every(({ text, isDifferent }) => !isDifferent || /^[\s,]*$/.test(text))
  return isSlight ? pieces : pieces.flatMap(withoutSpace)
}

function withoutSpace(piece: Piece): readonly Piece[] {
  if (!piece.isDifferent) return [piece]
  return piece.text
    .split(/(^,?\s+|,?(?<!\s)\s*\n\s*|,?(?<!\s)\s+$|^,$)/)
    .map((text, at) => ({ text, isDifferent: at % 2 === 0 }))
    .filter(({ text }) => text !== '')
}

function linesIn(pieces: readonly Piece[]): readonly Line[] {
  const lines: Piece[][] = [[]]
  for (const { text, isDifferent } of pieces)
    for (const [at, part] of text.split(/\r?\n/).entries()) {
      if (at > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, isDifferent })
    }
  // A line break at the end of a text does not begin another line.
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop()
  return lines.map((of, at) => ({ number: at + 1, pieces: of }))
}
