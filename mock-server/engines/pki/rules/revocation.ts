/** Revocation and its list (document 2, States and transitions; config/crl; crl/rotate; revoke). */

import { seam } from '../../../kernel/seam.ts'
import type { CaKey, CrlConfig, Issuer, Store, Stored } from '../store.ts'

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
  /** Whether a revocation is recorded while the list is enabled, and while it is disabled. */
  records: { enabled: true, disabled: true },
  disablingForgets: 'never' as 'never' | 'always' | 'the second time',
  /** If true, a configuration that leaves the list enabled deletes the revocations. */
  configuringForgets: false,
  /** If true, a rotation deletes the revocations. */
  rotatingForgets: false,
  /** A rotation drops certificates that have expired since they were revoked. */
  dropsExpired: true,
  /** Returns how long the list is valid. */
  expiry: ({ expiry }: CrlConfig, _of: object): string => expiry,
  /** If true, a revocation enables a disabled list again. */
  revokingEnables: false,
  /** If true, a rotation enables a disabled list again. */
  rotatingEnables: false,
  /** The reads of the list that show that it is disabled. */
  disables: { crl: true, pem: true, cert: true } as Readonly<Record<ListView, boolean>>,
  disabledIs: 'an empty list' as 'an empty list' | 'nothing',
  /** The fields of the configuration that a read shows. */
  shows: ['expiry', 'disable'] as readonly (keyof CrlConfig)[],
  // Seams: the list holds every revoked certificate by its own serial and is signed under the name of the CA, and the
  // configuration is shown as it was written.
  listedSerial: seam((serial: string, _asked: string): string => serial),
  holds: seam((entries: readonly Buffer[]): readonly Buffer[] => entries),
  issuer: seam((subject: Buffer): Buffer => subject),
  shown: seam((config: CrlConfig): CrlConfig => config),
  // Seam: enabling the list keeps every revocation. It receives and returns serial numbers.
  keptByEnabling: seam((serials: readonly string[]): readonly string[] => serials),
  // Seam: the CA signs, if it has its key.
  signedBy: seam((issuer: Issuer | undefined, _store: Store): Issuer | undefined => issuer),
  // Seam: each request for a rotation causes one.
  rotates: seam((_store: Store): boolean => true),
  // Seam: every read shows the list that was signed last.
  rewritten: seam((_view: ListView): Rewrite | undefined => undefined),
}

export const revoking = {
  separators: /[:-]/,
  /** Whether revoking a revoked certificate once more changes nothing, or undoes its revocation. */
  again: 'changes nothing' as 'changes nothing' | 'takes back',
  unknown: 'refused' as 'refused' | 'accepted' | 'listed',
  /** Whether every stored certificate can be revoked, or only those that a role issued. */
  of: 'all' as 'all' | 'leaves',
  // Seam: a certificate can be revoked whatever else is stored.
  isRevocable: seam((_stored: Pick<Stored, 'role'>, _store: Store): boolean => true),
  // Seam: a revocation revokes no other certificate. It receives and returns serial numbers.
  alsoRevoked: seam((_serial: string, _store: Store): readonly string[] => []),
}
