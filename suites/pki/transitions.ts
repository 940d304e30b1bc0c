/** Checks that follow the CA of a mount through its states. */
import { bundleOf, certified, faultyBundle } from '../../fixtures/pki/authorities.ts'
import { afterSuccess, type Check, check, next, refused, type Step } from '../../harness/vocabulary/index.ts'
import { issued, serialOf } from './given/certificates.ts'
import { foreign, submittedChain, submittedOnTwoPaths, submittedRsa } from './given/chains.ts'
import {
  caPem,
  caStays,
  configCa,
  crlDer,
  csrSigned,
  deleteRoot,
  exportedRoot,
  generateIntermediate,
  generateRoot,
  intermediateSigned,
  issue,
  made,
  mounted,
  noneIssued,
  role,
  rooted,
  rootedWith,
  rootGeneration,
  rootShown,
  setSigned,
  submitted,
  submittedRoot,
} from './given/given.ts'
import { inTurn } from './given/in-turn.ts'
import { crlThere } from './given/lists.ts'
import { readCaAnywhere } from './given/reading.ts'
import { disable } from './given/revocations.ts'
import { holdsCertificate, holdsNoKeyOf, shows } from './then/encodings.ts'
import { listSignedBy } from './then/revocation.ts'
import {
  hasAnotherKey,
  isNotSaved,
  isSaved,
  isSelfSigned,
  notShown,
  notSignedBy,
  requestIsSigned,
  signedBy,
  signedByKey,
} from './then/then.ts'
import { topic } from './topic.ts'

const second = generateRoot({ common_name: 'second.example' })
const showsSaved = (name: string) => next(caPem, isSaved(name))
const signsWith = (name: string) => next(issue(), signedBy(name))

const generating: readonly Check[] = [
  // What was configured before is no condition of the row.
  ...[
    { id: 'generated-root-signs', before: [] },
    { id: 'root-generated-where-the-crl-is-disabled-signs', before: [disable] },
  ].map(({ id, before }) =>
    check(id, {
      requirement: ['pki.state.generate.makes-ca', 'pki.mount.anywhere'],
      given: [mounted(), ...before, role()],
      when: rootGeneration(),
      then: [signsWith('ca')],
    }),
  ),
  check('generated-root-is-self-signed', {
    requirement: 'pki.state.generate.self-signed',
    given: [mounted()],
    when: rootGeneration(),
    then: [isSelfSigned],
  }),
  check('exported-key-of-a-root-is-the-one-that-signs', {
    requirement: 'pki.state.generate.exported-key-signs',
    given: [mounted(), exportedRoot, role()],
    when: issue(),
    then: [signedByKey('exported')],
  }),
  check('root-signs-its-own-crl', {
    requirement: 'pki.state.generate.signs-own-crl',
    given: rooted(),
    when: crlThere(crlDer),
    then: [listSignedBy('ca')],
  }),
  check('root-generate-keeps-the-certificate', {
    requirement: 'pki.state.generate-again.certificate-stays',
    given: rooted(),
    when: second,
    then: [showsSaved('ca')],
  }),
  check('root-generate-keeps-the-key', {
    requirement: 'pki.state.generate-again.key-stays',
    given: rootedWith(),
    // The first root is `internal`; the second is `exported`, which could be handled differently.
    when: generateRoot({ common_name: 'second.example' }, 'exported'),
    then: [signsWith('ca')],
  }),
]

const unrevealed = check('root-generate-reveals-no-key-of-an-internal-root', {
  requirement: 'pki.state.generate.internal-irretrievable',
  given: rooted(),
  when: generateRoot({ common_name: 'second.example' }, 'exported'),
  then: [holdsNoKeyOf('ca')],
})

