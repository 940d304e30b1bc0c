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

test('the health of the active node stays as it is', async () => {
  const { body } = await supertest(server.url).get('/v1/sys/health?standbycode=299').expect(200)
  expect(body.standby).toBe(false)
})

test('every node names the active one, which knows itself', async () => {
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

test('what is sent to a standby node is done by the active one', async () => {
  await asRoot(standby).put('/v1/sys/policies/acl/through-standby').send({ policy: 'path "a" {}' }).expect(204)
  await asRoot(server.url).get('/v1/sys/policies/acl/through-standby').expect(200)
  await supertest(standby).get('/v1/sys/policies/acl/through-standby').expect(400)
})

test('a client that wants nothing passed on is sent to the active node, unless the cluster is sealed', async () => {
  const ask = () => asRoot(standby).get('/v1/sys/mounts?a=b').set('x-vault-no-request-forwarding', '1').redirects(0)
  const { headers } = await ask().expect(307)
  expect(headers.location).toBe(`${server.url}/v1/sys/mounts?a=b`)
  await asRoot(server.url).put('/v1/sys/seal').expect(204)
  await ask().expect(503)
  await supertest(standby).get('/v1/sys/health').expect(503)
  await server.reset()
})

test.each([0, 1.5, 10])('%d nodes are refused', async (nodes) => {
  await expect(createMockServer({ nodes })).rejects.toThrow(/nodes must be a whole number from 1 to 9/)
})
