/** Expectations: each can judge what was seen, and say what was wanted and where. */
import { isDeepStrictEqual } from 'node:util'
import type { Expectation, Mismatch, Seen } from './check.ts'
import type { Exchange, Json, JsonObject, Reply } from './exchange.ts'
import { type Scope, StepFailed } from './scope.ts'

/** A predicate over one value, with words for the reader. */
export interface Matcher {
  readonly words: string
  matches(value: Json | undefined, scope: Scope): boolean
}

export const matcher = (words: string, matches: Matcher['matches']): Matcher => ({ words, matches })

const isMatcher = (wanted: Json | Matcher): wanted is Matcher =>
  typeof wanted === 'object' && wanted !== null && 'matches' in wanted && typeof wanted.matches === 'function'

export const isSuccess = (reply: Reply): boolean => reply.status >= 200 && reply.status < 300
/** Any 4xx or 5xx: the documents fix exact codes in two places only (spec readings, preamble). */
export const isRefusal = (reply: Reply): boolean => reply.status >= 400 && reply.status < 600

/** Text short enough for a finding. */
export function shown(value: unknown, limit = 200): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A named field: inside `data` if there, else at the top level (spec readings, preamble). A name with a leading slash
 * is a JSON pointer and is taken literally. */
export function fieldOf(reply: Reply, name: string): Json | undefined {
  if (name.startsWith('/')) {
    return name
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<Json | undefined>((value, part) => {
        if (Array.isArray(value)) return value[Number(part)] as Json | undefined
        return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
      }, reply.json)
  }
  if (!isObject(reply.json)) return undefined
  const data = reply.json.data
  if (isObject(data) && Object.hasOwn(data, name)) return data[name]
  return Object.hasOwn(reply.json, name) ? reply.json[name] : undefined
}

/** The keys of a list reply. An empty list may be a 404 without a cause, a 200 without keys, or null keys. */
export function keysOf(reply: Reply): readonly string[] | undefined {
  if (reply.status === 404) return []
  if (!isSuccess(reply)) return undefined
  const keys = fieldOf(reply, 'keys')
  if (keys === undefined || keys === null) return []
  return Array.isArray(keys) && keys.every((key) => typeof key === 'string') ? (keys as readonly string[]) : undefined
}

export const mismatch = (reply: Reply, at: string, wanted: string, saw: unknown): Mismatch => ({
  asked: reply.asked,
  at,
  wanted,
  saw: typeof saw === 'string' ? saw : shown(saw),
})

const statusSeen = (reply: Reply): string => {
  const errors = fieldOf(reply, '/errors')
  const told = Array.isArray(errors) && errors.length > 0 ? ` ${shown(errors)}` : ''
  return `${reply.status}${told}`
}

/** Fills templates in every string of a JSON value. */
export function filled(value: Json, scope: Scope): Json {
  if (typeof value === 'string') return scope.fill(value)
  if (Array.isArray(value)) return value.map((item) => filled(item as Json, scope))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [scope.fill(key), filled(item, scope)]))
  return value
}

export const succeeds: Expectation = {
  words: 'the request succeeds',
  judge: ({ reply }) =>
    isSuccess(reply) ? undefined : mismatch(reply, 'status', 'a success (2xx)', statusSeen(reply)),
}

/** Refused: any 4xx or 5xx and, where an exchange is given, no change in what it reads. */
export function refused(reread?: Exchange): Expectation {
  const rest = reread ? unchanged(reread) : undefined
  return {
    words: rest ? `the request is refused, and ${rest.words}` : 'the request is refused',
    ...(rest?.touches ? { touches: rest.touches } : {}),
    ...(rest?.before ? { before: rest.before } : {}),
    judge(seen, before) {
      if (!isRefusal(seen.reply))
        return mismatch(seen.reply, 'status', 'a refusal (4xx or 5xx)', statusSeen(seen.reply))
      return rest?.judge(seen, before)
    },
  }
}

export const status = (wanted: number): Expectation => ({
  words: `the status is ${wanted}`,
  judge: ({ reply }) =>
    reply.status === wanted ? undefined : mismatch(reply, 'status', String(wanted), statusSeen(reply)),
})

