/** Expectations of replies about plugins that do not ask for more than the document says. */
import { isDeepStrictEqual } from 'node:util'
import type { Expectation, Json, JsonObject, Matcher, Reply } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  field,
  fieldOf,
  get,
  isObject,
  isRefusal,
  isSuccess,
  matcher,
  mismatch,
  notSuccess,
  shown,
} from '../../harness/vocabulary/index.ts'
import { ownPrefixFrom } from '../given.ts'
import { isWord } from '../word.ts'

export const types = ['auth', 'database', 'secret'] as const

export const nothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

export const empty = matcher('empty or not shown', nothing)

/** The path as it was given, or below the folder that it is relative to. */
export const command = matcher('the command', (value, scope) => {
  const wanted = scope.value('command')
  return typeof value === 'string' && (value === wanted || value.endsWith(`/${wanted}`))
})

/** The digest in hexadecimal or in base64. */
export const digest = matcher('the digest', (value, scope) => {
  const wanted = scope.value('sha256').toLowerCase()
  return (
    typeof value === 'string' && [value.toLowerCase(), Buffer.from(value, 'base64').toString('hex')].includes(wanted)
  )
})

const bare = (version: string): string => version.replace(/^v/, '')
export const version = (wanted: string) =>
  matcher(`version ${wanted}`, (value) => typeof value === 'string' && bare(value) === bare(wanted))

/** A list may be shown as one comma-separated string (readings, 57). Commas inside the wanted entries separate
 * nothing. An environment may also be shown as a map, because no document shows the reply to a read. */
const listIn = (value: Json | undefined, wanted: readonly string[] = []): Json | undefined => {
  if (isObject(value)) return Object.entries(value).map(([name, item]) => `${name}=${String(item)}`)
  if (typeof value !== 'string') return value
  return value === wanted.join(',') ? [...wanted] : value.split(',')
}

const sameList = (value: Json | undefined, wanted: readonly string[]): boolean =>
  isDeepStrictEqual(listIn(value, wanted), wanted)

export const entries = (wanted: readonly string[]) => matcher(wanted.join(', '), (value) => sameList(value, wanted))

/** The entries in any order. Environment variables can be secrets, and a server may mask the values; a mask contains no
 * digits, and every given value is a digit. */
export const assignments = (wanted: readonly string[]) =>
  matcher(`${wanted.join(', ')}, values perhaps masked`, (value) => {
    const seen = listIn(value, wanted)
    return (
      Array.isArray(seen) &&
      seen.length === wanted.length &&
      wanted.every((one) => seen.some((item) => item === one || isMasked(item, one)))
    )
  })

const isMasked = (item: unknown, wanted: string): boolean => {
  const name = wanted.slice(0, wanted.indexOf('=') + 1)
  return typeof item === 'string' && item.startsWith(name) && /^\D+$/.test(item.slice(name.length))
}

/** A document names these of a plugin besides its type. */
export const pluginFields = ['name', 'version', 'sha256', 'command', 'args', 'env', 'oci_image', 'runtime'] as const

/** The reply shows a plugin, in any of its fields. */
export const showsPlugin = (reply: Reply): boolean =>
  isSuccess(reply) &&
  (pluginFields.some((name) => !nothing(fieldOf(reply, name))) || stringsUnder(reply.json, 'command').length > 0)

/** The scope name of how the target shows that a plugin exists: by `fields`, or by the `status` alone. */
export const tellsBy = 'toldBy'

/** The documents do not say which fields a plugin shows. */
const isHidden = (reply: Reply, name: string): boolean => isSuccess(reply) && (fieldOf(reply, name) ?? null) === null

/** The field has this value, if it is shown. */
export function stored(name: string, wanted: Json | Matcher): Expectation {
  const holds = field(name, wanted)
  return {
    ...holds,
    judge(seen, before) {
      if (isHidden(seen.reply, name)) throw new DoesNotApply(`${seen.reply.asked} does not show \`${name}\``)
      return holds.judge(seen, before)
    },
  }
}

/** A plugin of that type exists. The documents do not say which fields a reply shows: if it shows none, it must differ
 * from the reply about an unregistered plugin. */
