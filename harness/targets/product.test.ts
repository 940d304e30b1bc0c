import { describe, expect, test } from 'vitest'
import { compareVersions, outsideOf } from '../run/applicability.ts'
import type { Facts, Reply } from '../vocabulary/index.ts'
import { vault } from './dialects/vault.ts'
import { isReference, judgedAs, productIn } from './product.ts'

const replied = (json: Reply['json'], status = 200): Reply => ({
  ...{ status, headers: {}, json, text: '', bytes: new Uint8Array(), asked: 'GET sys', at: 0 },
})
const help = (name: string) =>
  replied({ help: `## DESCRIPTION\n\nThe system backend is built-in to ${name} and cannot be remounted` })

describe('the product', () => {
  test.each(['Vault', 'OpenBao', 'RustyVault'])('%s is read from the help of the system paths', (name) => {
    expect(productIn(help(name), vault)).toEqual({ product: name, evidence: `GET sys says that it is ${name}` })
  })

  test.each([
    ['a refusal', replied({ help: 'built-in to Vault' }, 403)],
    ['no help', replied({ errors: [] })],
    ['help that is not text', replied({ help: { 'built-in to': 'Vault' } })],
    ['no reply', undefined],
  ])('stays unknown after %s', (_, reply) => expect(productIn(reply, vault)).toEqual({}))

  test('a reference server is recognized by its health reply', () => {
    expect(isReference(replied({ reference: { forms: {} } }))).toBe(true)
    expect(isReference(replied({ version: '1.14.0' }))).toBe(false)
  })
})

describe('version rows', () => {
  const facts = (known: Facts): Facts => {
    const found = judgedAs(known, vault)
    return { ...known, ...(found ? { judgedAs: found.judgedAs } : {}) }
  }
  const holds = (bounds: { since?: string; before?: string }, known: Facts) =>
    outsideOf([bounds], facts(known)) === undefined

  test.each(['0.5.2', '0.3.1'])('of 0.8 and 0.9 do not depend on version %s of another product', (version) => {
    for (const product of ['OpenBao', 'RustyVault', undefined]) {
      const known = { version, ...(product === undefined ? {} : { product }) }
      expect(holds({ since: '0.8.1' }, known)).toBe(true)
      expect(holds({ before: '0.9.0' }, known)).toBe(false)
    }
  })

  test('depend on the version of the product that they are about', () => {
    expect(holds({ before: '0.9.0' }, { product: 'vault', version: '0.8.1' })).toBe(true)
    expect(holds({ since: '0.9.0' }, { product: 'Vault', version: '0.8.1' })).toBe(false)
    expect(holds({ before: '0.9.0' }, { product: 'reference server', version: '0.8.1' })).toBe(true)
  })

  test('depend on the version that another product is compatible with', () => {
    const known = { product: 'OpenBao', version: '2.6.0', compatibleWith: '1.2.0' }
    expect(holds({ before: '1.3.0' }, known)).toBe(true)
    expect(holds({ since: '1.3.0' }, known)).toBe(false)
  })

  test('come with the evidence for the decision', () => {
    expect(judgedAs({ version: '0.5.2' }, vault)?.evidence).toBe(
      'the product of the target is unknown, so its version may be numbered in another way',
    )
    const evidence = { judgedAs: 'RustyVault numbers its versions in another way than the documents' }
    const found = outsideOf([{ before: '0.9.0' }], facts({ product: 'RustyVault', version: '0.5.2' }), evidence)
    expect(found?.blocker.reason).toBe(
      'holds for versions before 0.9.0; the target is judged as newest (RustyVault numbers its versions in another way than the documents)',
    )
    expect(compareVersions('newest', '0.9.0')).toBeUndefined()
  })
})
