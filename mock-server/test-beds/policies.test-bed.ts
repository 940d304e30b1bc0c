/** Opens a server for the tests of policies, with short functions for requests. */
import { createCore } from '../core.ts'
import { engines } from '../engines/index.ts'
import type { Edition } from '../kernel/contracts.ts'
import { createClock } from '../kernel/state/clock.ts'
import { newestVersion } from '../kernel/versions.ts'
import { createMockServer, type MockServer, type MockServerOptions } from '../server.ts'

export interface Answered {
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly auth: { readonly client_token: string; readonly entity_id: string }
}

export interface Asking {
  /** Sends a request; `line` is method and path below `/v1/`: `GET sys/policies/acl/p1`. The default token is the root
   * token; `''` sends no token. */
  ask(line: string, body?: object, as?: string, headers?: Record<string, string>): Promise<Answered>
  /** Creates a token with these policies. */
  token(...policies: string[]): Promise<string>
}

type Send = (
  method: string,
  url: string,
  headers: Record<string, string>,
  body: string | undefined,
) => Promise<{ readonly status: number; readonly text: string }>

function askingBy(send: Send, root: () => string): Asking {
  const ask: Asking['ask'] = async (line, body, as = root(), headers = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const sent = { ...(as && { 'x-vault-token': as }), ...headers }
    const { status, text } = await send(method, `/v1/${path}`, sent, body && JSON.stringify(body))
    const reply = text === '' ? {} : JSON.parse(text)
    return {
      status,
      data: reply.data ?? {},
      errors: reply.errors ?? [],
      warnings: reply.warnings ?? [],
      auth: reply.auth ?? {},
    }
  }
  return {
    ask,
    token: async (...policies) => (await ask('POST auth/token/create', { policies })).auth.client_token,
  }
}

/** Opens a server that receives requests over HTTP. */
export async function openServer(options: MockServerOptions = {}): Promise<Asking & MockServer> {
  const server = await createMockServer(options)
  const asking = askingBy(
    async (method, url, headers, body) => {
      const response = await fetch(server.url + url, { method, headers, ...(body && { body }) })
      return { status: response.status, text: await response.text() }
    },
    () => server.rootToken,
  )
  return { ...server, ...asking }
}

/** Opens a server without sockets, for tests with many requests. */
export async function openCore(facts: { readonly version?: string; readonly edition?: Edition } = {}) {
  const core = await createCore(
    {
      ...{ version: newestVersion, edition: 'premium', forms: {}, seed: 1, clock: createClock() },
      ...{ initialized: true, variation: 0, ...facts },
    },
    engines,
  )
  const asking = askingBy(
    async (method, url, headers, body) => {
      const answer = await core.serve({
        method,
        url,
        headers,
        body: body === undefined ? undefined : Buffer.from(body),
      })
      return { status: answer.status, text: String(answer.body ?? '') }
    },
    () => core.rootToken,
  )
  return { ...core, ...asking }
}
