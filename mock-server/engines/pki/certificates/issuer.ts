/** Signs certificates with a CA of a mount. */
import type { Variation } from '../../../kernel/variation.ts'
import type { Context } from '../context.ts'
import type { Span } from '../judging/lifetimes.ts'
import type { Drafting } from '../rules/certificates.ts'
import type { CaCertificate, CaKey, Stored } from '../store.ts'
import { writeCertificate } from '../x509/certificate.ts'
import { contextTag } from '../x509/der.ts'
import { authorityKeyId, extension, type Urls, urlExtensions } from '../x509/extensions.ts'
import { keyIdOf } from '../x509/keys.ts'
import { signerBy } from '../x509/signer.ts'
import { newSerial, serialKey } from './serials.ts'

export const keyIdOfCa = ({ parsed }: CaCertificate): Buffer => parsed.subjectKeyId ?? keyIdOf(parsed.spki)

interface Links {
  readonly urls: Urls
  readonly extensions: readonly Buffer[]
}

const links = new WeakMap<CaCertificate, Links>()

/** Returns the extensions that link a certificate to the CA: its key id and its URLs. They are encoded once per
 * configuration. */
export function linksTo(ca: CaCertificate, urls: Urls): readonly Buffer[] {
  const known = links.get(ca)
  if (known?.urls === urls) return known.extensions
  const extensions = [authorityKeyId(keyIdOfCa(ca)), ...urlExtensions(urls)]
  links.set(ca, { urls, extensions })
  return extensions
}

export interface Issued {
  readonly der: Buffer
  /** The serial number with hyphens. */
  readonly serial: string
  readonly notAfter: number
}

/** An informative extension, which verifiers ignore. */
const note = extension('1.3.6.1.4.1.55738.1.1', false, contextTag(12, Buffer.from('reference')))

interface Body {
  /** The serial number is random, unless it is given. */
  readonly serial?: Buffer
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly spki: Buffer
  readonly span: Span
  readonly extensions: readonly Buffer[]
}

export function signCertificate(
  { span, serial = newSerial(), ...body }: Body,
  { pair, signer }: CaKey,
  drafting: Drafting,
  variation: Variation,
): Issued {
  const extensions = [...body.extensions, ...(variation.informativeExtension ? [note] : [])]
  const draft = drafting.draft({ ...body, ...span, serial, extensions })
  const signing = variation.signatureHash === 'usual' ? signer : signerBy(signer, pair.type, variation.signatureHash)
  const der = drafting.signed(writeCertificate(draft, signing))
  return { der, serial: serialKey(draft.serial), notAfter: draft.notAfter }
}

export function keep(
  context: Context,
  { serial, der, notAfter }: Issued,
  more: Pick<Stored, 'issuer' | 'role' | 'views'> = {},
): void {
  context.store.certificates.set(serial, { der: der.toString('latin1'), notAfter, ...more })
}
