/** Makes replies that no server has sent, and changes replies. */
import { isObject, type Json, type JsonObject } from '../vocabulary/index.ts'
import type { WireOutcome, WireRequest } from '../wire/client.ts'
import { replyOf } from '../wire/reply.ts'

const urlOf = ({ path }: WireRequest): string => `http://127.0.0.1${path}`

export function madeUp(
  request: WireRequest,
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): WireOutcome {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
  const attempt = { sentAt: Date.now(), durationMs: 0, status, headers, bytes }
  const reply = replyOf(attempt, request.asked ?? `${request.method} ${request.path}`)
  const sent = { url: urlOf(request), headers: request.headers, attempts: [attempt] }
  return 'kind' in reply ? { ...sent, trouble: reply.words } : { ...sent, reply }
}

export const refusal = (request: WireRequest, status = 400): WireOutcome =>
  madeUp(request, status, JSON.stringify({ errors: ['refused'] }))

export const nothingThere = (request: WireRequest): WireOutcome => madeUp(request, 404, '{"errors":[]}')

export const isGood = ({ reply }: WireOutcome): boolean => reply !== undefined && reply.status < 300

export const isRefused = ({ reply }: WireOutcome): boolean => reply !== undefined && reply.status >= 400

/** Returns the outcome with another JSON body. */
export function withJson(request: WireRequest, outcome: WireOutcome, json: Json): WireOutcome {
  const { reply } = outcome
  if (!reply) return outcome
  const { 'content-length': _, 'content-encoding': __, ...headers } = reply.headers
  return madeUp(request, reply.status, JSON.stringify(json), headers)
}

/** Changes a field of a reply in `data` and at the top level. If `change` returns undefined, the field is removed. */
export function fieldChanged(
  request: WireRequest,
  outcome: WireOutcome,
  field: string,
  change: (value: Json) => Json | undefined,
): WireOutcome {
  const json = outcome.reply?.json
  if (!isGood(outcome) || !isObject(json)) return outcome
  const within = (object: JsonObject): JsonObject => {
    const value = object[field]
    if (!Object.hasOwn(object, field) || value === undefined) return object
    const { [field]: _, ...others } = object
    const changed = change(value)
    return changed === undefined ? others : { ...others, [field]: changed }
  }
  const data = json.data
  return withJson(request, outcome, within(isObject(data) ? { ...json, data: within(data) } : json))
}

/** Returns another value of the same type. */
export function otherValue(value: Json): Json {
  if (typeof value === 'string') return otherText(value)
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.length === 0 ? ['other'] : value.map((item) => otherValue(item as Json))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, otherValue(item)]))
  return 'other'
}

function otherText(text: string): string {
  if (text.includes('-----BEGIN'))
    return text.replaceAll(/[A-Za-z0-9+/](?=[A-Za-z0-9+/]{20}\n)/g, (letter) => (letter === 'A' ? 'B' : 'A'))
  if (text === '') return 'other'
  // In padded base64, a changed last character could decode to the same bytes, so one in the middle is changed.
  const at = text.endsWith('=') ? Math.floor(text.length / 2) : text.length - 1
  return `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`
}

/** Adds an element. Its name has the prefix of the check, so that it cannot be an object of another client. */
export const oneMore = (value: Json, prefix: string): Json | undefined => {
  const last = Array.isArray(value) ? value.at(-1) : undefined
  const more = last !== undefined && typeof last !== 'string' ? (last as Json) : `${prefix}-more`
  if (Array.isArray(value)) return [...value, more] as Json
  if (typeof value === 'string') return value === '' ? more : `${value},${prefix}-more`
  return isObject(value) ? { ...value, [`${prefix}-more`]: Object.values(value).at(-1) ?? 'more' } : value
}

/** Removes one element: the last for which `isOwn` is true or, if there is none, the last one. */
export const oneFewer = (value: Json, isOwn: (text: string) => boolean = () => true): Json | undefined => {
  if (Array.isArray(value)) {
    const at = value.findLastIndex((item) => typeof item !== 'string' || isOwn(item))
    return value.filter((_, index) => index !== (at < 0 ? value.length - 1 : at)) as Json
  }
  if (typeof value === 'string') return value.includes(',') ? value.slice(0, value.lastIndexOf(',')) : ''
  return isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, -1)) : value
}
