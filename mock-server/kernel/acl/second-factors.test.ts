import { expect, test } from 'vitest'
import { compileAcl } from './compile.ts'
import { parsePolicy } from './policy.ts'

const aclOf = (...texts: string[]) => compileAcl(texts.map(parsePolicy))
const read = (path: string) => ({ path, capability: 'read' as const })
const policy = (rest: string) => `path "secret/a" { capabilities = ["read"] ${rest} }`

test('a path asks for the MFA methods of every policy that speaks of it', () => {
  const acl = aclOf(policy('mfa_methods = ["phone", "tablet"]'), policy('mfa_methods = ["tablet", "key"]'), policy(''))
  expect(acl.check(read('secret/a'))).toEqual({
    allowed: true,
    sudo: false,
    secondFactors: ['phone', 'tablet', 'key'],
  })
  expect(acl.check(read('secret/b')).allowed).toBe(false)
})

test('no path asks for any by itself', () => {
  expect(aclOf(policy('')).check(read('secret/a'))).not.toHaveProperty('secondFactors')
})

test('what is not a list of names is refused', () => {
  for (const wrong of ['"phone"', '[1]', '{}'])
    expect(() => parsePolicy(policy(`mfa_methods = ${wrong}`))).toThrow('mfa_methods')
})
