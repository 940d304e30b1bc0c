/** Faults of the usages, policies and constraints of leaf certificates. */

import { roleFields } from '../../engines/pki/rules/role-fields.ts'
import { flagUsages } from '../../engines/pki/rules/usages.ts'
import type { Role } from '../../engines/pki/store.ts'
import { basicConstraints } from '../../engines/pki/x509/extensions.ts'
import { extensions as oids } from '../../engines/pki/x509/oids.ts'
import { arrayKeepsFirst, commaListKeepsFirst, keepsFirst, keepsTwo, none, roleField } from './cells.ts'
import { replacing } from './drafts.ts'
import { asRole, drafting, faults, type PkiFault, usingRoles } from './pki-operations.ts'

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

const flags = Object.keys(flagUsages) as (keyof typeof flagUsages)[]
const withoutFlagsBesideUsages = (role: Role): Role =>
  role.ext_key_usage.length === 0 || !flags.some((flag) => role[flag])
    ? role
    : { ...role, ...Object.fromEntries(flags.map((flag) => [flag, false])) }
/** Drops one list of usages if the role has the other one. */
const dropsBeside =
  (dropped: UsageList, one: UsageList) =>
  (role: Role): Role =>
    role[one].length > 0 && role[dropped].length > 0 ? { ...role, [dropped]: [] } : role
type UsageList = 'ext_key_usage' | 'ext_key_usage_oids'