/** A field has a value (templates in it are filled) or satisfies a matcher. */
export function field(name: string, wanted: Json | Matcher): Expectation {
  return {
    words: `\`${name}\` is ${isMatcher(wanted) ? wanted.words : shown(wanted)}`,
    judge({ reply, scope }) {
      if (!isSuccess(reply)) return mismatch(reply, 'status', `a success (2xx) with \`${name}\``, statusSeen(reply))
      const saw = fieldOf(reply, name)
      const met = isMatcher(wanted) ? wanted.matches(saw, scope) : isDeepStrictEqual(saw, filled(wanted, scope))
      const words = isMatcher(wanted) ? wanted.words : shown(filled(wanted, scope))
      return met ? undefined : mismatch(reply, name, words, saw === undefined ? 'no such field' : shown(saw))
    },
  }
}

/** The list names a key. A trailing slash on a listed key is ignored. */
export const keyed = (key: string): Expectation => keysExpectation(key, true)
export const notKeyed = (key: string): Expectation => keysExpectation(key, false)

function keysExpectation(key: string, wanted: boolean): Expectation {
  return {
    words: `the list ${wanted ? 'names' : 'does not name'} \`${key}\``,
    judge({ reply, scope }) {
      const keys = keysOf(reply)
      const name = scope.fill(key)
      if (!keys) return mismatch(reply, 'keys', 'a list of names', statusSeen(reply))
      const found = keys.some((item) => item === name || item === `${name}/`)
      return found === wanted
        ? undefined
        : mismatch(reply, 'keys', `a list ${wanted ? 'with' : 'without'} ${shown(name)}`, shown(keys))
    },
  }
}

/** A further exchange, sent after `when`, and what must hold for its reply. */
export function next(exchange: Exchange, expectation: Expectation): Expectation {
  return {
    words: `${exchange.words ?? `${exchange.method} \`${exchange.path}\`${exchange.as ? ` as ${exchange.as}` : ''}`}: ${expectation.words}`,
    touches: [exchange, ...(expectation.touches ?? [])],
    ...(expectation.before ? { before: (scope: Scope) => expectation.before?.(scope) ?? Promise.resolve() } : {}),
    async judge({ scope }, before) {
      return expectation.judge({ reply: await scope.send(exchange), scope }, before)
    },
  }
}

/** What an exchange reads is the same after `when` as it was before. What differs between two readings with nothing
 * between them (counters, times, ids of requests) is no state, and is left out. */
export function unchanged(exchange: Exchange): Expectation {
  return {
    words: `${exchange.method} \`${exchange.path}\` reads as before`,
    touches: [exchange],
    before: async (scope): Promise<Remembered> => {
      const first = substanceOf(telling(await scope.send(exchange)))
      const restless = differences(first, substanceOf(telling(await scope.send(exchange))))
      return { restless, substance: without(first, restless) }
    },
    async judge({ scope }: Seen, before) {
      const { restless, substance } = before as Remembered
      const reply = telling(await scope.send(exchange))
      const after = without(substanceOf(reply), restless)
      return isDeepStrictEqual(after, substance)
        ? undefined
        : mismatch(reply, 'reply', `as before: ${shown(substance)}`, shown(after))
    },
  }
}

interface Remembered {
  readonly substance: Json
  /** JSON pointers. */
  readonly restless: ReadonlySet<string>
}

/** Refusals of the reading itself: nothing is said of whether anything is there. */
const silent: ReadonlySet<number> = new Set([401, 403, 405, 408, 429])

function telling(reply: Reply): Reply {
  if (!silent.has(reply.status) && reply.status < 500) return reply
  throw new StepFailed(`${reply.asked} answered ${reply.status}, which tells nothing of what is there`, reply)
}

/** The part of a reply that carries state: the data of an envelope, else the body. */
function substanceOf(reply: Reply): Json {
  if (!isSuccess(reply)) return { present: false }
  if (!isObject(reply.json)) return { present: true, body: reply.text }
  return { present: true, body: Object.hasOwn(reply.json, 'data') ? (reply.json.data ?? null) : reply.json }
}

function differences(one: Json | undefined, other: Json | undefined, at = ''): ReadonlySet<string> {
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    return new Set([...keys].flatMap((key) => [...differences(one[key], other[key], `${at}/${key}`)]))
  }
  return new Set(isDeepStrictEqual(one, other) ? [] : [at])
}

function without(value: Json, pointers: ReadonlySet<string>, at = ''): Json {
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => !pointers.has(`${at}/${key}`))
  return Object.fromEntries(kept.map(([key, item]) => [key, without(item, pointers, `${at}/${key}`)]))
}
