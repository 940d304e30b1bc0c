import { type Check, check, next, replyLacks, shownBefore } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import { issued, serialOf } from './given/certificates.ts'
import {
  configCa,
  deleteRoot,
  generateIntermediate,
  generateRoot,
  intermediate,
  intermediateSigned,
  issue,
  listedCerts,
  mounted,
  role,
  rooted,
  rootedWith,
  rootShown,
  setSigned,
  submitted,
  submittedRoot,
  successOf,
} from './given/given.ts'
import { readAgain, readable, readKeyAnywhere } from './given/reading.ts'
import { pemOf } from './judge/der.ts'
import { certificateOf } from './judge/reply.ts'
import {
  bundleHolds,
  bundleIs,
  holdsCertificate,
  holdsCertificateAlone,
  holdsIssued,
  holdsKey,
  holdsNoKey,
  holdsRequest,
  keyBelongs,
  listsNoKey,
  ownComesFirst,
} from './then/encodings.ts'
import { hasAnotherKey } from './then/then.ts'
import { topic } from './topic.ts'

const firstIssued = action(
  '`first` is a certificate that was issued',
  { touches: [issue()], provides: ['first'] },
  async (scope) => {
    const reply = successOf(await scope.send(issue()))
    const found = certificateOf(reply)
    if (!found) throw replyLacks(reply, 'a certificate')
    scope.save('first', pemOf('CERTIFICATE', found.der))
  },
)

const bundle = issue({ format: 'pem_bundle' })
const withCa = bundleIs('certificate', ['its key', 'the certificate', 'its CA'])
const bundles: readonly Check[] = [
  check('bundle-under-a-generated-root-is-key-and-certificate', {
    requirement: ['pki.issue.bundle', 'pki.issue.bundle.generated-root'],
    given: rootedWith(),
    when: bundle,
    then: [bundleIs('certificate', ['its key', 'the certificate'])],
  }),
  check('bundle-under-a-submitted-root-holds-the-ca', {
    requirement: ['pki.issue.bundle', 'pki.issue.bundle.submitted-root'],
    given: [...submitted(), role()],
    when: bundle,
    then: [withCa],
  }),
  check('bundle-under-an-intermediate-holds-the-ca', {
    requirement: ['pki.issue.bundle', 'pki.issue.bundle.intermediate'],
    given: [...intermediate, role()],
    when: bundle,
    then: [withCa],
  }),
  check('bundle-under-an-intermediate-with-a-chain-holds-the-ca', {
    requirement: ['pki.issue.bundle', 'pki.issue.bundle.intermediate'],
    given: [...intermediateSigned, setSigned('{signed}\n{top}'), role()],
    when: bundle,
    then: [bundleHolds('certificate', ['its key', 'the certificate', 'its CA'])],
  }),
  // A server may go by the first CA of the mount, which another check could have made.
  check('bundle-under-a-root-generated-after-a-submitted-one-lacks-it', {
    ground: 'own',
    requirement: 'pki.issue.bundle.generated-root',
    given: [...submitted(), role(), issue(), deleteRoot, generateRoot()],
    when: bundle,
    then: [bundleIs('certificate', ['its key', 'the certificate'])],
  }),
  check('bundle-under-a-root-submitted-after-a-generated-one-holds-it', {
    ground: 'own',
    requirement: 'pki.issue.bundle.submitted-root',
    given: [...rootedWith(), issue(), submittedRoot(), configCa('bundle')],
    when: bundle,
    then: [withCa],
  }),
  check('bundle-has-the-certificate-before-its-ca', {
    requirement: 'pki.issue.bundle.order',
    given: [
      ...submitted(),
      role(),
      shownBefore(bundle, withCa, 'pki/fields-bundles/bundle-under-a-submitted-root-holds-the-ca'),
    ],
    when: bundle,
    then: [ownComesFirst],
  }),
  check('bundle-of-a-csr-is-key-and-csr', {
    requirement: 'pki.intermediate.bundle',
    given: [mounted()],
    when: generateIntermediate({ format: 'pem_bundle' }, 'exported'),
    then: [bundleIs('csr', ['its key', 'the CSR'])],
  }),
  check('bundle-of-an-internal-csr-holds-no-key', {
    requirement: 'pki.intermediate.bundle.internal',
    given: [mounted()],
    when: generateIntermediate({ format: 'pem_bundle' }),
    then: [bundleIs('csr', ['the CSR'])],
  }),
]

