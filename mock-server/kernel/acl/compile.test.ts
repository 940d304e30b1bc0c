import { describe, expect, test } from 'vitest'
import type { Capability } from '../contracts.ts'
import { type AclRequest, compileAcl, rootAcl } from './compile.ts'
import { parsePolicy } from './policy.ts'
import { resolveTemplates } from './template.ts'

const aclOf = (...texts: readonly string[]) => compileAcl(texts.map(parsePolicy))
const grants = (path: string, ...words: readonly Capability[]): string =>
  `path "${path}" { capabilities = ${JSON.stringify(words)} }`

describe('which rule decides', () => {
  // In each row the first policy decides for the path, whatever the second policy says.
  const rows: readonly (readonly [decides: string, other: string, path: string])[] = [
    ['a/b', 'a/*', 'a/b'],
    ['a/b', '*', 'a/b'],
    ['a/b', '+/b', 'a/b'],
    ['a/b*', 'a/*', 'a/bc/d'],
    ['a/bar*', 'a/+/baz', 'a/bar/baz'],
    ['a/+/baz', '+/bar/baz', 'a/bar/baz'],
    ['a/+/bar', 'a/+/ba*', 'a/x/bar'],
    ['a/+', 'a/*', 'a/x'],
    ['a/b/+', 'a/+/+', 'a/b/c'],
    ['a/+/bar/ba*', 'a/+/bar/b*', 'a/x/bar/bar'],
    ['a/+/c/+', 'a/+/+/d', 'a/b/c/d'],
  ]
  for (const [decides, other, path] of rows) {
    test(`${decides} wins over ${other} on ${path}`, () => {
      for (const order of [
        [grants(decides, 'read'), grants(other, 'update')],
        [grants(other, 'update'), grants(decides, 'read')],
      ]) {
        const acl = aclOf(...order)
        expect(acl.check({ path, capability: 'read' }).allowed).toBe(true)
        expect(acl.check({ path, capability: 'update' }).allowed).toBe(false)
      }
      expect(aclOf(grants(other, 'update')).check({ path, capability: 'update' }).allowed).toBe(true)
    })
  }
})

describe('what a pattern matches', () => {
  const rows: readonly (readonly [pattern: string, matches: readonly string[], misses: readonly string[]])[] = [
    ['a', ['a'], ['a/', 'ab', 'a/b', '']],
    ['a*', ['a', 'ab', 'a/b'], ['b']],
    ['a/*', ['a/', 'a/b', 'a/b/c'], ['a', 'ab']],
    ['*', ['', 'a', 'a/b'], []],
    ['a*b', ['a*b'], ['ab', 'axb']],
    ['a/+', ['a/b', 'a/'], ['a', 'a/b/c']],
    ['a/+/c', ['a/b/c'], ['a/c', 'a/b/b/c', 'a/b/cd']],
    ['+/+', ['a/b'], ['a', 'a/b/c']],
    ['a/+/c*', ['a/b/c', 'a/b/cd', 'a/b/cd/e'], ['a/b', 'a/b/d']],
    ['a/+/*', ['a/b/', 'a/b/c', 'a/b/c/d'], ['a/b', 'a']],
    ['a/b+', ['a/b+'], ['a/bc']],
  ]
  for (const [pattern, matches, misses] of rows) {
    test(pattern, () => {
      const acl = aclOf(grants(pattern, 'read'))
      const matched = [...matches, ...misses].filter((path) => acl.check({ path, capability: 'read' }).allowed)
      expect(matched).toEqual(matches)
    })
  }
})

