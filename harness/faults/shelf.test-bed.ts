/** A correct server without a socket, which stores JSON objects by name. */
import type { JsonObject } from '../vocabulary/index.ts'
import type { About, WireClient, WireOutcome, WireRequest } from '../wire/client.ts'
import { madeUp } from './replies.ts'

export interface Shelf {
  readonly client: WireClient
  readonly things: Map<string, JsonObject>
  /** All requests that reached the server. */
  readonly got: WireRequest[]
}

type Replying = (status: number, body?: unknown) => WireOutcome

const callerOf = ({ headers }: WireRequest): string | undefined => headers['x-token']

/** `POST v1/things/:name` requires `size`. Objects that the keeper writes get the field `of`. A caller without a
 * token may only read. Objects with `locked` cannot be deleted. The reply to a write of the name `idName` contains
 * the name as an id. */
export function openShelf(idName?: string): Shelf {
  const things = new Map<string, JsonObject>()
  const got: WireRequest[] = []
  const answer = (request: WireRequest): WireOutcome => {
    const reply: Replying = (status, body) => madeUp(request, status, body === undefined ? '' : JSON.stringify(body))
    const isDenied = request.method !== 'GET' && callerOf(request) === undefined
    return isDenied ? reply(403, { errors: ['denied'] }) : served(request, reply)
  }
  const served = (request: WireRequest, reply: Replying): WireOutcome => {
    const [, , place, last = ''] = request.path.split('/')
    const name = place === 'things' ? last : `${place}/${last}`
    const thing = things.get(name)
    switch (request.method) {
      case 'LIST':
        return reply(200, { data: { keys: [...things.keys()] } })
      case 'GET':
        return thing ? reply(200, { data: thing }) : reply(404, { errors: [] })
      case 'DELETE':
        if (thing?.locked === true) return reply(400, { errors: ['locked'] })
        things.delete(name)
        return reply(204)
      default:
        return written(name, request, reply)
    }
  }
  const written = (name: string, request: WireRequest, reply: Replying): WireOutcome => {
    const body = JSON.parse(request.body ?? '{}') as JsonObject
    if (body.size === undefined || body.size === 'odd') return reply(400, { errors: ['size'] })
    const caller = callerOf(request)
    things.set(name, { colour: 'red', ...body, ...request.query, ...(caller === 'keeper' ? { of: caller } : {}) })
    return name === idName ? reply(200, { data: { id: name } }) : reply(204)
  }
  const client = {
    endpoint: { url: 'http://127.0.0.1' },
    send: async (request: WireRequest) => {
      got.push(request)
      return answer(request)
    },
    close: async () => {},
  } as unknown as WireClient
  return { client, things, got }
}

export interface Sending {
  readonly as?: 'operator' | 'nobody' | 'keeper'
  readonly body?: JsonObject
  readonly query?: Readonly<Record<string, string>>
  /** The collection in the path. */
  readonly at?: string
  readonly twin?: JsonObject
  /** Caller and name of the twin, if they differ from those of the request. */
  readonly twinAs?: 'operator' | 'keeper'
  readonly twinName?: string
}

const headersOf = (as: Required<Sending>['as']): Readonly<Record<string, string>> =>
  as === 'nobody' ? {} : { 'x-token': as }

/** Makes a request of a check. */
export function sent(
  method: string,
  name: string | undefined,
  { as = 'operator', body, query, at = 'things', twin, twinAs = 'operator', twinName = name }: Sending = {},
): WireRequest {
  const pathOf = (one: string | undefined) => `/v1/${at}${one === undefined ? '' : `/${one}`}`
  const path = pathOf(name)
  const about: About = {
    as,
    control: () =>
      twin === undefined
        ? undefined
        : { method, path: pathOf(twinName), body: JSON.stringify(twin), headers: headersOf(twinAs), as: twinAs },
  }
  return {
    ...{ method, path, about },
    headers: headersOf(as),
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}
