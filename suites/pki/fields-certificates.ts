/** Checks that compare whole certificates, and verify their paths as a relying party would. */
import { about, type Check, check, type JsonObject, post, replyLacks } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import {
  csr,
  generateIntermediate,
  issue,
  mounted,
  role,
  rooted,
  rootGeneration,
  setSigned,
  signer,
  signIntermediate,
  successOf,
} from './given/given.ts'
import { pemOf } from './judge/der.ts'
import { certificateOf, signingRequestOf } from './judge/reply.ts'
import { usageOids } from './judge/usage-oids.ts'
import { livesFor } from './then/lifetimes.ts'
import { verifiesBy, wholeIs } from './then/whole.ts'
import { topic } from './topic.ts'

const hour = 3600
const policy = '1.3.6.1.4.1.55555.9'
const upn = '1.3.6.1.4.1.311.20.2.3'
const name = 'whole.example.com'

/** Names of every kind except custom SANs: the documents do not say whether these are allowed without a role. */
const names: JsonObject = {
  common_name: name,
  alt_names: 'alt.example.com,user@alt.example.com',
  ip_sans: '192.0.2.7',
  uri_sans: 'spiffe://example.com/one',
}
const sans = {
  dns: [name, 'alt.example.com'],
  email: ['user@alt.example.com'],
  ip: ['192.0.2.7'],
  uri: ['spiffe://example.com/one'],
}
const custom = { asked: { other_sans: `${upn};UTF8:dev@example.com` }, held: { other: [`${upn};dev@example.com`] } }
const organization = { organization: 'Org One', ou: 'Unit One' }
const subject = { common_name: [name], organization: ['Org One'], ou: ['Unit One'] }

const urls: JsonObject = {
  issuing_certificates: ['http://one.example/ca'],
  crl_distribution_points: ['http://one.example/crl'],
  ocsp_servers: ['http://one.example/ocsp'],
}
/** The URLs of a CA certificate: the document says that it has the distribution points, and nothing of other URLs. */
const pointsHeld = { crlUrls: ['http://one.example/crl'] }
const urlsHeld = { ...pointsHeld, issuerUrls: ['http://one.example/ca'], ocspUrls: ['http://one.example/ocsp'] }
const configUrls = post('{mount}/config/urls', urls)

const leaf = [
  ...rooted(),
  configUrls,
  role({
    allow_ip_sans: true,
    allowed_uri_sans: 'spiffe://example.com/*',
    allowed_other_sans: `${upn};UTF8:*`,
    key_usage: ['DigitalSignature', 'KeyAgreement'],
    code_signing_flag: true,
    policy_identifiers: [policy],
    ...organization,
  }),
]
const request = csr({ key: 'ecLeaf', commonName: 'csr.example', dnsNames: ['csr-san.example'] })
const domains = ['example.com', 'example.org']

const wholes: readonly Check[] = [
  check('issued-certificate-holds-what-was-asked-for', {
    requirement: ['pki.issue.whole', 'pki.issue.signed-by-ca'],
    given: leaf,
    when: issue({ ...names, ...custom.asked, ttl: '2h' }),
    then: [
      about(
        'pki.issue.whole',
        wholeIs({
          subject,
          ...sans,
          ...custom.held,
          keyUsage: ['DigitalSignature', 'KeyAgreement'],
          extKeyUsage: [usageOids.ServerAuth, usageOids.ClientAuth, usageOids.CodeSigning],
          policies: [policy],
          ...urlsHeld,
        }),
      ),
      about('pki.issue.ttl.used', livesFor(2 * hour)),
    ],
  }),
  check('generated-root-holds-what-was-asked-for', {
    requirement: ['pki.root.whole', 'pki.root.is-ca', 'pki.state.generate.self-signed'],
    given: [mounted(), configUrls],
    when: rootGeneration({
      ...names,
      ...organization,
      permitted_dns_domains: domains.join(','),
      max_path_length: 2,
      ttl: '20h',
    }),
    then: [
      about('pki.root.whole', wholeIs({ subject, ...sans, permittedDns: domains, pathLength: 2, ...pointsHeld })),
      about('pki.root.ttl.used', livesFor(20 * hour)),
    ],
  }),
  check('signed-intermediate-holds-what-was-asked-for', {
    requirement: ['pki.sign-intermediate.whole', 'pki.sign-intermediate.is-ca', 'pki.sign-intermediate.signed-by-ca'],
    given: [...signer, configUrls, request],
    when: signIntermediate({
      ...names,
      ...organization,
      permitted_dns_domains: 'example.com',
      max_path_length: 2,
      ttl: '20h',
      use_csr_values: false,
    }),
    then: [
      about(
        'pki.sign-intermediate.whole',
        wholeIs({ subject, ...sans, permittedDns: ['example.com'], pathLength: 2, ...pointsHeld }),
      ),
      about('pki.sign-intermediate.ttl.used', livesFor(20 * hour)),
    ],
  }),
]

/** The CSR of another mount, signed by the CA of `{mount}`, becomes the CA there: its certificate is `{parent}`. */
const intermediateBelow = action(
  'an intermediate of `{twin}` below the root of `{mount}`; its certificate is `parent`',
  { touches: [generateIntermediate({}, 'internal', '{twin}'), signIntermediate()], provides: ['csr', 'parent'] },
  async (scope) => {
    const made = successOf(await scope.send(generateIntermediate({}, 'internal', '{twin}')))
    const asked = signingRequestOf(made)
    if (!asked) throw replyLacks(made, 'a CSR')
    scope.save('csr', pemOf('CERTIFICATE REQUEST', asked.der))
    const signed = successOf(await scope.send(signIntermediate()))
    const found = certificateOf(signed)
    if (!found) throw replyLacks(signed, 'a certificate')
    scope.save('parent', pemOf('CERTIFICATE', found.der))
  },
)

const paths: readonly Check[] = [
  check('path-of-an-issued-certificate-verifies', {
    requirement: 'pki.issue.signed-by-ca',
    given: [...rooted(), role()],
    when: issue(),
    then: [verifiesBy('ca')],
  }),
  check('path-through-an-intermediate-verifies', {
    requirement: 'pki.sign-intermediate.path',
    given: [
      ...signer,
      mounted({ as: 'twin' }),
      intermediateBelow,
      setSigned('{parent}', '{twin}'),
      role({}, 'leaf', '{twin}'),
    ],
    when: issue({}, 'leaf', '{twin}'),
    then: [verifiesBy('parent', 'ca')],
  }),
]

export default topic('pki/fields-certificates', {
  about: 'Complete certificates: they hold everything that was requested and nothing else, and their path verifies.',
  names: ['mount', 'twin'],
  checks: [...wholes, ...paths],
})