describe('several policies on one path', () => {
  test('their capabilities are joined, and deny removes the others', () => {
    expect(aclOf(grants('a', 'read'), grants('a', 'list')).capabilities('a')).toEqual(['list', 'read'])
    expect(aclOf(grants('a', 'read', 'sudo'), grants('a', 'deny')).capabilities('a')).toEqual(['deny'])
    expect(aclOf(grants('a', 'deny'), grants('a', 'read')).check({ path: 'a', capability: 'read' })).toMatchObject({
      allowed: false,
      sudo: false,
    })
    expect(aclOf(grants('a', 'deny', 'read')).capabilities('a')).toEqual(['deny'])
  })

  test('a grant on a narrower pattern wins over deny on a wider pattern', () => {
    const acl = aclOf(grants('a/*', 'deny'), grants('a/b', 'read'))
    expect(acl.capabilities('a/b')).toEqual(['read'])
    expect(acl.capabilities('a/c')).toEqual(['deny'])
  })
})

describe('capabilities', () => {
  test('each capability grants only itself', () => {
    const words: readonly Capability[] = ['create', 'read', 'update', 'patch', 'delete', 'list']
    for (const word of words) {
      const acl = aclOf(grants('a', word))
      const granted = words.filter((capability) => acl.check({ path: 'a', capability }).allowed)
      expect(granted).toEqual([word])
    }
  })

  test('sudo is reported in addition to the decision', () => {
    expect(aclOf(grants('a', 'read', 'sudo')).check({ path: 'a', capability: 'read' })).toEqual({
      allowed: true,
      sudo: true,
    })
    expect(aclOf(grants('a', 'sudo')).check({ path: 'a', capability: 'read' })).toMatchObject({
      allowed: false,
      sudo: true,
    })
  })

  test('without a grant they are deny, and with the root policy they are root', () => {
    expect(aclOf().capabilities('a')).toEqual(['deny'])
    expect(aclOf(grants('a')).capabilities('a')).toEqual(['deny'])
    expect(rootAcl.capabilities('a')).toEqual(['root'])
    expect(rootAcl.check({ path: 'a', capability: 'sudo' })).toEqual({ allowed: true, sudo: true })
  })

  test('a refusal names capability and path', () => {
    expect(aclOf(grants('a', 'read')).check({ path: 'a', capability: 'list' }).reason).toBe(
      'no policy grants list on a',
    )
    expect(aclOf().check({ path: 'a', capability: 'list' }).reason).toBe('no policy covers a')
  })
})

describe('a list of a folder', () => {
  const rows: readonly (readonly [pattern: string, allowed: boolean])[] = [
    ['a/b', true],
    ['a/b/', true],
    ['a/b/*', true],
    ['a/*', true],
    ['a/+', true],
    ['a/+/', true],
    ['a/b/+', true],
    ['a/b/c', false],
    ['a', false],
  ]
  for (const [pattern, allowed] of rows) {
    test(`${pattern} ${allowed ? 'covers' : 'does not cover'} it, with and without the slash`, () => {
      const acl = aclOf(grants(pattern, 'list'))
      for (const path of ['a/b', 'a/b/']) {
        expect(acl.check({ path, capability: 'list', list: true }).allowed).toBe(allowed)
      }
    })
  }

  test('a deny on what is below the folder wins over a wider grant', () => {
    const acl = aclOf(grants('a/*', 'list'), grants('a/b/*', 'deny'))
    expect(acl.check({ path: 'a/b', capability: 'list', list: true }).allowed).toBe(false)
  })
})

