/** Certificates of CAs (document 2, root/generate, root/sign-intermediate, config/ca, set-signed and their notes). */
import { seam } from '../../../kernel/seam.ts'
import type { Ca, Issuer, Origin, Store } from '../store.ts'
import type { AltNames } from '../x509/alt-names.ts'
import type { Extension } from '../x509/extensions.ts'
import type { Request } from '../x509/request.ts'

/** Returns the path length of an intermediate below a CA with `limit` (undefined: no limit). -1 means no limit unless
 * the CA has one, and then one less. A CA with the limit zero cannot sign another CA. */
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
  /** The names of the request to sign stand in for those of a CSR without any, if this is true. */
  readonly fillsNames: boolean
}

/** What is taken from a request to sign an intermediate, by use_csr_values. */
export const csrValues: Readonly<Record<'used' | 'ignored', CsrUse>> = {
  used: { subject: true, names: true, keyUsage: 'added', extensions: true, fillsNames: false },
  ignored: { subject: false, names: false, keyUsage: 'none', extensions: false, fillsNames: false },
}

/** What an intermediate is, whatever the request says. */
export const intermediates = {
  isCa: true,
  // Seam: the key that is asked for is certified.
  certifies: seam((asked: Buffer): Buffer => asked),
  // Seams: what is taken from a request is taken as it is, and nothing else.
  subject: seam((subject: Buffer, _request: Request, _values: 'used' | 'ignored'): Buffer => subject),
  names: seam((names: AltNames, _request: Request, _values: 'used' | 'ignored'): AltNames => names),
  copied: seam((extensions: readonly Extension[]): readonly Extension[] => extensions),
  // Seams: the path length of the CA counts, and every CA with a key may sign, whatever its origin.
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
  /** A bundle without further certificates keeps those of the former CA, if this is true. */
  keepsFormerChain: false,
  chainOf,
  invalid: 'refused' as 'refused' | 'ignored',
  // Seam: a text that is not PEM does nothing to the CA.
  unreadable: seam((_store: Store): void => {}),
}

/** A certificate whose key was not requested here is foreign. */
export const setSigned = {
  foreign: 'refused' as 'refused' | 'taken' | 'ignored',
  keyTypes: ['rsa', 'ec'] as readonly string[],
  /** A certificate without further ones keeps those of the former CA, if this is true. */
  keepsFormerChain: false,
  /** The refusal of a foreign certificate ends the wait for the right one, if this is true. */
  refusalDropsKey: false,
  /** A certificate for a mount where no key was generated. */
  withoutKey: 'refused' as 'refused' | 'taken' | 'ignored',
  chainOf,
}

/** A root that is generated where a CA was. */
export const generatedRoots = {
  /** The certificates above the former CA stay in the chain, if this is true. */
  keepsFormerChain: false,
  // Seam: nothing is shown of a CA that stays.
  again: seam((_ca: Ca, _type: string | undefined): object | undefined => undefined),
}

/** `ca_chain` begins with the CA where this is true for the origin of the CA. */
export const chainIncludesCa = {
  'own-root': true,
  'submitted-root': true,
  'submitted-intermediate': true,
  signed: true,
}

/** Seam: the reply to intermediate/generate has the same fields in every format. */
export const requestReply = seam((data: Readonly<Record<string, unknown>>, _format: string): object => data)
