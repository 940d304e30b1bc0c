/** The rules of the certificate authority engine, as cells. Handlers hold none of their own. */
import { access } from './tables/access.ts'
import * as authorities from './tables/authorities.ts'
import { certificateForms } from './tables/certificates.ts'
import { csrReading } from './tables/csr.ts'
import { bundledCas, bundles, formats, keyTypes } from './tables/formats.ts'
import { anyKey, keyMade, keySizes, spareKeys } from './tables/keys.ts'
import * as leaves from './tables/leaves.ts'
import { caBackdating, lifetimes } from './tables/lifetimes.ts'
import { anyName, hostName, localNames, nameChecks, nameWays, wildcardForms } from './tables/names.ts'
import { naming } from './tables/naming.ts'
import * as reads from './tables/reads.ts'
import { requestFields } from './tables/request-fields.ts'
import * as revocation from './tables/revocation.ts'
import { roleFields } from './tables/role-fields.ts'
import { sanRules } from './tables/sans.ts'
import { leafSerial, returnedKey, signers } from './tables/signing.ts'
import { caSteps, rootOverwrites } from './tables/states.ts'
import { urls } from './tables/urls.ts'
import { caKeyUsages, extKeyUsages, flagUsages, keyUsages } from './tables/usages.ts'

export const pkiTables = {
  access,
  roleFields,
  requestFields,
  names: { ways: nameWays, anyName, local: localNames, wildcardForms, hostName, checks: nameChecks },
  naming,
  sans: sanRules,
  usages: { key: keyUsages, ext: extKeyUsages, flags: flagUsages, ca: caKeyUsages },
  keys: { sizes: keySizes, made: keyMade, any: anyKey, spare: spareKeys },
  lifetimes,
  caBackdating,
  leaves: { ...leaves },
  authorities: { ...authorities },
  csrReading,
  formats,
  bundles,
  bundledCas,
  keyTypes,
  /** What a generation under an unknown `type` in its path is taken as. */
  unknownKeyType: undefined as string | undefined,
  /** What becomes of a request that is refused. */
  refused: 'forgotten' as 'forgotten' | 'done',
  states: { ca: caSteps, rootOverwrites },
  signers,
  certificates: certificateForms,
  returnedKey,
  leafSerial,
  revocation: { ...revocation },
  urls,
  reads: { ...reads },
}

export type PkiTables = typeof pkiTables
