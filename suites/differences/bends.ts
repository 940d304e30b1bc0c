/** Legal differences change requests and replies with these functions. */
import type {
  Difference,
  DifferentServer,
  Json,
  JsonObject,
  WireAnswer,
  WireSent,
} from '../../harness/vocabulary/index.ts'
import { isObject } from '../../harness/vocabulary/index.ts'

export type Opening = NonNullable<Difference['open']>

/** A server that acts as the target does, and answers differently. */
export const answering =
  (change: (answer: WireAnswer, sent: WireSent) => WireAnswer): Opening =>
  () =>
  async (sent, pass) =>
    change(await pass(sent), sent)

/** A server that reads requests differently. Undefined means that it refuses the request. */
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

/** Undefined where the text is not a JSON object. */
export function objectIn(text: string | undefined): JsonObject | undefined {
  if (!text?.startsWith('{')) return undefined
  try {
    const json = JSON.parse(text) as Json
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** The reply's JSON object, if it is one. */
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

/** Changes the `data` of successful replies. */
export const rewritingData = (change: (data: JsonObject, sent: WireSent) => JsonObject): Opening =>
  rewriting((json, sent) => {
    if (!isObject(json.data)) return json
    const data = change(json.data, sent)
    return data === json.data ? json : { ...json, data }
  })

/** Changes every member of an object, and of the objects and lists in it. Undefined removes the member. */
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

/** The path below the API's prefix. */
export const placeOf = ({ path }: WireSent): string => path.replace(/^\/v\d+\//, '').replace(/\/$/, '')

/** The health endpoint reports its state by its status, which is neither success nor refusal of a request. */
export const isHealth = (sent: WireSent): boolean => placeOf(sent) === 'sys/health'

export const isList = ({ method, query }: WireSent): boolean =>
  method === 'LIST' || (method === 'GET' && query.list === 'true')

export const changes = ({ method }: WireSent): boolean => method !== 'GET' && method !== 'LIST'
