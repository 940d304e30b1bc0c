/** Every fault of the two variants of TOTP MFA. */
import { fieldFaults } from './fields.ts'
import { listFaults, methodFaults, nameFaults } from './methods.ts'
import { methodOptionals, secretFaults } from './secrets.ts'
import { validationFaults } from './validation.ts'
import { type Kit, kitOf } from './variant-operations.ts'

const inEach = (kit: Kit) => [...fieldFaults(kit), ...secretFaults(kit), ...methodFaults(kit)]
const [legacy, identity] = [kitOf('legacy'), kitOf('identity')]

export const mfaFaults = [
  ...inEach(legacy),
  ...nameFaults(legacy),
  ...inEach(identity),
  ...methodOptionals(identity),
  ...listFaults(identity),
  ...validationFaults(identity),
]
