/** Functions that read a reply, whatever it is about: its fields, an excerpt for a finding, the state that it shows. */

import { isDeepStrictEqual } from 'node:util'
import type { Mismatch } from './check.ts'
import { type Json, type JsonObject, type Reply, requestOf } from './exchange.ts'
import { sizeBounds } from './size-bounds.ts'

export const isSuccess = (reply: Pick<Reply, 'status'>): boolean => reply.status >= 200 && reply.status < 300
/** Replies of the way: they come from a proxy in front of a server, or from a server that cannot act now. Such a reply
 * is neither a success nor a refusal, and shows nothing about the server (readings of the documents, 52). */
const statusesOfTheWay: ReadonlySet<number> = new Set([429, 502, 503, 504])
export const isOfTheWay = ({ status }: Pick<Reply, 'status'>): boolean => statusesOfTheWay.has(status)
/** True for any other 4xx or 5xx, because the documents state exact codes in two places only (spec readings,
 * preamble). */
export const isRefusal = (reply: Pick<Reply, 'status'>): boolean =>
  reply.status >= 400 && reply.status < 600 && !isOfTheWay(reply)

const denials: ReadonlySet<number> = new Set([401, 403])
/** True for the reply to a caller who may not send the request, which says nothing about the API (readings, 71). */
export const isDenied = ({ status }: Pick<Reply, 'status'>): boolean => denials.has(status)

const unserved: ReadonlySet<number> = new Set([404, 405, 501])
/** True for the replies of servers that do not have a path, or do not know a method. */
export const isUnserved = ({ status }: Pick<Reply, 'status'>): boolean => unserved.has(status)

const notReady: ReadonlySet<number> = new Set([472, 473, 500])
/** True for the reply of a cluster that is changing its role, is a standby or is starting: it may serve the same
 * request a moment later. */
export const isNotReady = (reply: Reply): boolean => notReady.has(reply.status) || isOfTheWay(reply)

/** Returns a sentence that explains why such a reply cannot be judged. */
export const saysNothing = ({ asked, status }: Pick<Reply, 'asked' | 'status'>): string =>
  `${asked} answered ${status}, which is neither a success nor a refusal: 429, 502, 503 and 504 come from what is in front of a server`

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const valueAt = (json: Json | undefined, pointer: string): Json | undefined =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>((value, part) => {
      if (Array.isArray(value)) return value[Number(part)] as Json | undefined
      return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
    }, json)

/** Returns the object that an object contains, if it contains exactly one. Tokens (`auth`) and wrapped replies
 * (`wrap_info`) do not count, because they are never what was asked for. */
function onlyObjectIn({ auth: _, wrap_info: __, ...object }: JsonObject): JsonObject | undefined {
  const [first, ...more] = Object.values(object).filter(isObject)
  return more.length === 0 ? first : undefined
}

/** Returns the objects in which to look for the fields of a reply, in this order: `data`, then the top level (spec
 * readings, preamble). A server may wrap the fields once more, or use another name than `data`, as long as nothing beside
 * them could be meant: inside `data`, a second `data` is the wrapper, whatever else is there. */
export function objectsIn(json: JsonObject): readonly JsonObject[] {
  if (!isObject(json.data)) return [json, ...[onlyObjectIn(json) ?? []].flat()]
  const { data } = json.data
  const inner = isObject(data) ? data : Object.keys(json.data).length === 1 ? onlyObjectIn(json.data) : undefined
  return [json.data, json, ...(inner ? [inner] : [])]
}

/** Returns the value of a field. A name with a leading slash is a JSON pointer; its `/data` is ignored if the reply has
 * no `data`. */
export function fieldOf({ json }: Pick<Reply, 'json'>, name: string): Json | undefined {
  if (name.startsWith('/')) {
    const isBare = name.startsWith('/data/') && isObject(json) && !Object.hasOwn(json, 'data')
    return valueAt(json, isBare ? name.slice('/data'.length) : name)
  }
  if (!isObject(json)) return undefined
  return objectsIn(json).find((object) => Object.hasOwn(object, name))?.[name]
}

/** The fields that may hold the key if an entry of a list is an object. */
const keyFields = ['key', 'name', 'id', 'path'] as const

/** Returns the keys of a list reply; undefined if it is not one. An empty list may be a 404, a 200 without keys, or
 * null keys. A key is a string, an object that contains one, or the name of a field; `prefer` is the field that is read
 * first if an object has several. */
export function keysOf(reply: Reply, prefer: (typeof keyFields)[number] = 'key'): readonly string[] | undefined {
  if (reply.status === 404) return []
  if (!isSuccess(reply)) return undefined
  const keys = fieldOf(reply, 'keys')
  if (keys === undefined || keys === null) return []
  if (isObject(keys)) return Object.keys(keys)
  if (!Array.isArray(keys)) return undefined
  const names = keys.map((key: Json) => keyIn(key, prefer))
  return names.every((name) => name !== undefined) ? names : undefined
}

