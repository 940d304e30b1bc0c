/** Writes and reads certificates. */
import { contextTag, integer, sequence, time } from './der.ts'
import { type Extension, readExtensions } from './extensions.ts'
import { extensions } from './oids.ts'
import { expectTag, Malformed, members, readBits, readNumber, readOne, readTime, readValues, tags } from './reader.ts'
import { isSignedBy, type Signer, signed } from './signer.ts'

export interface Draft {
  /** The serial number is positive and big-endian. */
  readonly serial: Buffer
  /** Both names are encoded. */
  readonly issuer: Buffer
  readonly subject: Buffer
  /** Both times are in milliseconds since the epoch, and written in whole seconds. */
  readonly notBefore: number
  readonly notAfter: number
  readonly spki: Buffer
  /** The extensions are encoded. */
  readonly extensions: readonly Buffer[]
}

const version3 = contextTag(0, integer(2))

export function writeCertificate(draft: Draft, signer: Signer): Buffer {
  const body = sequence(
    version3,
    integer(draft.serial),
    signer.algorithm,
    draft.issuer,
    sequence(time(draft.notBefore), time(draft.notAfter)),
    draft.subject,
    draft.spki,
    ...(draft.extensions.length > 0 ? [contextTag(3, sequence(...draft.extensions))] : []),
  )
  return signed(body, signer)
}

export interface Certificate extends Omit<Draft, 'extensions'> {
  readonly der: Buffer
  readonly extensions: readonly Extension[]
  readonly ca: boolean
  /** The number of intermediates that may follow; undefined means no limit. */
  readonly pathLength: number | undefined
  readonly subjectKeyId: Buffer | undefined
  isSignedBy(spki: Buffer): boolean
}

export function readCertificate(der: Buffer): Certificate {
  const [body, algorithm, signature] = members(readOne(der, tags.sequence))
  const fields = members(body)
  if (fields[0]?.tag !== 0xa0) throw new Malformed('the certificate is not of version 3')
  const [, serial, , issuer, validity, subject, spki, ...rest] = fields
  const [notBefore, notAfter] = members(validity)
  const wrapped = rest.find((value) => value.tag === 0xa3)
  const list = wrapped ? readExtensions(readValues(wrapped.content)[0]) : []
  const bits = readBits(signature)
  const key = expectTag(spki, tags.sequence).bytes
  return {
    der,
    serial: expectTag(serial, tags.integer).content,
    issuer: expectTag(issuer, tags.sequence).bytes,
    subject: expectTag(subject, tags.sequence).bytes,
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    spki: key,
    extensions: list,
    ...readBasicConstraints(list),
    subjectKeyId: contentOf(list, extensions.subjectKeyId, (content) => readOne(content, tags.octets).content),
    isSignedBy: (by) => isSignedBy(by, body?.bytes ?? Buffer.alloc(0), algorithm, bits),
  }
}

function readBasicConstraints(list: readonly Extension[]): { ca: boolean; pathLength: number | undefined } {
  const [flag, limit] = contentOf(list, extensions.basicConstraints, (content) =>
    members(readOne(content, tags.sequence)),
  ) ?? [undefined, undefined]
  const ca = flag?.tag === tags.boolean && flag.content[0] === 0xff
  return { ca, pathLength: ca && limit ? readNumber(limit) : undefined }
}

export function contentOf<T>(list: readonly Extension[], dotted: string, read: (content: Buffer) => T): T | undefined {
  const found = list.find((item) => item.oid === dotted)
  return found && read(found.content)
}
