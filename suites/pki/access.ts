import { type Check, check, get, next, refused, type Step } from '../../harness/vocabulary/index.ts'
import { aclPolicy, ifAccepted, token } from '../given.ts'
import { issued } from './given/certificates.ts'
import { csrSignedBelow, expiredRoot, submittedChain, submittedLongChain } from './given/chains.ts'
import {
  caWorks,
  configCa,
  csrSigned,
  deleteRoot,
  generateRoot,
  intermediateSigned,
  issue,
  mounted,
  rooted,
  rootedWith,
  rootShown,
  setSigned,
  submitted,
  submittedRoot,
} from './given/given.ts'
import { crlThere } from './given/lists.ts'
import { readAgain, readable } from './given/reading.ts'
import { holdsCertificate, holdsCertificateWithout, isBare } from './then/encodings.ts'
import { isStructuredList } from './then/revocation.ts'
import { isOfSerial, notSignedBy } from './then/then.ts'
import { topic } from './topic.ts'

const chain = get('{mount}/ca_chain')
const withChain: readonly Step[] = [...intermediateSigned, setSigned('{signed}\n{top}')]

const bare = [
  { id: 'ca', path: 'ca', given: rooted(), then: isBare('der', 'CERTIFICATE', 'ca') },
  { id: 'ca-pem', path: 'ca/pem', given: [mounted(), expiredRoot], then: isBare('pem', 'CERTIFICATE', 'ca') },
  {
    id: 'ca-chain',
    path: 'ca_chain',
    given: withChain,
    // Here only the format is judged; the check of set-signed judges whether the chain has the certificates above.
    then: isBare('pem', 'CERTIFICATE', 'signed'),
  },
  { id: 'crl', path: 'crl', given: rooted(), then: isBare('der', 'CRL') },
  { id: 'crl-pem', path: 'crl/pem', given: rooted(), then: isBare('pem', 'CRL') },
] as const

/** If a request without a token returns the object itself, no token is needed, and the body has no JSON envelope. */
const unauthenticated: readonly Check[] = bare.map(({ id, path, given, then }) =>
  check(`${id}-is-bare-and-needs-no-token`, {
    requirement: [`pki.${id}.unauthenticated`, `pki.${id}.bare`],
    given,
    when: id.startsWith('crl')
      ? crlThere(get(`{mount}/${path}`, { as: 'nobody' }))
      : get(`{mount}/${path}`, { as: 'nobody' }),
    then: [then],
  }),
)

const certificates: readonly Check[] = [
  check('certificate-needs-no-token', {
    requirement: 'pki.cert.unauthenticated',
    given: [...rootedWith(), issued(), readable()],
    when: readAgain('serial', 'nobody'),
    then: [isOfSerial()],
  }),
  check('structured-crl-needs-no-token', {
    requirement: 'pki.cert-crl.unauthenticated',
    given: rooted(),
    when: crlThere(get('{mount}/cert/crl', { as: 'nobody' })),
    then: [isStructuredList],
  }),
  check('chain-of-a-generated-root-includes-it', {
    requirement: 'pki.ca-chain.of-root',
    given: rooted(),
    when: chain,
    then: [holdsCertificate('ca')],
  }),
  check('chain-of-an-intermediate-includes-it', {
    requirement: 'pki.ca-chain.of-intermediate',
    given: withChain,
    when: chain,
    then: [holdsCertificate('signed')],
  }),
  check('set-signed-appends-the-chain', {
    requirement: 'pki.state.set-signed.chain',
    given: intermediateSigned,
    when: setSigned('{signed}\n{top}'),
    then: [next(chain, holdsCertificate('top'))],
  }),
  check('submitted-chain-is-kept', {
    requirement: 'pki.config-ca.chain',
    given: [mounted(), submittedChain()],
    when: configCa('bundle'),
    then: [next(chain, holdsCertificate('top'))],
  }),
  check('chain-of-a-submitted-root-includes-it', {
    requirement: 'pki.ca-chain.of-submitted-root',
    given: submitted(),
    when: chain,
    then: [holdsCertificate('bundle')],
  }),
  check('chain-of-a-replaced-ca-is-gone', {
    requirement: 'pki.ca-chain.of-present-ca',
    // The chain is read once before the change, so that a server which caches it is noticed.
    given: [mounted(), submittedChain(), configCa('bundle'), chain, submittedRoot('later', 'later.example')],
    when: configCa('later'),
    then: [next(chain, holdsCertificateWithout('later', 'top'))],
  }),
  check('chain-of-a-ca-that-set-signed-replaced-is-gone', {
    requirement: 'pki.ca-chain.of-present-ca',
    given: [mounted(), submittedChain('bundle', 'formerTop'), configCa('bundle'), csrSigned()],
    when: setSigned('{signed}'),
    then: [next(chain, holdsCertificateWithout('signed', 'formerTop'))],
  }),
  check('chain-of-a-deleted-ca-is-gone-once-a-root-is-generated', {
    requirement: 'pki.ca-chain.of-present-ca',
    given: [mounted(), submittedChain('bundle', 'formerTop'), configCa('bundle'), deleteRoot],
    when: rootShown(generateRoot({ common_name: 'second.example' }), 'later'),
    then: [next(chain, holdsCertificateWithout('later', 'formerTop'))],
  }),
  // A server may refuse certificates without the id of the key that signs them.
  ...[
    { id: 'set-signed-appends-each-certificate-of-the-chain', ids: true },
    { id: 'set-signed-appends-certificates-without-key-ids', ids: false },
  ].map(({ id, ids }) => {
    const holds = (name: string) => next(chain, holdsCertificate(name))
    return check(id, {
      requirement: 'pki.state.set-signed.chain',
      given: [mounted(), csrSignedBelow(ids)],
      when: setSigned('{signed}\n{middle}\n{top}'),
      then: ids ? [holds('middle'), holds('top')] : [ifAccepted(holds('middle')), ifAccepted(holds('top'))],
    })
  }),
  check('submitted-chain-is-kept-as-a-whole', {
    requirement: 'pki.config-ca.chain',
    given: [mounted(), submittedLongChain],
    when: configCa('bundle'),
    then: [next(chain, holdsCertificate('middle')), next(chain, holdsCertificate('top'))],
  }),
]

/** Two tokens that may DELETE the root; one of them has sudo. */
const twoTokens: readonly Step[] = (['plain', 'mighty'] as const).flatMap((name): readonly Step[] => {
  const capabilities = name === 'mighty' ? ['delete', 'sudo'] : ['delete']
  return [...aclPolicy(`{${name}Policy}`, [{ path: '{mount}/root', capabilities }]), token(name, [`{${name}Policy}`])]
})

const privileged: readonly Check[] = [
  check('root-delete-needs-sudo', {
    requirement: 'pki.root-delete.sudo-needed',
    given: [...rootedWith(), ...twoTokens],
    when: { ...deleteRoot, as: 'plain' },
    then: [refused(caWorks)],
    control: { ...deleteRoot, as: 'mighty' },
  }),
  check('root-delete-is-granted-with-sudo', {
    requirement: 'pki.root-delete.sudo-suffices',
    given: [...rootedWith(), issue(), ...twoTokens],
    when: { ...deleteRoot, as: 'mighty' },
    then: [next(issue(), notSignedBy('ca'))],
  }),
]

export default topic('pki/access', {
  about: 'The endpoints that need no token, with or without an envelope, and those that need sudo.',
  names: ['mount', 'plainPolicy', 'mightyPolicy'],
  checks: [...unauthenticated, ...certificates, ...privileged],
})
