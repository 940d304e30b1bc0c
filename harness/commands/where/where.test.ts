import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../version.ts'
import { type Located, whereIs } from './map.ts'

/** Returns the text of the line at a place. */
function lineAt({ id, definedAt = '' }: Located): string {
  const [, file = '', line] = /^(.+):(\d+)$/.exec(definedAt) ?? []
  expect(file, id).not.toBe('')
  return readFileSync(join(packageRoot, file), 'utf8').split('\n')[Number(line) - 1] ?? ''
}

const fileOf = ({ definedAt = '' }: Located): string => definedAt.replace(/:\d+$/, '')

describe('the place of a check', () => {
  test.each([
    ['policies/errors/acl-create-without-policy-is-refused', 'suites/policies/errors.ts', '-create-without-'],
    ['mfa-identity/transitions/update-replaces-key-size', 'suites/mfa/lifecycle.ts', 'update-replaces-'],
    [
      'performance-replication/errors-roles/promote-on-a-disabled-cluster-changes-nothing',
      'suites/replication/',
      'changes-nothing',
    ],
    // This check gets a lock while it is added to the topic.
    ['plugin-catalog/transitions/auth-register-is-read-back', 'suites/plugin-catalog/transitions.ts', '-register-is-'],
  ])('%s is where its record is written', async (id, file, text) => {
    const { checks } = await whereIs([id])
    expect(checks.map(({ id }) => id)).toEqual([id])
    for (const check of checks) {
      expect(check.definedAt).toContain(file)
      expect(lineAt(check)).toContain(text)
    }
  })

  test('is shown with those of its requirements, mutants, faults and excuses', async () => {
    const [check] = (await whereIs(['policies/errors/*'])).checks
    expect(check?.requirements.map(fileOf)).toEqual(
      check?.requirements.map(() => expect.stringMatching(/^fixtures\/api\//)),
    )
    for (const mutant of check?.mutants ?? []) expect(fileOf(mutant), mutant.id).toMatch(/^mock-server\//)
    expect(check?.requirements.every(({ source }) => source.includes('Polic'))).toBe(true)
  })
})

describe('the place of a requirement', () => {
  test.each([
    // This requirement has a row of its own.
    ['policies.acl.policy.required', '.policy.required'],
    // This requirement is derived from a fact of a field.
    ['mfa-identity.issuer.required', 'issuer'],
  ])('%s', async (id, text) => {
    const { requirements } = await whereIs([id])
    expect(requirements.map(lineAt).join()).toContain(text)
    expect(requirements.flatMap(({ checks }) => checks)).not.toEqual([])
  })
})

test('finds mutants, faults with their excuses, and legal differences with their losses by their ids', async () => {
  const found = await whereIs(['mfa-legacy/period-defaults-to-60', 'pki/cert/stale', 'arrays-refused'])
  expect(found.mutants.map(fileOf)).toEqual(['mock-server/faults/mfa/fields.ts'])
  expect(found.mutants[0]?.checks.map(({ id }) => id)).toContain('mfa-legacy/fields/period-is-30-by-default')
  expect(found.faults[0]?.excuse?.definedAt).toMatch(/^suites\/faults\.ts:\d+$/)
  expect(found.faults[0]?.requirements.map(fileOf)).toContain('fixtures/api/pki-authority.ts')
  expect(found.differences.map(lineAt).join()).toContain("'arrays-refused': {")
  expect(found.differences[0]?.losses.map(lineAt).join()).toContain('lists-of-a-role-may-be-arrays')
})

test('a check has only the losses that concern it', async () => {
  const { checks } = await whereIs(['pki/fields-names-domains/lists-of-a-role-may-be-arrays'])
  expect(checks[0]?.losses.map(({ id }) => id)).toContain('arrays-refused')
  expect(checks[0]?.losses.map(({ id }) => id)).not.toContain('unstated-fields-hidden')
})

test('suggests the most similar id for an unknown one', async () => {
  await expect(whereIs(['policies/acl-policy-optionl'])).rejects.toThrow('did you mean "policies/acl-policy-optional"')
})
