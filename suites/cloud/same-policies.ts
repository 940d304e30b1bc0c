/** Compares the policies of a session or user with those of its role, by what they mean. */
import { isDeepStrictEqual } from 'node:util'
import { meaningOf } from '../../fixtures/cloud/policies.ts'

interface Statement {
  readonly Effect?: unknown
  readonly Action?: string | readonly string[]
  readonly NotAction?: string | readonly string[]
  readonly Resource?: string | readonly string[]
  readonly Condition?: unknown
}

/** A line of `meaningOf` is the version, a space and the statement. */
function statementIn(line: string): Statement | undefined {
  try {
    return JSON.parse(line.slice(line.indexOf(' ') + 1)) as Statement
  } catch {
    return undefined
  }
}

const actionsOf = (some: Statement['Action']): readonly string[] => [some ?? []].flat()

/** The action patterns of the provider have `*` for any text and `?` for any letter, and ignore case. They come from the
 * target, so no regular expression is made of them: one with many stars would never end. */
export function covers(pattern: string, action: string): boolean {
  const [wanted, text] = [pattern.toLowerCase(), action.toLowerCase()]
  let [at, from, star, resumed] = [0, 0, -1, 0]
  while (at < text.length) {
    const letter = wanted[from]
    if (letter === '*') [star, resumed, from] = [from, at, from + 1]
    else if (letter === '?' || letter === text[at]) [at, from] = [at + 1, from + 1]
    else if (star < 0) return false
    // The last star takes one more letter.
    else [resumed, at, from] = [resumed + 1, resumed + 1, star + 1]
  }
  return /^\**$/.test(wanted.slice(from))
}

/** Returns whether the statement denies one of these actions on every resource, without a condition. */
function takesAway({ Action, NotAction, Resource = '*', Condition }: Statement, actions: readonly string[]): boolean {
  if (Condition !== undefined || Resource !== '*') return false
  const isDenied = (action: string): boolean =>
    NotAction === undefined
      ? actionsOf(Action).some((pattern) => covers(pattern, action))
      : !actionsOf(NotAction).some((pattern) => covers(pattern, action))
  return actions.some(isDenied)
}

/** A server may add statements that only restrict (reading 70), if they do not deny a wanted action entirely. */
function isRestriction(line: string, wanted: readonly string[]): boolean {
  const statement = statementIn(line)
  if (statement?.Effect !== 'Deny') return false
  const allowed = wanted.flatMap((one) => {
    const { Effect, Action } = statementIn(one) ?? {}
    return Effect === 'Allow' ? actionsOf(Action) : []
  })
  return !takesAway(statement, allowed)
}

/** Returns whether `texts` together mean the same as `documents`. A text that cannot be parsed is compared as it is. */
export function sameMeaning(texts: readonly string[], documents: readonly string[]): boolean {
  const isAlone = documents.length === 1
  const all = (some: readonly string[]) => some.flatMap((text) => meaningOf(text, isAlone) ?? text).toSorted()
  const wanted = all(documents)
  const saw = all(texts).filter((line) => wanted.includes(line) || !isRestriction(line, wanted))
  return isDeepStrictEqual(saw, wanted)
}
