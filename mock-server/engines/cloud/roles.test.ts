import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Bed, openBed } from '../../test-beds/cloud.test-bed.ts'

let bed: Bed
beforeAll(async () => {
  bed = await openBed()
})
afterAll(() => bed.close())
beforeEach(() => bed.remove('roles/r'))

const least = { credential_type: 'assumed_role', role_arns: ['arn:aws:iam::1:role/a'] }

test.each([
  ['a list as text', { role_arns: 'a,b' }, { role_arns: ['a', 'b'] }],
  ['a list as JSON text', { role_arns: '["a","b"]' }, { role_arns: ['a', 'b'] }],
  ['tags as pairs', { session_tags: ['a=b', 'c=d=e'] }, { session_tags: { a: 'b', c: 'd=e' } }],
  ['tags as text', { session_tags: 'a=b,c=d' }, { session_tags: { a: 'b', c: 'd' } }],
  ['durations as text', { max_sts_ttl: '1h' }, { max_sts_ttl: 3600 }],
])('accepts %s', async (_, body, shown) => {
  await bed.post('roles/r', { ...least, ...body })
  expect((await bed.get('roles/r')).data).toMatchObject(shown)
})

test('a write is merged, and a refused write changes nothing', async () => {
  await bed.post('roles/r', { ...least, external_id: 'x' })
  expect((await bed.post('roles/r', { max_sts_ttl: 900 })).status).toBe(204)
  expect((await bed.get('roles/r')).data).toMatchObject({ external_id: 'x', max_sts_ttl: 900 })
  expect((await bed.post('roles/r', { external_id: 'y', user_path: '/x/' })).status).toBe(400)
  expect((await bed.get('roles/r')).data).toMatchObject({ external_id: 'x' })
})

test('stored data that no write would accept are shown as invalid', async () => {
  const kept = await import('./store.ts').then(({ emptyStore, toJson }) => toJson(emptyStore()) as object)
  const { createCloud } = await import('./index.ts')
  const { createRandom } = await import('../../kernel/state/random.ts')
  const { createClock } = await import('../../kernel/state/clock.ts')
  const { createStorage } = await import('../../kernel/state/storage.ts')
  const { variationOf } = await import('../../kernel/variation.ts')
  const engine = createCloud({
    ...{ clock: createClock(), random: createRandom(1), variation: () => variationOf(0) },
    storage: createStorage(
      () => {},
      () => {},
    ),
    facts: { version: '1.14.0', edition: 'premium', forms: {} },
  })
  const instance = engine.open({ config: {}, accessor: 'a' } as Parameters<typeof engine.open>[0])
  const old = ['old', { types: ['iam_user'], legacy: true, given: { policy_document: 'not JSON' } }]
  instance.state?.restore({ ...kept, roles: [old] })
  const read = instance.routes.find(({ verb, path }) => verb === 'GET' && path === 'roles/:name')
  const reply = await read?.handle({ params: { name: 'old' } } as unknown as Parameters<typeof read.handle>[0])
  expect(reply).toMatchObject({ data: { invalid_data: 'not JSON' } })
})
