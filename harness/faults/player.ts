/** Plays one fault on the wire, between one check and the target. The server itself is not changed. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject, type WireFault } from '../vocabulary/index.ts'
import type { WireClient, WireOutcome, WireRequest } from '../wire/client.ts'
import { jsonBody, type Past, shownAmong, watchFor } from './occasion.ts'
import { plays } from './operators.ts'
import type { PlayState } from './play.ts'
import type { Recorded } from './recorder.ts'
import { isGood, madeUp } from './replies.ts'
import { isAt, onMountOf, segmentOf, verbOf } from './site.ts'

/** The recorded exchanges with the unchanged server: those of the check that is judged, and those of all checks of
 * the area. */
export interface Memory {
  readonly check: readonly Recorded[]
  readonly all: readonly Recorded[]
  /** What the server remembers of earlier checks. */
  readonly past?: Past
  /** Tells whether a fault may act on a path that is not in the request. If absent, it may act on every path,
   * because the server is discarded. */
  readonly mayTouch?: (path: string) => boolean
}

const throwAway = /assay-[a-z0-9]+-\d+(?=-)/

/** Returns a recorded outcome with the throw-away names of the baseline replaced by those of this run. */
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

/** Tells whether two requests are the same for the server. */
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

const newState = (): PlayState => ({
  ...{ written: new Map(), hidden: new Set(), shown: new Map(), secrets: [], given: new Map(), values: new Map() },
  made: new Set(),
  ...{ caller: undefined, prefix: undefined, seen: 0 },
})

/** Asks the provider stub to bend the calls of the account that a key or an ARN belongs to. Resolves with whether it
 * knows the account. */
export type Bend = (owner: string, order: Json) => Promise<boolean>

/** Returns a client between a check and the target that plays the fault. `token` returns the operator's token as a
 * header. `onBent` is called for each request that the fault changed, or whose outcome it changed. */
export function faultyClient(
  client: WireClient,
  fault: WireFault,
  memory: Memory,
  token: () => Readonly<Record<string, string>>,
  onBent: () => void = () => {},
  bend: Bend = async () => false,
): WireClient {
  const usual = shownAmong(fault, memory.check, memory.past)
  const watch = watchFor(fault, memory.past)
  const lessons = new Lessons()
  const play = plays[fault.operator]
  const orderBends = bender(fault, bend, onBent)

  async function atSite(request: WireRequest): Promise<WireOutcome> {
    const { state } = lessons
    const before = usual[Math.min(state.seen, usual.length - 1)]
    state.seen += 1
    const body = jsonBody(request.body)
    const twin = request.about?.control?.()
    const isTwinHere = twin !== undefined && isAt(twin, fault.at)
    const twinHere = isTwinHere ? { ...twin, path: onMountOf(request, fault.at, twin.path) } : undefined
    const { send, reported } = watchedSending(client, request, onBent)
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
      asOperator: (other) => send({ headers: asWho(request.headers, token()), ...other }),
      doneRight: async () => {
        const right = twinHere ?? rightOf(request, body, fault, state, token())
        return right && send(right)
      },
      differs: twinHere
        ? differing(fieldsOf(request, fault), fieldsOf(twinHere, fault))
        : differing(body ?? {}, Object.fromEntries(state.given)),
      isByRightCaller: request.about?.as === (twinHere?.as ?? 'operator'),
      isTwinOfAnother: twinHere !== undefined && twinHere.path !== request.path,
    })
    return reported(outcome)
  }

  async function elsewhere(request: WireRequest): Promise<WireOutcome> {
    const { state } = lessons
    const { send, reported } = watchedSending(client, request, onBent)
    const ask = (path: string, method: string) =>
      client.send({ method, path, headers: asWho(request.headers, token()) })
    const outcome = play.elsewhere
      ? reported(await play.elsewhere({ fault, request, state, next: () => send(request), ask }))
      : await client.send(request)
    if (verbOf(request) === 'POST' && isGood(outcome)) for (const text of textsIn(outcome)) state.made.add(text)
    return outcome
  }

  /** A fault that shows on occasion learns from the requests in which it does not show, too. */
  async function here(request: WireRequest, shows: boolean): Promise<WireOutcome> {
    const outcome = await (shows ? atSite(request) : client.send(request))
    if (shows || fault.only !== undefined) lessons.learn(request, outcome)
    return outcome
  }

  return {
    ...client,
    async send(request) {
      // Undo requests, and requests outside of checks, are sent to the unchanged server.
      if (!request.about) return client.send(request)
      await orderBends(request)
      lessons.follow(request)
      const asked = { ...request, ...request.about }
      const shows = watch.shows(asked)
      const outcome = await (isAt(request, fault.at) ? here(request, shows) : elsewhere(request))
      if (isGood(outcome)) watch.served(asked)
      return outcome
    },
  }
}