const deleting: readonly Check[] = [
  check('deleted-root-signs-nothing', {
    requirement: 'pki.state.delete.no-key',
    given: [...rootedWith(), issue(), deleteRoot],
    when: issue(),
    then: [refused(noneIssued)],
  }),
  check('certificate-of-a-deleted-root-is-readable', {
    requirement: 'pki.state.delete.certificate-readable',
    given: [...rooted(), serialOf('ca', 'root'), deleteRoot],
    when: readCaAnywhere('root', shows('ca')),
    then: [holdsCertificate('ca')],
  }),
  check('certificate-of-a-deleted-root-is-shown-at-its-place', {
    requirement: 'pki.state.delete.certificate-in-place',
    given: [...rooted(), deleteRoot],
    when: caPem,
    then: [isSaved('ca')],
  }),
  check('root-generated-after-a-deleted-one-is-shown', {
    requirement: ['pki.state.generate-again.after-delete', 'pki.state.delete.until-generated'],
    given: [...rooted(), deleteRoot],
    when: second,
    then: [next(caPem, isNotSaved('ca'))],
  }),
  check('root-generated-after-a-deleted-one-signs', {
    requirement: 'pki.state.generate-again.after-delete',
    given: [...rootedWith(), deleteRoot],
    when: rootShown(second, 'later'),
    then: [next(issue(), signedBy('later'))],
  }),
  check('root-generated-after-a-deleted-one-has-another-key', {
    requirement: ['pki.state.delete.no-key', 'pki.state.generate-again.after-delete'],
    given: [...rooted(), deleteRoot],
    when: rootShown(second, 'later'),
    then: [hasAnotherKey('ca')],
  }),
  check('root-submitted-after-a-deleted-one-is-shown', {
    requirement: 'pki.state.delete.until-uploaded',
    given: [...rooted(), deleteRoot, submittedRoot()],
    when: configCa('bundle'),
    then: [afterSuccess(showsSaved('bundle'))],
  }),
]

const invalid = ['key-foreign', 'not-a-ca', 'truncated', 'garbage'] as const

const submitting: readonly Check[] = [
  check('submitted-certificate-is-the-ca', {
    requirement: 'pki.state.config-ca.makes-ca',
    given: [mounted(), submittedChain()],
    when: configCa('bundle'),
    then: [afterSuccess(showsSaved('bundle'))],
  }),
  check('submitted-key-signs', {
    requirement: 'pki.state.config-ca.key-signs',
    given: [mounted(), submittedOnTwoPaths, role()],
    when: configCa('bundle'),
    then: [afterSuccess(signsWith('bundle'))],
  }),
  check('submitted-rsa-key-signs', {
    requirement: 'pki.state.config-ca.key-signs',
    given: [mounted(), submittedRsa, role()],
    when: configCa('bundle'),
    then: [afterSuccess(signsWith('bundle'))],
  }),
  check('submitted-certificate-overrides-the-old-one', {
    requirement: ['pki.state.config-ca.certificate-overridden', 'pki.spelling.pem-text', 'pki.spelling.pem-pkcs8'],
    given: [...rooted(), submittedRoot()],
    when: configCa('bundle'),
    then: [afterSuccess(showsSaved('bundle'))],
  }),
  check('submitted-key-overrides-the-old-one', {
    requirement: ['pki.state.config-ca.key-overridden', 'pki.spelling.pem-crlf'],
    given: [...rootedWith(), submittedRoot()],
    when: configCa('bundle'),
    then: [afterSuccess(signsWith('bundle'))],
  }),
  check('submitted-key-overrides-that-of-a-ca-of-the-same-name', {
    requirement: 'pki.state.config-ca.key-overridden',
    given: [
      ...rootedWith(),
      made('bundle', 'a bundle of a root with the subject of the present one, and its key', async () =>
        bundleOf(await certified({ name: 'root.example', key: 'ecAuthority' })),
      ),
    ],
    when: configCa('bundle'),
    then: [afterSuccess(signsWith('bundle'))],
  }),
  check('later-submitted-certificate-overrides-a-submitted-one', {
    requirement: ['pki.state.config-ca.certificate-overridden', 'pki.spelling.pem-space'],
    given: [...submitted(), submittedRoot('later', 'later.example')],
    when: configCa('later'),
    then: [afterSuccess(showsSaved('later'))],
  }),
  ...invalid.map((fault) =>
    check(`${fault === 'not-a-ca' ? 'leaf' : fault}-bundle-does-not-become-the-ca`, {
      requirement: 'pki.state.config-ca.invalid-changes-nothing',
      given: [
        ...rooted(),
        made('bundle', `a bundle with the fault ${fault}`, () => faultyBundle(fault)),
        mounted({ as: 'twin' }),
        submittedRoot('valid'),
      ],
      when: configCa('bundle'),
      then: [showsSaved('ca')],
      control: configCa('valid', '{twin}'),
    }),
  ),
]

