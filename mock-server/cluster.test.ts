import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createMockCluster, type MockCluster } from './server.ts'

let group: MockCluster | undefined
afterEach(async () => {
  await group?.close()
  group = undefined
})

const dataAt = async (url: string, path: string) => {
  const response = await fetch(`${url}/v1/${path}`)
  return (await response.json()) as { cluster_id: string }
}

test('each cluster has its own keys, root token, id and addresses, and all have one clock', async () => {
  group = await createMockCluster({ clusters: 3 })
  const { servers, clock } = group
  const ids = await Promise.all(servers.map(async ({ url }) => (await dataAt(url, 'sys/health')).cluster_id))
  const different = [
    ids,
    servers.map(({ url }) => url),
    servers.map(({ clusterAddress }) => clusterAddress),
    servers.map(({ rootToken }) => rootToken),
    servers.map(({ keyShares }) => keyShares[0]),
  ]
  for (const list of different) expect(new Set(list).size).toBe(3)
  const before = servers.map((server) => server.clock.now())
  await clock.advance(60_000)
  for (const [index, server] of servers.entries())
    expect(server.clock.now()).toBeGreaterThanOrEqual((before[index] ?? 0) + 60_000)
})

test('the same seed gives the same clusters', async () => {
  const tokens = []
  for (let round = 0; round < 2; round++) {
    const one = await createMockCluster({ clusters: 2, seed: 5 })
    tokens.push(one.servers.map(({ rootToken }) => rootToken))
    await one.close()
  }
  expect(tokens[0]).toEqual(tokens[1])
})

test('the root token and the control port of the options apply to the first cluster only', async () => {
  group = await createMockCluster({ clusters: 2, rootToken: 'first-root', control: true })
  const [one, two] = group.servers
  expect(one?.rootToken).toBe('first-root')
  expect(two?.rootToken).not.toBe('first-root')
  expect(one?.controlUrl).toMatch(/^http:/)
  expect(two?.controlUrl).toBeUndefined()
})

test('an invalid number of clusters and a taken port leave nothing open', async () => {
  await expect(createMockCluster({ clusters: 0 })).rejects.toThrow(/clusters must be a whole number from 1; saw 0/)
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(createMockCluster({ clusters: 2, clusterPort: port })).rejects.toThrow(/EADDRINUSE/)
  await expect(createMockCluster({ clusters: 2, control: { port } })).rejects.toThrow(/EADDRINUSE/)
  await new Promise((resolve) => taken.close(resolve))
})

test('links refuse unknown clusters', async () => {
  group = await createMockCluster({ clusters: 2 })
  const { links } = group
  expect(() => links.cut(-1, 0)).toThrow(RangeError)
  expect(() => links.slow(0, 1.5, 10)).toThrow(RangeError)
})

test('settle moves the clock, and the control listener can do the same', async () => {
  group = await createMockCluster({ clusters: 2, control: true })
  const { clock, servers } = group
  const before = clock.now()
  await group.settle(60_000)
  expect(clock.now()).toBeGreaterThanOrEqual(before + 60_000)
  const response = await fetch(`${servers[0]?.controlUrl}/clock/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"seconds":20}',
  })
  expect(response.status).toBe(200)
  expect(clock.now()).toBeGreaterThanOrEqual(before + 80_000)
})
