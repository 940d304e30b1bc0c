import { expect, test } from 'vitest'
import { compileAcl } from './compile.ts'
import { parsePolicy } from './policy.ts'

const aclOf = (...texts: string[]) => compileAcl(texts.map(parsePolicy))
const read = (path: string) => ({ path, capability: 'read' as const })
const policy = (rest: string) => `path "secret/a" { capabilities = ["read"] ${rest} }`

test('a path requires the MFA methods of all policies that cover it', () => {
  const acl = aclOf(policy('mfa_methods = ["phone", "tablet"]'), policy('mfa_methods = ["tablet", "key"]'), policy(''))
  expect(acl.check(read('secret/a'))).toEqual({ allowed: true, sudo: false, secondFactors: ['phone', 'tablet', 'key'] })
  expect(acl.check(read('secret/b')).allowed).toBe(false)
})

test('a path requires no MFA methods by default', () => {
  expect(aclOf(policy('')).check(read('secret/a'))).not.toHaveProperty('secondFactors')
})

test('MFA methods that are not a list of names are refused', () => {
  for (const wrong of ['"phone"', '[1]', '{}'])
    expect(() => parsePolicy(policy(`mfa_methods = ${wrong}`))).toThrow('mfa_methods')
})
