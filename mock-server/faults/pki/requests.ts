/** Mutants of how CSRs are signed, and of required fields. */
import { cell, mutant, type PkiMutant, part, requestField, roleField } from './cells.ts'
import { strangerRequest } from './strangers.ts'

const optional = (operation: Parameters<typeof requestField>[0], field: string) =>
  requestField(operation, field, { required: false })

export const requestMutants: readonly PkiMutant[] = [
  mutant(
    'role-use-csr-common-name-default-off',
    'A role written without use_csr_common_name has it off.',
    roleField('use_csr_common_name', { fallback: false }),
  ),
  mutant(
    'role-use-csr-common-name-ignored',
    'The common name of the CSR is used even if use_csr_common_name is false.',
    roleField('use_csr_common_name', { used: () => true }),
  ),
  mutant(
    'use-csr-common-name-covers-sans',
    'The SANs of the CSR are used if use_csr_common_name is on, even if use_csr_sans is off.',
    part('leaves', {
      csrSources: (role) => ({
        commonName: role.use_csr_common_name,
        names: role.use_csr_sans || role.use_csr_common_name,
      }),
    }),
  ),
  mutant(
    'role-use-csr-sans-default-off',
    'A role written without use_csr_sans has it off.',
    roleField('use_csr_sans', { fallback: false }),
  ),
  mutant(
    'role-use-csr-sans-ignored',
    'The SANs of the CSR are used even if use_csr_sans is false.',
    roleField('use_csr_sans', { used: () => true }),
  ),
  mutant(
    'use-csr-sans-covers-common-name',
    'The common name of the CSR is used if use_csr_sans is on, even if use_csr_common_name is off.',
    part('leaves', {
      csrSources: (role) => ({ commonName: role.use_csr_common_name || role.use_csr_sans, names: role.use_csr_sans }),
    }),
  ),
  mutant(
    'key-type-any-refuses-ec',
    'A role with key_type any refuses a CSR with an EC key.',
    cell('keys', 'any', { types: ['rsa'] }),
  ),
  mutant(
    'key-type-any-refuses-rsa',
    'A role with key_type any refuses a CSR with an RSA key.',
    cell('keys', 'any', { types: ['ec'] }),
  ),
  mutant(
    'key-type-any-checks-size',
    'A role with key_type any refuses a CSR whose key size differs from its key_bits (by default RSA 2048, EC 256).',
    cell('keys', 'any', { sizeOfRole: true }),
  ),
  mutant(
    'key-type-any-wants-rsa-2048',
    'A role with key_type any refuses a CSR with an RSA key below 2048 bits.',
    cell('keys', 'any', { rsaAbove: 2047 }),
  ),
  mutant(
    'key-type-any-takes-rsa-1024',
    'A role with key_type any accepts a CSR with an RSA key of 1024 bits.',
    cell('keys', 'any', { rsaAbove: 1023 }),
  ),
  mutant(
    'sign-attaches-no-lease',
    'sign attaches no lease even if generate_lease is true; issue does.',
    cell('leaves', 'leases', { sign: false }),
  ),
  mutant('root-common-name-optional', 'root/generate without common_name succeeds.', optional('root', 'common_name')),
  mutant(
    'intermediate-common-name-optional',
    'intermediate/generate without common_name succeeds.',
    optional('intermediate', 'common_name'),
  ),
  mutant(
    'sign-intermediate-common-name-optional',
    'sign-intermediate without common_name succeeds.',
    optional('signIntermediate', 'common_name'),
  ),
  mutant(
    'sign-intermediate-csr-optional',
    'sign-intermediate without csr succeeds and returns a CA certificate for a fresh key.',
    optional('signIntermediate', 'csr'),
    part('csrReading', { instead: (text) => (text === '' ? strangerRequest() : undefined) }),
  ),
  mutant(
    'config-ca-pem-bundle-optional',
    'config/ca without pem_bundle succeeds but changes nothing.',
    optional('configCa', 'pem_bundle'),
  ),
  mutant(
    'set-signed-certificate-optional',
    'set-signed without certificate succeeds but changes nothing.',
    optional('setSigned', 'certificate'),
  ),
  mutant(
    'sign-intermediate-takes-garbage',
    'sign-intermediate with an unreadable csr succeeds and returns a CA certificate for a fresh key.',
    part('csrReading', { instead: (text) => (text === '' ? undefined : strangerRequest()) }),
  ),
  mutant(
    'sign-intermediate-skips-csr-signature',
    'sign-intermediate accepts a CSR with an invalid signature.',
    part('csrReading', { verified: false }),
  ),
]