const returned: readonly Check[] = [
  check('issue-returns-the-private-key', {
    requirement: 'pki.issue.returns.private-key',
    given: rootedWith(),
    when: issue(),
    then: [holdsKey],
  }),
  check('issue-returns-the-certificate', {
    requirement: 'pki.issue.returns.certificate',
    given: rootedWith(),
    when: issue({ format: 'pem' }),
    then: [holdsIssued],
  }),
  check('intermediate-returns-a-csr', {
    requirement: ['pki.intermediate.returns.csr', 'pki.state.intermediate.makes-csr'],
    given: [mounted()],
    when: generateIntermediate({ format: 'pem' }),
    then: [holdsRequest],
  }),
  check('issue-returns-the-certificate-of-its-key', {
    requirement: ['pki.issue.private-key.belongs', 'pki.issue.returns.certificate'],
    given: rootedWith(),
    when: issue(),
    then: [keyBelongs],
  }),
  check('issue-returns-the-issuing-ca', {
    requirement: 'pki.issue.returns.issuing-ca',
    given: rootedWith(),
    when: issue(),
    then: [holdsCertificate('ca')],
  }),
  ...(
    [
      ['submitted', submitted(), 'bundle'],
      ['signed', intermediate, 'signed'],
    ] as const
  ).map(([origin, situation, ca]) =>
    check(`issue-returns-the-issuing-ca-that-was-${origin}`, {
      requirement: 'pki.issue.returns.issuing-ca',
      given: [...situation, role()],
      when: issue(),
      then: [holdsCertificate(ca)],
    }),
  ),
  check('issue-returns-the-issuing-ca-beside-der', {
    requirement: 'pki.issue.returns.issuing-ca',
    given: rootedWith(),
    when: issue({ format: 'der' }),
    then: [holdsCertificate('ca')],
  }),
  check('issue-returns-the-ca-that-replaced-another', {
    requirement: 'pki.issue.returns.issuing-ca',
    given: [...rootedWith(), issue(), deleteRoot],
    when: rootShown(generateRoot({ common_name: 'second.example' }), 'later'),
    then: [next(issue(), holdsCertificate('later'))],
  }),
  check('private-key-of-an-issued-certificate-is-not-stored', {
    requirement: 'pki.issue.key-not-stored',
    given: [...rootedWith(), issued(), readable()],
    when: readAgain(),
    then: [holdsNoKey],
  }),
  check('each-issued-certificate-has-a-key-of-its-own', {
    requirement: 'pki.issue.key-not-stored',
    given: [...rootedWith(), firstIssued],
    when: issue(),
    then: [hasAnotherKey('first')],
  }),
  check('private-keys-of-issued-certificates-are-not-listed', {
    requirement: 'pki.issue.key-not-stored',
    given: [...rootedWith(), issued()],
    when: listedCerts,
    then: [listsNoKey],
  }),
  check('key-of-an-internal-root-is-not-retrievable', {
    requirement: 'pki.state.generate.internal-irretrievable',
    given: [...rooted(), serialOf('ca', 'root')],
    when: readKeyAnywhere('root'),
    then: [holdsCertificateAlone('ca')],
  }),
]

export default topic('pki/fields-bundles', {
  about: 'The other content of replies with a certificate or a CSR: keys, the CA, and in a bundle nothing else.',
  checks: [...bundles, ...returned],
})
