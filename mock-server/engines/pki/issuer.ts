/** The CA of a mount as a signer of certificates. */
import { Refusal } from '../../kernel/refusal.ts'
import type { Span } from './lifetimes.ts'
import type { Mounted } from './mounted.ts'
import { newSerial, serialKey } from './serials.ts'
import type { CaCertificate, CaKey, Stored } from './store.ts'
import type { Form } from './tables/certificates.ts'
import { writeCertificate } from './x509/certificate.ts'
import { authorityKeyId, type Urls, urlExtensions } from './x509/extensions.ts'
import { keyIdOf } from './x509/keys.ts'

export interface Issuer {
  readonly certificate: CaCertificate
  readonly key: CaKey
}

export const findIssuer = ({ store: { ca } }: Mounted): Issuer | undefined =>
  ca.certificate && ca.key ? { certificate: ca.certificate, key: ca.key } : undefined

/** Refuses where there is no certificate with its key. */
export function loadIssuer(mounted: Mounted): Issuer {
  const issuer = findIssuer(mounted)
  if (!issuer) throw new Refusal('internal', { message: 'backend must be configured with a CA certificate/key' })
  return issuer
}

export const keyIdOfCa = ({ parsed }: CaCertificate): Buffer => parsed.subjectKeyId ?? keyIdOf(parsed.spki)

interface Links {
  readonly urls: Urls
  readonly extensions: readonly Buffer[]
}

const links = new WeakMap<CaCertificate, Links>()

/** What ties a certificate to the CA: its key id and where to find it; encoded once per configuration. */
export function linksTo(ca: CaCertificate, urls: Urls): readonly Buffer[] {
  const known = links.get(ca)
  if (known?.urls === urls) return known.extensions
  const extensions = [authorityKeyId(keyIdOfCa(ca)), ...urlExtensions(urls)]
  links.set(ca, { urls, extensions })
  return extensions
}

export interface Issued {
  readonly der: Buffer
  /** Hyphenated. */
  readonly serial: string
  readonly notAfter: number
}

interface Body {
  /** Random, unless given. */
  readonly serial?: Buffer
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly spki: Buffer
  readonly span: Span
  readonly extensions: readonly Buffer[]
}

export function signCertificate({ span, serial = newSerial(), ...body }: Body, key: CaKey, form: Form): Issued {
  const draft = form.draft({ ...body, ...span, serial })
  const der = form.signed(writeCertificate(draft, key.signer))
  return { der, serial: serialKey(draft.serial), notAfter: draft.notAfter }
}

export function keep(
  mounted: Mounted,
  { serial, der, notAfter }: Issued,
  more: Pick<Stored, 'role' | 'views'> = {},
): void {
  mounted.store.certificates.set(serial, { der: der.toString('latin1'), notAfter, ...more })
}
