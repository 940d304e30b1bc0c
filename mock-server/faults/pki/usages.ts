/** Mutants of the usages, policies and constraints of leaf certificates. */

import { roleFields } from '../../engines/pki/rules/role-fields.ts'
import { flagUsages } from '../../engines/pki/rules/usages.ts'
import type { Role } from '../../engines/pki/store.ts'
import {
  arrayKeepsFirst,
  cell,
  commaListKeepsFirst,
  keepsFirst,
  keepsTwo,
  mutant,
  none,
  type PkiMutant,
  part,
  roleField,
} from './cells.ts'

const spelled = {
  key: [
    'DigitalSignature',
    'ContentCommitment',
    'NonRepudiation',
    'KeyEncipherment',
    'DataEncipherment',
    'KeyAgreement',
    'CertSign',
    'KeyCertSign',
    'CRLSign',
    'EncipherOnly',
    'DecipherOnly',
  ],
  ext: [
    'Any',
    'ServerAuth',
    'ClientAuth',
    'CodeSigning',
    'EmailProtection',
    'IPSECEndSystem',
    'IPSECTunnel',
    'IPSECUser',
    'TimeStamping',
    'OCSPSigning',
    'MicrosoftServerGatedCrypto',
    'NetscapeServerGatedCrypto',
    'MicrosoftCommercialCodeSigning',
    'MicrosoftKernelCodeSigning',
  ],
}
const onlySpelled = (known: readonly string[]) => ({
  used: (names: string[]) => names.filter((name) => known.includes(name)),
})
const { fallback: defaultUsages } = roleFields.key_usage
const isDefaultUsage = (name: string): boolean =>
  defaultUsages.some((usage) => usage.toLowerCase() === name.toLowerCase())
const isFlagUsage = (name: string): boolean => Object.values(flagUsages).flat().includes(name.toLowerCase())
const isEmpty = (given: unknown): boolean => given === '' || (Array.isArray(given) && given.length === 0)
const emptyMeans = (names: readonly string[]) => ({ read: (given: unknown) => (isEmpty(given) ? names : given) })

const addedOid = '1.3.6.1.4.1.55555.9'

/** Keeps the added OID only in roles with named usages. */
const onlyBeside = (role: Role): Role =>
  role.ext_key_usage.length === 0 && role.ext_key_usage_oids.includes(addedOid)
    ? { ...role, ext_key_usage_oids: [] }
    : role

const withoutFlagsBesideUsages = (role: Role): Role =>
  role.ext_key_usage.length === 0
    ? role
    : { ...role, server_flag: false, client_flag: false, code_signing_flag: false, email_protection_flag: false }

