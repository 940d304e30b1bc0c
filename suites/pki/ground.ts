/** The mounts that checks share. */
import { subjectExamples } from '../../fixtures/api/pki-fields.ts'
import { type Companion, del, get, type Neighbours, post, type SharedGround } from '../../harness/vocabulary/index.ts'
import type { Frame } from '../frame.ts'
import {
  caPem,
  deleteRoot,
  generateIntermediate,
  generateRoot,
  issue,
  mounted,
  role,
  rooted,
  signer,
} from './given/given.ts'

const oneOf = (some: readonly RegExp[]): RegExp => new RegExp(`^(${some.map(({ source }) => source).join('|')})$`)

/** A check does this with names of its own, and on a further mount of its own. */
const ofItsOwn = [
  /(POST|GET|DELETE) \{mount\}\/roles\/\{use\}[\w-]+/,
  /POST \{mount\}\/(issue\/\{use\}[\w-]+|root\/sign-intermediate|\{\w+\}|revoke)/,
  /GET \{mount\}\/(ca|ca\/pem|ca_chain|crl|crl\/pem|cert\/crl|cert\/\{\w+\})/,
  /POST sys\/mounts\/\{twin\}|(GET|LIST|POST|DELETE) \{twin\}\/.*/,
]
/** What judges a list as a whole needs a mount of its own, because the certificates of other checks stay listed. */
const grows = /^LIST \{mount\}\/certs$/

/** Roles, and certificates under them or of intermediates. What changes the CA, its URLs or the settings of its CRL does not
 * leave it as it was. */
const authority: SharedGround = { givens: [rooted(), signer], leave: oneOf(ofItsOwn), grows, frame: [caPem] }

const crlConfig = '{mount}/config/crl'

/** Revocations, and settings of the CRL. What other checks have revoked stays in it. */
const revoking: SharedGround = {
  givens: [rooted()],
  leave: oneOf([...ofItsOwn, /(POST|GET) \{mount\}\/config\/crl/, /GET \{mount\}\/crl\/rotate/]),
  grows,
  restores: [
    {
      after: /^POST \{mount\}\/config\/crl$/,
      sends: post(crlConfig, { expiry: '72h', disable: false }),
      isFirst: true,
    },
  ],
  frame: [get(crlConfig)],
}

const withoutUrls = post('{mount}/config/urls', {
  issuing_certificates: [],
  crl_distribution_points: [],
  ocsp_servers: [],
})

/** CAs and CSRs on a mount that had none. Each takes the place of the one before, which only its own check judged. */
const withoutCa: SharedGround = {
  givens: [[mounted()]],
  neighbours: 'before-each',
  leave: oneOf([
    ...ofItsOwn,
    /POST \{mount\}\/((root|intermediate)\/generate\/(internal|exported)|intermediate\/set-signed|config\/ca)/,
    /DELETE \{mount\}\/root/,
    /(POST|GET) \{mount\}\/config\/urls/,
  ]),
  grows,
  restores: [
    { after: /^POST \{mount\}\/(root\/generate\/|intermediate\/set-signed|config\/ca$)/, sends: deleteRoot },
    { after: /^POST \{mount\}\/config\/urls$/, sends: withoutUrls },
  ],
  frame: [get(crlConfig)],
}

export const sharedMounts: readonly SharedGround[] = [authority, revoking, withoutCa]

const ofRole = (name: string) => ({
  write: role({}, name),
  read: get(`{mount}/roles/{use}${name}`),
  issue: issue({}, name),
  remove: del(`{mount}/roles/{use}${name}`),
})
const [first, second] = [ofRole('neighbour'), ofRole('second-neighbour')]

/** These requests show certificates or revocations that neighbours have left behind. */
const traces = /certs|(?<!config\/)crl|ocsp|revoke/

/** The second generation leaves the first root as it is. */
const deletedRoot = [generateRoot(), generateRoot(), deleteRoot]

