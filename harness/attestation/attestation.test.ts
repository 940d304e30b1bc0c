import { generateKeyPairSync } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { checkResult, sampleResult } from '../commands/output/sample-results.test-bed.ts'
import type { Verdict } from '../vocabulary/index.ts'
import { faultsIn } from './faults.ts'
import { envelopeSchema, statementSchema } from './in-toto.test-bed.ts'
import { signed, statementOf } from './statement.ts'

const document = sampleResult({
  checks: [checkResult('a', 'pass'), checkResult('b', 'fail'), checkResult('c', 'warn')],
})
const bytes = Buffer.from(JSON.stringify(document))
const statement = statementOf(document, bytes, 'result.json')
const ours = generateKeyPairSync('ed25519')
const theirs = generateKeyPairSync('ed25519')
const envelope = signed(statement, ours.privateKey)

test('an attestation contains the SHA-256 sum of the file, and lists the checks by verdict', () => {
  expect(statement).toMatchObject({
    subject: [{ name: 'result.json', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }],
    predicate: {
      result: 'FAILED',
      passedTests: ['policies/errors/a'],
      warnedTests: ['policies/errors/c'],
      failedTests: ['policies/errors/b'],
    },
  })
})

test('an attestation has only fields of the specification', () => {
  const inputs = [{ name: 'profile', sha256: 'ab'.repeat(32) }] as const
  const conditions = {
    command: '',
    node: '',
    timeoutSeconds: 1,
    maxRps: 0,
    maxWaitSeconds: 0,
    patienceSeconds: 1,
    inputs,
  }
  const run = sampleResult({ checks: document.checks, run: { conditions } })
  const pinned = statementOf({ ...run, suite: { ...run.suite, commit: 'cd'.repeat(20) } }, bytes, 'result.json')
  expect(pinned.predicate.configuration.map(({ name, digest }) => [name, Object.keys(digest)])).toEqual([
    ['suite 0.1.0', ['gitCommit']],
    ['register of requirements', ['sha256']],
    ['definitions of the checks', ['sha256']],
    ['profile', ['sha256']],
  ])
  const ajv = new Ajv2020({ strict: true, strictRequired: false })
  ajvFormats.default(ajv)
  for (const [schema, value] of [
    [statementSchema, statement],
    [statementSchema, pinned],
    [envelopeSchema, envelope],
    [statementSchema, JSON.parse(Buffer.from(envelope.payload, 'base64').toString())],
  ] as const)
    expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true)
  expect(ajv.validate(statementSchema, { ...statement, subject: [{ name: 'x' }] })).toBe(false)
})

test.each<[Verdict, string]>([
  ['pass', 'PASSED'],
  ['warn', 'WARNED'],
  ['accepted', 'WARNED'],
  ['not-verified', 'FAILED'],
])('a run with a check that is %s has the result %s', (verdict, result) => {
  const run = sampleResult({ checks: [checkResult('a', 'pass'), checkResult('b', verdict)] })
  expect(statementOf(run, bytes, 'x').predicate.result).toBe(result)
})

test('an unchanged result matches its attestation, signed or not', () => {
  expect(faultsIn(document, bytes)).toEqual([])
  expect(faultsIn(document, bytes, statement)).toEqual([])
  expect(faultsIn(document, bytes, envelope, ours.publicKey)).toEqual([])
})

test('a change of the result, the attestation or the key is reported', () => {
  const greener = { ...document, checks: document.checks.slice(0, 1) }
  expect(faultsIn(greener, bytes)).toEqual([
    'the hash of the definitions does not match the checks',
    'the counts do not match the checks',
  ])
  expect(faultsIn({ ...document, register: { ...document.register, hash: '0' } }, bytes)).toHaveLength(1)
  expect(faultsIn(document, Buffer.from('other'), statement)).toEqual([
    'the attestation is about another file: the SHA-256 sums differ',
  ])
  const forged = { ...statement, predicate: { ...statement.predicate, result: 'PASSED' } }
  expect(faultsIn(document, bytes, forged)).toEqual(['the attestation does not match the result'])
  expect(faultsIn(document, bytes, envelope, theirs.publicKey)).toEqual(['the attestation is not signed by this key'])
  expect(faultsIn(document, bytes, statement, ours.publicKey)).toEqual(['the attestation is not signed'])
  const other = { ...envelope, payload: Buffer.from('{}').toString('base64') }
  expect(faultsIn(document, bytes, other, ours.publicKey)).toEqual(['the attestation is not signed by this key'])
  expect(faultsIn(document, bytes, {})).toEqual(['the attestation is not an in-toto statement'])
})
