/** Regular expressions for `matches`, in the part of the RE2 syntax that policies use. The text is read once, with a
 * set of positions in the pattern, so no pattern can make matching slow. */
import { isWord, PatternProblem, type Step, stepsOf } from './pattern-reader.ts'

export interface Pattern {
  /** The number of steps. The cost of matching is at most this number times the length of the text. */
  readonly size: number
  matches(text: string): boolean
}

/** Compiles a pattern, or returns a description of the problem if it is invalid or unsupported. */
export function compilePattern(pattern: string): Pattern | { readonly problem: string } {
  try {
    const steps = stepsOf(pattern)
    return { size: steps.length, matches: (text) => run(steps, text) }
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error
    return { problem: `the pattern ${JSON.stringify(pattern.slice(0, 100))} is invalid: ${error.message}` }
  }
}

/** A set of positions that is cleared in constant time: it contains the positions with the current mark. */
class Positions {
  readonly #marks: Uint32Array
  readonly list: Int32Array
  #mark = 1
  count = 0

  constructor(size: number) {
    this.#marks = new Uint32Array(size)
    this.list = new Int32Array(size)
  }

  clear(): void {
    this.count = 0
    this.#mark++
  }

  add(position: number): boolean {
    if (this.#marks[position] === this.#mark) return false
    this.#marks[position] = this.#mark
    this.list[this.count++] = position
    return true
  }
}

/** Returns whether the pattern matches. A match may begin anywhere, so the first position is added at each
 * character. */
function run(steps: readonly Step[], text: string): boolean {
  const characters = [...text]
  let present = new Positions(steps.length)
  let next = new Positions(steps.length)
  for (let at = 0; at <= characters.length; at++) {
    if (follow(steps, 0, characters, at, present)) return true
    const character = characters[at]
    if (character === undefined) return false
    next.clear()
    if (isMatchAfter(steps, characters, at, present, next)) return true
    const emptied = present
    present = next
    next = emptied
  }
  return false
}

/** Reads one character, and collects the positions after it. Returns whether the pattern has matched. */
function isMatchAfter(
  steps: readonly Step[],
  characters: readonly string[],
  at: number,
  present: Positions,
  next: Positions,
): boolean {
  const character = characters[at] ?? ''
  for (let index = 0; index < present.count; index++) {
    const position = present.list[index] ?? 0
    const step = steps[position]
    if (step?.kind === 'one' && step.test(character) && follow(steps, position + 1, characters, at + 1, next))
      return true
  }
  return false
}

/** Adds every position that is reached without reading a character. Returns whether the pattern has matched. */
function follow(
  steps: readonly Step[],
  from: number,
  characters: readonly string[],
  at: number,
  into: Positions,
): boolean {
  if (!into.add(from)) return false
  const step = steps[from]
  if (!step || step.kind === 'one') return false
  if (step.kind === 'match') return true
  if (step.kind === 'fork') return step.ways.some((way) => follow(steps, way, characters, at, into))
  return holds(step.kind, characters, at) && follow(steps, from + 1, characters, at, into)
}

function holds(kind: 'start' | 'end' | 'word' | 'no-word', characters: readonly string[], at: number): boolean {
  if (kind === 'start') return at === 0
  if (kind === 'end') return at === characters.length
  return (isWord(characters[at - 1] ?? '') !== isWord(characters[at] ?? '')) === (kind === 'word')
}
