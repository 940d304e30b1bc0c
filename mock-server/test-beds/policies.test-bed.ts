/** Opens a server for the tests of policies, with short functions for requests. */
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
  token(...policies: string[]): Promise<string>
}

/** Opens a server that receives requests over HTTP. */
export async function openServer(options: MockServerOptions = {}): Promise<Asking & MockServer> {
  const server = await createMockServer(options)
  const ask: Asking['ask'] = async (line, body, as = server.rootToken, headers = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const sent = { ...(as && { 'x-vault-token': as }), ...headers }
    const response = await fetch(`${server.url}/v1/${path}`, {
      ...{ method, headers: sent },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const reply = text === '' ? {} : JSON.parse(text)
    return {
      status: response.status,
      data: reply.data ?? {},
      errors: reply.errors ?? [],
      warnings: reply.warnings ?? [],
      auth: reply.auth ?? {},
    }
  }
  return {
    ...server,
    ask,
    token: async (...policies) => (await ask('POST auth/token/create', { policies })).auth.client_token,
  }
}
