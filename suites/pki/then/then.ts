/** Expectations of certificates and CSRs. Each expectation judges one part and reports what it saw. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Expectation, Mismatch, Reply, Scope, Seen } from '../../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  isRefusal,
  isSuccess,
  mismatch,
  replyLacks,
  StepFailed,
  shortfall,
} from '../../../harness/vocabulary/index.ts'
import { expectation } from '../../records.ts'
import type { Certificate, SigningRequest } from '../judge/certificate.ts'
import { hasSize, keyWords } from '../judge/key-size.ts'
import { certificateIn, certificateOf, sameKey, signingRequestOf } from '../judge/reply.ts'
import { plainSerial } from '../judge/serial.ts'

export type Document = Certificate | SigningRequest

export const documentOf = (reply: Reply): Document | undefined => certificateOf(reply) ?? signingRequestOf(reply)

/** The reply to a read has a documented format: bare, or with `certificate`. The replies to most writes are not
 * documented, so a success may show the object elsewhere, and then nothing can be judged. */
const isRead = (reply: Reply): boolean => reply.asked.startsWith('GET ')

export function unseen(reply: Reply, what: string): Error {
  // The reply to generating a root need not show the certificate, which everybody can read at `ca/pem`.
  return reply.asked.includes('/root/generate/')
    ? DoesNotApply.shown(reply, `${reply.asked} succeeded, and its reply shows no ${what} that could be judged`)
    : replyLacks(reply, `a ${what} that could be judged`)
}

/** Returns the certificate of a success; undefined for a refusal, and for a read without a certificate. Throws if the
 * reply to a successful write shows no certificate. */
export function findCertificate(reply: Reply): Certificate | undefined {
  const found = certificateOf(reply)
  if (!found && isSuccess(reply) && !isRead(reply)) throw unseen(reply, 'certificate')
  return found
}

/** What was seen of a part that is wrong. `beyond`: it has all that was wanted, and more in these parts. */
export interface Wrong {
  readonly saw: string
  readonly beyond?: readonly string[]
}

/** Returns undefined if the part is right, otherwise what was seen instead. */
type Look<T> = (found: T, seen: Seen) => Wrong | string | undefined

function looking<T extends Document>(
  what: string,
  find: (reply: Reply) => T | undefined,
  at: string,
  wanted: string,
  look: Look<T>,
): Expectation {
  return expectation(`the ${at} is ${wanted}`, (seen): Mismatch | undefined => {
    const wants = seen.scope.fill(wanted)
    const found = find(seen.reply)
    if (!found) {
      if (isSuccess(seen.reply) && !isRead(seen.reply)) throw unseen(seen.reply, what)
      return shortfall(seen.reply, what, `one whose ${at} is ${wants}`, 'none in the reply')
    }
    const wrong = look(found, seen)
    if (wrong === undefined) return undefined
    const { saw, beyond } = typeof wrong === 'string' ? { saw: wrong } : wrong
    return { ...mismatch(seen.reply, at, wants, saw), ...(beyond ? { beyond } : {}) }
  })
}

/** Judges a part of the certificate or CSR of the reply. `wanted` completes the sentence "the `at` is …". */
export const document = (at: string, wanted: string, look: Look<Document>): Expectation =>
  looking('certificate or CSR', documentOf, at, wanted, look)
/** Judges a part of the certificate of the reply. `wanted` completes the sentence "the `at` is …". */
export const certificate = (at: string, wanted: string, look: Look<Certificate>): Expectation =>
  looking('certificate', certificateOf, at, wanted, look)

const sorted = (values: readonly string[]): string => [...values].sort().join('\n')
export const listed = (values: readonly string[] | undefined): string =>
  values === undefined ? 'absent' : values.length === 0 ? 'empty' : values.join(', ')
/** Tells whether all wanted values are there, and more. */
export const isBeyond = (held: readonly string[], wanted: readonly string[]): boolean =>
  held.length > wanted.length && wanted.every((one) => held.includes(one))
export const sameSet = (one: readonly string[], other: readonly string[]): boolean => sorted(one) === sorted(other)

/** The part is exactly this set of texts; an absent part counts as the empty set. */
export const exactly = (
  at: string,
  pick: (document: Document) => readonly string[] | undefined,
  wanted: readonly string[],
): Expectation =>
  document(at, wanted.length === 0 ? 'empty' : `exactly ${wanted.join(', ')}`, (found, { scope }) => {
    const saw = pick(found)
    const wants = wanted.map((one) => scope.fill(one))
    if (sameSet(saw ?? [], wants)) return undefined
    return { saw: listed(saw), ...(isBeyond(saw ?? [], wants) ? { beyond: [at] } : {}) }
  })

export const includes = (
  at: string,
  pick: (document: Document) => readonly string[] | undefined,
  wanted: string,
): Expectation =>
  document(at, `${wanted}, alone or among others`, (found, { scope }) => {
    const saw = pick(found)
    return saw?.includes(scope.fill(wanted)) ? undefined : listed(saw)
  })

export const lacks = (
  at: string,
  pick: (document: Document) => readonly string[] | undefined,
  unwanted: string,
): Expectation =>
  document(at, `without ${unwanted}`, (found, { scope }) => {
    const saw = pick(found)
    return saw?.includes(scope.fill(unwanted)) ? listed(saw) : undefined
  })

/** The certificate is issued for that name: as common name or among the SANs. */
export const issuedFor = (name: string): Expectation =>
  document('name', `${name}, alone or among others`, ({ subject, sans }, { scope }) => {
    const names = [...(subject.common_name ?? []), ...sans.dns, ...sans.email]
    return names.includes(scope.fill(name)) ? undefined : listed(names)
  })