export const usageMutants: readonly PkiMutant[] = [
  mutant(
    'role-server-flag-default-off',
    'A role written without server_flag has it off.',
    roleField('server_flag', { fallback: false }),
  ),
  mutant(
    'role-server-flag-ignored',
    'Certificates have the server extended key usage even if server_flag is false.',
    roleField('server_flag', { used: () => true }),
  ),
  mutant(
    'role-client-flag-default-off',
    'A role written without client_flag has it off.',
    roleField('client_flag', { fallback: false }),
  ),
  mutant(
    'role-client-flag-ignored',
    'Certificates have the client extended key usage even if client_flag is false.',
    roleField('client_flag', { used: () => true }),
  ),
  mutant(
    'role-code-signing-flag-default-on',
    'A role written without code_signing_flag has it on.',
    roleField('code_signing_flag', { fallback: true }),
  ),
  mutant(
    'role-code-signing-flag-ignored',
    'Certificates lack the code signing extended key usage even if code_signing_flag is true.',
    roleField('code_signing_flag', { used: () => false }),
  ),
  mutant(
    'role-email-protection-flag-default-on',
    'A role written without email_protection_flag has it on.',
    roleField('email_protection_flag', { fallback: true }),
  ),
  mutant(
    'role-email-protection-flag-ignored',
    'Certificates lack the email protection extended key usage even if email_protection_flag is true.',
    roleField('email_protection_flag', { used: () => false }),
  ),
  mutant(
    'role-key-usage-default-lacks-key-agreement',
    'A role written without key_usage issues certificates without the key agreement usage.',
    roleField('key_usage', { fallback: ['DigitalSignature', 'KeyEncipherment'] }),
  ),
  mutant(
    'key-usage-ignored',
    'The key_usage of a role is replaced by the default unless it is empty.',
    roleField('key_usage', { used: (names: string[]) => (names.length > 0 ? defaultUsages : names) }),
  ),
  mutant(
    'key-usage-knows-default-names-only',
    'Names in key_usage other than the three of the default are ignored.',
    roleField('key_usage', { used: (names: string[]) => names.filter(isDefaultUsage) }),
  ),
  mutant(
    'key-usage-case-sensitive',
    'Names in key_usage are case-sensitive: other spellings than DigitalSignature, KeyAgreement, ... are ignored.',
    roleField('key_usage', onlySpelled(spelled.key)),
  ),
  mutant(
    'key-usage-empty-means-default',
    'An empty key_usage is treated as the default.',
    roleField('key_usage', emptyMeans(defaultUsages)),
  ),
  mutant(
    'ext-key-usage-ignored',
    'The ext_key_usage of a role is ignored.',
    roleField('ext_key_usage', { used: none }),
  ),
  mutant(
    'key-usage-keeps-first',
    'Only the first name of key_usage is used.',
    roleField('key_usage', { used: keepsFirst }),
  ),
  mutant(
    'ext-key-usage-drops-flags',
    'The flags of a role have no effect if the role has ext_key_usage.',
    part('leaves', { actedOn: withoutFlagsBesideUsages }),
  ),
  mutant(
    'ext-key-usage-keeps-first',
    'Only the first name of ext_key_usage is used.',
    roleField('ext_key_usage', { used: keepsFirst }),
  ),
  mutant(
    'ext-key-usage-knows-flags-only',
    'Names in ext_key_usage other than those that the flags also give are ignored.',
    roleField('ext_key_usage', { used: (names: string[]) => names.filter(isFlagUsage) }),
  ),
  mutant(
    'ext-key-usage-case-sensitive',
    'Names in ext_key_usage are case-sensitive: other spellings than TimeStamping, ServerAuth, ... are ignored.',
    roleField('ext_key_usage', onlySpelled(spelled.ext)),
  ),
  mutant(
    'role-ext-key-usage-default-server-auth',
    'A role written without ext_key_usage has the ext_key_usage ServerAuth.',
    roleField('ext_key_usage', { fallback: ['ServerAuth'] }),
  ),
  mutant(
    'ext-key-usage-empty-means-server-auth',
    'An empty ext_key_usage is treated as ServerAuth.',
    roleField('ext_key_usage', emptyMeans(['ServerAuth'])),
  ),
  mutant(
    'ext-key-usage-drops-oids',
    'The ext_key_usage_oids of a role are ignored if the role has ext_key_usage.',
    part('leaves', {
      actedOn: (role) => (role.ext_key_usage.length > 0 ? { ...role, ext_key_usage_oids: [] } : role),
    }),
  ),
  mutant(
    'ext-key-usage-oids-drop-names',
    'The ext_key_usage of a role is ignored if the role has ext_key_usage_oids.',
    part('leaves', {
      actedOn: (role) => (role.ext_key_usage_oids.length > 0 ? { ...role, ext_key_usage: [] } : role),
    }),
  ),
  mutant(
    'ext-key-usage-oids-ignored',
    'The ext_key_usage_oids of a role are ignored.',
    roleField('ext_key_usage_oids', { used: none }),
  ),
  mutant(
    'ext-key-usage-keeps-two',
    'Only the first two names of ext_key_usage are used.',
    roleField('ext_key_usage', { used: keepsTwo }),
  ),
  mutant(
    'ext-key-usage-oids-keep-two',
    'Only the first two OIDs of ext_key_usage_oids are used.',
    roleField('ext_key_usage_oids', { used: keepsTwo }),
  ),
  mutant(
    'policy-identifiers-keep-two',
    'Only the first two OIDs of policy_identifiers are used.',
    roleField('policy_identifiers', { used: keepsTwo }),
  ),
  mutant(
    'ext-key-usage-oids-comma-list-keeps-first',
    'Only the first OID of a comma-separated string of ext_key_usage_oids is used.',
    roleField('ext_key_usage_oids', { read: commaListKeepsFirst }),
  ),
  mutant(
    'ext-key-usage-oids-array-keeps-first',
    'Only the first OID of a JSON array of ext_key_usage_oids is used.',
    roleField('ext_key_usage_oids', { read: arrayKeepsFirst }),
  ),
  mutant(
    'policy-identifiers-comma-list-keeps-first',
    'Only the first OID of a comma-separated string of policy_identifiers is used.',
    roleField('policy_identifiers', { read: commaListKeepsFirst }),
  ),
  mutant(
    'policy-identifiers-array-keeps-first',
    'Only the first OID of a JSON array of policy_identifiers is used.',
    roleField('policy_identifiers', { read: arrayKeepsFirst }),
  ),
  mutant(
    'role-policy-identifiers-default-set',
    'A role written without policy_identifiers issues certificates with the policy 2.5.29.32.0.',
    roleField('policy_identifiers', { fallback: ['2.5.29.32.0'] }),
  ),
  mutant(
    'role-basic-constraints-default-on',
    'A role written without basic_constraints_valid_for_non_ca has it on.',
    roleField('basic_constraints_valid_for_non_ca', { fallback: true }),
  ),
  mutant(
    'role-basic-constraints-ignored',
    'Certificates lack the Basic Constraints extension even if basic_constraints_valid_for_non_ca is true.',
    roleField('basic_constraints_valid_for_non_ca', { used: () => false }),
  ),
  mutant(
    'role-basic-constraints-marks-ca',
    'With basic_constraints_valid_for_non_ca true, certificates have Basic Constraints with CA true.',
    cell('leaves', 'leafConstraints', { ca: true }),
  ),
  mutant(
    'role-ext-key-usage-oids-default-set',
    'A role with ext_key_usage but without ext_key_usage_oids adds the extended key usage 1.3.6.1.4.1.55555.9.',
    roleField('ext_key_usage_oids', { fallback: [addedOid] }),
    part('leaves', { actedOn: onlyBeside }),
  ),
  mutant(
    'role-policy-identifiers-ignored',
    'The policy_identifiers of a role are ignored.',
    roleField('policy_identifiers', { used: none }),
  ),
]
