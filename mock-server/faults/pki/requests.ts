/** Faults of how CSRs are signed, and of required fields. */

import { keySizes } from '../../engines/pki/rules/keys.ts'
import { type PublicKey, readPublicKey } from '../../engines/pki/x509/keys.ts'
import { readPem } from '../../engines/pki/x509/pem.ts'
import { type Request, readRequest } from '../../engines/pki/x509/request.ts'
import { type Call, done } from '../../kernel/contracts.ts'
import { part, requestField, roleField } from './cells.ts'
import {
  asRole,
  configCa,
  fault,
  type Here,
  type PkiFault,
  refusing,
  roleAt,
  rule,
  sending,
  setSigned,
  sign,
  signIntermediate,
  whenRefused,
} from './pki-operations.ts'
import { strangerRequest } from './strangers.ts'

const optional = (operation: Parameters<typeof requestField>[0], field: string) =>
  requestField(operation, field, { required: false })
/** Does nothing for requests without the field. */
const accepting = (operation: readonly string[], field: string) =>
  whenRefused(
    operation,
    ({ body }) => !body[field],
    () => done,
  )

const read = (csr: unknown): Request | undefined => {
  try {
    return readRequest(readPem(String(csr))[0]?.der ?? Buffer.alloc(0), false)
  } catch {
    return undefined
  }
}
const isReadable = (csr: unknown): boolean => read(csr) !== undefined
/** Returns the key of a request that is signed under a role with the key type `any`. */
function keyUnderAny(call: Call, here: Here): PublicKey | undefined {
  const request = roleAt(call, here)?.key_type === 'any' ? read(call.body.csr) : undefined
  return request && readPublicKey(request.spki)
}

export const ofRequests: readonly PkiFault[] = [
  fault(
    'role-use-csr-common-name-default-off',
    'A role written without use_csr_common_name has it off.',
    roleField('use_csr_common_name', { fallback: false }),
  ),
  fault(
    'role-use-csr-common-name-ignored',
    'The common name of the CSR is used even if use_csr_common_name is false.',
    roleField('use_csr_common_name', { used: () => true }),
  ),
  fault(
    'use-csr-common-name-covers-sans',
    'The SANs of the CSR are used if use_csr_common_name is on, even if use_csr_sans is off.',
    asRole(sign, (role) => (role.use_csr_common_name && !role.use_csr_sans ? { ...role, use_csr_sans: true } : role)),
  ),
  fault(
    'role-use-csr-sans-default-off',
    'A role written without use_csr_sans has it off.',
    roleField('use_csr_sans', { fallback: false }),
  ),
  fault(
    'role-use-csr-sans-ignored',
    'The SANs of the CSR are used even if use_csr_sans is false.',
    roleField('use_csr_sans', { used: () => true }),
  ),
  fault(
    'use-csr-sans-covers-common-name',
    'The common name of the CSR is used if use_csr_sans is on, even if use_csr_common_name is off.',
    asRole(sign, (role) =>
      role.use_csr_sans && !role.use_csr_common_name ? { ...role, use_csr_common_name: true } : role,
    ),
  ),
  fault(
    'key-type-any-refuses-ec',
    'A role with key_type any refuses a CSR with an EC key.',
    refusing(sign, (call, here) => keyUnderAny(call, here)?.type === 'ec'),
  ),
  fault(
    'key-type-any-refuses-rsa',
    'A role with key_type any refuses a CSR with an RSA key.',
    refusing(sign, (call, here) => keyUnderAny(call, here)?.type === 'rsa'),
  ),
  fault(
    'key-type-any-checks-size',
    'A role with key_type any refuses a CSR whose key size differs from its key_bits (by default RSA 2048, EC 256).',
    refusing(sign, (call, here) => {
      const key = keyUnderAny(call, here)
      return key !== undefined && key.bits !== (roleAt(call, here)?.key_bits || keySizes[key.type].fallback)
    }),
  ),
  fault(
    'key-type-any-wants-rsa-2048',
    'A role with key_type any refuses a CSR with an RSA key below 2048 bits.',
    part('keys', { anyRsaAbove: 2047 }),
  ),
  fault(
    'key-type-any-takes-rsa-1024',
    'A role with key_type any accepts a CSR with an RSA key of 1024 bits.',
    part('keys', { anyRsaAbove: 1023 }),
  ),
  fault(
    'sign-attaches-no-lease',
    'sign attaches no lease even if generate_lease is true; issue does.',
    asRole(sign, (role) => (role.generate_lease ? { ...role, generate_lease: false } : role)),
  ),
  fault('root-common-name-optional', 'root/generate without common_name succeeds.', optional('root', 'common_name')),
  fault(
    'intermediate-common-name-optional',
    'intermediate/generate without common_name succeeds.',
    optional('intermediate', 'common_name'),
  ),
  fault(
    'sign-intermediate-common-name-optional',
    'sign-intermediate without common_name succeeds.',
    optional('signIntermediate', 'common_name'),
  ),
  fault(
    'sign-intermediate-csr-optional',
    'sign-intermediate without csr succeeds and returns a CA certificate for a fresh key.',
    sending(signIntermediate, ({ csr }) => (csr ? {} : { csr: strangerRequest() })),
  ),
  fault(
    'config-ca-pem-bundle-optional',
    'config/ca without pem_bundle succeeds but changes nothing.',
    accepting(configCa, 'pem_bundle'),
  ),
  fault(
    'set-signed-certificate-optional',
    'set-signed without certificate succeeds but changes nothing.',
    accepting(setSigned, 'certificate'),
  ),
  fault(
    'sign-intermediate-takes-garbage',
    'sign-intermediate with an unreadable csr succeeds and returns a CA certificate for a fresh key.',
    sending(signIntermediate, ({ csr }) => (csr && !isReadable(csr) ? { csr: strangerRequest() } : {})),
  ),
  fault(
    'sign-intermediate-skips-csr-signature',
    'sign-intermediate accepts a CSR with an invalid signature.',
    rule({ csrVerified: false }),
  ),
]
