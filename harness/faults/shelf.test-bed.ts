/** A correct server without a socket: a shelf of named JSON objects, with a reply for each request. */
import type { JsonObject } from '../vocabulary/index.ts'
import type { About, WireClient, WireOutcome, WireRequest } from '../wire/client.ts'
import { madeUp } from './replies.ts'

export interface Shelf {
  readonly client: WireClient
  readonly things: Map<string, JsonObject>
  /** Everything that reached the server. */
  readonly got: WireRequest[]
}

/** `POST v1/things/:name` wants `size`; whoever has no token may read only. */
export function openShelf(): Shelf {
  const things = new Map<string, JsonObject>()
  const got: WireRequest[] = []
  const answer = (request: WireRequest): WireOutcome => {
    const name = request.path.split('/')[3] ?? ''
    const reply = (status: number, body?: unknown) =>
      madeUp(request, status, body === undefined ? '' : JSON.stringify(body))
    if (request.method !== 'GET' && request.headers['x-token'] !== 'operator') return reply(403, { errors: ['denied'] })
    if (request.method === 'LIST') return reply(200, { data: { keys: [...things.keys()] } })
    if (request.method === 'GET') {
      const thing = things.get(name)
      return thing ? reply(200, { data: thing }) : reply(404, { errors: [] })
    }
    if (request.method === 'DELETE') {
      things.delete(name)
      return reply(204)
    }
    const body = JSON.parse(request.body ?? '{}') as JsonObject
    if (body.size === undefined || body.size === 'odd') return reply(400, { errors: ['size'] })
    things.set(name, { colour: 'red', ...body })
    return reply(204)
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
  readonly as?: 'operator' | 'nobody'
  readonly body?: JsonObject
  readonly twin?: JsonObject
}

/** A request of a check. */
export function sent(
  method: string,
  name: string | undefined,
  { as = 'operator', body, twin }: Sending = {},
): WireRequest {
  const path = name === undefined ? '/v1/things' : `/v1/things/${name}`
  const about: About = {
    as,
    control: () => (twin === undefined ? undefined : { method, path, body: JSON.stringify(twin) }),
  }
  return {
    ...{ method, path, about },
    headers: as === 'operator' ? { 'x-token': 'operator' } : {},
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}
