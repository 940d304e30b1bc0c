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
  faults,
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

export const ofRequests: readonly PkiFault[] = faults({
  'role-use-csr-common-name-default-off': 'A role written without use_csr_common_name has it off.',
  'role-use-csr-common-name-ignored': 'The common name of the CSR is used even if use_csr_common_name is false.',
  'use-csr-common-name-covers-sans':
    'The SANs of the CSR are used if use_csr_common_name is on, even if use_csr_sans is off.',
  'role-use-csr-sans-default-off': 'A role written without use_csr_sans has it off.',
  'role-use-csr-sans-ignored': 'The SANs of the CSR are used even if use_csr_sans is false.',
  'use-csr-sans-covers-common-name':
    'The common name of the CSR is used if use_csr_sans is on, even if use_csr_common_name is off.',
  'key-type-any-refuses-ec': 'A role with key_type any refuses a CSR with an EC key.',
  'key-type-any-refuses-rsa': 'A role with key_type any refuses a CSR with an RSA key.',
  'key-type-any-checks-size':
    'A role with key_type any refuses a CSR whose key size differs from its key_bits (by default RSA 2048, EC 256).',
  'key-type-any-wants-rsa-2048': 'A role with key_type any refuses a CSR with an RSA key below 2048 bits.',
  'key-type-any-takes-rsa-1024': 'A role with key_type any accepts a CSR with an RSA key of 1024 bits.',
  'sign-takes-any-key-type': 'A CSR is signed whatever the type of its key is.',
  'sign-attaches-no-lease': 'sign attaches no lease even if generate_lease is true; issue does.',
  'root-common-name-optional': 'root/generate without common_name succeeds.',
  'intermediate-common-name-optional': 'intermediate/generate without common_name succeeds.',
  'sign-intermediate-common-name-optional': 'sign-intermediate without common_name succeeds.',
  'sign-intermediate-csr-optional':
    'sign-intermediate without csr succeeds and returns a CA certificate for a fresh key.',
  'config-ca-pem-bundle-optional': 'config/ca without pem_bundle succeeds but changes nothing.',
  'set-signed-certificate-optional': 'set-signed without certificate succeeds but changes nothing.',
  'sign-intermediate-takes-garbage':
    'sign-intermediate with an unreadable csr succeeds and returns a CA certificate for a fresh key.',
  'sign-intermediate-skips-csr-signature': 'sign-intermediate accepts a CSR with an invalid signature.',
}).by({
  'role-use-csr-common-name-default-off': roleField('use_csr_common_name', { fallback: false }),
  'role-use-csr-common-name-ignored': roleField('use_csr_common_name', { used: () => true }),
  'use-csr-common-name-covers-sans': asRole(sign, (role) =>
    role.use_csr_common_name && !role.use_csr_sans ? { ...role, use_csr_sans: true } : role,
  ),
  'role-use-csr-sans-default-off': roleField('use_csr_sans', { fallback: false }),
  'role-use-csr-sans-ignored': roleField('use_csr_sans', { used: () => true }),
  'use-csr-sans-covers-common-name': asRole(sign, (role) =>
    role.use_csr_sans && !role.use_csr_common_name ? { ...role, use_csr_common_name: true } : role,
  ),
  'key-type-any-refuses-ec': refusing(sign, (call, here) => keyUnderAny(call, here)?.type === 'ec'),
  'key-type-any-refuses-rsa': refusing(sign, (call, here) => keyUnderAny(call, here)?.type === 'rsa'),
  'key-type-any-checks-size': refusing(sign, (call, here) => {
    const key = keyUnderAny(call, here)
    return key !== undefined && key.bits !== (roleAt(call, here)?.key_bits || keySizes[key.type].fallback)
  }),
  'key-type-any-wants-rsa-2048': part('keys', { anyRsaAbove: 2047 }),
  'key-type-any-takes-rsa-1024': part('keys', { anyRsaAbove: 1023 }),
  'sign-takes-any-key-type': asRole(sign, (role) => (role.key_type === 'any' ? role : { ...role, key_type: 'any' })),
  'sign-attaches-no-lease': asRole(sign, (role) => (role.generate_lease ? { ...role, generate_lease: false } : role)),
  'root-common-name-optional': optional('root', 'common_name'),
  'intermediate-common-name-optional': optional('intermediate', 'common_name'),
  'sign-intermediate-common-name-optional': optional('signIntermediate', 'common_name'),
  'sign-intermediate-csr-optional': sending(signIntermediate, ({ csr }) => (csr ? {} : { csr: strangerRequest() })),
  'config-ca-pem-bundle-optional': accepting(configCa, 'pem_bundle'),
  'set-signed-certificate-optional': accepting(setSigned, 'certificate'),
  'sign-intermediate-takes-garbage': sending(signIntermediate, ({ csr }) =>
    csr && !isReadable(csr) ? { csr: strangerRequest() } : {},
  ),
  'sign-intermediate-skips-csr-signature': rule({ csrVerified: false }),
})
