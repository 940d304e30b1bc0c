/** The rules of `config/lease`: document 3, Lease configuration. */
import { seam } from '../../../kernel/seam.ts'
import type { LeaseConfig } from '../store.ts'

const units: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 }

/** Parses a duration with suffixes up to `h`. Returns seconds, or undefined for any other text. */
export function suffixed(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)]
  return Math.floor(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0), 0))
}

export interface LeaseRule {
  /** `default-at-first`: refused only if there is a configuration. */
  readonly absent: 'refused' | 'default' | 'default-at-first'
  /** A number of seconds is refused, or accepted. */
  readonly numbers: 'refused' | 'taken'
  readonly stored: (seconds: number) => number | undefined
  readonly shown: boolean
}

export const lease: {
  readonly fields: Readonly<Record<keyof LeaseConfig, LeaseRule>>
  readonly parse: (text: string, name: keyof LeaseConfig) => number | undefined
  /** The lifetime in seconds of credentials that can be revoked. `config` has the defaults if nothing was written. */
  readonly ttl: (config: LeaseConfig, systemDefault: number) => number
  /** The upper bound of `ttl` and of every renewal, in seconds. */
  readonly longest: (config: LeaseConfig, systemMax: number) => number
  /** A write does not change the root configuration, or resets its region and retries to their defaults. */
  readonly root: 'kept' | 'reset'
  /** Credentials use the current lease configuration, or the one that was current when the first credentials were
   * issued. */
  readonly used: 'present' | 'first'
  /** The fields of a reply that contradict the lease. Only a mutant sets any. */
  readonly contradicts: (written: boolean) => { readonly lease_duration?: number }
  /** `leaves-users-of-groups`: users whose role has groups are not removed. `needs-role`: a user is not removed if its
   * role was deleted. */
  readonly revocation: 'removes-user' | 'leaves-user' | 'leaves-users-of-groups' | 'needs-role' | 'removes-all'
  /** A revocation is signed by the current root configuration, or by the one with which the credentials were issued. */
  readonly revokedBy: 'present' | 'first'
  /** What a read returns if nothing was written. */
  readonly unset: 'shown' | 'not-found'
  readonly read: 'shown' | 'not-found'
} = {
  fields: {
    // Seams: both values are stored unchanged.
    lease: { absent: 'refused', numbers: 'refused', stored: seam((seconds) => seconds), shown: true },
    lease_max: { absent: 'refused', numbers: 'refused', stored: seam((seconds) => seconds), shown: true },
  },
  parse: suffixed,
  ttl: (config) => config.lease,
  longest: (config) => config.lease_max,
  root: 'kept',
  used: 'present',
  contradicts: () => ({}),
  revocation: 'removes-user',
  revokedBy: 'present',
  unset: 'shown',
  read: 'shown',
}
