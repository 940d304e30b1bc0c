import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../../server.ts'

interface Bootstrap {
  readonly ca_cert: string
  readonly client_cert: string
  readonly client_key: string
}

/** Makes a primary, and returns what it gives to a secondary. */
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

const knock = async (path: string, body: string, by = agent): Promise<number> =>
  (await fetch(`https://${server.clusterAddress}/${path}`, { method: 'POST', body, dispatcher: by })).status

test('both sides prove themselves by certificates of the authority in the activation token', async () => {
  const foreign = await bootstrap(other)
  expect(await knock('performance/stream', '{"id":"second","secret":"x"}')).toBe(403)
  expect(await knock('performance/activate', '{', agentOf(own.ca_cert))).toBe(403)
  expect(await knock('performance/activate', '{', agentOf(own.ca_cert, foreign))).toBe(403)
  await expect(knock('performance/activate', '{', agentOf(foreign.ca_cert, own))).rejects.toMatchObject({
    cause: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
  })
  await expect(fetch(`http://${server.clusterAddress}/performance/activate`)).rejects.toThrow()
})

test('a secret of the right length in characters, and not in bytes, is refused', async () => {
  for (let length = 0; length < 80; length++)
    expect(await knock('performance/stream', JSON.stringify({ id: 'second', secret: 'é'.repeat(length) }))).toBe(403)
})

test.each([
  ['no object', 'null', 400],
  ['no JSON', '{', 400],
  ['a secret that is not text', '{"id":"second","secret":["x"]}', 400],
  ['lists nested without end', '['.repeat(60_000), 400],
  ['more than 64 KiB', `{"id":"${'x'.repeat(70_000)}"}`, 400],
  ['nothing', '{}', 403],
])('%s is refused, and the server stays up', async (_, body, status) => {
  // The connection may close before all of a body that is too long was sent.
  expect([status, 'closed']).toContain(await knock('performance/stream', body).catch(() => 'closed'))
  expect((await fetch(`${server.url}/v1/sys/health`)).status).toBe(200)
})

test.each(['performance/__proto__', 'performance/constructor', 'performance/toString', '__proto__/stream', ''])(
  'nothing is at %j',
  async (path) => expect(await knock(path, '{}')).toBe(404),
)