function keyIn(entry: Json, prefer: (typeof keyFields)[number]): string | undefined {
  if (typeof entry === 'string') return entry
  if (!isObject(entry)) return undefined
  const values = [prefer, ...keyFields].map((field) => entry[field])
  return values.find((value): value is string => typeof value === 'string' && value !== '')
}

export const mismatch = (reply: Reply, at: string, wanted: string, saw: unknown): Mismatch => ({
  ...requestOf(reply),
  at,
  wanted,
  saw: typeof saw === 'string' ? saw : shown(saw),
})

/** Returns the status and the error messages of a reply: `400 missing SHA-256 value`. */
export function statusSeen(reply: Reply): string {
  const errors = fieldOf(reply, '/errors')
  const texts = Array.isArray(errors) ? errors.filter((error) => typeof error === 'string' && error !== '') : []
  return texts.length === 0
    ? String(reply.status)
    : `${reply.status} ${excerptOf(texts.join('; ').replace(/\s+/g, ' '))}`
}

/** Expected statuses, in the same form in which a reply's status is shown. */
export const successWanted = '2xx'
export const refusalWanted = '4xx or 5xx'

export const notSuccess = (reply: Reply): Mismatch => mismatch(reply, 'status', successWanted, statusSeen(reply))
export const notRefusal = (reply: Reply): Mismatch => mismatch(reply, 'status', refusalWanted, statusSeen(reply))

/** Returns the mismatch for something missing in a reply. If the reply is a refusal, only that is reported, because
 * everything missing follows from it. */
export const shortfall = (reply: Reply, at: string, wanted: string, saw: unknown): Mismatch =>
  isRefusal(reply) ? notSuccess(reply) : mismatch(reply, at, wanted, saw)

// A text of the target is truncated only after redaction: a secret that was cut in two would no longer be recognised.
// Until then the full text is kept between marks that say where to truncate it.

/** Unicode noncharacters: a text of the target cannot contain them at this point, because they are escaped. */
const [open, close] = ['\ufdd0', '\ufdd1']
const marks = /[\ufdd0\ufdd1]/g
const excerpt = /\ufdd0(\d+),(\d+)\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/g

/** The length of the longest encoding of a secret: every character as an escape of six characters. */
export const longestSecretForm = sizeBounds.secretLength.value * 6

/** Returns a value as JSON, of which at most `limit` characters are left after redaction. */
export const shown = (value: unknown, limit = 200): string => excerptOf(JSON.stringify(value) ?? 'nothing', limit)

/** Does the same for a text. */
export function excerptOf(words: string, limit = 200): string {
  const text = words.replace(marks, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`)
  if (text.length <= limit) return text
  return `${open}${limit},${text.length}${open}${text.slice(0, limit + longestSecretForm)}${close}`
}

/** Truncates the excerpts that `shown` marked. `redacted` redacts a text and returns the part before `edge`; behind the
 * edge, secrets may be cut in two. */
export function withExcerptsCut(text: string, redacted: (text: string, edge: number) => string): string {
  if (!text.includes(open)) return text
  return text.replace(excerpt, (_whole, limit: string, length: string, body: string) => {
    const isWhole = body.length === Number(length)
    const clean = redacted(body, isWhole ? body.length : body.length - longestSecretForm)
    return isWhole && clean.length <= Number(limit) ? clean : `${clean.slice(0, Number(limit))}… (${length} characters)`
  })
}

/** Returns the given fields of a reply. A success that shows none of them counts like a refusal: nothing is there
 * (readings 55). */
export function fieldsOf(reply: Reply, names: readonly string[]): Json {
  if (!isSuccess(reply)) return { present: false }
  const found = names.map((name) => [name, fieldOf(reply, name) ?? null] as const)
  return found.every(([, value]) => value === null) ? { present: false } : Object.fromEntries(found)
}

/** Returns the part of a reply that describes state: `data` if the reply has one, else the body. */
export function substanceOf(reply: Reply): Json {
  if (!isSuccess(reply)) return { present: false }
  if (!isObject(reply.json)) return { present: true, body: reply.text }
  return { present: true, body: Object.hasOwn(reply.json, 'data') ? (reply.json.data ?? null) : reply.json }
}

export function differences(one: Json | undefined, other: Json | undefined, at = ''): ReadonlySet<string> {
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    return new Set([...keys].flatMap((key) => [...differences(one[key], other[key], `${at}/${key}`)]))
  }
  return new Set(isDeepStrictEqual(one, other) ? [] : [at])
}

export function without(value: Json, pointers: ReadonlySet<string>, at = ''): Json {
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => !pointers.has(`${at}/${key}`))
  return Object.fromEntries(kept.map(([key, item]) => [key, without(item, pointers, `${at}/${key}`)]))
}