export const ofUsages: readonly PkiFault[] = faults({
  'role-server-flag-default-off': 'A role written without server_flag has it off.',
  'role-server-flag-ignored': 'Certificates have the server extended key usage even if server_flag is false.',
  'role-client-flag-default-off': 'A role written without client_flag has it off.',
  'role-client-flag-ignored': 'Certificates have the client extended key usage even if client_flag is false.',
  'role-code-signing-flag-default-on': 'A role written without code_signing_flag has it on.',
  'role-code-signing-flag-ignored':
    'Certificates lack the code signing extended key usage even if code_signing_flag is true.',
  'role-email-protection-flag-default-on': 'A role written without email_protection_flag has it on.',
  'role-email-protection-flag-ignored':
    'Certificates lack the email protection extended key usage even if email_protection_flag is true.',
  'role-key-usage-default-lacks-key-agreement':
    'A role written without key_usage issues certificates without the key agreement usage.',
  'key-usage-ignored': 'The key_usage of a role is replaced by the default unless it is empty.',
  'key-usage-knows-default-names-only': 'Names in key_usage other than the three of the default are ignored.',
  'key-usage-case-sensitive':
    'Names in key_usage are case-sensitive: other spellings than DigitalSignature, KeyAgreement, ... are ignored.',
  'key-usage-empty-means-default': 'An empty key_usage is treated as the default.',
  'ext-key-usage-ignored': 'The ext_key_usage of a role is ignored.',
  'key-usage-keeps-first': 'Only the first name of key_usage is used.',
  'ext-key-usage-drops-flags': 'The flags of a role have no effect if the role has ext_key_usage.',
  'ext-key-usage-keeps-first': 'Only the first name of ext_key_usage is used.',
  'ext-key-usage-knows-flags-only': 'Names in ext_key_usage other than those that the flags also give are ignored.',
  'ext-key-usage-case-sensitive':
    'Names in ext_key_usage are case-sensitive: other spellings than TimeStamping, ServerAuth, ... are ignored.',
  'role-ext-key-usage-default-server-auth': 'A role written without ext_key_usage has the ext_key_usage ServerAuth.',
  'ext-key-usage-empty-means-server-auth': 'An empty ext_key_usage is treated as ServerAuth.',
  'ext-key-usage-drops-oids': 'The ext_key_usage_oids of a role are ignored if the role has ext_key_usage.',
  'ext-key-usage-oids-drop-names': 'The ext_key_usage of a role is ignored if the role has ext_key_usage_oids.',
  'ext-key-usage-oids-ignored': 'The ext_key_usage_oids of a role are ignored.',
  'ext-key-usage-keeps-two': 'Only the first two names of ext_key_usage are used.',
  'ext-key-usage-oids-keep-two': 'Only the first two OIDs of ext_key_usage_oids are used.',
  'policy-identifiers-keep-two': 'Only the first two OIDs of policy_identifiers are used.',
  'ext-key-usage-oids-comma-list-keeps-first':
    'Only the first OID of a comma-separated string of ext_key_usage_oids is used.',
  'ext-key-usage-oids-array-keeps-first': 'Only the first OID of a JSON array of ext_key_usage_oids is used.',
  'policy-identifiers-comma-list-keeps-first':
    'Only the first OID of a comma-separated string of policy_identifiers is used.',
  'policy-identifiers-array-keeps-first': 'Only the first OID of a JSON array of policy_identifiers is used.',
  'role-policy-identifiers-default-set':
    'A role written without policy_identifiers issues certificates with the policy 2.5.29.32.0.',
  'role-basic-constraints-default-on': 'A role written without basic_constraints_valid_for_non_ca has it on.',
  'role-basic-constraints-ignored':
    'Certificates lack the Basic Constraints extension even if basic_constraints_valid_for_non_ca is true.',
  'role-basic-constraints-marks-ca':
    'With basic_constraints_valid_for_non_ca true, certificates have Basic Constraints with CA true.',
  'role-ext-key-usage-oids-default-set':
    'A role with ext_key_usage but without ext_key_usage_oids adds the extended key usage 1.3.6.1.4.1.55555.9.',
  'role-policy-identifiers-ignored': 'The policy_identifiers of a role are ignored.',
}).by({
  'role-server-flag-default-off': roleField('server_flag', { fallback: false }),
  'role-server-flag-ignored': roleField('server_flag', { used: () => true }),
  'role-client-flag-default-off': roleField('client_flag', { fallback: false }),
  'role-client-flag-ignored': roleField('client_flag', { used: () => true }),
  'role-code-signing-flag-default-on': roleField('code_signing_flag', { fallback: true }),
  'role-code-signing-flag-ignored': roleField('code_signing_flag', { used: () => false }),
  'role-email-protection-flag-default-on': roleField('email_protection_flag', { fallback: true }),
  'role-email-protection-flag-ignored': roleField('email_protection_flag', { used: () => false }),
  'role-key-usage-default-lacks-key-agreement': roleField('key_usage', {
    fallback: ['DigitalSignature', 'KeyEncipherment'],
  }),
  'key-usage-ignored': roleField('key_usage', {
    used: (names: string[]) => (names.length > 0 ? defaultUsages : names),
  }),
  'key-usage-knows-default-names-only': roleField('key_usage', {
    used: (names: string[]) => names.filter(isDefaultUsage),
  }),
  'key-usage-case-sensitive': roleField('key_usage', onlySpelled(spelled.key)),
  'key-usage-empty-means-default': roleField('key_usage', emptyMeans(defaultUsages)),
  'ext-key-usage-ignored': roleField('ext_key_usage', { used: none }),
  'key-usage-keeps-first': roleField('key_usage', { used: keepsFirst }),
  'ext-key-usage-drops-flags': asRole(usingRoles, withoutFlagsBesideUsages),
  'ext-key-usage-keeps-first': roleField('ext_key_usage', { used: keepsFirst }),
  'ext-key-usage-knows-flags-only': roleField('ext_key_usage', {
    used: (names: string[]) => names.filter(isFlagUsage),
  }),
  'ext-key-usage-case-sensitive': roleField('ext_key_usage', onlySpelled(spelled.ext)),
  'role-ext-key-usage-default-server-auth': roleField('ext_key_usage', { fallback: ['ServerAuth'] }),
  'ext-key-usage-empty-means-server-auth': roleField('ext_key_usage', emptyMeans(['ServerAuth'])),
  'ext-key-usage-drops-oids': asRole(usingRoles, dropsBeside('ext_key_usage_oids', 'ext_key_usage')),
  'ext-key-usage-oids-drop-names': asRole(usingRoles, dropsBeside('ext_key_usage', 'ext_key_usage_oids')),
  'ext-key-usage-oids-ignored': roleField('ext_key_usage_oids', { used: none }),
  'ext-key-usage-keeps-two': roleField('ext_key_usage', { used: keepsTwo }),
  'ext-key-usage-oids-keep-two': roleField('ext_key_usage_oids', { used: keepsTwo }),
  'policy-identifiers-keep-two': roleField('policy_identifiers', { used: keepsTwo }),
  'ext-key-usage-oids-comma-list-keeps-first': roleField('ext_key_usage_oids', { read: commaListKeepsFirst }),
  'ext-key-usage-oids-array-keeps-first': roleField('ext_key_usage_oids', { read: arrayKeepsFirst }),
  'policy-identifiers-comma-list-keeps-first': roleField('policy_identifiers', { read: commaListKeepsFirst }),
  'policy-identifiers-array-keeps-first': roleField('policy_identifiers', { read: arrayKeepsFirst }),
  'role-policy-identifiers-default-set': roleField('policy_identifiers', { fallback: ['2.5.29.32.0'] }),
  'role-basic-constraints-default-on': roleField('basic_constraints_valid_for_non_ca', { fallback: true }),
  'role-basic-constraints-ignored': roleField('basic_constraints_valid_for_non_ca', { used: () => false }),
  'role-basic-constraints-marks-ca': drafting(['leaf'], replacing(oids.basicConstraints, basicConstraints(true))),
  'role-ext-key-usage-oids-default-set': [
    roleField('ext_key_usage_oids', { fallback: [addedOid] }),
    asRole(usingRoles, onlyBeside),
  ],
  'role-policy-identifiers-ignored': roleField('policy_identifiers', { used: none }),
})