export const neighbours: readonly Neighbours[] = [
  { before: /^POST \{mount\}\/root\/generate\//, unless: traces, isFirst: true, sends: deletedRoot },
  {
    before: /^POST \{mount\}\/intermediate\/generate\//,
    unless: traces,
    isFirst: true,
    sends: [generateRoot(), deleteRoot, first.write, first.remove],
  },
  {
    before: /^\w+ \{mount\}\/config\//,
    unless: /\{mount\}\/(?!config\/)/,
    isFirst: true,
    sends: [generateRoot(), deleteRoot, first.write, first.remove],
  },
  { before: /^POST \{mount\}\/issue\//, unless: traces, sends: [first.write, first.issue, first.issue, first.remove] },
  { before: /^\w+ \{mount\}\/(roles|root\/generate|config)/, sends: [first.write, first.remove] },
  { before: /^\w+ \{mount\}\/roles/, sends: [second.write, second.read, second.remove] },
  {
    before: /^POST \{mount\}\/root\/sign-intermediate/,
    unless: traces,
    sends: [first.write, first.remove],
    repeats: 2,
  },
  { before: /^POST \{mount\}\/(root\/sign-intermediate|issue\/)/, unless: traces, sends: [], ahead: 2 },
  // They replace the key of a CA.
  ...[{ sends: [generateIntermediate(), generateIntermediate()] }, { sends: [], ahead: 2 }].map((come) => ({
    before: /^POST \{mount\}\/intermediate\/generate\//,
    unless: /\{mount\}\/(root|issue|revoke|config\/ca|intermediate\/set-signed|ca|cert|crl)/,
    ...come,
  })),
  { before: /^(GET|LIST) \{mount\}\/(?!roles\/|crl\/rotate|tidy)/, sends: [], repeats: 2 },
]

/** What checks judge as a whole has no further fields, and neither have roles and requests of which names are judged. */
const names = /whole|subject|san|cn|name|bundle|use-csr|denied/
const keys = /whole|key|format|bundle|type/
const makers = {
  root: /^POST \{mount\}\/root\/generate\/\w+$/,
  intermediate: /^POST \{mount\}\/intermediate\/generate\/\w+$/,
  'sign-intermediate': /^POST \{mount\}\/root\/sign-intermediate$/,
} as const
const roles = /^POST \{mount\}\/roles\/[^/]+$/
const issued = /^POST \{mount\}\/issue\/[^/]+$/
const alternativeNames = [
  ['alt_names', 'First.example.com,second.example.com', 'sans.lists'],
  ['ip_sans', '192.0.2.7,2001:DB8::8', 'sans.lists'],
  ['uri_sans', 'https://first.example.com/Path,https://second.example.com/Path', 'sans.lists'],
  ['other_sans', '1.3.6.1.4.1.99999.1;UTF8:First,1.3.6.1.4.1.99999.2;UTF8:Second', 'other-sans.comma-list'],
] as const

/** Postal codes have capital letters in many countries. */
const subject = { ...subjectExamples, postal_code: ['AB1 2CD', 'EF3 4GH'] } as const
const uses = {
  ext_key_usage: [['CodeSigning', 'EmailProtection'], 'lists.array'],
  ext_key_usage_oids: [['1.3.6.1.4.1.99999.3', '1.3.6.1.4.1.99999.4'], 'ext-key-usage-oids.list'],
  policy_identifiers: [['1.3.6.1.4.1.99999.5', '1.3.6.1.4.1.99999.6'], 'policy-identifiers.list'],
  basic_constraints_valid_for_non_ca: [true, 'basic-constraints.on'],
} as const
const subjects = Object.entries(subject).map(([field, value]) => [field, value, 'subject.array'] as const)

/** A certificate may have these whatever its role says, but for names. */
const ofLeaves: readonly Companion[] = [
  {
    ...{ to: issued, field: 'ttl', value: '40m', row: 'pki.issue.ttl.used', unless: /whole|ttl|lease|not-before|crl/ },
    given: { to: roles, has: { ttl: '1h' } },
  },
  { ...{ to: issued, field: 'private_key_format', value: 'pkcs8', row: 'pki.private-key-format.pkcs8', unless: keys } },
  ...alternativeNames
    .slice(0, 2)
    .map(([field, value, row]) => ({
      ...{ to: issued, field, value, row: `pki.issue.${row}` },
      unless: /whole|subject|san|cn|name|bundle|use-csr|denied|matching|permitted|allow|csr/,
      given: { to: roles, has: { allow_any_name: true, enforce_hostnames: false } },
    })),
]

/** Fields with several values each, some of them with capital letters. */
export const companions: readonly Companion[] = [
  ...Object.entries(makers).flatMap(([maker, to]) =>
    [...subjects, ...alternativeNames, ['exclude_cn_from_sans', true, 'exclude-cn'] as const].map(
      ([field, value, row]) => ({
        ...{ to, field, value, row: `pki.${maker}.${row}`, unless: names, notBeside: 'use_csr_values' },
      }),
    ),
  ),
  ...[makers.root, makers.intermediate].map((to) => ({
    ...{ to, field: 'private_key_format', value: 'pkcs8', row: 'pki.private-key-format.pkcs8', unless: keys },
  })),
  ...ofLeaves,
  ...[...subjects, ...Object.entries(uses).map(([field, [value, row]]) => [field, value, row] as const)].map(
    ([field, value, row]) => ({
      ...{ to: roles, field, value, row: `pki.role.${row}` },
      unless: /whole|subject|policy-identifiers|read|updat|usage|flag|basic-constraints/,
    }),
  ),
]

export const frames: readonly Frame[] = [
  { written: /^POST \{\w+\}\/roles\/[^/]+$/, gone: 'pki.roles.read', changed: () => 'pki.roles.read.own-fields' },
  { written: /^POST \{\w+\}\/config\/urls$/, gone: 'pki.config-urls.reads', changed: () => 'pki.config-urls.reads' },
  {
    written: /^POST \{\w+\}\/config\/crl$/,
    gone: 'pki.config-crl.reads-expiry',
    changed: (field) => `pki.config-crl.reads-${field}`,
  },
]
