import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../../server.ts'

let server: MockServer
beforeAll(async () => {
  server = await createMockServer()
  for (const [path, body] of [
    ['primary/enable', {}],
    ['primary/secondary-token', { id: 'second' }],
  ] as const) {
    const { status } = await fetch(`${server.url}/v1/sys/replication/performance/${path}`, {
      method: 'POST',
      headers: { 'x-vault-token': server.rootToken, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(status).toBeLessThan(300)
  }
})
afterAll(() => server.close())

const knock = async (path: string, body: string): Promise<number> =>
  (await fetch(`http://${server.clusterAddress}/${path}`, { method: 'POST', body })).status

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
