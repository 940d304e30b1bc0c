import type { Check } from '../../harness/vocabulary/index.ts'
import { afterSuccess, check, next, post, refused } from '../../harness/vocabulary/index.ts'
import { issued, serialOf } from './given/certificates.ts'
import { foreign } from './given/chains.ts'
import {
  caDer,
  caPem,
  caStays,
  configCa,
  crlDer,
  csr,
  csrSigned,
  deleteRoot,
  generateIntermediate,
  generateRoot,
  intermediate,
  issue,
  mounted,
  noneIssued,
  role,
  rooted,
  rootMade,
  setSigned,
  signIntermediate,
  submitted,
  submittedRoot,
} from './given/given.ts'
import { inTurn } from './given/in-turn.ts'
import { crlThere } from './given/lists.ts'
import { readCaAnywhere } from './given/reading.ts'
import { holdsCertificate, shows } from './then/encodings.ts'
import { listSignedBy } from './then/revocation.ts'
import { isSaved, notShown, notSignedBy, signedBy } from './then/then.ts'
import { topic } from './topic.ts'

const second = generateRoot({ common_name: 'second.example' })

/** The first CA is read before it is replaced, so that a server which caches the reply too long is noticed. */
const rootRead = [...rooted(), caDer]
const shownInDer = (name: string) => afterSuccess(next(caDer, isSaved(name)))

const replacing: readonly Check[] = [
  check('submitted-certificate-is-shown-in-der', {
    requirement: 'pki.state.config-ca.certificate-overridden',
    given: [...rootRead, submittedRoot()],
    when: configCa('bundle'),
    then: [shownInDer('bundle')],
    mutants: [
      'pki/ca-der-keeps-the-first-ca',
      'pki/config-ca-keeps-the-old-certificate',
      'pki/config-ca-is-ignored-with-a-ca',
    ],
  }),
  check('set-signed-certificate-is-shown-in-der', {
    requirement: ['pki.state.set-signed.one-at-a-time', 'pki.state.set-signed.makes-ca'],
    given: [...rootRead, csrSigned()],
    when: setSigned('{signed}'),
    then: [shownInDer('signed')],
    mutants: ['pki/ca-der-keeps-the-first-ca', 'pki/set-signed-keeps-the-old-certificate'],
  }),
]

const signs = (name: string) => afterSuccess(next(issue(), signedBy(name)))

/** The state of the mount and the type of the key make no difference to what makes a CA. */
const making: readonly Check[] = [
  check('submitted-bundle-makes-the-ca-beside-a-csr', {
    requirement: ['pki.state.config-ca.makes-ca', 'pki.state.config-ca.key-signs'],
    given: [mounted(), generateIntermediate(), role(), submittedRoot()],
    when: configCa('bundle'),
    then: [signs('bundle')],
    mutants: ['pki/config-ca-is-ignored-beside-a-csr'],
  }),
  check('intermediate-may-follow-a-deleted-root', {
    requirement: ['pki.state.intermediate.makes-csr', 'pki.state.set-signed.key-signs'],
    given: [...rooted(), deleteRoot, csrSigned(), role()],
    when: setSigned('{signed}'),
    then: [signs('signed')],
    mutants: ['pki/intermediate-generate-after-delete-is-ignored', 'pki/set-signed-signs-with-another-key'],
  }),
  check('set-signed-lets-an-exported-key-sign', {
    requirement: 'pki.state.set-signed.key-signs',
    given: [mounted(), csrSigned('signed', '{mount}', {}, 'exported'), role()],
    when: setSigned('{signed}'),
    then: [signs('signed')],
    mutants: ['pki/intermediate-generate-exported-keeps-no-key', 'pki/set-signed-signs-with-another-key'],
  }),
]

/** The ways in which a mount gets a CA, other than by generating a root. */
const ways = [
  { origin: 'submitted', given: submitted(), ca: 'bundle', signsWrongly: [] },
  { origin: 'signed', given: intermediate, ca: 'signed', signsWrongly: ['pki/set-signed-signs-with-another-key'] },
] as const

const present: readonly Check[] = ways.flatMap(({ origin, given, ca, signsWrongly }) => [
  check(`root-generate-keeps-the-certificate-of-a-${origin}-ca`, {
    requirement: 'pki.state.generate-again.certificate-stays',
    given,
    when: second,
    then: [next(caPem, isSaved(ca))],
    mutants: [
      `pki/root-generate-overwrites-a-${origin}-ca`,
      'pki/root-generate-overwrites',
      'pki/root-generate-replaces-the-certificate',
    ],
  }),
  check(`root-generate-keeps-the-key-of-a-${origin}-ca`, {
    requirement: 'pki.state.generate-again.key-stays',
    given: [...given, role()],
    when: second,
    then: [next(issue(), signedBy(ca))],
    mutants: [
      `pki/root-generate-overwrites-a-${origin}-ca`,
      'pki/root-generate-overwrites',
      'pki/root-generate-replaces-the-key',
      ...signsWrongly,
    ],
  }),
  check(`deleted-${origin}-ca-signs-nothing`, {
    requirement: 'pki.state.delete.no-key',
    given: [...given, role(), issue(), deleteRoot],
    when: issue(),
    then: [refused(noneIssued)],
    mutants: [`pki/root-delete-keeps-the-key-of-a-${origin}-ca`, 'pki/root-delete-keeps-the-key', 'pki/refusals-act'],
  }),
  check(`certificate-of-a-deleted-${origin}-ca-is-readable`, {
    requirement: 'pki.state.delete.certificate-readable',
    given: [...given, serialOf(ca, 'own'), deleteRoot],
    when: readCaAnywhere('own', shows(ca)),
    then: [holdsCertificate(ca)],
    mutants: [`pki/root-delete-removes-the-certificate-of-a-${origin}-ca`, 'pki/root-delete-removes-the-certificate'],
  }),
  check(`intermediate-generate-destroys-the-key-of-a-${origin}-ca`, {
    requirement: 'pki.state.intermediate.overwrites-ca-key',
    given: [...given, role(), issued()],
    when: generateIntermediate(),
    then: [afterSuccess(next(issue(), notSignedBy(ca)))],
    mutants: [
      `pki/intermediate-generate-keeps-the-key-of-a-${origin}-ca`,
      'pki/intermediate-generate-keeps-the-old-key',
    ],
  }),
])