/** Sends requests on behalf of one request of the check. `reported` calls `onBent` if the unchanged server would have got
 * other requests, or sent another reply. */
function watchedSending(client: WireClient, request: WireRequest, onBent: () => void) {
  let [isBent, isDone] = [false, false]
  const unchanged: WireOutcome[] = []
  return {
    async send(actual: WireRequest): Promise<WireOutcome> {
      const outcome = await client.send(actual)
      if (isGood(outcome)) isDone = true
      if (unchanged.length > 0 || !isSameRequest(actual, request)) isBent = true
      else unchanged.push(outcome)
      return outcome
    },
    reported(outcome: WireOutcome): WireOutcome {
      const [own] = unchanged
      if (isBent || own === undefined || !isSameReply(own, outcome)) onBent()
      return isDone && !isGood(outcome) ? { ...outcome, wasDone: true } : outcome
    },
  }
}

/** Returns a function that orders the bend of each account once, before the target first gets a request that names the
 * account. */
function bender({ provider }: WireFault, bend: Bend, onBent: () => void): (request: WireRequest) => Promise<void> {
  if (!provider) return async () => {}
  const { owner, order } = provider
  const ordered = new Set<string>()
  return async (request) => {
    if (!isAt(request, owner.at)) return
    const body = jsonBody(request.body) ?? {}
    for (const named of owner.fields.map((field) => body[field]).filter((one) => typeof one === 'string')) {
      if (ordered.has(named)) continue
      ordered.add(named)
      if (await bend(named, order)) onBent()
    }
  }
}

/** Keeps what a fault learns from the requests of the check. */
class Lessons {
  state = newState()

  follow(request: WireRequest): void {
    const prefix = throwAway.exec(request.path)?.[0] ?? throwAway.exec(request.body ?? '')?.[0]
    // A check that is judged again has new names, and nothing that it made before is left.
    if (prefix !== undefined && this.state.prefix !== undefined && prefix !== this.state.prefix) this.state = newState()
    this.state.prefix ??= prefix
    const { values } = this.state
    for (const [name, value] of Object.entries(jsonBody(request.body) ?? {}))
      if (typeof value === 'string') values.set(name, (values.get(name) ?? new Set()).add(value))
  }

  /** Learns from a request at the site. */
  learn(request: WireRequest, outcome: WireOutcome): void {
    if (!isGood(outcome)) return
    const { state } = this
    if (request.about?.as !== 'operator') state.caller = request.headers
    if (verbOf(request) === 'POST') state.written.set(request.path, request.body)
    for (const [name, value] of Object.entries(jsonBody(request.body) ?? {})) state.given.set(name, value)
  }
}

/** Returns a valid version of a request, or undefined if none is known. */
function rightOf(
  { about, method, path, query, headers }: WireRequest,
  body: JsonObject | undefined,
  fault: WireFault,
  { caller, given }: PlayState,
  operator: Readonly<Record<string, string>>,
): WireRequest | undefined {
  const isOperator = about?.as === 'operator'
  const right = corrected(body, fault.field, given) ?? (isOperator ? undefined : body)
  if (right === undefined && isOperator) return undefined
  return {
    // Some endpoints are about the caller. So it is sent as the caller that was served before, or else as the operator.
    ...{ method, path, headers: caller ?? asWho(headers, operator) },
    ...(query ? { query } : {}),
    ...(right === undefined ? {} : { body: JSON.stringify(right) }),
  }
}

/** Returns the headers of a request with another token. */
function asWho(
  headers: Readonly<Record<string, string>>,
  token: Readonly<Record<string, string>>,
): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => !(name in token) && name !== 'authorization')
  return { ...Object.fromEntries(others), ...token }
}

/** Returns the body with the value that the field had in an earlier request that was served; without a field, with
 * all values that the body lacks. Returns undefined if no such value is known. */
function corrected(
  body: JsonObject | undefined,
  field: string | undefined,
  given: ReadonlyMap<string, Json>,
): JsonObject | undefined {
  const names = field === undefined ? [...given.keys()].filter((name) => body?.[name] === undefined) : [field]
  const values = names.flatMap((name) => (given.has(name) ? [[name, given.get(name) as Json] as const] : []))
  return values.length === 0 ? undefined : { ...body, ...Object.fromEntries(values) }
}

/** Returns the texts in the fields of a reply, at the top level and in `data`. */
function textsIn({ reply }: WireOutcome): readonly string[] {
  const json = isObject(reply?.json) ? reply.json : {}
  const fields = [json, isObject(json.data) ? json.data : {}].flatMap((part) => Object.values(part))
  return fields.filter((value) => typeof value === 'string' && value !== '') as readonly string[]
}

/** Returns all fields of a request: those of its body, its query parameters, and the named segments of its path. */
function fieldsOf(
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
