import { describe, expect, test } from 'vitest'
import { del, get, type OperationArgs, type OperationName, performanceOf, post } from '../../vocabulary/index.ts'
import { vault } from './vault.ts'
import { aclText, leastRules, ruleOf, sudoFor } from './vault-policy.ts'

const perform = <Name extends OperationName>(operation: Name, args: OperationArgs[Name]) =>
  performanceOf(vault.operations, { operation, args })

describe('the vault dialect', () => {
  test('creates short-lived tokens that have the name of the run and are revoked by accessor', () => {
    const [exchange] = perform('createToken', { policies: ['{policy}'], as: 'reader' })?.exchanges ?? []
    expect(exchange).toMatchObject({
      body: { policies: ['{policy}'], ttl: '15m', display_name: '{run}' },
      saves: { reader: '/auth/client_token', readerAccessor: '/auth/accessor' },
      secrets: ['reader'],
      undo: { path: 'auth/token/revoke-accessor', body: { accessor: '{readerAccessor}' } },
    })
  })

  test('creates orphan tokens, and saves their entity', () => {
    const [exchange] = perform('createToken', { policies: [], as: 'alone', orphan: true })?.exchanges ?? []
    expect(exchange).toMatchObject({ body: { no_parent: true }, saves: { aloneEntity: '/auth/entity_id' } })
  })

  test('has an undo for everything that it creates under a name', () => {
    const made = perform('createUser', { as: 'user', policies: [] })?.exchanges ?? []
    expect([...new Set(made.flatMap(({ undo }) => (undo ? [undo.path] : [])))]).toEqual([
      'sys/auth/{user}',
      'identity/entity/id/{userId}',
    ])
    expect(perform('mount', { type: 'kv', as: 'store' })?.exchanges[0]?.undo?.path).toBe('sys/mounts/{store}')
  })

  test('reads the accessor of a login method from the list of all, which every version of the family has', () => {
    const read = perform('createUser', { as: 'user', policies: [] })?.exchanges.find(({ method }) => method === 'GET')
    expect(read).toMatchObject({ path: 'sys/auth', saves: { userMount: '/data/{user}~1/accessor' } })
  })

  test('generates a new password for each user, as a secret', () => {
    const passwords = [1, 2].map(() => perform('createUser', { as: 'user', policies: [] }))
    expect(new Set(passwords.map((one) => one?.values?.userPassword)).size).toBe(2)
    expect(passwords[0]?.secrets).toEqual(['userPassword'])
  })

  test.each([
    ['allow', 'main = rule { true }'],
    [{ denyPath: 'secret/{a}' }, 'main = rule { request.path is not "secret/{a}" }'],
    [{ denyBelow: 'secret/{a}' }, 'main = rule { request.path not matches "secret/{a}" }'],
  ] as const)('writes the governing rule %j', (rule, text) => {
    expect(perform('governingDocument', { as: 'text', rule })?.values).toEqual({ text })
  })
})

describe('a rule of the least policy', () => {
  const rule = (path: string) => ruleOf(path, (name) => name === 'policy', 'assay-')

  test.each([
    ['sys/policies/acl', 'sys/policies/acl'],
    ['sys/policies/acl/{policy}', 'sys/policies/acl/assay-*'],
    ['sys/policies/acl/{policy}-more', 'sys/policies/acl/assay-*'],
    ['{policy}/data/x', 'assay-*'],
    ['identity/entity/id/{entity}', 'identity/entity/id/+'],
    ['identity/{entity}/of/{policy}', 'identity/+/of/assay-*'],
  ])('for %s is %s', (path, wanted) => expect(rule(path)).toBe(wanted))

  test('has each capability once, sudo if the family requires it, and both create and update for a write', () => {
    expect(
      leastRules([
        { method: 'POST', path: 'auth/token/create', sudo: 'policies' },
        { method: 'PUT', path: 'sys/policies/acl/assay-*' },
        { method: 'DELETE', path: 'sys/policies/acl/assay-*' },
        { method: 'POST', path: 'assay-*' },
        { method: 'LIST', path: 'sys/leases/lookup/x', sudo: 'asked for' },
        { method: 'GET', path: 'sys/leases/lookup/x' },
      ]),
    ).toEqual([
      { path: 'assay-*', capabilities: ['create', 'update'] },
      { path: 'auth/token/create', capabilities: ['create', 'update', 'sudo'] },
      { path: 'sys/leases/lookup/x', capabilities: ['list', 'sudo', 'read'] },
      { path: 'sys/policies/acl/assay-*', capabilities: ['create', 'update', 'delete'] },
    ])
  })

  test.each([
    [post('auth/token/create', { policies: ['a'] }), true],
    [post('auth/token/create', { policies: [], no_parent: true }), true],
    [post('auth/token/create', { policies: [] }), false],
    [del('{mount}/root'), true],
    [post('{mount}/root'), false],
    [get('sys/plugins/catalog/secret/{plugin}'), true],
    [get('sys/plugins/catalog'), false],
    [get('sys/policies/acl/{policy}'), false],
  ])('for %j needs sudo: %s', (exchange, isNeeded) => {
    expect(sudoFor(exchange) !== undefined).toBe(isNeeded)
  })

  test('is written in HCL, with quotes escaped', () => {
    expect(aclText([{ path: 'a"b', capabilities: ['sudo', 'read'] }])).toBe(
      'path "a\\"b" {\n  capabilities = ["read", "sudo"]\n}\n',
    )
  })
})
