/** Finds ids in the text of source files: as a literal, or as a pattern literal such as `{kind}-list-omits` with `$`
 * before the brace. It finds only what a person could also find by a text search. */
import { readFileSync } from 'node:fs'

export interface Literal {
  readonly line: number
  readonly text: string
  /** The texts between the placeholders of a pattern; a single one if the literal is not a pattern. */
  readonly fixed: readonly string[]
}

/** The minimum length of a fixed text; a shorter one would match too much. */
const leastFixed = 6

const quoted = /'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\\n]*)`/g
const hole = /\$?\{[^{}]*\}/
const isComment = (line: string): boolean => /^\s*(\/\/|\/\*|\*)/.test(line)

/** An area alone, as in `pki/` before a placeholder, would match too much as well. */
const isDistinctive = (part: string): boolean => part.length >= leastFixed && !/^[\w-]+\/$/.test(part)
const isWhole = ({ fixed }: Literal): boolean => fixed.length === 1 || fixed.some(isDistinctive)

export const literalsOf = (text: string): readonly Literal[] =>
  text.split('\n').flatMap((line, index) =>
    isComment(line)
      ? []
      : [...line.matchAll(quoted)]
          .map(([, single, double, template]): Literal => {
            const text = single ?? double ?? template ?? ''
            return { line: index + 1, text, fixed: text.split(hole) }
          })
          .filter(isWhole),
  )

interface Indexed {
  readonly whole: ReadonlyMap<string, readonly Literal[]>
  readonly patterns: readonly Literal[]
}

function indexed(literals: readonly Literal[]): Indexed {
  const isPattern = ({ fixed }: Literal): boolean => fixed.length > 1
  const whole = literals.filter((literal) => !isPattern(literal))
  return { whole: Map.groupBy(whole, ({ text }) => text), patterns: literals.filter(isPattern) }
}

const known = new Map<string, Indexed>()

/** Reads and indexes each file only once, because any id may be searched for in any file. */
function indexOf(file: string): Indexed {
  const found = known.get(file) ?? indexed(literalsOf(readFileSync(file, 'utf8')))
  known.set(file, found)
  return found
}

export function wholeIn(file: string, ids: readonly string[]): readonly Literal[] {
  const { whole } = indexOf(file)
  return ids.flatMap((id) => whole.get(id) ?? [])
}

export const patternsIn = (file: string): readonly Literal[] => indexOf(file).patterns

/** Returns how many characters of the text a pattern fixes; 0 if the fixed parts do not occur in this order, with
 * something in each placeholder. */
function patternWeight(fixed: readonly string[], text: string): number {
  const [first = '', ...rest] = fixed
  if (!text.startsWith(first)) return 0
  let at = first.length
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1
    const next = isLast ? text.length - part.length : text.indexOf(part, at + 1)
    if (next <= at || (isLast && !text.endsWith(part))) return 0
    at = next + part.length
  }
  return fixed.join('').length
}

/** Returns how well a literal matches an id: more than 1 for the id itself, otherwise the share of the id that a
 * pattern fixes. */
export function weightOf({ text, fixed }: Literal, id: string): number {
  if (fixed.length === 1) return text === id ? 1 + id.length : 0
  return patternWeight(fixed, id) / (id.length + 1)
}