/** The key of a CA that was set as signed was generated for a CSR. After the root is deleted, the certificate cannot be
 * set again with that key. */
const gone = check('deleted-key-of-a-signed-ca-cannot-be-set-again', {
  requirement: 'pki.state.delete.no-key',
  given: [...intermediate, role(), issue(), deleteRoot],
  when: inTurn(setSigned('{signed}'), issue()),
  then: [refused(noneIssued)],
  mutants: [
    'pki/root-delete-keeps-the-generated-key',
    'pki/root-delete-keeps-the-key-of-a-signed-ca',
    'pki/root-delete-keeps-the-key',
    'pki/refusals-act',
  ],
})

/** A deleted key cannot be used for anything: besides issuing leaves, it cannot sign intermediates. */
const unkeyed = check('deleted-root-signs-no-intermediate', {
  requirement: 'pki.state.delete.no-key',
  given: [
    ...rooted({ max_path_length: 5 }),
    csr({ key: 'ecLeaf', commonName: 'csr.example' }),
    signIntermediate(),
    deleteRoot,
  ],
  when: signIntermediate(),
  then: [refused(noneIssued)],
  mutants: ['pki/deleted-root-signs-intermediates', 'pki/root-delete-keeps-the-key', 'pki/refusals-act'],
})

/** An overwritten key cannot be used for anything: besides issuing leaves, it cannot sign intermediates. */
const overwritten = check('intermediate-generate-ends-the-signing-of-intermediates', {
  requirement: 'pki.state.intermediate.overwrites-ca-key',
  given: [...rooted({ max_path_length: 5 }), csr({ key: 'ecLeaf', commonName: 'csr.example' }), signIntermediate()],
  when: generateIntermediate(),
  then: [afterSuccess(next(signIntermediate(), notSignedBy('ca')))],
  mutants: [
    'pki/replaced-key-signs-intermediates',
    'pki/deleted-root-signs-intermediates',
    'pki/intermediate-generate-keeps-the-old-key',
  ],
})

/** If a foreign certificate is refused, the generated key must still accept its own certificate. */
const afterForeign = check('generated-key-waits-beyond-a-foreign-certificate', {
  requirement: ['pki.state.set-signed.makes-ca', 'pki.state.set-signed.must-match'],
  given: [mounted(), csrSigned(), foreign],
  when: inTurn(setSigned('{foreign}'), setSigned('{signed}')),
  then: [next(caPem, isSaved('signed'))],
  mutants: ['pki/set-signed-refusal-drops-the-key'],
})

/** No key was generated on the mount, so no certificate can match one. The twin has a key, and a certificate for it. */
const keyless = [mounted(), foreign, mounted({ as: 'twin' }), csrSigned('signed', '{twin}')]

const withoutKey: readonly Check[] = [
  check('certificate-without-a-generated-key-does-not-become-the-ca', {
    requirement: 'pki.state.set-signed.must-match',
    given: keyless,
    when: setSigned('{foreign}'),
    then: [next(caPem, notShown('foreign'))],
    control: setSigned('{signed}', '{twin}'),
    mutants: ['pki/set-signed-without-a-key-takes-any-certificate'],
  }),
  check('certificate-without-a-generated-key-is-refused', {
    requirement: 'pki.set-signed.foreign-refused',
    given: keyless,
    when: setSigned('{foreign}'),
    then: [refused(caStays)],
    control: setSigned('{signed}', '{twin}'),
    mutants: [
      'pki/set-signed-without-a-key-takes-any-certificate',
      'pki/set-signed-without-a-key-drops-the-certificate',
      'pki/refusals-act',
    ],
  }),
]

/** The type of the key is left to its default, which is RSA; another check judges that default. */
const byDefault = [
  mounted(),
  rootMade(post('{mount}/root/generate/internal', { common_name: 'root.example', ttl: '24h' })),
]

const withRsa: readonly Check[] = [
  check('root-with-the-default-key-signs', {
    requirement: 'pki.state.generate.makes-ca',
    given: [...byDefault, role()],
    when: issue(),
    then: [signedBy('ca')],
    mutants: ['pki/rsa-root-signs-with-another-key', 'pki/root-generate-signs-with-another-key'],
  }),
  check('root-with-the-default-key-signs-its-own-crl', {
    requirement: 'pki.state.generate.signs-own-crl',
    given: byDefault,
    when: crlThere(crlDer),
    then: [listSignedBy('ca')],
    mutants: ['pki/rsa-root-signs-its-crl-with-another-key', 'pki/crl-signed-by-another-key', 'pki/crl-issuer-altered'],
  }),
]

export default topic('pki/transitions-authorities', {
  about: 'What calls do to a CA that was generated, submitted or signed elsewhere, and what is shown of it afterwards.',
  names: ['mount', 'twin'],
  checks: [...replacing, ...making, ...present, gone, unkeyed, overwritten, ...withoutKey, afterForeign, ...withRsa],
})
