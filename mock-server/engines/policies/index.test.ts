import { expect, test } from 'vitest'
import { createPolicies, policiesTables } from './index.ts'

const open = () =>
  createPolicies({ access: { policiesOf: (token) => token.policies }, entities: { templating: () => ({}) } })

const kept = {
  acl: { p: { policy: 'path "own/{{identity.entity.id}}" { policy = "read" }', enforcement_level: '', paths: [] } },
  rgp: { r: { policy: 'main = rule { true }', enforcement_level: 'advisory', paths: [] } },
  egp: { e: { policy: 'main = rule { true }', enforcement_level: 'hard-mandatory', paths: ['a*'] } },
}

test('what was kept comes back, and into effect', () => {
  const policies = open()
  policies.restore(JSON.parse(JSON.stringify(kept)))
  expect(policies.snapshot()).toEqual(kept)
  expect(policies.inventory()).toEqual({ acl: ['p'], rgp: ['r'], egp: ['e'] })
  expect(policies.acl(['p'], { 'identity.entity.id': 'e1' }).capabilities('own/e1')).toEqual(['list', 'read'])
  policies.reset()
  expect(policies.inventory()).toEqual({ acl: [], rgp: [], egp: [] })
  expect(policies.acl(['p'], { 'identity.entity.id': 'e1' }).capabilities('own/e1')).toEqual(['deny'])
})

test('what is no snapshot changes nothing', () => {
  const policies = open()
  policies.restore(kept)
  for (const wrong of [undefined, null, 1, {}, { acl: {}, rgp: {} }, { acl: 1, rgp: {}, egp: {} }]) {
    expect(() => policies.restore(wrong)).toThrow(/no snapshot of policies/)
  }
  expect(policies.snapshot()).toEqual(kept)
})

test('an ACL is compiled once for a list of names, and anew for another identity', () => {
  const policies = open()
  policies.restore(kept)
  const names = ['default', 'p']
  const [one, two] = [{ 'identity.entity.id': 'e1' }, { 'identity.entity.id': 'e2' }]
  expect(policies.acl(names, one)).toBe(policies.acl(names, one))
  expect(policies.acl(['default', 'p'], one)).toBe(policies.acl(names, one))
  expect(policies.acl(names, two).capabilities('own/e1')).toEqual(['deny'])
  expect(policies.acl(names, two).capabilities('own/e2')).toEqual(['list', 'read'])
  const renamed = { 'identity.entity.id': 'e2', 'identity.entity.name': 'new' }
  expect(policies.acl(names, renamed).capabilities('identity/entity/name/new')).toEqual(['read'])
})

test('more sets of names than are kept are still answered', () => {
  const policies = open()
  policies.restore(kept)
  for (let turn = 0; turn < 2_500; turn++) {
    expect(policies.acl(['default', `p${turn}`]).capabilities('cubbyhole/x')).toContain('read')
  }
  expect(policies.acl(['ROOT']).capabilities('x')).toEqual(['root'])
})

test('other tables hold from then on', () => {
  const policies = open()
  policies.restore({ ...kept, acl: { ...kept.acl, q: { ...kept.acl.p, policy: 'path "x/*" { policy = "read" }' } } })
  expect(policies.acl(['q']).capabilities('x/y')).toEqual(['list', 'read'])
  policies.useTables({ ...policiesTables, acl: { ...policiesTables.acl, exactFirst: false } })
  expect(policies.acl(['q']).capabilities('x/y')).toEqual(['list', 'read'])
  policies.useTables({
    ...policiesTables,
    kinds: {
      ...policiesTables.kinds,
      acl: { ...policiesTables.kinds.acl, acts: { ...policiesTables.kinds.acl.acts, created: () => [] } },
    },
  })
  expect(policies.acl(['q']).capabilities('x/y')).toEqual(['deny'])
  policies.useTables(policiesTables)
  expect(policies.acl(['q']).capabilities('x/y')).toEqual(['list', 'read'])
})
