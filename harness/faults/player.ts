/** Plays one fault on the wire, between one check and the target. The server behind it stays as it is. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject, type WireFault } from '../vocabulary/index.ts'
import type { WireClient, WireOutcome, WireRequest } from '../wire/client.ts'
import { plays } from './operators.ts'
import type { Play, PlayState } from './play.ts'
import type { Recorded } from './recorder.ts'
import { isGood, madeUp } from './replies.ts'
import { isAt, onMountOf, segmentOf, verbOf } from './site.ts'

/** This memory holds what was seen of the unchanged server: of the check that is judged, and of all others. */
export interface Memory {
  readonly check: readonly Recorded[]
  readonly all: readonly Recorded[]
  /** Tells whether a fault may act on a path that the check did not ask for. Absent: on every path, since the server
   * is thrown away. */
  readonly mayTouch?: (path: string) => boolean
}

export const jsonBody = (text: string | undefined): JsonObject | undefined => {
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const throwAway = /assay-[a-z0-9]+-\d+(?=-)/

/** The baseline's names as the names of this run. */
function translated(outcome: Recorded, request: WireRequest): WireOutcome {
  const { reply } = outcome
  const [before] = throwAway.exec(outcome.path) ?? throwAway.exec(outcome.body ?? '') ?? []
  const [now] = throwAway.exec(request.path) ?? throwAway.exec(request.body ?? '') ?? []
  const isJson = reply.json !== undefined
  if (!isJson || before === undefined || now === undefined)
    return madeUp(request, reply.status, reply.bytes, reply.headers)
  const { 'content-length': _, ...headers } = reply.headers
  return madeUp(request, reply.status, reply.text.replaceAll(before, now), headers)
}

/** Tells whether two requests ask the same of the server. */
function isSameRequest(one: WireRequest, other: WireRequest): boolean {
  const bodyOf = ({ body }: WireRequest): unknown => jsonBody(body) ?? body
  return (
    one === other ||
    (one.path === other.path &&
      one.method === other.method &&
      isDeepStrictEqual(one.query ?? {}, other.query ?? {}) &&
      isDeepStrictEqual(one.headers, other.headers) &&
      isDeepStrictEqual(bodyOf(one), bodyOf(other)))
  )
}

const isSameReply = (one: WireOutcome, other: WireOutcome): boolean =>
  one === other || (one.reply?.status === other.reply?.status && one.reply?.text === other.reply?.text)

/** Tells whether a request has the value that the fault is limited to. */
export function isMeant({ where }: WireFault, body: string | undefined): boolean {
  return where === undefined || jsonBody(body)?.[where.field] === where.value
}

/** Tells the provider how to bend the calls of whoever this key, or this ARN, belongs to, and whether it knows them. */
export type Bend = (owner: string, order: Json) => Promise<boolean>

/** A client between a check and the target that plays the fault. `token` gives the operator's, as a header; `onBent` hears
 * of every request that met another server than the unchanged one. */
export function faultyClient(
  client: WireClient,
  fault: WireFault,
  memory: Memory,
  token: () => Readonly<Record<string, string>>,
  onBent: () => void = () => {},
  bend: Bend = async () => false,
): WireClient {
  const usual = memory.check.filter((one) => isAt(one, fault.at) && isMeant(fault, one.body))
  const state: PlayState = {
    ...{ written: new Map(), hidden: new Set(), shown: new Map(), secrets: [], given: new Map(), values: new Map() },
    made: new Set(),
    ...{ caller: undefined, prefix: undefined, seen: 0 },
  }
  const play = plays[fault.operator]

  /** Sends for one request of the check, and tells whether anything came of it that the unchanged server does not do. */
  function watched(request: WireRequest) {
    let [isBent, isDone] = [false, false]
    const straight: WireOutcome[] = []
    return {
      async send(asked: WireRequest): Promise<WireOutcome> {
        const outcome = await client.send(asked)
        if (isGood(outcome)) isDone = true
        if (straight.length > 0 || !isSameRequest(asked, request)) isBent = true
        else straight.push(outcome)
        return outcome
      },
      told(outcome: WireOutcome): WireOutcome {
        const [own] = straight
        if (isBent || own === undefined || !isSameReply(own, outcome)) onBent()
        return isDone && !isGood(outcome) ? { ...outcome, wasDone: true } : outcome
      },
    }
  }

  async function atSite(request: WireRequest): Promise<WireOutcome> {
    const before = usual[Math.min(state.seen, usual.length - 1)]
    state.seen += 1
    const body = jsonBody(request.body)
    const twin = request.about?.control?.()
    const isTwinHere = twin !== undefined && isAt(twin, fault.at)
    const twinHere = isTwinHere ? { ...twin, path: onMountOf(request, fault.at, twin.path) } : undefined
    const { send, told } = watched(request)
    const asOperator: Play['asOperator'] = (other) => send({ headers: asWho(request.headers, token()), ...other })
    const outcome = await play.atSite({
      fault,
      request,
      body,
      isServed: before === undefined || before.reply.status < 400,
      usual: before && (() => translated(before, request)),
      all: memory.all,
      mayTouch: memory.mayTouch ?? (() => true),
      state,
      next: (changed = request) => send(changed),
      asOperator,
      doneRight: async () => {
        const right = twinHere ?? rightOf(request, body)
        return right && send(right)
      },
      differs: twinHere
        ? differing(said(request, fault), said(twinHere, fault))
        : differing(body ?? {}, Object.fromEntries(state.given)),
      isByRightCaller: request.about?.as === (twinHere?.as ?? 'operator'),
      isTwinOfAnother: twinHere !== undefined && twinHere.path !== request.path,
    })
    return told(outcome)
  }

  /** The request as it should have been. Undefined where nobody knows that. */
  function rightOf({ about, method, path, query, headers }: WireRequest, body: JsonObject | undefined) {
    const isOperator = about?.as === 'operator'
    const right = corrected(body, fault.field, state.given) ?? (isOperator ? undefined : body)
    if (right === undefined && isOperator) return undefined
    return {
      // Some calls are about the caller, so whoever was served before is asked as, and else the operator.
      ...{ method, path, headers: state.caller ?? asWho(headers, token()) },
      ...(query ? { query } : {}),
      ...(right === undefined ? {} : { body: JSON.stringify(right) }),
    }
  }

  const told = new Set<string>()
  /** Each account is bent once, from the moment on at which the target learns of it. */
  async function tellProvider(request: WireRequest): Promise<void> {
    if (!fault.provider || !isAt(request, fault.provider.owner.at)) return
    const body = jsonBody(request.body) ?? {}
    for (const field of fault.provider.owner.fields) {
      const owner = body[field]
      if (typeof owner !== 'string' || told.has(owner)) continue
      told.add(owner)
      if (await bend(owner, fault.provider.order)) onBent()
    }
  }

  function learnFrom(request: WireRequest, given: JsonObject): void {
    state.prefix ??= throwAway.exec(request.path)?.[0] ?? throwAway.exec(request.body ?? '')?.[0]
    for (const [name, value] of Object.entries(given))
      if (typeof value === 'string') state.values.set(name, (state.values.get(name) ?? new Set()).add(value))
  }

  async function elsewhere(request: WireRequest): Promise<WireOutcome> {
    const { send, told } = watched(request)
    const ask = (path: string, method: string) =>
      client.send({ method, path, headers: asWho(request.headers, token()) })
    const outcome = play.elsewhere
      ? told(await play.elsewhere({ fault, request, state, next: () => send(request), ask }))
      : await client.send(request)
    if (verbOf(request) === 'POST' && isGood(outcome)) for (const text of textsIn(outcome)) state.made.add(text)
    return outcome
  }

  async function remembered(request: WireRequest, given: JsonObject): Promise<WireOutcome> {
    const outcome = await atSite(request)
    if (!isGood(outcome)) return outcome
    if (request.about?.as !== 'operator') state.caller = request.headers
    if (verbOf(request) === 'POST') state.written.set(request.path, request.body)
    for (const [name, value] of Object.entries(given)) state.given.set(name, value)
    return outcome
  }

  return {
    ...client,
    async send(request) {
      // What is taken back, and what is asked outside of checks, meets the server as it is.
      if (!request.about) return client.send(request)
      await tellProvider(request)
      const given = jsonBody(request.body) ?? {}
      learnFrom(request, given)
      if (!isAt(request, fault.at)) return elsewhere(request)
      return isMeant(fault, request.body) ? remembered(request, given) : client.send(request)
    },
  }
}

/** The headers of a request with another token. */
function asWho(
  headers: Readonly<Record<string, string>>,
  token: Readonly<Record<string, string>>,
): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => !(name in token) && name !== 'authorization')
  return { ...Object.fromEntries(others), ...token }
}

