/** Reads off a reply what does not depend on what it is about: its fields, an excerpt for a finding, the state that it shows. */

import { isDeepStrictEqual } from 'node:util'
import type { Mismatch } from './check.ts'
import { type Json, type JsonObject, type Reply, requestOf } from './exchange.ts'
import { sizeBounds } from './size-bounds.ts'

export const isSuccess = (reply: Reply): boolean => reply.status >= 200 && reply.status < 300
/** A proxy in front of a server answers so, or a server that does not act now: it is neither a success nor a refusal, and
 * says nothing about the server (readings of the documents, 52). */
const statusesOfTheWay: ReadonlySet<number> = new Set([429, 502, 503, 504])
export const isOfTheWay = ({ status }: Pick<Reply, 'status'>): boolean => statusesOfTheWay.has(status)
/** Any other 4xx or 5xx: the documents fix exact codes in two places only (spec readings, preamble). */
export const isRefusal = (reply: Reply): boolean => reply.status >= 400 && reply.status < 600 && !isOfTheWay(reply)

const notReady: ReadonlySet<number> = new Set([472, 473, 500])
/** The answer of a cluster that changes its role, is a standby or is starting: it may serve the same request a moment later. */
export const isNotReady = (reply: Reply): boolean => notReady.has(reply.status) || isOfTheWay(reply)

/** One sentence, for whoever cannot judge by such a reply. */
export const saysNothing = ({ asked, status }: Pick<Reply, 'asked' | 'status'>): string =>
  `${asked} answered ${status}, which is neither a success nor a refusal: 429, 502, 503 and 504 are answers of what is in front of a server`

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value that a JSON pointer names. */
const valueAt = (json: Json | undefined, pointer: string): Json | undefined =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>((value, part) => {
      if (Array.isArray(value)) return value[Number(part)] as Json | undefined
      return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
    }, json)

/** The one object that an object holds, where it holds exactly one. Tokens and wrapped replies are not what was asked for. */
function onlyObjectIn({ auth: _, wrap_info: __, ...object }: JsonObject): JsonObject | undefined {
  const [first, ...more] = Object.values(object).filter(isObject)
  return more.length === 0 ? first : undefined
}

/** Finds the fields of a reply: inside `data`, else at the top level (spec readings, preamble). A server may wrap them
 * once more, or under another name, where nothing else beside them could be meant. */
export function objectsIn(json: JsonObject): readonly JsonObject[] {
  if (!isObject(json.data)) return [json, ...[onlyObjectIn(json) ?? []].flat()]
  const inner = Object.keys(json.data).length === 1 ? onlyObjectIn(json.data) : undefined
  return [json.data, json, ...(inner ? [inner] : [])]
}

/** A named field. A name with a leading slash is a JSON pointer, whose `/data` may be missing where the reply has none. */
export function fieldOf({ json }: Pick<Reply, 'json'>, name: string): Json | undefined {
  if (name.startsWith('/')) {
    const isBare = name.startsWith('/data/') && isObject(json) && !Object.hasOwn(json, 'data')
    return valueAt(json, isBare ? name.slice('/data'.length) : name)
  }
  if (!isObject(json)) return undefined
  return objectsIn(json).find((object) => Object.hasOwn(object, name))?.[name]
}

/** By which field an entry of a list that is an object tells its key. */
const keyFields = ['key', 'name', 'id', 'path'] as const

/** The keys of a list reply. An empty list may be a 404 without a cause, a 200 without keys, or null keys. A key is a text, an
 * object that holds one, or the name of a field; `prefer` is the field that tells it where an object has several. */
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

/** The status, and what the server says about it: `400 missing SHA-256 value`. */
export function statusSeen(reply: Reply): string {
  const errors = fieldOf(reply, '/errors')
  const texts = Array.isArray(errors) ? errors.filter((error) => typeof error === 'string' && error !== '') : []
  return texts.length === 0
    ? String(reply.status)
    : `${reply.status} ${excerptOf(texts.join('; ').replace(/\s+/g, ' '))}`
}

/** What was wanted of a status, in the form in which a status is seen. */
export const successWanted = '2xx'
export const refusalWanted = '4xx or 5xx'

export const notSuccess = (reply: Reply): Mismatch => mismatch(reply, 'status', successWanted, statusSeen(reply))
export const notRefusal = (reply: Reply): Mismatch => mismatch(reply, 'status', refusalWanted, statusSeen(reply))

/** What a success would have shown is not there. A refusal is reported as one: all that it lacks follows from that. */
export const shortfall = (reply: Reply, at: string, wanted: string, saw: unknown): Mismatch =>
  isRefusal(reply) ? notSuccess(reply) : mismatch(reply, at, wanted, saw)

// The beginning of what a target said is cut only after redaction: a secret of which a cut had left a part would not be
// recognised any more. Until then the text goes on, between marks that say where it will be cut.

/** Noncharacters of Unicode: no text of a target can hold them here, since they are escaped. */
const [open, close] = ['\ufdd0', '\ufdd1']
const marks = /[\ufdd0\ufdd1]/g
const excerpt = /\ufdd0(\d+),(\d+)\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/g

/** The longest form of a secret in a text: each of its characters as an escape of six. */
export const longestSecretForm = sizeBounds.secretLength.value * 6

/** A value as JSON, of which at most `limit` characters are shown once it is redacted. */
export const shown = (value: unknown, limit = 200): string => excerptOf(JSON.stringify(value) ?? 'nothing', limit)

/** The same for words. */
export function excerptOf(words: string, limit = 200): string {
  const text = words.replace(marks, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`)
  if (text.length <= limit) return text
  return `${open}${limit},${text.length}${open}${text.slice(0, limit + longestSecretForm)}${close}`
}

/** Cuts what `shown` left longer. `redacted` redacts a text, and gives the part of it up to an edge: behind the edge,
 * secrets may be cut. */
export function withExcerptsCut(text: string, redacted: (text: string, edge: number) => string): string {
  if (!text.includes(open)) return text
  return text.replace(excerpt, (_whole, limit: string, length: string, said: string) => {
    const isWhole = said.length === Number(length)
    const clean = redacted(said, isWhole ? said.length : said.length - longestSecretForm)
    return isWhole && clean.length <= Number(limit) ? clean : `${clean.slice(0, Number(limit))}… (${length} characters)`
  })
}

/** Named fields that a reply shows. A success that shows none of them is the same as a refusal: nothing is there
 * (readings 55). */
export function fieldsOf(reply: Reply, names: readonly string[]): Json {
  if (!isSuccess(reply)) return { present: false }
  const found = names.map((name) => [name, fieldOf(reply, name) ?? null] as const)
  return found.every(([, value]) => value === null) ? { present: false } : Object.fromEntries(found)
}

/** The part of a reply that carries state: the data of an envelope, else the body. */
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
