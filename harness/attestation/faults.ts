/** Verifies that a result is consistent with itself and with its attestation. Pure. */
import type { KeyObject } from 'node:crypto'
import { definitionsHash } from '../verdict/definitions.ts'
import { registerHash } from '../verdict/document.ts'
import { countsOf } from '../verdict/verdict.ts'
import type { ResultDocument } from '../vocabulary/index.ts'
import { type Envelope, isSignedBy, payloadType, type Statement, sha256, statementOf } from './statement.ts'

/** Returns one phrase for each inconsistency; empty if there is none. `bytes` is the content of the file that
 * `document` was parsed from. */
export function faultsIn(document: ResultDocument, bytes: Buffer, attestation?: unknown, key?: KeyObject): string[] {
  const { register, checks, counts } = document
  const { definitions = definitionsHash(checks, register.requirements) } = register
  return [
    ...(registerHash(register.requirements) === register.hash
      ? []
      : ['the hash of the register does not match its requirements']),
    ...(definitionsHash(checks, register.requirements) === definitions
      ? []
      : ['the hash of the definitions does not match the checks']),
    ...(isEqual(countsOf(checks), counts) ? [] : ['the counts do not match the checks']),
    ...(attestation === undefined ? [] : faultsOf(document, bytes, attestation, key)),
  ]
}

function faultsOf(document: ResultDocument, bytes: Buffer, attestation: unknown, key?: KeyObject): string[] {
  const envelope = isEnvelope(attestation) ? attestation : undefined
  if (key && !envelope) return ['the attestation is not signed']
  if (key && envelope && !isSignedBy(envelope, key)) return ['the attestation is not signed by this key']
  const statement = envelope ? statementIn(envelope) : (attestation as Statement)
  const [subject] = statement?.subject ?? []
  if (!statement || !subject) return ['the attestation is not an in-toto statement']
  if (subject.digest?.sha256 !== sha256(bytes))
    return ['the attestation is about another file: the SHA-256 sums differ']
  return isEqual(statement, statementOf(document, bytes, subject.name))
    ? []
    : ['the attestation does not match the result']
}

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && 'payloadType' in value && value.payloadType === payloadType

function statementIn({ payload }: Envelope): Statement | undefined {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Statement
  } catch {
    return undefined
  }
}

/** Compares two JSON values; the order of keys does not matter. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}
