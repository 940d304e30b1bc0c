import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../../server.ts'

interface Bootstrap {
  readonly ca_cert: string
  readonly client_cert: string
  readonly client_key: string
}

/** Enables a primary, and returns the credentials that it gives to a secondary. */
async function bootstrap({ url, rootToken }: MockServer): Promise<Bootstrap> {
  async function post(path: string, body: object): Promise<Record<string, Record<string, unknown>>> {
    const headers = { 'x-vault-token': rootToken }
    const reply = await fetch(`${url}/v1/sys/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(reply.status).toBeLessThan(300)
    return reply.status === 204 ? {} : ((await reply.json()) as Record<string, Record<string, unknown>>)
  }
  await post('replication/performance/primary/enable', {})
  const { wrap_info } = await post('replication/performance/primary/secondary-token', { id: 'second' })
  return (await post('wrapping/unwrap', { token: wrap_info?.token })).data as unknown as Bootstrap
}

let server: MockServer
let other: MockServer
let own: Bootstrap
let agent: Agent
const agents: Agent[] = []
const agentOf = (trusted: string, shown?: Bootstrap): Agent => {
  const mine = shown ? { cert: shown.client_cert, key: shown.client_key } : {}
  agents.push(new Agent({ connect: { ca: trusted, ...mine, checkServerIdentity: () => undefined } }))
  return agents.at(-1) as Agent
}
beforeAll(async () => {
  server = await createMockServer()
  other = await createMockServer()
  own = await bootstrap(server)
  agent = agentOf(own.ca_cert, own)
})
afterAll(async () => {
  for (const one of agents) await one.destroy()
  await Promise.all([server.close(), other.close()])
})

const statusOf = async (path: string, body: string, by = agent): Promise<number> =>
  (await fetch(`https://${server.clusterAddress}/${path}`, { method: 'POST', body, dispatcher: by })).status

test('both sides prove themselves with certificates of the authority in the credentials', async () => {
  const foreign = await bootstrap(other)
  expect(await statusOf('performance/stream', '{"id":"second","secret":"x"}')).toBe(403)
  expect(await statusOf('performance/activate', '{', agentOf(own.ca_cert))).toBe(403)
  expect(await statusOf('performance/activate', '{', agentOf(own.ca_cert, foreign))).toBe(403)
  await expect(statusOf('performance/activate', '{', agentOf(foreign.ca_cert, own))).rejects.toMatchObject({
    cause: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
  })
  await expect(fetch(`http://${server.clusterAddress}/performance/activate`)).rejects.toThrow()
})

test('a wrong secret is refused, whatever its length in characters and bytes', async () => {
  for (let length = 0; length < 80; length++)
    expect(await statusOf('performance/stream', JSON.stringify({ id: 'second', secret: 'é'.repeat(length) }))).toBe(403)
})

test.each([
  ['null', 'null', 400],
  ['invalid JSON', '{', 400],
  ['a secret that is not text', '{"id":"second","secret":["x"]}', 400],
  ['deeply nested lists', '['.repeat(60_000), 400],
  ['more than 64 KiB', `{"id":"${'x'.repeat(70_000)}"}`, 400],
  ['an empty object', '{}', 403],
])('%s is refused, and the server keeps running', async (_, body, status) => {
  // The connection may close before the whole body was sent, if it is too long.
  expect([status, 'closed']).toContain(await statusOf('performance/stream', body).catch(() => 'closed'))
  expect((await fetch(`${server.url}/v1/sys/health`)).status).toBe(200)
})

test.each(['performance/__proto__', 'performance/constructor', 'performance/toString', '__proto__/stream', ''])(
  '%j is not found',
  async (path) => expect(await statusOf(path, '{}')).toBe(404),
)
