import supertest from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer, type MockServer } from './server.ts'

let server: MockServer
let standby: string
beforeAll(async () => {
  server = await createMockServer({ nodes: 2 })
  standby = server.standbyUrls[0] ?? ''
})
afterAll(() => server.close())

const asRoot = (url: string) => supertest.agent(url).set('x-vault-token', server.rootToken)

test.each([
  ['', 429],
  ['?standbyok=true', 200],
  ['?standbyok=false', 429],
  ['?standbycode=299', 299],
  ['?activecode=299', 429],
])('the health of a standby node, asked with %j, is answered by %i', async (query, status) => {
  const { body } = await supertest(standby).get(`/v1/sys/health${query}`).expect(status)
  expect(body).toMatchObject({ initialized: true, sealed: false, standby: true, performance_standby: false })
})

test('the query parameters for standby nodes do not change the health of the active node', async () => {
  const { body } = await supertest(server.url).get('/v1/sys/health?standbycode=299').expect(200)
  expect(body.standby).toBe(false)
})

test('every node names the active node in sys/leader, and is_self is true on that node only', async () => {
  const leaders = await Promise.all(
    [server.url, standby].map(async (url) => (await supertest(url).get('/v1/sys/leader').expect(200)).body),
  )
  for (const leader of leaders)
    expect(leader).toMatchObject({
      ...{ ha_enabled: true, leader_address: server.url },
      leader_cluster_address: `https://${server.clusterAddress}`,
    })
  expect(leaders.map(({ is_self }) => is_self)).toEqual([true, false])
  expect(Date.parse(leaders[1].active_time)).toBeGreaterThan(0)
})

test('a standby node forwards requests to the active node', async () => {
  await asRoot(standby).put('/v1/sys/policies/acl/through-standby').send({ policy: 'path "a" {}' }).expect(204)
  await asRoot(server.url).get('/v1/sys/policies/acl/through-standby').expect(200)
  await supertest(standby).get('/v1/sys/policies/acl/through-standby').expect(400)
})

test('a request that forbids forwarding is redirected to the active node, unless the cluster is sealed', async () => {
  const ask = () => asRoot(standby).get('/v1/sys/mounts?a=b').set('x-vault-no-request-forwarding', '1').redirects(0)
  const { headers } = await ask().expect(307)
  expect(headers.location).toBe(`${server.url}/v1/sys/mounts?a=b`)
  await asRoot(server.url).put('/v1/sys/seal').expect(204)
  await ask().expect(503)
  await supertest(standby).get('/v1/sys/health').expect(503)
  await server.reset()
})

test('the next node takes over from one that steps down, with the same state', async () => {
  await asRoot(server.url).put('/v1/secret/kept').send({ v: '1' }).expect(204)
  await asRoot(standby).put('/v1/sys/step-down').expect(200)
  expect(server.standbyUrls).toEqual([standby])
  await asRoot(server.url).put('/v1/sys/step-down').expect(204)
  expect(server.standbyUrls).toEqual([server.url])
  await supertest(server.url).get('/v1/sys/health').expect(429)
  await supertest(standby).get('/v1/sys/health').expect(200)
  expect((await supertest(server.url).get('/v1/sys/leader')).body).toMatchObject({
    ...{ is_self: false, leader_address: standby },
  })
  const { body } = await asRoot(server.url).get('/v1/sys/ha-status').expect(200)
  expect(body.nodes).toMatchObject([
    { hostname: 'node-1', api_address: server.url, active_node: false, last_echo: expect.any(String) },
    { hostname: 'node-2', api_address: standby, active_node: true, last_echo: null },
  ])
  expect((await asRoot(server.url).get('/v1/secret/kept').expect(200)).body.data).toEqual({ v: '1' })
  const sent = asRoot(server.url).get('/v1/secret/kept').set('x-vault-no-request-forwarding', '1').redirects(0)
  expect((await sent.expect(307)).headers.location).toBe(`${standby}/v1/secret/kept`)
  await server.reset()
  expect(server.standbyUrls).toEqual([standby])
})

test('performance standbys answer sys/health with 473, and reads themselves', async () => {
  const fast = await createMockServer({ nodes: 2, performanceStandbys: true })
  const [url = ''] = fast.standbyUrls
  const health = (query = '') => supertest(url).get(`/v1/sys/health${query}`)
  expect((await health().expect(473)).body).toMatchObject({ standby: true, performance_standby: true })
  await health('?standbyok=true').expect(473)
  await health('?perfstandbyok=true').expect(200)
  await health('?performancestandbycode=299').expect(299)
  expect((await supertest(url).get('/v1/sys/leader').expect(200)).body.performance_standby).toBe(true)
  const alone = { 'x-vault-token': fast.rootToken, 'x-vault-no-request-forwarding': '1' }
  await supertest(url).get('/v1/sys/mounts').set(alone).expect(200)
  await supertest(url).put('/v1/secret/a').set(alone).send({ v: 1 }).redirects(0).expect(307)
  await fast.close()
  await expect(createMockServer({ edition: 'community', performanceStandbys: true })).rejects.toThrow(/community/)
})

test('a cluster of one node does not step down', async () => {
  const alone = await createMockServer()
  const put = supertest(alone.url).put('/v1/sys/step-down').set('x-vault-token', alone.rootToken)
  expect((await put.expect(400)).body.errors[0]).toMatch(/one node/)
  await alone.close()
})

test.each([0, 1.5, 10])('%d nodes are refused', async (nodes) => {
  await expect(createMockServer({ nodes })).rejects.toThrow(/nodes must be a whole number from 1 to 9/)
})