export const subjectIs = (field: string, wanted: readonly string[]): Expectation =>
  exactly(`${field} of the subject`, ({ subject }) => subject[field], wanted)

/** The subject has nothing but the common name and perhaps a serial number, whose meaning is open (reading 12). */
export const subjectIsBare: Expectation = document('subject', 'a common name only', ({ subject }) => {
  const fields = Object.keys(subject).filter((field) => field !== 'common_name' && field !== 'serial_number')
  return fields.length === 0 ? undefined : fields.map((field) => `${field} ${listed(subject[field])}`).join('; ')
})

const curves = { 224: 'secp224r1', 256: 'prime256v1', 384: 'secp384r1', 521: 'secp521r1' } as const
export type CurveBits = keyof typeof curves

/** The public key has this type, and this size if one is given. */
export const keyIs = (type: 'rsa' | 'ec', bits?: number): Expectation =>
  document('key', bits === undefined ? type : `${type} of ${bits} bits`, ({ publicKey }) => {
    const isRight = publicKey.asymmetricKeyType === type && (bits === undefined || hasSize(publicKey, type, bits))
    return isRight ? undefined : keyWords(publicKey)
  })

export const keyIsOnUsualCurve = (bits: CurveBits): Expectation =>
  document('curve', curves[bits], ({ publicKey }) =>
    publicKey.asymmetricKeyDetails?.namedCurve === curves[bits] ? undefined : keyWords(publicKey),
  )

/** The request is refused, or the expectation is met. For requests of which the documents say what they give, but not
 * that a server must accept them. */
export const refusedOr = (expectation: Expectation): Expectation => ({
  ...expectation,
  words: `the request is refused, or ${expectation.words}`,
  judge: (seen, before) => (isRefusal(seen.reply) ? undefined : expectation.judge(seen, before)),
})

/** Returns a certificate that an earlier step saved, or that the suite submitted. Throws `StepFailed` if there is no
 * such certificate. */
export function savedCertificate(scope: Scope, name: string): Certificate {
  const found = scope.has(name) ? certificateIn(scope.value(name)) : undefined
  if (!found) throw new StepFailed('saved-invalid', { name, what: 'a certificate' })
  return found
}

/** The certificate is signed by the key of the certificate that was saved under this name. */
export const signedBy = (name: string): Expectation =>
  certificate('signature', `by the key of \`${name}\``, (found, { scope }) =>
    found.isSignedBy(savedCertificate(scope, name).publicKey) ? undefined : 'a signature by another key',
  )

/** The certificate is the one that was saved under this name. */
export const isSaved = (name: string): Expectation =>
  certificate('certificate', `\`${name}\``, (found, { scope }) =>
    found.der.equals(savedCertificate(scope, name).der)
      ? undefined
      : `another, of ${listed(found.subject.common_name)}`,
  )
export const isNotSaved = (name: string): Expectation =>
  certificate('certificate', `another than \`${name}\``, (found, { scope }) =>
    found.der.equals(savedCertificate(scope, name).der) ? 'the same certificate' : undefined,
  )

export const hasAnotherKey = (name: string): Expectation =>
  certificate('public key', `another than that of \`${name}\``, (found, { scope }) =>
    sameKey(found.publicKey, savedCertificate(scope, name).publicKey) ? 'the same key' : undefined,
  )

/** The certificate has the serial that was saved under this name. */
export const isOfSerial = (name = 'serial'): Expectation =>
  certificate('serial', `{${name}}`, ({ serial }, { scope }) =>
    plainSerial(serial) === plainSerial(scope.value(name)) ? undefined : serial,
  )

/** The reply has no readable certificate, or another one. */
export const notShown = (name: string) =>
  expectation(`\`${name}\` is not the certificate`, ({ reply, scope }) => {
    const found = certificateOf(reply)
    if (!found?.der.equals(savedCertificate(scope, name).der)) return undefined
    return mismatch(reply, 'certificate', `no certificate, or another than \`${name}\``, `\`${name}\``)
  })

/** The request is refused, or the reply has no certificate, or one that is not signed by the key of that certificate.
 * An earlier step has to prove that replies show certificates. */
export const notSignedBy = (name: string) =>
  expectation(`nothing is signed by the key of \`${name}\``, ({ reply, scope }) => {
    if (!certificateOf(reply)?.isSignedBy(savedCertificate(scope, name).publicKey)) return undefined
    return mismatch(reply, 'signature', `no certificate signed by the key of \`${name}\``, 'one that is')
  })

export const certifiesKeyOf = (publicKeyOf: (scope: Scope) => KeyObject, words: string): Expectation =>
  certificate('public key', `that of ${words}`, (found, { scope }) =>
    sameKey(found.publicKey, publicKeyOf(scope)) ? undefined : 'another key',
  )

/** The certificate is signed by the key whose public half was saved in PEM under this name. */
export const signedByKey = (name: string): Expectation =>
  certificate('signature', `by the key \`${name}\``, (found, { scope }) =>
    found.isSignedBy(createPublicKey(scope.value(name))) ? undefined : 'a signature by another key',
  )

export const isSelfSigned: Expectation = certificate('signature', 'by its own key, under its own name', (found) => {
  if (JSON.stringify(found.subject) !== JSON.stringify(found.issuer)) return `issued by ${JSON.stringify(found.issuer)}`
  return found.isSignedBy(found.publicKey) ? undefined : 'a signature by another key'
})

export const requestIsSigned: Expectation = document('signature of the CSR', 'by its own key', (found) =>
  found.isSignedBy(found.publicKey) ? undefined : 'a signature by another key',
)
