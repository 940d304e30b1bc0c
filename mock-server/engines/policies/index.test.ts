import { expect, test } from 'vitest'
import { createAccess } from '../../kernel/acl/access.ts'
import { createClusterRole } from '../../kernel/cluster/cluster-role.ts'
import type { Token } from '../../kernel/contracts.ts'
import type { ExtensionPoints } from '../../kernel/extension-points.ts'
import { createClock } from '../../kernel/state/clock.ts'
import type { StatePart } from '../../kernel/state/state-part.ts'
import { createPolicies } from './index.ts'

function open() {
  let identity: Readonly<Record<string, string>> = {}
  const extensions: ExtensionPoints = {}
  const entities = {
    ...{ policiesOf: () => [], templating: () => identity, find: () => undefined, aliasesOf: () => [] },
    groups: { find: () => undefined, of: () => ({ direct: [], inherited: [] }) },
  }
  const access = createAccess(extensions, entities)
  const [engine] = createPolicies({
    ...{ access, entities, extensions, policyLanguage: 'evaluated' },
    ...{ clock: createClock(), clusterRole: createClusterRole() },
  })
  return {
    ...(engine.state as StatePart),
    inventory: () => engine.inventory?.(),
    acl(policies: readonly string[], given?: Readonly<Record<string, string>>) {
      if (given) identity = given
      return access.aclOf({ id: 't', policies, entityId: given ? 'e' : '' } as unknown as Token)
    },
  }
}

const kept = {
  acl: { p: { policy: 'path "own/{{identity.entity.id}}" { policy = "read" }', enforcement_level: '', paths: [] } },
  rgp: { r: { policy: 'main = rule { true }', enforcement_level: 'advisory', paths: [] } },
  egp: { e: { policy: 'main = rule { true }', enforcement_level: 'hard-mandatory', paths: ['a*'] } },
}

test('a restored snapshot is complete and takes effect', () => {
  const policies = open()
  policies.restore(JSON.parse(JSON.stringify(kept)))
  expect(policies.snapshot()).toEqual(kept)
  expect(policies.inventory()).toEqual({ acl: ['p'], rgp: ['r'], egp: ['e'] })
  expect(policies.acl(['p'], { 'identity.entity.id': 'e1' }).capabilities('own/e1')).toEqual(['list', 'read'])
  policies.reset()
  expect(policies.inventory()).toEqual({ acl: [], rgp: [], egp: [] })
  expect(policies.acl(['p'], { 'identity.entity.id': 'e1' }).capabilities('own/e1')).toEqual(['deny'])
})

test('an invalid snapshot changes nothing', () => {
  const policies = open()
  policies.restore(kept)
  for (const wrong of [undefined, null, 1, {}, { acl: {}, rgp: {} }, { acl: 1, rgp: {}, egp: {} }]) {
    expect(() => policies.restore(wrong)).toThrow(/not a snapshot of policies/)
  }
  expect(policies.snapshot()).toEqual(kept)
})

test('an ACL is compiled once for a list of names, and again for another identity', () => {
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

test('ACLs are correct also for more sets of names than the cache can hold', () => {
  const policies = open()
  policies.restore(kept)
  for (let turn = 0; turn < 2_500; turn++) {
    expect(policies.acl(['default', `p${turn}`]).capabilities('cubbyhole/x')).toContain('read')
  }
  expect(policies.acl(['ROOT']).capabilities('x')).toEqual(['root'])
})
