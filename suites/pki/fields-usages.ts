import { check, type Expectation } from '../../harness/vocabulary/index.ts'
import { type role, rooted } from './given/given.ts'
import { issueUnder } from './given/in-turn.ts'
import { usageOids } from './judge/usage-oids.ts'
import {
  basicConstraintsOfLeaf,
  extKeyUsageIs,
  extKeyUsageIsUnconstrained,
  hasExtKeyUsage,
  keyUsageIs,
  keyUsageIsUnconstrained,
  lacksExtKeyUsage,
  noBasicConstraints,
  policiesAre,
} from './then/extensions.ts'
import { topic } from './topic.ts'

const leaf = (id: string, requirement: string, fields: Parameters<typeof role>[0], then: Expectation) =>
  check(id, { requirement: `pki.role.${requirement}`, given: rooted(), when: issueUnder(fields), then: [then] })

/** The flags of a role, with their defaults and the extended key usage that each flag adds. */
const flags = [
  { field: 'server_flag', id: 'server-flag', on: true, use: 'ServerAuth' },
  { field: 'client_flag', id: 'client-flag', on: true, use: 'ClientAuth' },
  { field: 'code_signing_flag', id: 'code-signing-flag', on: false, use: 'CodeSigning' },
  { field: 'email_protection_flag', id: 'email-protection-flag', on: false, use: 'EmailProtection' },
] as const

const ofFlags = flags.flatMap(({ field, id, on, use }) => {
  const [has, not] = [hasExtKeyUsage(use), lacksExtKeyUsage(use)]
  return [
    leaf(`${id}-is-${on ? 'on' : 'off'}-by-default`, `${id}.default`, {}, on ? has : not),
    leaf(`${id}-can-be-switched-${on ? 'off' : 'on'}`, `${id}.flags`, { [field]: !on }, on ? not : has),
  ]
})

const usages = [
  { name: 'DigitalSignature', id: 'digital-signature' },
  { name: 'KeyAgreement', id: 'key-agreement' },
  { name: 'KeyEncipherment', id: 'key-encipherment' },
  { name: 'ContentCommitment', id: 'content-commitment' },
  { name: 'DataEncipherment', id: 'data-encipherment' },
] as const

const ofKeyUsage = [
  leaf(
    'key-usage-has-its-default',
    'key-usage.default',
    {},
    keyUsageIs(['DigitalSignature', 'KeyAgreement', 'KeyEncipherment']),
  ),
  ...usages.map(({ name, id }) =>
    leaf(`key-usage-can-be-${id}`, `key-usage.${id}`, { key_usage: [name] }, keyUsageIs([name])),
  ),
  leaf(
    'each-name-of-key-usage-counts',
    'key-usage.list',
    { key_usage: ['DigitalSignature', 'KeyEncipherment'] },
    keyUsageIs(['DigitalSignature', 'KeyEncipherment']),
  ),
  leaf(
    'key-usage-is-taken-in-any-case',
    'key-usage.any-case',
    { key_usage: ['dIGITALsIGNATURE'] },
    keyUsageIs(['DigitalSignature']),
  ),
  leaf('empty-key-usage-puts-no-constraint', 'key-usage.empty', { key_usage: [] }, keyUsageIsUnconstrained),
]

/** Without flags, only `ext_key_usage` and `ext_key_usage_oids` matter. */
const flagless = {
  server_flag: false,
  client_flag: false,
  code_signing_flag: false,
  email_protection_flag: false,
} as const
/** Usages that a server need not know by name. The document lists no names, so only the usages of the flags are assumed
 * to be known. */
const rareUses = [
  { name: 'OCSPSigning', id: 'ocsp-signing' },
  { name: 'TimeStamping', id: 'time-stamping' },
] as const

const oids = [1, 2, 3, 4].map((number) => `1.3.6.1.4.1.55555.${number}`)
const [oid = ''] = oids
const ofExtKeyUsage = [
  leaf(
    'extended-key-usages-are-in-the-certificate',
    'ext-key-usage.used',
    { ...flagless, ext_key_usage: ['CodeSigning', 'EmailProtection', 'ServerAuth', 'ClientAuth'] },
    extKeyUsageIs([usageOids.CodeSigning, usageOids.EmailProtection, usageOids.ServerAuth, usageOids.ClientAuth]),
  ),
  leaf(
    'extended-key-usages-stand-beside-those-of-the-flags',
    'ext-key-usage.beside-flags',
    { ext_key_usage: ['CodeSigning', 'EmailProtection'] },
    extKeyUsageIs([usageOids.ServerAuth, usageOids.ClientAuth, usageOids.CodeSigning, usageOids.EmailProtection]),
  ),
  ...rareUses.map(({ name, id }) =>
    leaf(
      `extended-key-usage-can-be-${id}`,
      `ext-key-usage.${id}`,
      { ...flagless, ext_key_usage: [name] },
      hasExtKeyUsage(name),
    ),
  ),
  leaf(
    'extended-key-usages-are-taken-in-any-case',
    'ext-key-usage.any-case',
    { ...flagless, ext_key_usage: ['sERVERaUTH'] },
    hasExtKeyUsage('ServerAuth'),
  ),
  leaf('extended-key-usage-is-empty-by-default', 'ext-key-usage.default', flagless, extKeyUsageIsUnconstrained),
  leaf(
    'empty-extended-key-usage-puts-no-constraint',
    'ext-key-usage.empty',
    { ...flagless, ext_key_usage: [] },
    extKeyUsageIsUnconstrained,
  ),
  leaf(
    'extended-key-usage-oids-are-empty-by-default',
    'ext-key-usage-oids.default',
    { ...flagless, server_flag: true, ext_key_usage: ['ServerAuth'] },
    extKeyUsageIs([usageOids.ServerAuth]),
  ),
  ...(['comma-list', 'list'] as const).map((form) =>
    leaf(
      `extended-key-usage-oids-may-be-a-${form}`,
      `ext-key-usage-oids.${form}`,
      { ...flagless, ext_key_usage_oids: form === 'list' ? oids : oids.join(',') },
      extKeyUsageIs(oids),
    ),
  ),
]

const besideOids = [
  leaf(
    'extended-key-usages-by-name-and-by-oid-stand-together',
    'ext-key-usage.beside-oids',
    { ...flagless, ext_key_usage: ['CodeSigning'], ext_key_usage_oids: [oid] },
    extKeyUsageIs([usageOids.CodeSigning, oid]),
  ),
]

const ofPolicies = [
  leaf('policies-are-empty-by-default', 'policy-identifiers.default', {}, policiesAre([])),
  ...(['comma-list', 'list'] as const).map((form) =>
    leaf(
      `policies-may-be-a-${form}`,
      `policy-identifiers.${form}`,
      { policy_identifiers: form === 'list' ? oids : oids.join(',') },
      policiesAre(oids),
    ),
  ),
]

const ofConstraints = [
  leaf('leaf-has-no-basic-constraints-by-default', 'basic-constraints.default', {}, noBasicConstraints),
  leaf(
    'leaf-can-have-basic-constraints',
    'basic-constraints.on',
    { basic_constraints_valid_for_non_ca: true },
    basicConstraintsOfLeaf,
  ),
]

export default topic('pki/fields-usages', {
  about: 'The purposes of certificates as a role sets them: flags, key usages, policies, Basic Constraints.',
  checks: [...ofFlags, ...ofKeyUsage, ...ofExtKeyUsage, ...besideOids, ...ofPolicies, ...ofConstraints],
})
