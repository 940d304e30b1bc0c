/** The rules of the certificate authority engine, as cells. Handlers have no rules of their own. */
import type { CrlConfig } from '../store.ts'
import { formats } from './formats.ts'
import { anyRsaAbove, keySizes } from './keys.ts'
import { caBackdating, lifetimes } from './lifetimes.ts'
import { anyName, hostName, localNames, nameWays, wildcardPatterns } from './names.ts'
import { pathLengthBelow } from './path-length.ts'
import { requestFields } from './request-fields.ts'
import { roleFields } from './role-fields.ts'
import { sanRules } from './sans.ts'
import { caSteps, rootOverwritesBefore } from './states.ts'
import { caKeyUsages, extKeyUsages, flagUsages, keyUsages } from './usages.ts'

/** The configuration of the revocation list before one is written. */
const unwrittenCrl: CrlConfig = { expiry: '72h', disable: false }

export const pkiRules = {
  roleFields,
  requestFields,
  names: { ways: nameWays, anyName, local: localNames, wildcardPatterns, hostName },
  sans: sanRules,
  usages: { key: keyUsages, ext: extKeyUsages, flags: flagUsages, ca: caKeyUsages },
  keys: { sizes: keySizes, anyRsaAbove },
  lifetimes,
  caBackdating,
  pathLengthBelow,
  /** A certificate request must be signed by its own key. */
  csrVerified: true,
  formats,
  states: { ca: caSteps, rootOverwritesBefore },
  unwrittenCrl,
}

export type PkiRules = typeof pkiRules
