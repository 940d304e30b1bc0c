/** Plays one fault on the wire, between one check and the target. The server behind it stays as it is. */
import { isObject, type Json, type JsonObject, type WireFault } from '../vocabulary/index.ts'
import type { WireClient, WireOutcome, WireRequest } from '../wire/client.ts'
import { plays } from './operators.ts'
import type { Recorded } from './recorder.ts'
import { isGood, madeUp } from './replies.ts'
import { isAt, verbOf } from './site.ts'

/** What was seen of the unchanged server: of the check that is judged, and of all others. */
export interface Memory {
  readonly check: readonly Recorded[]
  readonly all: readonly Recorded[]
}

/** What a fault does with one request. */
export interface Play {
  readonly fault: WireFault
  readonly request: WireRequest
  /** The JSON body; undefined where there is none that is an object. */
  readonly body: JsonObject | undefined
  /** Whether the unchanged server served this request. */
  readonly isServed: boolean
  /** What the unchanged server answered, with the names of this run. */
  readonly usual: (() => WireOutcome) | undefined
  readonly all: readonly Recorded[]
  readonly state: PlayState
  next(request?: WireRequest): Promise<WireOutcome>
  asOperator(request: Pick<WireRequest, 'method' | 'path' | 'query' | 'body'>): Promise<WireOutcome>
  /** The request as it should have been, done with the operator's rights. Undefined where nobody knows how. */
  doneRight(): Promise<WireOutcome | undefined>
  /** Fields in which the request differs from its positive twin, or else from what was served before. */
  readonly differs: ReadonlySet<string>
}

/** What a faulty server remembers between the requests of one check. */
export interface PlayState {
  /** Paths at the site that were written, with their bodies. */
  readonly written: Map<string, string | undefined>
  /** Paths that are hidden although they are there. */
  readonly hidden: Set<string>
  /** What readers are made to show. */
  readonly shown: Map<string, WireOutcome>
  readonly secrets: string[]
  /** What served requests at the site gave last, by field. */
  readonly given: Map<string, Json>
  /** The headers of the last caller that was served at the site. */
  caller: Readonly<Record<string, string>> | undefined
  /** What the throw-away names of this check begin with. */
  prefix: string | undefined
  /** How many requests the site has got. */
  seen: number
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

/** A client between a check and the target that plays the fault. `token` gives the operator's, as a header. */
export function faultyClient(
  client: WireClient,
  fault: WireFault,
  memory: Memory,
  token: () => Readonly<Record<string, string>>,
): WireClient {
  const usual = memory.check.filter((one) => isAt(one, fault.at))
  const state: PlayState = {
    ...{ written: new Map(), hidden: new Set(), shown: new Map(), secrets: [], given: new Map() },
    ...{ caller: undefined, prefix: undefined, seen: 0 },
  }
  const play = plays[fault.operator]

  async function atSite(request: WireRequest): Promise<WireOutcome> {
    const before = usual[Math.min(state.seen, usual.length - 1)]
    state.seen += 1
    const body = jsonBody(request.body)
    const twin = request.about?.control?.()
    const twinHere = twin && isAt(twin, fault.at) ? twin : undefined
    const twinBody = jsonBody(twinHere?.body)
    const asOperator: Play['asOperator'] = (other) =>
      client.send({ headers: asWho(request.headers, token()), ...other })
    return play.atSite({
      fault,
      request,
      body,
      isServed: before === undefined || before.reply.status < 400,
      usual: before && (() => translated(before, request)),
      all: memory.all,
      state,
      next: (changed = request) => client.send(changed),
      asOperator,
      doneRight: async () => {
        if (twinHere) return asOperator(twinHere)
        const right = request.about?.as === 'operator' ? corrected(body, fault.field, state.given) : body
        if (right === undefined && request.about?.as === 'operator') return undefined
        const { method, path, query } = request
        return client.send({
          // Some calls are about the caller, so whoever was served before is asked as, and else the operator.
          ...{ method, path, headers: state.caller ?? asWho(request.headers, token()) },
          ...(query ? { query } : {}),
          ...(right === undefined ? {} : { body: JSON.stringify(right) }),
        })
      },
      differs: twinHere
        ? differing(body ?? {}, twinBody ?? {})
        : differing(body ?? {}, Object.fromEntries(state.given)),
    })
  }

  return {
    ...client,
    async send(request) {
      // What is taken back, and what is asked outside of checks, meets the server as it is.
      if (!request.about) return client.send(request)
      state.prefix ??= throwAway.exec(request.path)?.[0] ?? throwAway.exec(request.body ?? '')?.[0]
      const ask = (path: string, method: string) =>
        client.send({ method, path, headers: asWho(request.headers, token()) })
      if (!isAt(request, fault.at))
        return play.elsewhere
          ? play.elsewhere({ fault, request, state, next: () => client.send(request), ask })
          : client.send(request)
      const outcome = await atSite(request)
      if (!isGood(outcome)) return outcome
      state.caller = request.about.as === 'operator' ? state.caller : request.headers
      if (verbOf(request) === 'POST') state.written.set(request.path, request.body)
      for (const [name, value] of Object.entries(jsonBody(request.body) ?? {})) state.given.set(name, value)
      return outcome
    },
  }
}

/** What a fault does with requests at other places of the same object. */
export interface Aside {
  readonly fault: WireFault
  readonly request: WireRequest
  readonly state: PlayState
  next(): Promise<WireOutcome>
  ask(path: string, method: string): Promise<WireOutcome>
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

function differing(one: JsonObject, other: JsonObject): ReadonlySet<string> {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return new Set([...keys].filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key])))
}
