/** What can be read off a reply without knowing what it is about. */
import type { Mismatch } from './check.ts'
import { shown } from './excerpt.ts'
import type { Json, JsonObject, Reply } from './exchange.ts'

export const isSuccess = (reply: Reply): boolean => reply.status >= 200 && reply.status < 300
/** What stands before a server answers so, or a server that does not act now: it is neither a success nor a refusal, and
 * says nothing about the server (readings of the documents, 52). */
const statusesOfTheWay: ReadonlySet<number> = new Set([429, 502, 503, 504])
export const isOfTheWay = ({ status }: Pick<Reply, 'status'>): boolean => statusesOfTheWay.has(status)
/** Any other 4xx or 5xx: the documents fix exact codes in two places only (spec readings, preamble). */
export const isRefusal = (reply: Reply): boolean => reply.status >= 400 && reply.status < 600 && !isOfTheWay(reply)

/** One sentence, for whoever cannot judge by such a reply. */
export const saysNothing = ({ asked, status }: Reply): string =>
  `${asked} answered ${status}, which is neither a success nor a refusal: 429, 502, 503 and 504 are answers of what stands before a server`

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
  const told = [prefer, ...keyFields].map((field) => entry[field])
  return told.find((value): value is string => typeof value === 'string' && value !== '')
}

export const mismatch = (reply: Reply, at: string, wanted: string, saw: unknown): Mismatch => ({
  asked: reply.asked,
  at,
  wanted,
  saw: typeof saw === 'string' ? saw : shown(saw),
})

export const statusSeen = (reply: Reply): string => {
  const errors = fieldOf(reply, '/errors')
  const told = Array.isArray(errors) && errors.length > 0 ? ` ${shown(errors)}` : ''
  return `${reply.status}${told}`
}
