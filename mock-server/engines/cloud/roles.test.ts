import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Bed, openBed } from '../../test-beds/cloud.test-bed.ts'

let bed: Bed
beforeAll(async () => {
  bed = await openBed()
})
afterAll(() => bed.close())
beforeEach(() => bed.remove('roles/r'))

const document = '{"Version":"2012-10-17","Statement":[]}'
const least = {
  iam_user: { credential_type: 'iam_user', policy_document: document },
  assumed_role: { credential_type: 'assumed_role', role_arns: ['arn:aws:iam::1:role/a'] },
  federation_token: { credential_type: 'federation_token', policy_document: document },
  session_token: { credential_type: 'session_token' },
}
const given = {
  role_arns: ['arn:aws:iam::1:role/a'],
  policy_arns: ['arn:aws:iam::aws:policy/A'],
  policy_document: document,
  iam_groups: ['crew'],
  iam_tags: { a: 'b' },
  default_sts_ttl: 900,
  max_sts_ttl: 3600,
  session_tags: { a: 'b' },
  external_id: 'x',
  user_path: '/x/',
  permissions_boundary_arn: 'arn:aws:iam::aws:policy/B',
  mfa_serial_number: 'arn:aws:iam::1:mfa/m',
}
const taken: Readonly<Record<keyof typeof given, string>> = {
  role_arns: '.a..',
  policy_arns: 'uaf.',
  policy_document: 'uaf.',
  iam_groups: 'uafs',
  iam_tags: 'uafs',
  default_sts_ttl: '.af.',
  max_sts_ttl: '.af.',
  session_tags: '.a..',
  external_id: '.a..',
  user_path: 'u...',
  permissions_boundary_arn: 'u...',
  mfa_serial_number: 'uafs',
}

describe.each(Object.entries(given))('%s', (field, value) => {
  test.each(Object.entries(least).map(([type, body], at) => ({ type, body, at })))('$type', async ({ body, at }) => {
    const isTaken = taken[field as keyof typeof given][at] !== '.'
    expect((await bed.post('roles/r', { ...body, [field]: value })).status).toBe(isTaken ? 204 : 400)
    const read = await bed.get('roles/r')
    if (isTaken) expect(read.data[field]).toEqual(value)
    else expect(read.status).toBe(404)
  })
})

test.each([
  ['nothing', {}],
  ['no type', { policy_document: document }],
  ['an unknown type', { credential_type: 'user', policy_document: document }],
  ['assumed_role without role_arns', { credential_type: 'assumed_role' }],
  ['iam_user without policies', { credential_type: 'iam_user' }],
  ['federation_token without policies', { credential_type: 'federation_token' }],
  ['an invalid policy document', { ...least.iam_user, policy_document: 'allow all' }],
  ['a path without slashes', { ...least.iam_user, user_path: 'x' }],
  ['tags that are not pairs', { ...least.iam_user, iam_tags: ['a'] }],
  ['a legacy policy together with a type', { credential_type: 'iam_user', policy: document }],
  ['a legacy arn together with groups', { arn: 'arn:aws:iam::aws:policy/A', iam_groups: ['crew'] }],
])('refuses %s', async (_, body) => {
  expect((await bed.post('roles/r', body)).status).toBe(400)
  expect((await bed.get('roles/r')).status).toBe(404)
})

test.each([
  ['a list as text', { role_arns: 'a,b' }, { role_arns: ['a', 'b'] }],
  ['a list as JSON text', { role_arns: '["a","b"]' }, { role_arns: ['a', 'b'] }],
  ['tags as pairs', { session_tags: ['a=b', 'c=d=e'] }, { session_tags: { a: 'b', c: 'd=e' } }],
  ['tags as text', { session_tags: 'a=b,c=d' }, { session_tags: { a: 'b', c: 'd' } }],
  ['durations as text', { max_sts_ttl: '1h' }, { max_sts_ttl: 3600 }],
])('accepts %s', async (_, body, shown) => {
  await bed.post('roles/r', { ...least.assumed_role, ...body })
  expect((await bed.get('roles/r')).data).toMatchObject(shown)
})

test('a write is merged, and a refused write changes nothing', async () => {
  await bed.post('roles/r', { ...least.assumed_role, external_id: 'x' })
  expect((await bed.post('roles/r', { max_sts_ttl: 900 })).status).toBe(204)
  expect((await bed.get('roles/r')).data).toMatchObject({ external_id: 'x', max_sts_ttl: 900 })
  expect((await bed.post('roles/r', { external_id: 'y', user_path: '/x/' })).status).toBe(400)
  expect((await bed.get('roles/r')).data).toMatchObject({ external_id: 'x' })
})

test('legacy parameters determine the types', async () => {
  await bed.post('roles/r', { policy: document })
  expect((await bed.get('roles/r')).data).toMatchObject({ credential_type: 'iam_user,federation_token' })
  await bed.post('roles/r', { arn: 'arn:aws:iam::1:role/a' })
  expect((await bed.get('roles/r')).data).toMatchObject({ credential_type: 'assumed_role', policy_document: '' })
})

test('roles are listed until they are deleted, and then not found', async () => {
  await bed.post('roles/r', least.session_token)
  expect((await bed.list('roles')).data).toEqual({ keys: ['r'] })
  expect((await bed.remove('roles/r')).status).toBe(204)
  expect((await bed.list('roles')).status).toBe(404)
  expect((await bed.remove('roles/r')).status).toBe(404)
  expect((await bed.get('creds/r')).status).toBe(400)
})

test('stored data that no write would accept are shown as invalid', async () => {
  const kept = await import('./store.ts').then(({ emptyStore, toJson }) => toJson(emptyStore()) as object)
  const { createCloud } = await import('./index.ts')
  const { createRandom } = await import('../../kernel/state/random.ts')
  const { createClock } = await import('../../kernel/state/clock.ts')
  const { variationOf } = await import('../../kernel/variation.ts')
  const engine = createCloud({
    ...{ clock: createClock(), random: createRandom(1), variation: () => variationOf(0) },
    facts: { version: '1.14.0', edition: 'premium', forms: {} },
  })
  const instance = engine.open({ config: {}, accessor: 'a' } as Parameters<typeof engine.open>[0])
  const old = ['old', { types: ['iam_user'], legacy: true, given: { policy_document: 'not JSON' } }]
  instance.state?.restore({ ...kept, roles: [old] })
  const read = instance.routes.find(({ verb, path }) => verb === 'GET' && path === 'roles/:name')
  const reply = await read?.handle({ params: { name: 'old' } } as unknown as Parameters<typeof read.handle>[0])
  expect(reply).toMatchObject({ data: { invalid_data: 'not JSON' } })
})
