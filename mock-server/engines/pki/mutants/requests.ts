/** Mutants of the signing of requests, and of the fields that endpoints require. */
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
    'use_csr_common_name false still takes the CN from the CSR.',
    roleField('use_csr_common_name', { used: () => true }),
  ),
  mutant(
    'use-csr-common-name-covers-sans',
    'use_csr_common_name true takes the SANs from the CSR too, even where use_csr_sans is off.',
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
    'use_csr_sans false still takes the SANs from the CSR.',
    roleField('use_csr_sans', { used: () => true }),
  ),
  mutant(
    'use-csr-sans-covers-common-name',
    'use_csr_sans true takes the CN from the CSR too, even where use_csr_common_name is off.',
    part('leaves', {
      csrSources: (role) => ({ commonName: role.use_csr_common_name || role.use_csr_sans, names: role.use_csr_sans }),
    }),
  ),
  mutant(
    'key-type-any-refuses-ec',
    'key_type any refuses a CSR with an EC key.',
    cell('keys', 'any', { types: ['rsa'] }),
  ),
  mutant(
    'key-type-any-refuses-rsa',
    'key_type any refuses a CSR with an RSA key.',
    cell('keys', 'any', { types: ['ec'] }),
  ),
  mutant(
    'key-type-any-checks-size',
    'key_type any refuses a CSR whose key size is not the key_bits of the role (RSA 2048, EC 256).',
    cell('keys', 'any', { sizeOfRole: true }),
  ),
  mutant(
    'key-type-any-wants-rsa-2048',
    'key_type any refuses a CSR with an RSA key below 2048 bits.',
    cell('keys', 'any', { rsaAbove: 2047 }),
  ),
  mutant(
    'key-type-any-takes-rsa-1024',
    'key_type any takes a CSR with an RSA key of 1024 bits.',
    cell('keys', 'any', { rsaAbove: 1023 }),
  ),
  mutant(
    'sign-attaches-no-lease',
    'sign: generate_lease true attaches no lease (issue does).',
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
    'sign-intermediate without common_name succeeds (CN of the CSR).',
    optional('signIntermediate', 'common_name'),
  ),
  mutant(
    'sign-intermediate-csr-optional',
    'sign-intermediate without csr succeeds with a CA certificate for a fresh key.',
    optional('signIntermediate', 'csr'),
    part('csrReading', { instead: (text) => (text === '' ? strangerRequest() : undefined) }),
  ),
  mutant(
    'refusals-act',
    'A request that is refused acts all the same: a certificate is stored, a CA made or replaced, a list or a role changed.',
    (tables) => ({ ...tables, refused: 'done' }),
  ),
  mutant(
    'config-ca-pem-bundle-optional',
    'config/ca without pem_bundle is a success that changes nothing.',
    optional('configCa', 'pem_bundle'),
  ),
  mutant(
    'set-signed-certificate-optional',
    'set-signed without certificate is a success that changes nothing.',
    optional('setSigned', 'certificate'),
  ),
  mutant(
    'sign-intermediate-takes-garbage',
    'sign-intermediate with a csr that is not a CSR (not PEM, or truncated PEM) succeeds with a CA certificate for a fresh key.',
    part('csrReading', { instead: (text) => (text === '' ? undefined : strangerRequest()) }),
  ),
  mutant(
    'sign-intermediate-skips-csr-signature',
    'sign-intermediate takes a CSR whose signature is wrong.',
    part('csrReading', { verified: false }),
  ),
]
