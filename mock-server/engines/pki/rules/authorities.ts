/** The rules for certificates of CAs (document 2, root/generate, root/sign-intermediate, config/ca, set-signed and
 * their notes). */

import { seam } from '../../../kernel/seam.ts'
import type { Ca, CaCertificate, CaKey, Issuer, Origin, Store } from '../store.ts'
import type { AltNames } from '../x509/alt-names.ts'
import type { Extension } from '../x509/extensions.ts'
import type { Request } from '../x509/request.ts'

/** Returns the path length of an intermediate below a CA with `limit` (undefined: no limit). If -1 is requested, it is
 * one less than the limit of the CA, or unlimited if the CA has none. A CA with the limit zero cannot sign another
 * CA. */
export function pathLengthBelow(limit: number | undefined, asked: number): number | 'none' | 'refused' {
  if (limit === 0) return 'refused'
  if (asked >= 0) return asked
  return limit === undefined ? 'none' : limit - 1
}

export interface CsrUse {
  readonly subject: boolean
  readonly names: boolean
  readonly keyUsage: 'added' | 'alone' | 'none'
  readonly extensions: boolean
  /** If true, the names in the fields of the request are used if the CSR has no names. */
  readonly fillsNames: boolean
}

/** Which values of a CSR an intermediate takes, depending on use_csr_values. */
export const csrValues: Readonly<Record<'used' | 'ignored', CsrUse>> = {
  used: { subject: true, names: true, keyUsage: 'added', extensions: true, fillsNames: false },
  ignored: { subject: false, names: false, keyUsage: 'none', extensions: false, fillsNames: false },
}

/** The rules for signing an intermediate. */
export const intermediates = {
  isCa: true,
  // Seam: the requested key is certified.
  certifies: seam((asked: Buffer): Buffer => asked),
  // Seams: the values of a request are used unchanged, and no others.
  subject: seam((subject: Buffer, _request: Request, _values: 'used' | 'ignored'): Buffer => subject),
  names: seam((names: AltNames, _request: Request, _values: 'used' | 'ignored'): AltNames => names),
  copied: seam((extensions: readonly Extension[], _values: 'used' | 'ignored'): readonly Extension[] => extensions),
  // Seams: the path length of the CA applies, and every CA with a key may sign, whatever its origin.
  limit: seam((limit: number | undefined, _origin: Origin): number | undefined => limit),
  maySign: seam((_origin: Origin): boolean => true),
  // Seam: the CA of the mount signs, if it has its key.
  signedBy: seam((issuer: Issuer | undefined, _store: Store): Issuer | undefined => issuer),
}

/** This rule says how permitted_dns_domains is encoded as name constraints. */
export const permittedDomains = { subtrees: 'permitted' as 'permitted' | 'excluded' }

/** Seam: all certificates that follow the first one are kept in its chain. */
const chainOf = seam((further: readonly Buffer[]): readonly Buffer[] => further)

export const configCa = {
  needsItsKey: true,
  needsCa: true,
  keyTypes: ['rsa', 'ec'] as readonly string[],
  /** If true, a bundle without further certificates keeps those of the former CA. */
  keepsFormerChain: false,
  chainOf,
  invalid: 'refused' as 'refused' | 'ignored',
  // Seam: the submitted key becomes that of the CA.
  keyTaken: seam((submitted: CaKey, _certificate: CaCertificate, _former: Ca): CaKey => submitted),
  // Seam: a text that is not PEM does not change the CA.
  unreadable: seam((_store: Store): void => {}),
}

/** A certificate whose key was not requested here is foreign. */
export const setSigned = {
  foreign: 'refused' as 'refused' | 'taken' | 'ignored',
  keyTypes: ['rsa', 'ec'] as readonly string[],
  /** If true, a certificate without further ones keeps those of the former CA. */
  keepsFormerChain: false,
  /** If true, the refusal of a foreign certificate removes the key that waits for its certificate. */
  refusalDropsKey: false,
  /** What happens to a certificate if no key was generated in the mount. */
  withoutKey: 'refused' as 'refused' | 'taken' | 'ignored',
  chainOf,
}

/** The rules for generating a root in a mount that had a CA before. */
export const generatedRoots = {
  /** If true, the certificates above the former CA stay in the chain. */
  keepsFormerChain: false,
  // Seam: a request that does not replace the CA shows nothing of it, and changes nothing in the mount.
  again: seam((_ca: Ca, _type: string | undefined, _store: Store): object | undefined => undefined),
}

/** Whether `ca_chain` begins with the CA, by the origin of the CA. */
export const chainIncludesCa = {
  'own-root': true,
  'submitted-root': true,
  'submitted-intermediate': true,
  signed: true,
}

/** Seam: the key of a request waits for its certificate, whatever the type in the path is. */
export const requestWaits = seam((_type: string | undefined): boolean => true)
