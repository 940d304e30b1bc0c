/** Functions with which legal differences change requests and replies. */
import {
  type Difference,
  type DifferentServer,
  isObject,
  type Json,
  type JsonObject,
  type WireAnswer,
  type WireSent,
} from '../../harness/vocabulary/index.ts'

export type Opening = NonNullable<Difference['open']>

/** Makes a server that does the same as the target, but replies differently. */
export const answering =
  (change: (answer: WireAnswer, sent: WireSent) => WireAnswer): Opening =>
  () =>
  async (sent, pass) =>
    change(await pass(sent), sent)

/** Makes a server that reads requests differently. If `change` returns undefined, the server refuses the request. */
export const reading =
  (change: (sent: WireSent) => WireSent | undefined): Opening =>
  () =>
  async (sent, pass) => {
    const changed = change(sent)
    return changed ? pass(changed) : refusal()
  }

/** Keeps separate state for each check and cluster. */
export const remembering =
  <State>(state: () => State, serve: (state: State) => DifferentServer): Opening =>
  () =>
    serve(state())

export const isSuccess = ({ status }: WireAnswer): boolean => status >= 200 && status < 300
export const isRefusal = ({ status }: WireAnswer): boolean => status >= 400

export const textOf = ({ body }: WireAnswer): string => Buffer.from(body).toString('utf8')

/** Returns the JSON object that is the text, or undefined if the text is not one. */
export function objectIn(text: string | undefined): JsonObject | undefined {
  if (!text?.startsWith('{')) return undefined
  try {
    const json = JSON.parse(text) as Json
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** Returns the reply's JSON object, if its body is one. */
export const jsonOf = (answer: WireAnswer): JsonObject | undefined => objectIn(textOf(answer))

export function withText(answer: WireAnswer, text: string): WireAnswer {
  const { 'content-length': _, ...headers } = answer.headers
  return { ...answer, headers, body: Buffer.from(text) }
}

export const withJson = (answer: WireAnswer, json: JsonObject): WireAnswer => withText(answer, JSON.stringify(json))

/** Changes the JSON of successful replies. */
export const rewriting = (change: (json: JsonObject, sent: WireSent) => JsonObject): Opening =>
  answering((answer, sent) => {
    const json = isSuccess(answer) ? jsonOf(answer) : undefined
    if (!json) return answer
    const changed = change(json, sent)
    return changed === json ? answer : withJson(answer, changed)
  })

/** Returns fields that differ in every reply. */
export function restlessFields(now: () => number): () => JsonObject {
  let count = 0
  return () => {
    count += 1
    return { served_ms: now(), served_s: Math.floor(now() / 1000), replies: count, uptime_seconds: count / 10 }
  }
}

/** Changes the `data` of successful replies. */
export const rewritingData = (change: (data: JsonObject, sent: WireSent) => JsonObject): Opening =>
  rewriting((json, sent) => {
    if (!isObject(json.data)) return json
    const data = change(json.data, sent)
    return data === json.data ? json : { ...json, data }
  })

/** Changes every member of an object, and of the objects and lists in it. A member is removed if `change` returns
 * undefined. */
export function eachValue(value: Json, change: (value: Json, name: string) => Json | undefined, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => eachValue(item as Json, change, name))
  if (!isObject(value)) return change(value, name) ?? null
  const members = Object.entries(value).flatMap(([key, item]) => {
    const changed = isObject(item) || Array.isArray(item) ? eachValue(item, change, key) : change(item, key)
    return changed === undefined ? [] : [[key, changed] as const]
  })
  return Object.fromEntries(members)
}

export const refusal = (status = 400): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"errors":["refused"]}'),
})

/** Returns the path below the API's prefix. A server reads an escaped letter as the letter (readings, 76). */
export const placeOf = ({ path }: WireSent): string =>
  path
    .replace(/^\/v\d+\//, '')
    .replace(/\/$/, '')
    .replaceAll(/%[3-7][\dA-F]/gi, (code) => {
      const letter = decodeURIComponent(code)
      return /\w/.test(letter) ? letter : code
    })

/** The health endpoint reports the state of the server by its status, so that status is neither a success nor a refusal
 * of the request. */
export const isHealth = (sent: WireSent): boolean => placeOf(sent) === 'sys/health'

export const isList = ({ method, query }: WireSent): boolean =>
  method === 'LIST' || (method === 'GET' && query.list === 'true')

export const changes = ({ method }: WireSent): boolean => method !== 'GET' && method !== 'LIST'
