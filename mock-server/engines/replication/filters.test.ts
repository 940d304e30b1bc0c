import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { at, type Bed, caughtUp, join, makeBed, type Party } from '../../test-beds/replication.test-bed.ts'

const kind = 'performance'
let bed: Bed
let first: Party
let second: Party
let id: string
beforeAll(async () => {
  bed = await makeBed()
  ;[first, second] = bed.parties
})
afterAll(() => bed.cluster.close())
beforeEach(async () => {
  await bed.cluster.reset()
  for (const party of bed.parties) party.token = party.server.rootToken
  await first.do('POST', 'sys/mounts/a', { type: 'kv' })
  await first.do('POST', 'sys/mounts/b/deep', { type: 'kv' })
  await first.do('POST', 'sys/mounts/own', { type: 'kv', local: true })
  await first.do('POST', 'sys/auth/people', { type: 'userpass' })
  await join(first, second, kind)
  id = (await second.status(kind)).cluster_id
})

const filter = (of = id): string => at(kind, `primary/paths-filter/${of}`)
async function held(): Promise<readonly string[]> {
  await caughtUp(second, first, kind)
  const { mounts = [], auth = [] } = second.server.inventory()
  return [...mounts, ...auth.map((path) => `auth/${path}`)]
}
const dynamic = async (party: Party, side: string): Promise<unknown> =>
  (await party.do('GET', at(kind, `${side}/dynamic-filter/${id}`))).body.data.dynamic_filtered_mounts

describe('paths filters', () => {
  test('without a filter, everything except local mounts is replicated', async () => {
    expect(await held()).toEqual(['a/', 'b/deep/', 'secret/', 'auth/people/'])
    expect((await first.ask('GET', filter())).body.data).toBeNull()
  })

  test('a dynamic filter shows what the filter excludes, on both sides', async () => {
    await first.do('POST', filter(), { mode: 'allow', paths: ['a/', 'auth/people/'] })
    await held()
    expect(await dynamic(first, 'primary')).toEqual(['secret/', 'b/deep/'])
    expect(await dynamic(second, 'secondary')).toEqual(['secret/', 'b/deep/'])
    await first.do('POST', filter(), { mode: 'deny', paths: ['b/deep', 'some-namespace/'] })
    expect(await held()).toEqual(['a/', 'secret/', 'auth/people/'])
    await first.do('DELETE', filter())
    await held()
    expect(await dynamic(second, 'secondary')).toEqual([])
  })

  test('use the id of the activation token if a status shows the id of the set', async () => {
    bed.cluster.vary(0, { statusClusterId: 'set' })
    try {
      const [set, own] = [(await second.status(kind)).cluster_id, (await second.status(kind)).secondary_id]
      expect(set).toBe((await first.status(kind)).cluster_id)
      expect((await first.ask('POST', filter(set), { mode: 'deny', paths: ['a/'] })).status).toBe(400)
      await first.do('POST', filter(own), { mode: 'deny', paths: ['a/'] })
      expect(await held()).not.toContain('a/')
      const read = await second.do('GET', at(kind, `secondary/dynamic-filter/${own}`))
      expect(read.body.data.dynamic_filtered_mounts).toEqual(['a/'])
    } finally {
      bed.cluster.vary(0)
    }
  })
})

describe('data of a performance secondary itself', () => {
  test('local mounts and tokens are not affected by writes of the primary', async () => {
    await second.do('POST', 'sys/mounts/mine', { type: 'kv', local: true })
    await second.do('POST', 'mine/x', { v: 1 })
    await second.do('POST', 'cubbyhole/own', { v: 2 })
    await first.do('POST', 'cubbyhole/own', { v: 3 })
    await first.do('POST', 'sys/policies/acl/p', { policy: 'path "a" { policy = "read" }' })
    await first.do('DELETE', 'sys/mounts/a')
    expect(await held()).toEqual(['b/deep/', 'mine/', 'secret/', 'auth/people/'])
    expect((await second.do('GET', 'mine/x')).body.data).toEqual({ v: 1 })
    expect((await second.do('GET', 'cubbyhole/own')).body.data).toEqual({ v: 2 })
    expect((await second.do('GET', 'sys/policies/acl/p')).status).toBe(200)
  })

  test('a token of the primary is invalid there', async () => {
    second.token = first.token
    expect((await second.ask('GET', 'sys/mounts')).status).toBe(403)
  })
})

describe('namespaces', () => {
  const inNamespaces = (): readonly string[] => second.server.inventory().values ?? []

  beforeEach(async () => {
    for (const name of ['team-a', 'team-b']) {
      await first.do('POST', `sys/namespaces/${name}`)
      await first.do('POST', `${name}/sys/mounts/kv`, { type: 'kv' })
      await first.do('POST', `${name}/sys/mounts/own`, { type: 'kv', local: true })
      await first.do('POST', `${name}/kv/x`, { of: name })
    }
    await first.do('POST', 'team-a/sys/namespaces/inner')
    await first.do('POST', 'team-a/inner/sys/mounts/kv', { type: 'kv' })
    await first.do('POST', 'team-a/inner/kv/x', { of: 'inner' })
  })

  test('are replicated with everything except local mounts, and removed when they are deleted', async () => {
    expect(await held()).toEqual(expect.arrayContaining(['team-a/kv/', 'team-a/inner/kv/', 'team-b/kv/']))
    expect(await held()).not.toContain('team-a/own/')
    expect((await second.do('GET', 'team-a/inner/kv/x')).body.data).toEqual({ of: 'inner' })
    await second.do('POST', 'team-a/sys/mounts/mine', { type: 'kv', local: true })
    await first.do('POST', 'team-a/kv/y', { of: 'later' })
    await first.do('DELETE', 'sys/namespaces/team-b')
    expect(await held()).toContain('team-a/mine/')
    expect(inNamespaces()).toEqual(['team-a/inner/kv/x', 'team-a/kv/x', 'team-a/kv/y'])
  })

  test('are withheld by a filter that denies them, with everything below them', async () => {
    await first.do('POST', filter(), { mode: 'deny', paths: ['team-a/inner', 'team-b/kv/'] })
    expect(await held()).toEqual(['a/', 'b/deep/', 'secret/', 'team-a/kv/', 'auth/people/'])
    for (const [party, side] of [[first, 'primary'] as const, [second, 'secondary'] as const]) {
      const { body } = await party.do('GET', at(kind, `${side}/dynamic-filter/${id}`))
      expect(body.data).toEqual({
        dynamic_filtered_mounts: ['team-a/inner/kv/', 'team-b/kv/'],
        dynamic_filtered_namespaces: ['team-a/inner/'],
      })
    }
    expect(second.server.inventory().namespaces).toEqual(['team-a/', 'team-b/'])
    await first.do('POST', filter(), { mode: 'deny', paths: ['team-a/'] })
    await held()
    expect(second.server.inventory().namespaces).toEqual(['team-b/'])
    await first.do('DELETE', filter())
    expect(await held()).toContain('team-a/inner/kv/')
    expect((await second.do('GET', 'team-a/inner/kv/x')).body.data).toEqual({ of: 'inner' })
  })

  test('are filtered mount by mount by a filter that allows', async () => {
    await first.do('POST', filter(), { mode: 'allow', paths: ['secret/', 'team-a/inner/', 'team-b/kv/'] })
    expect(await held()).toEqual(['secret/', 'team-a/inner/kv/', 'team-b/kv/'])
  })
})
