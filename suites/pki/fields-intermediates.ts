import { createPublicKey } from 'node:crypto'
import { testKeys } from '../../fixtures/pki/keys.ts'
import { basicConstraints, signingRequest } from '../../fixtures/pki/signing-requests.ts'
import type { Check, Expectation, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import { check, replyLacks } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import { csr, intermediate, rooted, signer, signIntermediate, successOf } from './given/given.ts'
import { pemOf } from './judge/der.ts'
import { certificateOf } from './judge/reply.ts'
import { dnsSansAre, hasDnsSan, hasExtension, isCa, lacksExtension } from './then/extensions.ts'
import { certificate, certifiesKeyOf, listed, sameSet, savedCertificate, signedBy, subjectIs } from './then/then.ts'
import { sansAre } from './then/whole.ts'
import { topic } from './topic.ts'

/** An extension with an unassigned OID, whose value is a UTF8String. */
const oid = '1.3.6.1.4.1.55555.42'
const value = Buffer.from('0c056173736179', 'hex')

const [csrName, csrSan, asked, askedSan] = [
  'csr.example',
  'csr-san.example.com',
  'asked.example',
  'asked-san.example.com',
]
const [csrUnit, csrEmail] = ['Unit Of The CSR', 'user@csr-san.example.com']
const asks = {
  key: 'ecLeaf',
  commonName: csrName,
  organization: 'Of The CSR',
  ou: csrUnit,
  dnsNames: [csrSan],
  extension: { oid, value },
} as const
const given: readonly Step[] = [...signer, csr(asks)]

/** Several extensions are only in the CSRs of the checks of extensions, so that a server with a fault there does not
 * fail the other checks. */
const further = { oid: `${oid}.1`, value, critical: true } as const
/** The extended key usage for time stamping. */
const known = { oid: '2.5.29.37', value: Buffer.from('300a06082b06010505070308', 'hex') } as const
const givenSeveral: readonly Step[] = [...signer, csr({ ...asks, furtherExtensions: [further, known] })]

/** A server that parses the subject and the SANs into fields of its own, and encodes them again, may lose their order
 * and whatever it has no field for. */
const csrTitle = 'Title Of The CSR'
const givenTitle: readonly Step[] = [...signer, csr({ ...asks, title: csrTitle })]
const titledSubject = [
  ['common_name', [csrName]],
  ['organization', ['Of The CSR']],
  ['ou', [csrUnit]],
  ['2.5.4.12', [csrTitle]],
]
const csrAddresses = ['192.0.2.7', '2001:db8::8'] as const
const [csrUri, csrUser] = ['https://csr.example/san', 'csr-user@example.com']
const givenNames: readonly Step[] = [
  ...signer,
  csr({
    ...asks,
    emails: [csrEmail],
    furtherNames: [
      ...csrAddresses.map((value) => ({ type: 'ip' as const, value })),
      { type: 'url', value: csrUri },
      { type: 'upn', value: csrUser },
    ],
  }),
]

/** Key usages are only in the CSRs of checks of key usages, so that a server with a fault there does not fail the
 * checks of subject and names. */
const givenUsages: readonly Step[] = [...signer, csr({ ...asks, keyUsages: ['digitalSignature', 'keyEncipherment'] })]

const signed = (
  id: string,
  requirement: string,
  fields: JsonObject,
  then: Expectation | readonly [Expectation, ...Expectation[]],
  situation = given,
): Check =>
  check(id, {
    requirement: `pki.sign-intermediate.${requirement}`,
    given: situation,
    when: signIntermediate({ common_name: asked, alt_names: askedSan, organization: 'Of The Request', ...fields }),
    then: 'judge' in then ? [then] : then,
  })

const usages = (words: string, isRight: (usages: readonly string[]) => boolean): Expectation =>
  certificate('key usage', words, ({ keyUsage = [] }) => (isRight(keyUsage) ? undefined : listed(keyUsage)))

/** Saves as `{own}` a certificate for a CSR without key usages. Its usages are the server's own. */
const ownUsages = action(
  '`own` is a certificate for a CSR that asks for no key usages',
  { touches: [signIntermediate({ csr: '{plainCsr}' })], provides: ['own', 'plainCsr'] },
  async (scope) => {
    scope.save('plainCsr', await signingRequest({ key: 'ecLeaf', commonName: csrName }))
    const reply = successOf(await scope.send(signIntermediate({ csr: '{plainCsr}', use_csr_values: false })))
    const found = certificateOf(reply)
    if (!found) throw replyLacks(reply, 'a certificate')
    scope.save('own', pemOf('CERTIFICATE', found.der))
  },
)

const ofCsr = { use_csr_values: true }
const ofRequest = { use_csr_values: false }

const values = [
  signed(
    'subject-of-the-csr-is-kept',
    'use-csr-values.subject',
    ofCsr,
    certificate('subject', 'that of the CSR, in its order', ({ subject }) =>
      JSON.stringify(Object.entries(subject)) === JSON.stringify(titledSubject) ? undefined : JSON.stringify(subject),
    ),
    givenTitle,
  ),
  signed('csr-without-sans-gets-none', 'use-csr-values.sans', ofCsr, dnsSansAre([]), [
    ...signer,
    csr({ key: 'ecLeaf', commonName: csrName }),
  ]),
  signed(
    'sans-of-the-csr-are-kept',
    'use-csr-values.sans',
    ofCsr,
    sansAre({
      ...{ dns: [csrSan], email: [csrEmail], ip: csrAddresses, uri: [csrUri] },
      other: [`1.3.6.1.4.1.311.20.2.3;${csrUser}`],
    }),
    givenNames,
  ),
  signed(
    'key-usages-of-the-csr-are-added',
    'use-csr-values.key-usages',
    ofCsr,
    usages('that of a CA and that of the CSR', (all) =>
      ['CertSign', 'DigitalSignature', 'KeyEncipherment'].every((one) => all.includes(one)),
    ),
    givenUsages,
  ),
  signed('extensions-of-the-csr-are-copied', 'use-csr-values.extensions', ofCsr, hasExtension(oid, value)),
  signed(
    'each-extension-of-the-csr-is-copied',
    'use-csr-values.extensions',
    ofCsr,
    [hasExtension(further.oid, value, 'critical'), hasExtension(known.oid, known.value)],
    givenSeveral,
  ),
  signed(
    'subject-of-the-csr-can-be-ignored',
    'use-csr-values.off-subject',
    ofRequest,
    certificate('subject', 'nothing of the CSR', ({ subject }) =>
      subject.common_name?.includes(csrName) ||
      subject.organization?.includes('Of The CSR') ||
      subject.ou?.includes(csrUnit) ||
      subject['2.5.4.12'] !== undefined
        ? JSON.stringify(subject)
        : undefined,
    ),
    givenTitle,
  ),
  signed(
    'sans-of-the-csr-can-be-ignored',
    'use-csr-values.off-sans',
    ofRequest,
    certificate('set of alternative names', 'nothing of the CSR', ({ sans }) => {
      const all = [...sans.dns, ...sans.email, ...sans.ip, ...sans.uri, ...sans.other.map(({ value }) => value)]
      return [csrSan, csrEmail, ...csrAddresses, csrUri, csrUser].some((name) => all.includes(name))
        ? listed(all)
        : undefined
    }),
    givenNames,
  ),
  check('key-usages-of-the-csr-can-be-ignored', {
    requirement: 'pki.sign-intermediate.use-csr-values.off-key-usages',
    given: [...givenUsages, ownUsages],
    when: signIntermediate({ common_name: asked, ...ofRequest }),
    then: [
      certificate('key usage', 'that of `own`', ({ keyUsage = [] }, { scope }) =>
        sameSet(keyUsage, savedCertificate(scope, 'own').keyUsage ?? []) ? undefined : listed(keyUsage),
      ),
    ],
  }),
  signed(
    'extensions-of-the-csr-can-be-ignored',
    'use-csr-values.off-extensions',
    ofRequest,
    [
      lacksExtension(oid),
      // A server may set extended key usages of its own, but has no reason for that of the CSR.
      certificate('extended key usage', 'not that of the CSR', (found) =>
        found.raw(known.oid)?.equals(known.value) ? listed(found.extKeyUsage) : undefined,
      ),
    ],
    givenSeveral,
  ),
  signed('values-of-the-csr-are-ignored-by-default', 'use-csr-values.default', {}, subjectIs('common_name', [asked])),
  signed('sans-of-the-request-are-used-by-default', 'use-csr-values.default', {}, hasDnsSan(askedSan)),
]

/** A CA whose certificate was signed by another CA can sign intermediates, just like a generated root. */
const belowIntermediate = check('intermediate-signs-an-intermediate', {
  requirement: 'pki.sign-intermediate.signed-by-ca',
  given: [...intermediate, csr({ key: 'ecLeaf', commonName: csrName, extension: basicConstraints.ofCa })],
  when: signIntermediate({ common_name: 'lower.example' }),
  then: [signedBy('signed')],
})

/** Keys of one type may sign those of another. */
const rsaSigner = rooted({ max_path_length: 5, key_type: 'rsa', key_bits: 2048 })

const [ca, key, signature] = [
  // By default, values of the CSR are ignored.
  signed('signed-intermediate-is-a-ca', 'is-ca', {}, isCa, [
    ...signer,
    csr({ key: 'ecLeaf', commonName: csrName, extension: basicConstraints.ofNone }),
  ]),
  signed(
    'signed-intermediate-certifies-the-key-of-the-csr',
    'key-of-csr',
    {},
    certifiesKeyOf(() => createPublicKey(testKeys.ecLeaf), 'the CSR'),
  ),
  signed('signed-intermediate-is-signed-by-the-ca', 'signed-by-ca', {}, signedBy('ca'), [...rsaSigner, csr(asks)]),
]

const ofRsa = signed(
  'signed-intermediate-certifies-the-rsa-key-of-the-csr',
  'key-of-csr',
  {},
  certifiesKeyOf(() => createPublicKey(testKeys.rsa2048), 'the CSR'),
  [...signer, csr({ key: 'rsa2048', commonName: csrName })],
)

export default topic('pki/fields-intermediates', {
  about: 'Which values a signed intermediate takes from its CSR, and which from the request.',
  checks: [...values, ca, key, ofRsa, signature, belowIntermediate],
})
