/** Revocation and its list (document 2, States and transitions; config/crl; crl/rotate; revoke). */

import { seam } from '../../../kernel/seam.ts'
import type { CaKey, CrlConfig, Issuer, Store } from '../store.ts'

/** The events after which the list is signed again. */
export const rotations = {
  newCa: true,
  replacedCa: true,
  revoke: true,
  rotate: true,
  disable: true,
  enable: true,
  configure: true,
}

/** The configuration of a mount before one is written. */
export const unwrittenCrl: CrlConfig = { expiry: '72h', disable: false }

export type ListView = 'crl' | 'pem' | 'cert'

/** How a read changes the list that was signed last. */
export interface Rewrite {
  readonly entries?: 'none' | 'the first'
  readonly signer?: CaKey
}

export const revocationList = {
  /** A rotation drops certificates that have expired since they were revoked. */
  dropsExpired: true,
  /** Returns how long the list is valid. */
  expiry: ({ expiry }: CrlConfig, _of: object): string => expiry,
  /** The reads of the list that show that it is disabled. */
  disables: { crl: true, pem: true, cert: true } as Readonly<Record<ListView, boolean>>,
  disabledIs: 'an empty list' as 'an empty list' | 'nothing',
  // Seams: the list holds every revoked certificate, and is signed under the name of the CA.
  holds: seam((entries: readonly Buffer[]): readonly Buffer[] => entries),
  issuer: seam((subject: Buffer): Buffer => subject),
  // Seam: the CA signs, if it has its key.
  signedBy: seam((issuer: Issuer | undefined, _store: Store): Issuer | undefined => issuer),
  // Seam: every read shows the list that was signed last.
  rewritten: seam((_view: ListView): Rewrite | undefined => undefined),
}

export const revoking = { separators: /[:-]/ }
