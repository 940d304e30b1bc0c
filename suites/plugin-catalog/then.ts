/** Expectations about replies with plugins that require no more than the document says. */
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
import { expectation } from '../records.ts'
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
export const nameIfShown = expectation('`name` is that of the plugin, or not shown', ({ reply, scope }) => {
  const [name, wanted] = [isSuccess(reply) ? (fieldOf(reply, 'name') ?? null) : null, scope.value('plugin')]
  if (name === null || name === wanted || String(name).endsWith(`/${wanted}`)) return undefined
  return mismatch(reply, 'name', wanted, shown(name))
})

/** Expects that the plugin is not returned: a refusal or, on targets that show plugins by their fields, a reply without
 * them. */
export const absent = expectation('no such plugin is returned', ({ reply, scope }) => {
  const isTold = scope.has(tellsBy) && scope.value(tellsBy) === 'status'
  if (isRefusal(reply) || (isSuccess(reply) && !showsPlugin(reply) && !isTold)) return undefined
  return mismatch(reply, 'reply', 'no plugin', shown(reply.json))
})

/** Registrations with different marks differ in several fields, of which a target may show none. */
export type Mark = 1 | 2 | 3
export const marked = (mark: Mark): JsonObject => ({ args: [`--which=${mark}`], env: [`WHICH=${mark}`] })

/** Expects that the shown fields are those of the registration with that mark and, if given, that version. */
export const which = (mark: Mark, wanted = '') =>
  expectation(`the plugin is the one that was registered with \`--which=${mark}\``, ({ reply, scope }) => {
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
  })

export function* stringsIn(value: Json | undefined): Generator<string> {
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
export function stringsUnder(value: Json | undefined, key: string): readonly string[] {
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
