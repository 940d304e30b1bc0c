/** Expectations about lists of plugins, and about names anywhere in a reply. */
import { isDeepStrictEqual } from 'node:util'
import type { Expectation, Json, JsonObject, Reply } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  fieldOf,
  isObject,
  isSuccess,
  mismatch,
  notSuccess,
  shown,
} from '../../harness/vocabulary/index.ts'
import { ownPrefixFrom } from '../given.ts'
import { expectation } from '../records.ts'
import { isWord } from '../word.ts'
import { stringsIn, stringsUnder, types } from './then.ts'

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
  return expectation(
    `of its own plugins ${at} names ${names.map((name) => `\`${name}\``).join(' and ') || 'none'}`,
    ({ reply, scope }) => {
      const prefix = ownPrefixFrom(scope, 'plugin')
      const wanted = names.map((name) => scope.fill(name)).sort()
      if (!isList(reply)) return notSuccess(reply)
      const places = isSuccess(reply) ? see(reply) : []
      const own = places.map((place) => ownIn(place, prefix))
      const wrong = own.find((seen) => !isDeepStrictEqual(seen, wanted))
      if (!wrong && (own.length > 0 || wanted.length === 0)) return undefined
      return mismatch(reply, at, shown(wanted), wrong ? shown(wrong) : 'none')
    },
  )
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
export const tells = (name: string) =>
  expectation(`the reply names \`${name}\``, ({ reply, scope }) => {
    if (!isSuccess(reply)) return notSuccess(reply)
    const wanted = scope.fill(name)
    const isThere = [...stringsIn(reply.json)].some((text) => text.includes(wanted))
    return isThere ? undefined : mismatch(reply, 'reply', shown(wanted), 'no such name')
  })

/** Expects that no text of the reply contains the name. An empty list may be a 404. */
export const tellsNot = (name: string) =>
  expectation(`the reply does not name \`${name}\``, ({ reply, scope }) => {
    if (!isList(reply)) return notSuccess(reply)
    const wanted = scope.fill(name)
    const found = isSuccess(reply) ? [...stringsIn(reply.json)].find((text) => text.includes(wanted)) : undefined
    return found === undefined ? undefined : mismatch(reply, 'reply', `no ${shown(wanted)}`, shown(found))
  })
