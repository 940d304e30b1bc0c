import { expect, test } from 'vitest'
import { type Action, type Check, operation, post, type Topic } from '../vocabulary/index.ts'
import { loadDialect } from './dialects/index.ts'
import { touchesOf } from './touches.ts'

const dialect = loadDialect('vault')
const written = post('sys/one', {})
const revoking = operation('revokeLease', { lease: 'lease' }, 'the lease is revoked')

const pathsOf = (parts: Partial<Check>): readonly string[] => {
  const check = { id: 'one', requirement: 'policies.acl.write.creates', when: written, then: [], ...parts } as Check
  const topic = { id: 'policies/one', area: 'policies', kind: 'fields', names: [], checks: [check] } as unknown as Topic
  return touchesOf(topic, check, dialect).map(({ method, path }) => `${method} ${path}`)
}

test('the touches include the operations that an action performs', () => {
  const action: Action = {
    kind: 'action',
    words: 'a step',
    touches: [written],
    performs: [revoking],
    run: async () => {},
  }
  expect(pathsOf({ given: [action] })).toEqual(['POST sys/one', 'POST sys/leases/revoke'])
})

test('the touches include the operations that a ceremony performs', () => {
  const when: Check['when'] = {
    kind: 'ceremony',
    words: 'a trigger',
    touches: [],
    performs: [revoking],
    run: () => Promise.reject(new Error('this must not run')),
  }
  expect(pathsOf({ when })).toEqual(['POST sys/leases/revoke'])
})
