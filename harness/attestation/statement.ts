/** Makes an in-toto statement about a result, with the test-result predicate, and its signed envelope (DSSE). Pure. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { ResultDocument, RunWord } from '../vocabulary/index.ts'

export const payloadType = 'application/vnd.in-toto+json'

export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1'
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[]
  readonly predicateType: 'https://in-toto.io/attestation/test-result/v0.1'
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED'
    readonly configuration: readonly Configuration[]
    readonly passedTests: readonly string[]
    readonly warnedTests: readonly string[]
    readonly failedTests: readonly string[]
  }
}

/** One input of the run, with its digest. */
interface Configuration {
  readonly name: string
  readonly digest: { readonly sha256: string } | { readonly gitCommit: string }
}

export interface Envelope {
  readonly payloadType: typeof payloadType
  readonly payload: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** `bytes` is the content of the file named `file`. Every run that is not conformant has the result `FAILED`,
 * whatever the reason. */
export function statementOf(document: ResultDocument, bytes: Buffer, file: string): Statement {
  const ids = (...wanted: readonly string[]) =>
    document.checks.filter(({ verdict }) => wanted.includes(verdict)).map(({ id }) => id)
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: file, digest: { sha256: sha256(bytes) } }],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: resultOf(document.verdict.word, document.counts.warn + document.counts.accepted),
      configuration: configurationOf(document),
      passedTests: ids('pass'),
      warnedTests: ids('warn', 'accepted'),
      failedTests: ids('fail', 'error'),
    },
  }
}

function configurationOf({ suite, register, run }: ResultDocument): readonly Configuration[] {
  const { hash, definitions } = register
  return [
    ...(suite.commit === null ? [] : [{ name: `suite ${suite.version}`, digest: { gitCommit: suite.commit } }]),
    { name: 'register of requirements', digest: { sha256: hash } },
    ...(definitions === undefined ? [] : [{ name: 'definitions of the checks', digest: { sha256: definitions } }]),
    ...(run.conditions?.inputs ?? []).map(({ name, sha256: sum }) => ({ name, digest: { sha256: sum } })),
  ]
}

const resultOf = (word: RunWord, warnings: number): Statement['predicate']['result'] =>
  word !== 'conformant' ? 'FAILED' : warnings > 0 ? 'WARNED' : 'PASSED'

export function signed(statement: Statement, key: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement))
  const signature = sign(null, encoded(payload), key)
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyIdOf(createPublicKey(key)), sig: signature.toString('base64') }],
  }
}

export const isSignedBy = ({ payload, signatures }: Envelope, key: KeyObject): boolean =>
  signatures.some(({ sig }) => verify(null, encoded(Buffer.from(payload, 'base64')), key, Buffer.from(sig, 'base64')))

/** Returns the bytes to sign (DSSE's pre-authentication encoding). They include the payload type, so that a
 * signature is valid for this type only. */
const encoded = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])

const keyIdOf = (key: KeyObject): string => sha256(key.export({ type: 'spki', format: 'der' }))
