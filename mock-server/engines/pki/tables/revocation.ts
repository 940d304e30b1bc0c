/** Revocation and its list (document 2, States and transitions; config/crl; crl/rotate; revoke). */

/** What makes the list be signed anew. */
export const rotations = { newCa: true, revoke: true, rotate: true, disable: true, enable: true, configure: true }

export interface CrlConfig {
  /** A duration. */
  readonly expiry: string
  readonly disable: boolean
}

/** The configuration of a mount where none was written. */
export const unwrittenCrl: CrlConfig = { expiry: '72h', disable: false }

export type ListView = 'crl' | 'pem' | 'cert'

export const revocationList = {
  /** Whether a revocation is recorded, while the list is on and while it is off. */
  records: { enabled: true, disabled: true },
  disablingForgets: false,
  /** The serial in the list, of that which was asked for in that text. */
  listedSerial: (serial: string, _asked: string): string => serial,
  /** Which of the revoked ones the list holds. */
  holds: (entries: readonly Buffer[]): readonly Buffer[] => entries,
  /** A rotation leaves out certificates that have expired since they were revoked. */
  dropsExpired: true,
  /** How long the list is good for. */
  expiry: ({ expiry }: CrlConfig, _of: object): string => expiry,
  /** A revocation switches a disabled list on again. */
  revokingEnables: false,
  /** Which reads of the list show that it is disabled, and what they answer then. */
  disables: { crl: true, pem: true, cert: true } as Readonly<Record<ListView, boolean>>,
  disabledIs: 'an empty list' as 'an empty list' | 'nothing',
  /** Fields of the configuration that are read, and what they show. */
  shows: ['expiry', 'disable'] as readonly (keyof CrlConfig)[],
  shown: (config: CrlConfig): CrlConfig => config,
  /** The name under which the list is signed. */
  issuer: (subject: Buffer): Buffer => subject,
}

export const revoking = {
  separators: /[:-]/,
  unknown: 'refused' as 'refused' | 'accepted' | 'listed',
}
