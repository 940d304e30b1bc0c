import { about, afterSuccess, type Check, check, next, post, refused } from '../../harness/vocabulary/index.ts'
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
  }),
  check('set-signed-certificate-is-shown-in-der', {
    requirement: ['pki.state.set-signed.one-at-a-time', 'pki.state.set-signed.makes-ca'],
    given: [...rootRead, csrSigned()],
    when: setSigned('{signed}'),
    then: [shownInDer('signed')],
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
  }),
  check('intermediate-may-follow-a-deleted-root', {
    requirement: ['pki.state.intermediate.makes-csr', 'pki.state.set-signed.key-signs'],
    given: [...rooted(), deleteRoot, csrSigned(), role()],
    when: setSigned('{signed}'),
    then: [about('pki.state.set-signed.key-signs', signs('signed'))],
  }),
  check('set-signed-lets-an-exported-key-sign', {
    requirement: 'pki.state.set-signed.key-signs',
    given: [mounted(), csrSigned('signed', '{mount}', {}, 'exported'), role()],
    when: setSigned('{signed}'),
    then: [signs('signed')],
  }),
]

/** The ways in which a mount gets a CA, other than by generating a root. */
const ways = [
  { origin: 'submitted', given: submitted(), ca: 'bundle' },
  { origin: 'signed', given: intermediate, ca: 'signed' },
] as const

const present: readonly Check[] = ways.flatMap(({ origin, given, ca }) => [
  check(`root-generate-keeps-the-certificate-of-a-${origin}-ca`, {
    requirement: 'pki.state.generate-again.certificate-stays',
    given,
    when: second,
    then: [next(caPem, isSaved(ca))],
  }),
  check(`root-generate-keeps-the-key-of-a-${origin}-ca`, {
    requirement: 'pki.state.generate-again.key-stays',
    given: [...given, role()],
    when: second,
    then: [next(issue(), signedBy(ca))],
  }),
  check(`deleted-${origin}-ca-signs-nothing`, {
    requirement: 'pki.state.delete.no-key',
    given: [...given, role(), issue(), deleteRoot],
    when: issue(),
    then: [refused(noneIssued)],
  }),
  check(`certificate-of-a-deleted-${origin}-ca-is-readable`, {
    requirement: 'pki.state.delete.certificate-readable',
    given: [...given, serialOf(ca, 'own'), deleteRoot],
    when: readCaAnywhere('own', shows(ca)),
    then: [holdsCertificate(ca)],
  }),
  check(`intermediate-generate-destroys-the-key-of-a-${origin}-ca`, {
    requirement: 'pki.state.intermediate.overwrites-ca-key',
    given: [...given, role(), issued()],
    when: generateIntermediate(),
    then: [afterSuccess(next(issue(), notSignedBy(ca)))],
  }),
])

/** The key of a CA that was set as signed was generated for a CSR. After the root is deleted, the certificate cannot be
 * set again with that key. */
const gone = check('deleted-key-of-a-signed-ca-cannot-be-set-again', {
  requirement: 'pki.state.delete.no-key',
  given: [...intermediate, role(), issue(), deleteRoot],
  when: inTurn(setSigned('{signed}'), issue()),
  then: [refused(noneIssued)],
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
})

/** An overwritten key cannot be used for anything: besides issuing leaves, it cannot sign intermediates. */
const overwritten = check('intermediate-generate-ends-the-signing-of-intermediates', {
  requirement: 'pki.state.intermediate.overwrites-ca-key',
  given: [...rooted({ max_path_length: 5 }), csr({ key: 'ecLeaf', commonName: 'csr.example' }), signIntermediate()],
  when: generateIntermediate(),
  then: [afterSuccess(next(signIntermediate(), notSignedBy('ca')))],
})

/** If a foreign certificate is refused, the generated key must still accept its own certificate. */
const afterForeign = check('generated-key-waits-beyond-a-foreign-certificate', {
  requirement: ['pki.state.set-signed.makes-ca', 'pki.state.set-signed.must-match'],
  given: [mounted(), csrSigned(), foreign],
  when: inTurn(setSigned('{foreign}'), setSigned('{signed}')),
  then: [next(caPem, isSaved('signed'))],
})

/** No key was generated on the mount, so no certificate can match one. The twin has a key, and a certificate for it. */
const keyless = [mounted(), foreign, mounted({ as: 'twin' }), csrSigned('signed', '{twin}')]

const withoutKey: readonly Check[] = [
  check('certificate-without-a-generated-key-does-not-become-the-ca', {
    ground: 'own',
    requirement: 'pki.state.set-signed.must-match',
    given: keyless,
    when: setSigned('{foreign}'),
    then: [next(caPem, notShown('foreign'))],
    control: setSigned('{signed}', '{twin}'),
  }),
  check('certificate-without-a-generated-key-is-refused', {
    ground: 'own',
    requirement: 'pki.set-signed.foreign-refused',
    given: keyless,
    when: setSigned('{foreign}'),
    then: [refused(caStays)],
    control: setSigned('{signed}', '{twin}'),
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
  }),
  check('root-with-the-default-key-signs-its-own-crl', {
    requirement: 'pki.state.generate.signs-own-crl',
    given: byDefault,
    when: crlThere(crlDer),
    then: [listSignedBy('ca')],
  }),
]

export default topic('pki/transitions-authorities', {
  about: 'What calls do to a CA that was generated, submitted or signed elsewhere, and what is shown of it afterwards.',
  names: ['mount', 'twin'],
  checks: [...replacing, ...making, ...present, gone, unkeyed, overwritten, ...withoutKey, afterForeign, ...withRsa],
})