export const isReturned = (type: string): Expectation => ({
  words: 'the plugin is returned',
  touches: [get(`sys/plugins/catalog/${type}/{plugin}-none`)],
  async judge({ reply, scope }) {
    if (!isSuccess(reply)) return notSuccess(reply)
    const nobody = await scope.send(get(`sys/plugins/catalog/${type}/{plugin}-none`))
    if (showsPlugin(nobody)) return mismatch(nobody, 'reply', 'no plugin', shown(nobody.json))
    if (isRefusal(nobody) || showsPlugin(reply)) return undefined
    throw new DoesNotApply(`${reply.asked} shows nothing that it does not show of a plugin that is not registered`)
  },
})

/** The plugin is returned, and its type, if it is shown, is this one. */
export const isReturnedAs = (type: string): Expectation => {
  const returned = isReturned(type)
  return {
    ...returned,
    words: `${returned.words}, as one of type ${type} if its type is shown`,
    async judge(seen, before) {
      const wrong = await returned.judge(seen, before)
      const saw = fieldOf(seen.reply, 'type') ?? type
      return wrong ?? (isWord(saw, type) ? undefined : mismatch(seen.reply, 'type', type, shown(saw)))
    },
  }
}

/** If the plugin shows a name, it is its own. Old servers show it below its type. */
export const nameIfShown: Expectation = {
  words: '`name` is that of the plugin, or not shown',
  judge({ reply, scope }) {
    const [name, wanted] = [isSuccess(reply) ? (fieldOf(reply, 'name') ?? null) : null, scope.value('plugin')]
    if (name === null || name === wanted || String(name).endsWith(`/${wanted}`)) return undefined
    return mismatch(reply, 'name', wanted, shown(name))
  },
}

/** The plugin is not returned: a refusal or, on targets that show plugins by their fields, a reply without them. */
export const absent: Expectation = {
  words: 'no such plugin is returned',
  judge({ reply, scope }) {
    const isTold = scope.has(tellsBy) && scope.value(tellsBy) === 'status'
    if (isRefusal(reply) || (isSuccess(reply) && !showsPlugin(reply) && !isTold)) return undefined
    return mismatch(reply, 'reply', 'no plugin', shown(reply.json))
  },
}

/** Registrations that differ in each of several fields, of which a target may show none. */
export type Mark = 1 | 2 | 3
export const marked = (mark: Mark): JsonObject => ({ args: [`--which=${mark}`], env: [`WHICH=${mark}`] })

/** The registration with that mark, and with or without that version, is shown in any of its fields. */
export const which = (mark: Mark, wanted = ''): Expectation => ({
  words: `the plugin is the one that was registered with \`--which=${mark}\``,
  judge({ reply, scope }) {
    if (!isSuccess(reply)) return notSuccess(reply)
    const env = listIn(fieldOf(reply, 'env'))
    const isMaskedWhole = Array.isArray(env) && env.every((item) => isMasked(item, 'WHICH='))
    const { args } = marked(mark)
    const parts = [
      ['args', entries(args as readonly string[])],
      ...(isMaskedWhole ? [] : [['env', assignments([`WHICH=${mark}`])] as const]),
      ...(wanted === '' ? [] : [['version', version(wanted)] as const]),
    ] as const
    const told = parts.filter(([name]) => !isHidden(reply, name))
    if (told.length === 0)
      throw new DoesNotApply(`${reply.asked} shows nothing by which registrations could be told apart`)
    const wrong = told.find(([name, is]) => !is.matches(fieldOf(reply, name), scope))
    return wrong && mismatch(reply, wrong[0], wrong[1].words, shown(fieldOf(reply, wrong[0])))
  },
})

function* stringsIn(value: Json | undefined): Generator<string> {
  // A list may be one string with commas (readings, 57).
  if (typeof value === 'string') yield* value.split(',')
  else if (Array.isArray(value)) for (const item of value) yield* stringsIn(item as Json)
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      yield key
      yield* stringsIn(item)
    }
}

/** Every text under a key of that name, at any depth. */
function stringsUnder(value: Json | undefined, key: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => stringsUnder(item as Json, key))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    isWord(name, key) ? [...stringsIn(item)] : stringsUnder(item, key),
  )
}

