/** Links certificates to the CA that signs them, and stores them. */
import type { Context } from '../context.ts'
import type { CaCertificate } from '../store.ts'
import { authorityKeyId, type Urls, urlExtensions } from '../x509/extensions.ts'
import { keyIdOf } from '../x509/keys.ts'
import { issuerId } from './issuers.ts'
import type { Issued } from './signing.ts'

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

export function keep({ store }: Context, { serial, der, notAfter }: Issued, by: CaCertificate): void {
  store.certificates.set(serial, { der: der.toString('latin1'), notAfter, issuer: issuerId(by) })
}
