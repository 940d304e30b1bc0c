/** Writes and reads certificate requests (PKCS#10). */
import { type AltNames, noNames, readAltNames } from './alt-names.ts'
import { contentOf } from './certificate.ts'
import { contextTag, integer, sequence, set } from './der.ts'
import { type Extension, readExtensions } from './extensions.ts'
import { extensionRequest, extensions, oidBytes } from './oids.ts'
import {
  expectTag,
  Malformed,
  members,
  readBits,
  readNamedBits,
  readOid,
  readOne,
  readValues,
  tags,
  type Value,
} from './reader.ts'
import { isSignedBy, type Signer, signed } from './signer.ts'

export interface RequestDraft {
  readonly subject: Buffer
  readonly spki: Buffer
  readonly extensions: readonly Buffer[]
}

export function writeRequest(draft: RequestDraft, signer: Signer): Buffer {
  const asked =
    draft.extensions.length > 0 ? [sequence(oidBytes(extensionRequest), set(sequence(...draft.extensions)))] : []
  return signed(sequence(integer(0), draft.subject, draft.spki, contextTag(0, ...asked)), signer)
}

export interface Request {
  /** The subject is encoded. */
  readonly subject: Buffer
  readonly spki: Buffer
  readonly altNames: AltNames
  /** The numbers of the bits that are set. */
  readonly keyUsage: ReadonlySet<number>
  readonly extensions: readonly Extension[]
}

/** Refuses a request that is signed wrongly, unless `verified` is false. */
export function readRequest(der: Buffer, verified = true): Request {
  const [body, algorithm, signature] = members(readOne(der, tags.sequence))
  const [, subject, spki, ...rest] = members(body)
  const key = expectTag(spki, tags.sequence).bytes
  const bits = readBits(signature)
  if (verified && !isSignedBy(key, body?.bytes ?? Buffer.alloc(0), algorithm, bits))
    throw new Malformed('the signature of the request is not made by its key')
  const asked = askedExtensions(rest.find((value) => value.tag === 0xa0))
  return {
    subject: expectTag(subject, tags.sequence).bytes,
    spki: key,
    altNames: contentOf(asked, extensions.altNames, readAltNames) ?? noNames,
    keyUsage: contentOf(asked, extensions.keyUsage, (content) => readNamedBits(readValues(content)[0])) ?? new Set(),
    extensions: asked,
  }
}

function askedExtensions(attributes: Value | undefined): Extension[] {
  for (const attribute of attributes ? readValues(attributes.content) : []) {
    const [type, values] = members(attribute)
    if (readOid(type) === extensionRequest) return readExtensions(members(values, tags.set)[0])
  }
  return []
}