/** The request with the field that a served one had before; undefined where none had it. */
function corrected(
  body: JsonObject | undefined,
  field: string | undefined,
  given: ReadonlyMap<string, Json>,
): JsonObject | undefined {
  const names = field === undefined ? [...given.keys()].filter((name) => body?.[name] === undefined) : [field]
  const values = names.flatMap((name) => (given.has(name) ? [[name, given.get(name) as Json] as const] : []))
  return values.length === 0 ? undefined : { ...body, ...Object.fromEntries(values) }
}

/** Texts that a reply gives as fields, at the top level and in `data`. */
function textsIn({ reply }: WireOutcome): readonly string[] {
  const json = isObject(reply?.json) ? reply.json : {}
  const fields = [json, isObject(json.data) ? json.data : {}].flatMap((part) => Object.values(part))
  return fields.filter((value) => typeof value === 'string' && value !== '') as readonly string[]
}

/** All that a request says: its body, its parameters, and the named segments of its path. */
function said(
  { method, path, query, body }: Pick<WireRequest, 'method' | 'path' | 'query' | 'body'>,
  fault: WireFault,
) {
  const names = fault.at.path
    .split('/')
    .flatMap((part) => (part.startsWith(':') ? [part.slice(1).replace('?', '')] : []))
  const segments = names.flatMap((name) => {
    const value = segmentOf({ method, path }, fault.at, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...jsonBody(body), ...query, ...Object.fromEntries(segments) }
}

function differing(one: JsonObject, other: JsonObject): ReadonlySet<string> {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return new Set([...keys].filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key])))
}
