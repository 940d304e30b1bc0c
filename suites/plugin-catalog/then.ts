/** Expectations about replies with plugins that require no more than the document says. The file is long because all
 * topics share it. */
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
  judgementOf,
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

/** The command is the path as it was registered, or that path below the folder to which it is relative. */
export const command = matcher('the command', (value, scope) => {
  const wanted = scope.value('command')
  return typeof value === 'string' && (value === wanted || value.endsWith(`/${wanted}`))
})

/** The digest may be in hexadecimal or in base64. */
export const digest = matcher('the digest', (value, scope) => {
  const wanted = scope.value('sha256').toLowerCase()
  return (
    typeof value === 'string' && [value.toLowerCase(), Buffer.from(value, 'base64').toString('hex')].includes(wanted)
  )
})

const bare = (version: string): string => version.replace(/^v/, '')
export const version = (wanted: string) =>
  matcher(`version ${wanted}`, (value) => typeof value === 'string' && bare(value) === bare(wanted))

/** A list may be shown as one comma-separated string (readings, 57). Commas inside the wanted entries are not
 * separators. An environment may also be shown as a map, because no document shows the reply to a read. */
const listIn = (value: Json | undefined, wanted: readonly string[] = []): Json | undefined => {
  if (isObject(value)) return Object.entries(value).map(([name, item]) => `${name}=${String(item)}`)
  if (typeof value !== 'string') return value
  return value === wanted.join(',') ? [...wanted] : value.split(',')
}

const sameList = (value: Json | undefined, wanted: readonly string[]): boolean =>
  isDeepStrictEqual(listIn(value, wanted), wanted)

export const entries = (wanted: readonly string[]) => matcher(wanted.join(', '), (value) => sameList(value, wanted))

/** Accepts the entries in any order. Environment variables can be secrets, so a server may mask the values. A mask
 * contains no digits, and every given value is a digit. */
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

/** These are the fields of a plugin that a document names, besides its type. */
export const pluginFields = ['name', 'version', 'sha256', 'command', 'args', 'env', 'oci_image', 'runtime'] as const

/** Returns whether the reply shows a plugin, in any of its fields. */
export const showsPlugin = (reply: Reply): boolean =>
  isSuccess(reply) &&
  (pluginFields.some((name) => !nothing(fieldOf(reply, name))) || stringsUnder(reply.json, 'command').length > 0)

/** The scope name of the way in which the target shows that a plugin exists: by `fields`, or by the `status` alone. */
export const tellsBy = 'toldBy'

/** The documents do not say which fields of a plugin a reply shows. */
const isHidden = (reply: Reply, name: string): boolean => isSuccess(reply) && (fieldOf(reply, name) ?? null) === null

/** Expects this value of the field. If the field is not shown, the expectation does not apply. */
export function stored(name: string, wanted: Json | Matcher): Expectation {
  const holds = field(name, wanted)
  return {
    ...holds,
    judge(seen, before) {
      if (isHidden(seen.reply, name))
        throw DoesNotApply.shown(seen.reply, `${seen.reply.asked} does not show \`${name}\``)
      return holds.judge(seen, before)
    },
  }
}

/** Expects that a plugin of that type exists. The documents do not say which fields a reply shows. If it shows none,
 * the read of an unregistered plugin must be refused. */
export const isReturned = (type: string): Expectation => ({
  words: 'the plugin is returned',
  touches: [get(`sys/plugins/catalog/${type}/{plugin}-none`)],
  async judge({ reply, scope }) {
    if (!isSuccess(reply)) return notSuccess(reply)
    const nobody = await scope.send(get(`sys/plugins/catalog/${type}/{plugin}-none`))
    if (showsPlugin(nobody)) return mismatch(nobody, 'reply', 'no plugin', shown(nobody.json))
    if (isRefusal(nobody) || showsPlugin(reply)) return undefined
    throw DoesNotApply.shown(
      reply,
      `${reply.asked} shows nothing that it does not show of a plugin that is not registered`,
    )
  },
})

/** Expects that the plugin is returned, with this type if its type is shown. */
export const isReturnedAs = (type: string): Expectation => {
  const returned = isReturned(type)
  return {
    ...returned,
    words: `${returned.words}, as one of type ${type} if its type is shown`,
    async judge(seen, before) {
      const saw = fieldOf(seen.reply, 'type') ?? type
      const isWrong = !isWord(saw, type)
      const wrongType = isWrong ? mismatch(seen.reply, 'type', type, shown(saw)) : undefined
      return judgementOf(await returned.judge(seen, before), wrongType)
    },
  }
}

