import supertest from 'supertest'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createMockServer, type MockServer } from './server.ts'
import { openBed } from './test-beds/cloud.test-bed.ts'

const lagMs = 60_000
let server: MockServer
let standby: string
beforeAll(async () => {
  server = await createMockServer({ nodes: 3, standbys: 'read', readLagMs: lagMs, balance: true })
  standby = server.standbyUrls[0] ?? ''
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const asRoot = (url: string) => supertest.agent(url).set('x-vault-token', server.rootToken)
const policy = '/v1/sys/policies/acl/late'
const caughtUp = () => server.clock.advance(2 * lagMs)

test('a standby node that reads shows a write when its lag is over', async () => {
  await asRoot(server.url).put(policy).send({ policy: 'path "a" {}' }).expect(204)
  await asRoot(server.url).get(policy).expect(200)
  await asRoot(standby).get(policy).expect(404)
  await caughtUp()
  await asRoot(standby).get(policy).expect(200)
  await asRoot(standby).delete(policy).expect(204)
  await asRoot(server.url).get(policy).expect(404)
  await asRoot(standby).get(policy).expect(200)
  await caughtUp()
  await asRoot(standby).get(policy).expect(404)
})

test('a standby node refuses a token and a mount that it does not know yet, also for a write', async () => {
  const made = await asRoot(server.url)
    .post('/v1/auth/token/create')
    .send({ policies: ['root'] })
    .expect(200)
  const asNew = (url: string) => supertest.agent(url).set('x-vault-token', made.body.auth.client_token)
  await asNew(server.url).put(policy).send({ policy: 'path "a" {}' }).expect(204)
  await asNew(standby).get('/v1/sys/mounts').expect(403)
  await asNew(standby).put(policy).send({ policy: 'path "b" {}' }).expect(403)
  await asRoot(server.url).post('/v1/sys/mounts/late').send({ type: 'pki' }).expect(204)
  await asRoot(standby).post('/v1/late/root/generate/internal').send({ common_name: 'a' }).expect(404)
  await caughtUp()
  await asNew(standby).put(policy).send({ policy: 'path "b" {}' }).expect(204)
  await asRoot(standby)
    .post('/v1/late/roles/r')
    .send({ allow_any_name: true })
    .expect((reply) => {
      expect(reply.status).toBeLessThan(300)
    })
})

test('a read that changes something is done by the active node', async () => {
  const made = await asRoot(server.url).post('/v1/auth/token/create').send({ num_uses: 9 }).expect(200)
  const use = (url: string) =>
    supertest(url).get('/v1/auth/token/lookup-self').set('x-vault-token', made.body.auth.client_token)
  await caughtUp()
  for (const [url, left] of [
    [standby, 8],
    [standby, 7],
    [server.url, 6],
  ] as const)
    expect((await use(url).expect(200)).body.data.num_uses).toBe(left)
})

test('a read that makes something elsewhere is done by the active node alone', async () => {
  const bed = await openBed({}, { nodes: 2, standbys: 'read', readLagMs: lagMs })
  onTestFinished(() => bed.close())
  await bed.configure()
  await bed.post('roles/r', { credential_type: 'iam_user', policy_arns: ['arn:aws:iam::aws:policy/A'] })
  await bed.server.clock.advance(2 * lagMs)
  const [url = ''] = bed.server.standbyUrls
  const [mount = ''] = (bed.server.inventory().mounts ?? []).filter((name) => name.startsWith('cloud'))
  await supertest(url).get(`/v1/${mount}creds/r`).set('x-vault-token', bed.server.rootToken).expect(200)
  expect((await bed.calls()).filter(({ action }) => action === 'CreateUser')).toHaveLength(1)
})

test('a standby node shows what the active one does as time passes', async () => {
  const bed = await openBed({ users: [{ name: 'adopted' }] }, { nodes: 2, standbys: 'read', readLagMs: lagMs })
  onTestFinished(() => bed.close())
  await bed.configure()
  await bed.post('static-roles/r', { username: 'adopted', rotation_period: 3600 })
  const { data: first } = await bed.get('static-creds/r')
  await bed.pass(3600)
  const { data: second } = await bed.get('static-creds/r')
  expect(second).not.toEqual(first)
  await bed.pass((2 * lagMs) / 1000)
  const [url = ''] = bed.server.standbyUrls
  const [mount = ''] = (bed.server.inventory().mounts ?? []).filter((name) => name.startsWith('cloud'))
  const shown = await supertest(url).get(`/v1/${mount}static-creds/r`).set('x-vault-token', bed.server.rootToken)
  expect(shown.body.data).toEqual(second)
})

test('a node that steps down is behind the one that takes over', async () => {
  await asRoot(server.url).put('/v1/sys/step-down').expect(204)
  await asRoot(standby).put(policy).send({ policy: 'path "a" {}' }).expect(204)
  await asRoot(standby).get(policy).expect(200)
  await asRoot(server.url).get(policy).expect(404)
})

test('a load balancer gives each request to the next node', async () => {
  const balanced = server.balancerUrl ?? ''
  const healths = []
  for (let turn = 0; turn < 6; turn++) healths.push((await supertest(balanced).get('/v1/sys/health')).status)
  expect(healths.toSorted()).toEqual([200, 200, 429, 429, 429, 429])
})

test('standby nodes that redirect send every request but those about themselves to the active node', async () => {
  await using redirecting = await createMockServer({ nodes: 2, standbys: 'redirect' })
  const [url = ''] = redirecting.standbyUrls
  await supertest(url).get('/v1/sys/health').expect(429)
  const { headers } = await supertest(url).get('/v1/sys/mounts').redirects(0).expect(307)
  expect(headers.location).toBe(`${redirecting.url}/v1/sys/mounts`)
})

test.each([
  [{ nodes: 2, standbys: 'elect' }, /standbys "elect" is not one of forward, read, redirect/],
  [{ nodes: 2, readLagMs: 5 }, /set standbys to read/],
  [{ standbys: 'read' }, /need several nodes/],
  [{ balance: true }, /need several nodes/],
  [{ nodes: 2, performanceStandbys: true, standbys: 'redirect' }, /cannot be redirect/],
] as const)('%j is refused', async (options, message) => {
  await expect(createMockServer(options as object)).rejects.toThrow(message)
})
