/** What can be expected of replies about plugins, without asking for more than the document says. */
import { isDeepStrictEqual } from 'node:util'
import type { Expectation, Json, JsonObject, Matcher, Reply } from '../../harness/vocabulary/index.ts'
import {
  field,
  fieldOf,
  isObject,
  isRefusal,
  isSuccess,
  matcher,
  mismatch,
  StepFailed,
  shown,
} from '../../harness/vocabulary/index.ts'
import { ownPrefixFrom } from '../given.ts'

export const types = ['auth', 'database', 'secret'] as const

export const nothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

export const empty = matcher('empty or not shown', nothing)

/** As it was given, or below the folder that it is relative to. */
export const command = matcher('the command', (value, scope) => {
  const wanted = scope.value('command')
  return typeof value === 'string' && (value === wanted || value.endsWith(`/${wanted}`))
})

/** In hexadecimal or in base64. */
export const digest = matcher('the digest', (value, scope) => {
  const wanted = scope.value('sha256').toLowerCase()
  return (
    typeof value === 'string' && [value.toLowerCase(), Buffer.from(value, 'base64').toString('hex')].includes(wanted)
  )
})

const bare = (version: string): string => version.replace(/^v/, '')
export const version = (wanted: string) =>
  matcher(`version ${wanted}`, (value) => typeof value === 'string' && bare(value) === bare(wanted))

const sameList = (value: Json | undefined, wanted: readonly string[]): boolean =>
  Array.isArray(value) && value.length === wanted.length && value.every((item, index) => item === wanted[index])

export const entries = (wanted: readonly string[]) => matcher(wanted.join(', '), (value) => sameList(value, wanted))

/** In any order. Environments can hold secrets, and a server may mask the values: that takes no digits, and every value
 * that is given here is one. */
export const assignments = (wanted: readonly string[]) =>
  matcher(
    `${wanted.join(', ')}, values perhaps masked`,
    (value) =>
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((one) => value.some((item) => item === one || isMasked(item, one))),
  )

const isMasked = (item: unknown, wanted: string): boolean => {
  const name = wanted.slice(0, wanted.indexOf('=') + 1)
  return typeof item === 'string' && item.startsWith(name) && /^\D+$/.test(item.slice(name.length))
}

/** The field is this. Which fields a plugin shows is not documented: without it nothing can be said. */
export function stored(name: string, wanted: Json | Matcher): Expectation {
  const holds = field(name, wanted)
  return {
    ...holds,
    judge(seen, before) {
      if (isSuccess(seen.reply) && (fieldOf(seen.reply, name) ?? null) === null)
        throw new StepFailed(`${seen.reply.asked} does not show \`${name}\``, seen.reply)
      return holds.judge(seen, before)
    },
  }
}

/** Where the plugin shows a name, it is its own. Old servers show it below its type. */
export const nameIfShown: Expectation = {
  words: '`name` is that of the plugin, or not shown',
  judge({ reply, scope }) {
    const [name, wanted] = [isSuccess(reply) ? (fieldOf(reply, 'name') ?? null) : null, scope.value('plugin')]
    if (name === null || name === wanted || String(name).endsWith(`/${wanted}`)) return undefined
    return mismatch(reply, 'name', wanted, shown(name))
  },
}

/** The plugin is not returned: a refusal, or a reply without a command. The latter says something only where the same
 * plugin was seen to show one. */
export const absent: Expectation = {
  words: 'no such plugin is returned',
  judge({ reply }) {
    const names = isSuccess(reply) ? stringsUnder(reply.json, 'command') : []
    if (isRefusal(reply) || (isSuccess(reply) && names.length === 0)) return undefined
    return mismatch(reply, 'command', 'no plugin', names.length === 0 ? `status ${reply.status}` : shown(names))
  },
}

function* stringsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* stringsIn(item as Json)
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      yield key
      yield* stringsIn(item)
    }
}

/** Every text that stands under a key of that name, however deep. */
function stringsUnder(value: Json | undefined, key: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => stringsUnder(item as Json, key))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    name === key ? [...stringsIn(item)] : stringsUnder(item, key),
  )
}

/** The version under which a catalog files the plugin of that name, where it tells one. */
export function versionOf(reply: Reply, name: string): string {
  const entryIn = (value: Json | undefined): string => {
    if (Array.isArray(value)) return value.map((item) => entryIn(item as Json)).find((found) => found !== '') ?? ''
    if (!isObject(value)) return ''
    if (value.name === name && typeof value.version === 'string') return value.version
    return entryIn(Object.values(value))
  }
  return isSuccess(reply) ? entryIn(reply.json) : ''
}

/** The names of a type, by where they stand: under it, and in entries that say they are of it. A place that a server does
 * not have is none. */
function placesOf(value: Json | undefined, type: string): readonly (readonly string[])[] {
  const entriesIn = (part: Json | undefined): readonly JsonObject[] => {
    if (Array.isArray(part)) return part.flatMap((item) => entriesIn(item as Json))
    if (!isObject(part)) return []
    if (types.some((one) => one === part.type) && typeof part.name === 'string') return [part]
    return Object.values(part).flatMap(entriesIn)
  }
  const entries = entriesIn(value)
  const under = hasKey(value, type) ? [stringsUnder(value, type)] : []
  const ofType = entries.flatMap((entry) => (entry.type === type ? [String(entry.name)] : []))
  return [...under, ...(entries.length > 0 ? [ofType] : [])]
}

const hasKey = (value: Json | undefined, key: string): boolean =>
  Array.isArray(value)
    ? value.some((item) => hasKey(item as Json, key))
    : isObject(value) && Object.entries(value).some(([name, item]) => name === key || hasKey(item, key))

/** An empty list may be a 404. */
const isList = (reply: Reply): boolean => isSuccess(reply) || reply.status === 404

function listing(
  at: string,
  names: readonly string[],
  see: (reply: Reply) => readonly (readonly string[])[],
): Expectation {
  return {
    words: `of its own plugins ${at} names ${names.map((name) => `\`${name}\``).join(' and ') || 'none'}`,
    judge({ reply, scope }) {
      const prefix = ownPrefixFrom(scope, 'plugin')
      const wanted = names.map((name) => scope.fill(name)).sort()
      const wants = wanted.length === 0 ? `no name that begins with ${prefix}` : wanted.join(', ')
      if (!isList(reply)) return mismatch(reply, 'status', wants, String(reply.status))
      const places = isSuccess(reply) ? see(reply) : []
      const own = places.map((place) => ownIn(place, prefix))
      const wrong = own.find((seen) => !isDeepStrictEqual(seen, wanted))
      if (!wrong && (own.length > 0 || wanted.length === 0)) return undefined
      return mismatch(reply, at, wants, wrong ? shown(wrong) : 'no list')
    },
  }
}

const ownIn = (names: readonly string[], prefix: string): readonly string[] =>
  [...new Set(names.filter((name) => name.startsWith(prefix)))].sort()

/** Where a list stands: in `keys`, else anywhere in the reply. */
function namesIn(reply: Reply): readonly (readonly string[])[] {
  const keys = fieldOf(reply, 'keys')
  return [[...stringsIn(Array.isArray(keys) ? (keys as Json) : reply.json)]]
}

/** Of all plugins that this check could have registered, the list names exactly these. */
export const listsOwn = (names: readonly string[]): Expectation => listing('the list', names, namesIn)

/** The same of the part of the catalog that a type has. A server may show it twice, as names and as entries that say their
 * type: each counts by itself. */
export const filesOwn = (type: string, names: readonly string[]): Expectation =>
  listing(`the catalog under ${type}`, names, (reply) => placesOf(reply.json, type))