describe('parameter rules', () => {
  const check = (rules: string, parameters: NonNullable<AclRequest['parameters']>) =>
    aclOf(`path "a" { capabilities = ["update"] ${rules} }`).check({ path: 'a', capability: 'update', parameters })
      .allowed
  const rows: readonly (readonly [rules: string, parameters: Record<string, unknown>, allowed: boolean])[] = [
    ['', { any: 1 }, true],
    ['allowed_parameters = { k = [] }', { k: 'any' }, true],
    ['allowed_parameters = { k = [] }', { K: 'any' }, true],
    ['allowed_parameters = { k = [] }', { other: 1 }, false],
    ['allowed_parameters = { k = [] }', {}, true],
    ['allowed_parameters = { k = ["x", "y*"] }', { k: 'y1' }, true],
    ['allowed_parameters = { k = ["x", "*y"] }', { k: 'zy' }, true],
    ['allowed_parameters = { k = ["*y*"] }', { k: 'zyz' }, true],
    ['allowed_parameters = { k = ["x"] }', { k: 'z' }, false],
    ['allowed_parameters = { k = [1, true] }', { k: true }, true],
    ['allowed_parameters = { k = [1] }', { k: '1' }, false],
    ['allowed_parameters = { "*" = [] }', { z: 1 }, true],
    ['allowed_parameters = { "*" = [] k = ["x"] }', { z: 1, k: 'x' }, true],
    ['allowed_parameters = { "*" = [] k = ["x"] }', { k: 'y' }, false],
    ['denied_parameters = { k = [] }', { k: 1 }, false],
    ['denied_parameters = { k = [] }', { z: 1 }, true],
    ['denied_parameters = { k = ["x"] }', { k: 'y' }, true],
    ['denied_parameters = { k = ["x*"] }', { k: 'xy' }, false],
    ['denied_parameters = { "*" = [] }', { z: 1 }, false],
    ['denied_parameters = { "*" = [] }', {}, true],
    ['denied_parameters = { k = [] } allowed_parameters = { k = [] }', { k: 1 }, false],
    ['required_parameters = ["k"]', { K: 1 }, true],
    ['required_parameters = ["k"]', { z: 1 }, false],
    ['required_parameters = ["k"]', {}, false],
  ]
  for (const [rules, parameters, allowed] of rows) {
    test(`${rules || 'no rule'} ${allowed ? 'allows' : 'denies'} ${JSON.stringify(parameters)}`, () => {
      expect(check(rules, parameters)).toBe(allowed)
    })
  }

  test('the rules of several policies are joined, and a rule that allows any value wins', () => {
    const acl = aclOf(
      'path "a" { capabilities = ["update"] allowed_parameters = { k = ["x"], l = ["x"] } required_parameters = ["k"] }',
      'path "a" { capabilities = ["update"] allowed_parameters = { k = ["y"], l = [] } required_parameters = ["l"] }',
    )
    const allowed = (parameters: Record<string, unknown>) =>
      acl.check({ path: 'a', capability: 'update', parameters }).allowed
    expect(allowed({ k: 'x', l: 1 })).toBe(true)
    expect(allowed({ k: 'y', l: 1 })).toBe(true)
    expect(allowed({ k: 'z', l: 1 })).toBe(false)
    expect(allowed({ k: 'x' })).toBe(false)
  })

  test('the rules do not apply to deleting and listing', () => {
    const acl = aclOf('path "a" { capabilities = ["delete", "list"] required_parameters = ["k"] }')
    expect(acl.check({ path: 'a', capability: 'delete', parameters: {} }).allowed).toBe(true)
    expect(acl.check({ path: 'a', capability: 'list', list: true, parameters: {} }).allowed).toBe(true)
  })
})

test('bounds of response wrapping', () => {
  const acl = aclOf(
    'path "a" { capabilities = ["read"] min_wrapping_ttl = "10s" max_wrapping_ttl = "1m" }',
    'path "a" { capabilities = ["read"] max_wrapping_ttl = "2m" }',
  )
  const allowed = [0, 9, 10, 60, 61].filter((wrapTtl) => acl.check({ path: 'a', capability: 'read', wrapTtl }).allowed)
  expect(allowed).toEqual([10, 60])
})

test('templates take the values of an identity, and a rule without its value is left out', () => {
  const policy = parsePolicy(
    `${grants('own/{{identity.entity.id}}/*', 'read')} ${grants('{{ identity.entity.name }}', 'read')} ${grants('b', 'read')}`,
  )
  const paths = (identity: Record<string, string>) => resolveTemplates(policy, identity).rules.map((rule) => rule.path)
  expect(paths({ 'identity.entity.id': 'e1', 'identity.entity.name': 'ann' })).toEqual(['own/e1/*', 'ann', 'b'])
  expect(paths({ 'identity.entity.name': '' })).toEqual(['b'])
})
