/** Expectations: each one judges a reply and, on a mismatch, says what was expected and where. */
import { isDeepStrictEqual } from 'node:util'
import { type Expectation, type Judgement, judgementOf } from './check.ts'
import type { Exchange, Json } from './exchange.ts'
import { isNothingSeen } from './left-open.ts'
import {
  fieldOf,
  isObject,
  isOfTheWay,
  isRefusal,
  isSuccess,
  keysOf,
  mismatch,
  notRefusal,
  notSuccess,
  shortfall,
  shown,
  statusSeen,
} from './reply.ts'
import type { Scope } from './scope.ts'
import { requestWords } from './sentence.ts'
import { stepRefused } from './step-failed.ts'

/** A predicate over one value, with a description for reports. */
export interface Matcher {
  readonly words: string
  matches(value: Json | undefined, scope: Scope): boolean
}

export const matcher = (words: string, matches: Matcher['matches']): Matcher => ({ words, matches })

const isMatcher = (wanted: Json | Matcher): wanted is Matcher =>
  typeof wanted === 'object' && wanted !== null && 'matches' in wanted && typeof wanted.matches === 'function'

/** Fills in the templates in every string of a JSON value, including keys. */
export function filled(value: Json, scope: Scope): Json {
  if (typeof value === 'string') return scope.fill(value)
  if (Array.isArray(value)) return value.map((item) => filled(item as Json, scope))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [scope.fill(key), filled(item, scope)]))
  return value
}

export const succeeds: Expectation = {
  words: 'the request succeeds',
  judge: ({ reply }) => (isSuccess(reply) ? undefined : notSuccess(reply)),
}

export const status = (wanted: number): Expectation => ({
  words: `the status is ${wanted}`,
  judge: ({ reply }) =>
    reply.status === wanted ? undefined : mismatch(reply, 'status', String(wanted), statusSeen(reply)),
})

/** Expects a field to equal a value, whose templates are filled in, or to satisfy a matcher. */
export function field(name: string, wanted: Json | Matcher): Expectation {
  return {
    words: `\`${name}\` is ${isMatcher(wanted) ? wanted.words : shown(wanted)}`,
    judge({ reply, scope }) {
      if (!isSuccess(reply)) return notSuccess(reply)
      const saw = fieldOf(reply, name)
      const met = isMatcher(wanted) ? wanted.matches(saw, scope) : isDeepStrictEqual(saw, filled(wanted, scope))
      const words = isMatcher(wanted) ? wanted.words : shown(filled(wanted, scope))
      return met ? undefined : mismatch(reply, name, words, saw === undefined ? 'no such field' : shown(saw))
    },
  }
}

/** Expects the list to contain a key. A trailing slash on a listed key is ignored. */
export const keyed = (key: string): Expectation => keysExpectation(key, true)
export const notKeyed = (key: string): Expectation => keysExpectation(key, false)

function keysExpectation(key: string, wanted: boolean): Expectation {
  return {
    words: `the list ${wanted ? 'names' : 'does not name'} \`${key}\``,
    judge({ reply, scope }) {
      const keys = keysOf(reply)
      const name = scope.fill(key)
      if (!keys) return shortfall(reply, 'keys', 'a list of names', fieldOf(reply, 'keys'))
      const found = keys.some((item) => item === name || item === `${name}/`)
      return found === wanted
        ? undefined
        : mismatch(reply, 'keys', `a list ${wanted ? 'with' : 'without'} ${shown(name)}`, shown(keys))
    },
  }
}

const isEmpty = (value: Json | undefined): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0)

/** Expects that nothing of a kind is there: a refusal, or a success that shows none of the documented fields of the kind
 * (readings, 55). `read` shows the thing while it is there; what it showed then must not be shown any more. */
export const absent = (what: string, fields: readonly string[], read?: Exchange): Expectation => ({
  words: `no ${what} is shown`,
  ...(read ? { touches: [read], before: async (scope: Scope) => (await scope.send(read)).json } : {}),
  judge({ reply }, before) {
    if (isRefusal(reply)) return undefined
    if (!isSuccess(reply)) return notRefusal(reply)
    const left = fields.flatMap((name) => {
      const value = fieldOf(reply, name)
      return isEmpty(value) ? [] : [mismatch(reply, name, 'absent', shown(value))]
    })
    const isAsBefore = !isEmpty(before as Json) && isDeepStrictEqual(before, reply.json)
    return judgementOf(...left, isAsBefore ? mismatch(reply, 'body', `no ${what}`, shown(reply.json)) : undefined)
  },
})

/** Sends a further exchange after `when`, and applies the expectation to its reply. */
export function next(exchange: Exchange, expectation: Expectation): Expectation {
  return {
    words: `${requestWords(exchange)}: ${expectation.words}`,
    ...(expectation.requirement ? { requirement: expectation.requirement } : {}),
    touches: [exchange, ...(expectation.touches ?? [])],
    ...(expectation.before ? { before: (scope: Scope) => expectation.before?.(scope) ?? Promise.resolve() } : {}),
    async judge({ scope }, before) {
      const reply = await scope.send(exchange)
      const found = await expectation.judge({ reply, scope }, before)
      // The reply may come from a proxy in front of the target, so it shows nothing about the target (readings, 52).
      if (found && isOfTheWay(reply)) throw stepRefused(reply)
      return found
    },
  }
}

/** Makes an expectation about another requirement than all those of its check. */
export const about = (requirement: string, expectation: Expectation): Expectation => ({ ...expectation, requirement })

/** Expects the judged request to succeed, and then `then` to hold. If the request was refused, only that is reported,
 * because all later mismatches follow from it. */
export const afterSuccess = (then: Expectation): Expectation => ({
  ...then,
  judge: (seen, before) => (isSuccess(seen.reply) ? then.judge(seen, before) : notSuccess(seen.reply)),
})

/** Expects all of these of one reply, and reports every difference. If the judged request itself was refused, only that
 * is reported, because all later mismatches follow from it. */
export const allOf = (words: string, expectations: readonly Expectation[]): Expectation => ({
  words,
  touches: expectations.flatMap(({ touches = [] }) => touches),
  before: (scope) => Promise.all(expectations.map(async (one) => one.before?.(scope))),
  async judge(seen, before) {
    // A step that uses an expectation may have nothing to remember.
    const memories = (before ?? []) as readonly unknown[]
    let found: Judgement
    for (const [index, one] of expectations.entries()) {
      found = await judgedAfter(found, () => one.judge(seen, memories[index]))
      if (found && !isSuccess(seen.reply)) break
    }
    return found
  },
})

/** An expectation that sees nothing must not hide the mismatches that were found before. */
async function judgedAfter(found: Judgement, judge: () => Judgement | Promise<Judgement>): Promise<Judgement> {
  try {
    return judgementOf(found, await judge())
  } catch (error) {
    if (found && isNothingSeen(error)) return found
    throw error
  }
}

export const together = (...expectations: readonly Expectation[]): Expectation =>
  allOf(expectations.map(({ words }) => words).join(', and '), expectations)