/** Expects that the plugin shows its own name or none. Old servers show the name below its type. */
export const nameIfShown: Expectation = {
  words: '`name` is that of the plugin, or not shown',
  judge({ reply, scope }) {
    const [name, wanted] = [isSuccess(reply) ? (fieldOf(reply, 'name') ?? null) : null, scope.value('plugin')]
    if (name === null || name === wanted || String(name).endsWith(`/${wanted}`)) return undefined
    return mismatch(reply, 'name', wanted, shown(name))
  },
}

/** Expects that the plugin is not returned: a refusal or, on targets that show plugins by their fields, a reply without
 * them. */
export const absent: Expectation = {
  words: 'no such plugin is returned',
  judge({ reply, scope }) {
    const isTold = scope.has(tellsBy) && scope.value(tellsBy) === 'status'
    if (isRefusal(reply) || (isSuccess(reply) && !showsPlugin(reply) && !isTold)) return undefined
    return mismatch(reply, 'reply', 'no plugin', shown(reply.json))
  },
}

/** Registrations with different marks differ in several fields, of which a target may show none. */
export type Mark = 1 | 2 | 3
export const marked = (mark: Mark): JsonObject => ({ args: [`--which=${mark}`], env: [`WHICH=${mark}`] })

/** Expects that the shown fields are those of the registration with that mark and, if given, that version. */
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
      throw DoesNotApply.shown(reply, `${reply.asked} shows nothing by which registrations could be told apart`)
    const wrong = told.filter(([name, is]) => !is.matches(fieldOf(reply, name), scope))
    return judgementOf(...wrong.map(([name, is]) => mismatch(reply, name, is.words, shown(fieldOf(reply, name)))))
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

/** Returns every text under a key of that name, at any depth. */
function stringsUnder(value: Json | undefined, key: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => stringsUnder(item as Json, key))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    isWord(name, key) ? [...stringsIn(item)] : stringsUnder(item, key),
  )
}

/** Returns the version under which a catalog stores the plugin of that name; empty if it shows none. */
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

/** Returns the type that an object names: in `type`, or as the name of a group that contains lists. */
const typeIn = (part: JsonObject): Json | undefined =>
  [part.type, ...(Object.values(part).some(Array.isArray) ? [part.name] : [])].find(isAnyType)

/** Returns the objects that name a type: entries with a name of their own, or groups with the names of many plugins. */
function* typedIn(value: Json | undefined): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of value) yield* typedIn(item as Json)
  else if (isObject(value) && typeIn(value) !== undefined) yield value
  else if (isObject(value)) for (const item of Object.values(value)) yield* typedIn(item)
}

/** Returns the names of a type, by where they are: under a key with that type, or in entries or groups that name it. A
 * server may lack either. */
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

/** Finds the names in `keys`, or anywhere in the reply if it has no `keys`. */
function namesIn(reply: Reply): readonly (readonly string[])[] {
  const keys = fieldOf(reply, 'keys')
  return [[...stringsIn(Array.isArray(keys) ? (keys as Json) : reply.json)]]
}

/** Expects that the list names exactly these of all plugins that this check could have registered. */
export const listsOwn = (names: readonly string[]): Expectation => listing('the list', names, namesIn)

/** Expects the same of the part of the catalog with one type. A server may show it twice, as names and as entries with
 * a type; each of the two is judged. */
export const filesOwn = (type: string, names: readonly string[]): Expectation =>
  listing(`the catalog under ${type}`, names, (reply) => {
    const places = placesOf(reply.json, type)
    if (places.length === 0 && [...stringsIn(reply.json)].some((text) => text.toLowerCase().includes(type)))
      throw DoesNotApply.shown(reply, `${reply.asked} names the type ${type} in a way that the documents do not show`)
    return places
  })

/** Expects the name anywhere in the reply, perhaps followed by a version: the documents do not say how a list shows
 * versions. */
export const tells = (name: string): Expectation => ({
  words: `the reply names \`${name}\``,
  judge({ reply, scope }) {
    if (!isSuccess(reply)) return notSuccess(reply)
    const wanted = scope.fill(name)
    const isThere = [...stringsIn(reply.json)].some((text) => text.includes(wanted))
    return isThere ? undefined : mismatch(reply, 'reply', shown(wanted), 'no such name')
  },
})

/** Expects that no text of the reply contains the name. An empty list may be a 404. */
export const tellsNot = (name: string): Expectation => ({
  words: `the reply does not name \`${name}\``,
  judge({ reply, scope }) {
    if (!isList(reply)) return notSuccess(reply)
    const wanted = scope.fill(name)
    const found = isSuccess(reply) ? [...stringsIn(reply.json)].find((text) => text.includes(wanted)) : undefined
    return found === undefined ? undefined : mismatch(reply, 'reply', `no ${shown(wanted)}`, shown(found))
  },
})
