/** The rules of the certificate authority engine, as cells. Handlers have no rules of their own. */
import * as authorities from './authorities.ts'
import { certificateDrafting } from './certificates.ts'
import { csrReading } from './csr.ts'
import { bundledCas, bundledOrigin, bundles, formats, keyTypes } from './formats.ts'
import { anyKey, keyMade, keySizes, keyTaken, spareKeys } from './keys.ts'
import * as leaves from './leaves.ts'
import { caBackdating, lifetimes, roleTtlAboveMax } from './lifetimes.ts'
import { anyName, hostName, localNames, nameChecks, nameWays, wildcardPatterns } from './names.ts'
import { naming } from './naming.ts'
import { requestFields } from './request-fields.ts'
import * as revocation from './revocation.ts'
import { roleFields } from './role-fields.ts'
import { sanRules } from './sans.ts'
import { leafSerial, returnedKey, signers } from './signing.ts'
import { caSteps, rootOverwrites, stepByOrigin } from './states.ts'
import { urls } from './urls.ts'
import { caKeyUsages, extKeyUsages, flagUsages, keyUsages } from './usages.ts'

export const pkiRules = {
  roleFields,
  requestFields,
  names: { ways: nameWays, anyName, local: localNames, wildcardPatterns, hostName, checks: nameChecks },
  naming,
  sans: sanRules,
  usages: { key: keyUsages, ext: extKeyUsages, flags: flagUsages, ca: caKeyUsages },
  keys: { sizes: keySizes, made: keyMade, taken: keyTaken, any: anyKey, spare: spareKeys },
  lifetimes,
  caBackdating,
  roleTtlAboveMax,
  leaves: { ...leaves },
  authorities: { ...authorities },
  csrReading,
  formats,
  bundles,
  bundledCas,
  bundledOrigin,
  keyTypes,
  /** An unknown `type` in a generation path counts as this type. */
  unknownKeyType: undefined as string | undefined,
  states: { ca: caSteps, stepByOrigin, rootOverwrites },
  signers,
  certificates: certificateDrafting,
  returnedKey,
  leafSerial,
  revocation: { ...revocation },
  urls,
}

export type PkiRules = typeof pkiRules