/** The version under which a catalog stores the plugin of that name, if it shows one. */
export function versionOf(reply: Reply, name: string): string {
  const entryIn = (value: Json | undefined): string => {
    if (Array.isArray(value)) return value.map((item) => entryIn(item as Json)).find((found) => found !== '') ?? ''
    if (!isObject(value)) return ''
    if (value.name === name && typeof value.version === 'string') return value.version
    return entryIn(Object.values(value))
  }
  return isSuccess(reply) ? entryIn(reply.json) : ''
}

const isAnyType = (value: Json | undefined): boolean => types.some((one) => isWord(value, one))

/** The type that an object names: as its type, or as the name of a group that has lists. */
const typeIn = (part: JsonObject): Json | undefined =>
  [part.type, ...(Object.values(part).some(Array.isArray) ? [part.name] : [])].find(isAnyType)

/** Objects that name a type: entries with a name of their own, or groups with the names of many. */
function* typedIn(value: Json | undefined): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of value) yield* typedIn(item as Json)
  else if (isObject(value) && typeIn(value) !== undefined) yield value
  else if (isObject(value)) for (const item of Object.values(value)) yield* typedIn(item)
}

/** The names of a type, by where they are: under it, or in entries or groups with that type. A server may lack either. */
function placesOf(value: Json | undefined, type: string): readonly (readonly string[])[] {
  const typed = [...typedIn(value)]
  const ofType = typed.filter((part) => isWord(typeIn(part), type)).flatMap((part) => [...stringsIn(part)])
  return [...(hasKey(value, type) ? [stringsUnder(value, type)] : []), ...(typed.length > 0 ? [ofType] : [])]
}

const hasKey = (value: Json | undefined, key: string): boolean =>
  Array.isArray(value)
    ? value.some((item) => hasKey(item as Json, key))
    : isObject(value) &&
      Object.entries(value).some(([name, item]) => (isWord(name, key) && item !== null) || hasKey(item, key))

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
      if (!isList(reply)) return notSuccess(reply)
      const places = isSuccess(reply) ? see(reply) : []
      const own = places.map((place) => ownIn(place, prefix))
      const wrong = own.find((seen) => !isDeepStrictEqual(seen, wanted))
      if (!wrong && (own.length > 0 || wanted.length === 0)) return undefined
      return mismatch(reply, at, shown(wanted), wrong ? shown(wrong) : 'none')
    },
  }
}

const ownIn = (names: readonly string[], prefix: string): readonly string[] =>
  [...new Set(names.filter((name) => name.startsWith(prefix)))].sort()

/** Finds a list in `keys`, else anywhere in the reply. */
function namesIn(reply: Reply): readonly (readonly string[])[] {
  const keys = fieldOf(reply, 'keys')
  return [[...stringsIn(Array.isArray(keys) ? (keys as Json) : reply.json)]]
}

/** Of all plugins that this check could have registered, the list names exactly these. */
export const listsOwn = (names: readonly string[]): Expectation => listing('the list', names, namesIn)

/** The same for the part of the catalog with one type. A server may show it twice, as names and as entries with a type:
 * each is judged by itself. */
export const filesOwn = (type: string, names: readonly string[]): Expectation =>
  listing(`the catalog under ${type}`, names, (reply) => {
    const places = placesOf(reply.json, type)
    if (places.length === 0 && [...stringsIn(reply.json)].some((text) => text.toLowerCase().includes(type)))
      throw new DoesNotApply(`${reply.asked} names the type ${type} in a way that the documents do not show`)
    return places
  })

/** The name is anywhere in the reply, perhaps with a version behind it: how a list tells versions is not documented. */
export const tells = (name: string): Expectation => ({
  words: `the reply names \`${name}\``,
  judge({ reply, scope }) {
    if (!isSuccess(reply)) return notSuccess(reply)
    const wanted = scope.fill(name)
    const isThere = [...stringsIn(reply.json)].some((text) => text.includes(wanted))
    return isThere ? undefined : mismatch(reply, 'reply', shown(wanted), 'no such name')
  },
})