/** A mount that has a root, and a CSR of it that another root signed. */
const overRoot: readonly Step[] = [...rooted(), csrSigned()]
const intermediates: readonly Check[] = [
  check('csr-is-signed-by-its-own-key', {
    requirement: 'pki.state.intermediate.makes-csr',
    given: [mounted()],
    when: generateIntermediate(),
    then: [requestIsSigned],
  }),
  check('intermediate-generate-destroys-the-key-of-the-ca', {
    requirement: 'pki.state.intermediate.overwrites-ca-key',
    given: [...rootedWith(), issued()],
    when: generateIntermediate(),
    then: [afterSuccess(next(issue(), notSignedBy('ca')))],
  }),
  check('intermediate-generate-destroys-the-key-of-the-earlier-csr', {
    requirement: 'pki.state.intermediate.overwrites-csr-key',
    // A twin without the later CSR shows that the certificate is accepted and that its key signs.
    given: [
      ...intermediateSigned,
      role(),
      mounted({ as: 'twin' }),
      csrSigned('twinSigned', '{twin}'),
      setSigned('{twinSigned}', '{twin}'),
      role({}, 'leaf', '{twin}'),
    ],
    when: inTurn(generateIntermediate({ common_name: 'later.example' }), setSigned('{signed}'), issue()),
    then: [notSignedBy('signed')],
    control: issue({}, 'leaf', '{twin}'),
  }),
  check('set-signed-makes-the-ca', {
    requirement: 'pki.state.set-signed.makes-ca',
    given: intermediateSigned,
    when: setSigned('{signed}\n{top}'),
    then: [afterSuccess(showsSaved('signed'))],
  }),
  check('set-signed-replaces-an-earlier-ca', {
    requirement: ['pki.state.set-signed.one-at-a-time', 'pki.state.set-signed.makes-ca'],
    given: overRoot,
    when: setSigned('{signed}'),
    then: [afterSuccess(showsSaved('signed'))],
  }),
  check('set-signed-lets-the-generated-key-sign', {
    requirement: 'pki.state.set-signed.key-signs',
    given: [...intermediateSigned, role()],
    when: setSigned('{signed}'),
    then: [afterSuccess(signsWith('signed'))],
  }),
  check('set-signed-lets-a-generated-rsa-key-sign', {
    requirement: 'pki.state.set-signed.key-signs',
    given: [mounted(), csrSigned('signed', '{mount}', { key_type: 'rsa', key_bits: 2048 }), role()],
    when: setSigned('{signed}'),
    then: [afterSuccess(signsWith('signed'))],
  }),
  check('foreign-certificate-does-not-become-the-ca', {
    requirement: 'pki.state.set-signed.must-match',
    given: [...intermediateSigned, foreign],
    when: setSigned('{foreign}'),
    then: [next(caPem, notShown('foreign'))],
    control: setSigned('{signed}'),
  }),
  check('foreign-certificate-is-refused', {
    requirement: 'pki.set-signed.foreign-refused',
    given: [...intermediateSigned, foreign],
    when: setSigned('{foreign}'),
    then: [refused(caStays)],
    control: setSigned('{signed}'),
  }),
]

export default topic('pki/transitions', {
  about: 'How a mount gets a CA, changes it and loses it, and which key signs after each step.',
  names: ['mount', 'twin'],
  checks: [...generating, unrevealed, ...deleting, ...submitting, ...intermediates],
})
