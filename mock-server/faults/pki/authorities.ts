/** Faults of how calls change the CA of a mount, and of which key signs. */

import { applyStep, stepFor } from '../../engines/pki/certificates/authority.ts'
import { crlConfigOf } from '../../engines/pki/certificates/revocation.ts'
import { serialKey } from '../../engines/pki/certificates/serials.ts'
import { isPem, readCertificates, readKeyField } from '../../engines/pki/pem-input.ts'
import { type CaStep, replaced, unchanged } from '../../engines/pki/rules/states.ts'
import {
  type Ca,
  type CaCertificate,
  type CaKey,
  caCertificate,
  caKey,
  emptyStore,
  type Issuer,
  type Origin,
} from '../../engines/pki/store.ts'
import type { Certificate } from '../../engines/pki/x509/certificate.ts'
import { isSameKey, type KeyPair, readPublicKey, traditionalPem } from '../../engines/pki/x509/keys.ts'
import { pem } from '../../engines/pki/x509/pem.ts'
import { type Call, done, type Reply } from '../../kernel/contracts.ts'
import { caStep, part } from './cells.ts'
import {
  after,
  asCa,
  configCa,
  deleteRoot,
  faults,
  formerCa,
  generateIntermediate,
  generateRoot,
  type Here,
  hasFormerCa,
  isSubmitted,
  leavingCa,
  leavingChain,
  on,
  type PkiFault,
  refusing,
  remembering,
  remembersFormerCa,
  setSigned,
  showing,
  signedByStranger,
  signIntermediate,
  stored,
  whenRefused,
} from './pki-operations.ts'
import { strangerKey } from './strangers.ts'

/** Signs leaf certificates with another key than that of the CA, for the CAs that `is` accepts. */
const leavesByStranger = (is: (ca: CaCertificate) => boolean) =>
  signedByStranger('leaf', ({ certificate }) => is(certificate))
const isRsa = ({ key: { pair } }: Issuer): boolean => pair.type === 'rsa'
const serialOfCa = ({ certificate }: Pick<Issuer, 'certificate'>): string => certificate.parsed.serial.toString('hex')

const withBytes = (reply: Reply, bytes: Buffer | string): Reply =>
  reply.kind === 'bare' && reply.bytes.length > 0 ? { ...reply, bytes } : reply

/** Shows the last certificate of the chain instead of the CA, for the CAs that `is` accepts. */
const showsLast = (is: (ca: CaCertificate) => boolean) => {
  const last = ({ context: { store } }: Here): Buffer | undefined =>
    store.ca.shown && is(store.ca.shown) ? store.ca.shown.chain.at(-1) : undefined
  const has = (_call: Call, here: Here): boolean => last(here) !== undefined
  const lastPem = (here: Here): string => pem('CERTIFICATE', last(here) ?? Buffer.alloc(0))
  return [
    on(['GET ca'], has, async (call, next, here) => withBytes(await next(call), last(here) ?? '')),
    on(['GET ca/pem'], has, async (call, next, here) => withBytes(await next(call), lastPem(here))),
    showing(
      ['GET cert/:serial'],
      (call, here) => call.params.serial === 'ca' && has(call, here),
      (fields, here) => ({ ...fields, certificate: lastPem(here) }),
    ),
  ].flat()
}

/** Lets GET ca always return what it returned first. */
const showsFirst = () =>
  on(
    ['GET ca'],
    (_call, { context }) => context.store.ca.shown !== undefined,
    async (call, next, { context, memory }) => {
      const reply = await next(call)
      if (!memory.has('ca')) memory.set('ca', context.store.ca.shown?.parsed.der.toString('base64'))
      return withBytes(reply, Buffer.from(String(memory.get('ca')), 'base64'))
    },
  )

const overwritesBefore = (version: string) => part('states', { rootOverwritesBefore: version })
const hasCa = (_call: Call, { context }: Here): boolean => context.store.ca.state === 'present'
const saysExported = ({ params }: Call): boolean => params.type === 'exported'
/** Replaces a CA that is present. A request that is refused leaves it as it is. */
const overwriting = (when: (call: Call, here: Here) => boolean) =>
  on(
    generateRoot,
    (call, here) => hasCa(call, here) && when(call, here),
    async (call, next, { context: { store } }) => {
      const before = store.ca
      store.ca = emptyStore().ca
      try {
        return await next(call)
      } catch (error) {
        store.ca = before
        throw error
      }
    },
  )

/** Leaves the CA out of its chain. */
const omits = (...origins: readonly Origin[]) => {
  const isMeant = ({ rest, params }: Call, { context }: Here): boolean =>
    (!rest.startsWith('cert/') || params.serial === 'ca_chain') &&
    origins.some((origin) => origin === context.store.ca.shown?.origin)
  const chainOf = ({ context }: Here): string =>
    (context.store.ca.shown?.chain ?? []).map((der) => pem('CERTIFICATE', der)).join('\n')
  return [
    ...on(['GET ca_chain'], isMeant, async (call, next, here) => {
      const reply = await next(call)
      const bytes = chainOf(here)
      return reply.kind === 'bare' ? { ...reply, bytes, status: bytes === '' ? 204 : 200 } : reply
    }),
    ...showing(['GET cert/:serial'], isMeant, (fields, here) => ({ ...fields, certificate: chainOf(here) })),
  ]
}

/** The CAs that were submitted as a root, or set by set-signed. */
const origins = { submitted: 'submitted-root', signed: 'signed' } as const
const isOf =
  (of: keyof typeof origins) =>
  (_call: Call, { context }: Here): boolean =>
    context.store.ca.certificate?.origin === origins[of]
/** Leaves the CA as it was, but forgets or keeps the keys of requests as usual. */
const unchangedBut = (ca: Ca, before: Ca): Ca => ({ ...before, requested: ca.requested })
const noLongerShown = (ca: Ca, before: Ca, { context }: Here): Ca => {
  if (before.shown) context.store.certificates.delete(serialKey(before.shown.parsed.serial))
  return { ...ca, state: 'none', shown: undefined }
}

const notAgain = (_call: Call, { context }: Here): boolean => context.store.ca.certificate !== undefined
/** Does something after a request for a root that did not replace the CA. */
const againAt = (when: (call: Call, here: Here) => boolean, act: (here: Here) => Reply | undefined) =>
  after(
    generateRoot,
    (call, here) => notAgain(call, here) && when(call, here),
    (_call, here, reply) => (reply.kind === 'empty' ? act(here) : undefined),
  )

const keepsFormerChain = (operations: readonly string[]) =>
  leavingChain(
    operations,
    (chain, { shown }) => (chain.length > 0 ? chain : (shown?.chain ?? [])),
    (_call, { context }) => (context.store.ca.shown?.chain.length ?? 0) > 0,
  )
const several =
  (field: string) =>
  ({ body }: Call): boolean =>
    String(body[field]).split('BEGIN CERTIFICATE').length > 2
const drops = (chain: readonly Buffer[]): readonly Buffer[] => chain.slice(0, 0)
const keepsNext = (chain: readonly Buffer[]): readonly Buffer[] => chain.slice(0, 1)
const keepsLast = (chain: readonly Buffer[]): readonly Buffer[] => chain.slice(-1)

/** Returns what `read` returns, or undefined for an invalid text. */
function valid<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
const bundleIn = ({ body }: Call) =>
  valid(() => ({
    certificates: readCertificates('pem_bundle', String(body.pem_bundle)),
    pair: readKeyField('pem_bundle', String(body.pem_bundle)),
  }))
/** Accepts bundles for config/ca that are refused. */
const takesBundles = (isMeant: (certificate: Certificate, pair: KeyPair) => boolean) =>
  whenRefused(
    configCa,
    (call) => {
      const bundle = bundleIn(call)
      return bundle !== undefined && isMeant(bundle.certificates[0], bundle.pair)
    },
    (call, { context }) => {
      const bundle = bundleIn(call)
      if (!bundle) return undefined
      const [own, ...further] = bundle.certificates
      const chain = further.map(({ der }) => der)
      const certificate = caCertificate(own.der, chain, 'submitted-intermediate')
      applyStep(context, stepFor(context, 'configCa'), { key: caKey(bundle.pair), certificate })
      return done
    },
  )

const signedIn = ({ body }: Call): Certificate | undefined =>
  valid(() => readCertificates('certificate', String(body.certificate))[0])
const keysAt = ({ context: { store } }: Here): readonly CaKey[] =>
  [...store.ca.requested, store.ca.key].filter((key) => key !== undefined)
/** Returns whether set-signed is called with the certificate of a CA whose key this server does not have. */
function isForeign(call: Call, here: Here): boolean {
  const certificate = signedIn(call)
  return certificate?.ca === true && !keysAt(here).some(({ pair }) => isSameKey(pair.spki, certificate.spki))
}
const isForeignHere = (call: Call, here: Here): boolean => isForeign(call, here) && keysAt(here).length > 0
const isWithoutKey = (call: Call, { context }: Here): boolean =>
  context.store.ca.state === 'none' && signedIn(call) !== undefined
const shownAlone: CaStep = { next: 'keyless', key: 'gone', certificate: 'gone', shown: 'new', requested: 'gone' }
/** Installs the certificate that set-signed is called with. */
function install(call: Call, { context }: Here, step: CaStep, key: CaKey | undefined): Reply {
  const own = signedIn(call)
  const certificate = own && caCertificate(own.der, [], 'signed')
  if (certificate) applyStep(context, step, { certificate, ...(key && { key }) })
  return done
}

export const ofAuthorities: readonly PkiFault[] = [
  ...faults({
    'root-delete-keeps-the-generated-key':
      'After DELETE root of a CA from set-signed, set-signed accepts its certificate again, and its old key signs.',
    'root-not-self-signed': 'root/generate signs the root certificate with another key than its own.',
    'root-generate-signs-with-another-key':
      'Under a generated root, leaf certificates are signed by another key than that of the root; CRLs are right.',
    'root-exported-key-does-not-sign':
      'Under a root from root/generate/exported, leaf certificates are signed by another key than the exported one.',
    'crl-signed-by-another-key': 'CRLs are signed by another key than that of the CA while they are enabled.',
    'rsa-root-signs-with-another-key':
      'Under a CA with an RSA key, leaf certificates are signed by another key than that of the CA.',
    'rsa-root-signs-its-crl-with-another-key':
      'The CRLs of a CA with an RSA key are signed by another key than that of the CA.',
    'root-generate-overwrites':
      'root/generate on a mount with a CA replaces certificate and key even from version 0.8.1 on.',
    'root-generate-exported-overwrites':
      'root/generate/exported on a mount with a CA replaces certificate and key; root/generate/internal is right.',
    'root-generate-reveals-the-key-of-the-ca':
      'The reply to root/generate/exported on a mount with a CA contains the private key of that CA.',
    'root-generate-keeps-the-former-chain':
      'After DELETE root and a new root/generate, ca_chain still contains the certificates above the former CA.',
    'root-generate-replaces-the-key': 'root/generate on a mount with a CA replaces its key but not its certificate.',
    'root-generate-replaces-the-certificate':
      'root/generate on a mount with a CA replaces the certificate that reads show, but the old CA still signs.',
    'root-generate-overwrites-at-0-8-1': 'In version 0.8.1 itself, root/generate still replaces an existing CA.',
    'root-generate-keeps-before-0-8-1':
      'Before version 0.8.1, root/generate does not replace an existing CA, as in later versions.',
    'root-delete-keeps-the-key': 'After DELETE root, certificates can still be issued.',
    'root-delete-removes-the-certificate': 'After DELETE root, the CA certificate cannot be read any more.',
    'root-generate-after-delete-shows-the-old-certificate':
      'After DELETE root and a new root/generate, reads still show the old CA certificate, although the new CA signs.',
    'root-generate-after-delete-is-refused': 'After DELETE root, a new root/generate changes nothing.',
    'config-ca-after-delete-shows-the-old-certificate':
      'After DELETE root and config/ca, reads still show the old CA certificate.',
    'config-ca-keeps-the-old-certificate':
      'config/ca on a mount with a CA replaces the CA, but reads still show the old certificate.',
    'config-ca-keeps-the-old-key':
      'config/ca on a mount with a CA replaces the certificate, but the old key still signs.',
    'config-ca-keeps-the-key-of-its-subject':
      'config/ca with a certificate that has the subject of the present CA replaces the certificate, but the old key still signs.',
    'config-ca-is-ignored-with-a-ca': 'config/ca on a mount with a CA succeeds but changes nothing.',
    'config-ca-is-ignored-beside-a-csr':
      'config/ca succeeds but changes nothing if a certificate request of the mount waits for its certificate.',
    'intermediate-generate-after-delete-is-ignored':
      'intermediate/generate after DELETE root returns a CSR, but the mount does not keep its key.',
    'intermediate-generate-exported-keeps-no-key':
      'intermediate/generate/exported returns the key and a CSR, but the mount does not keep the key.',
    'root-generate-again-forgets-revocations':
      'root/generate on a mount with a CA leaves the CA as it is, but undoes all revocations.',
    'config-ca-drops-chain': 'The certificates after the first one in a bundle for config/ca are not in ca_chain.',
    'config-ca-keeps-the-next-certificate':
      'Of the certificates in a bundle for config/ca, ca_chain has only the first two.',
    'config-ca-keeps-the-last-certificate':
      'Of the certificates in a bundle for config/ca, ca_chain has only the first and the last one.',
    'config-ca-takes-a-foreign-key': 'config/ca accepts a bundle whose key does not belong to its certificate.',
    'config-ca-takes-a-leaf': 'config/ca accepts a bundle whose certificate is not a CA certificate.',
    'config-ca-drops-bad-bundles': 'config/ca with an invalid bundle succeeds but changes nothing.',
    'intermediate-generate-keeps-the-old-key':
      'After intermediate/generate on a mount with a CA, certificates are still issued under the old CA.',
    'intermediate-generate-keeps-the-first-csr':
      'After a second intermediate/generate, set-signed still accepts a certificate for the first CSR, whose key signs.',
    'intermediate-csr-wrongly-signed': 'intermediate/generate signs the CSR with another key than its own.',
    'set-signed-refusal-drops-the-key':
      'set-signed refuses a certificate for another key but also forgets the generated key.',
    'config-ca-refuses-rsa-keys': 'config/ca refuses a bundle with an RSA key.',
    'config-ca-keeps-the-former-chain':
      'After config/ca with a single certificate, ca_chain still contains the certificates above the former CA.',
    'deleted-root-signs-intermediates': 'After DELETE root, sign-intermediate still signs with the old key.',
    'replaced-key-signs-intermediates':
      'After intermediate/generate on a mount with a CA, sign-intermediate still signs with the old key.',
    'set-signed-refuses-rsa-keys': 'set-signed refuses a certificate for an RSA key.',
    'set-signed-keeps-the-former-chain':
      'After set-signed with a single certificate, ca_chain still contains the certificates above the former CA.',
    'set-signed-takes-a-foreign-certificate': 'set-signed accepts a CA certificate for another key, and reads show it.',
    'set-signed-without-a-key-takes-any-certificate':
      'set-signed on a mount where no key was generated accepts a CA certificate, and reads show it.',
    'set-signed-without-a-key-drops-the-certificate':
      'set-signed on a mount where no key was generated succeeds but changes nothing.',
    'set-signed-keeps-the-old-certificate':
      'After set-signed on a mount that had a CA before, reads still show the old CA certificate.',
    'set-signed-signs-with-another-key':
      'After set-signed, leaf certificates are signed by another key than that of the CSR.',
    'set-signed-drops-chain': 'The certificates after the first one in set-signed are not in ca_chain.',
    'set-signed-keeps-the-next-certificate': 'Of the certificates in set-signed, ca_chain has only the first two.',
    'set-signed-keeps-the-last-certificate':
      'Of the certificates in set-signed, ca_chain has only the first and the last one.',
    'intermediate-ca-chain-omits-ca':
      'The ca_chain of a CA that was submitted or set by set-signed does not contain the CA itself.',
    'root-ca-chain-omits-ca': 'The ca_chain of a generated root is empty.',
    'submitted-root-ca-chain-omits-ca': 'The ca_chain of a submitted root does not contain the root itself.',
    'config-ca-garbage-removes-the-ca':
      'config/ca with a bundle that is not PEM is refused, but the certificate of the CA cannot be read any more.',
    'config-ca-shows-the-last-certificate':
      'After config/ca with several certificates, ca and ca/pem show the last of them instead of the CA.',
    'config-ca-signs-with-another-key':
      'After config/ca with several certificates, leaf certificates are signed by another key than the submitted one.',
    'ca-der-keeps-the-first-ca': 'GET ca always returns the CA of its first read; ca/pem is right.',
    'set-signed-drops-a-foreign-certificate':
      'set-signed with a CA certificate for another key succeeds but changes nothing.',
    'set-signed-shows-the-last-certificate':
      'After set-signed with several certificates, ca and ca/pem show the last of them instead of the CA.',
  }).by({
    'root-delete-keeps-the-generated-key': leavingCa(deleteRoot, isOf('signed'), (ca, { requested }) => ({
      ...ca,
      state: 'awaiting',
      requested,
    })),
    'root-not-self-signed': stored('signing', 'root', ([draft], next) => next(draft, strangerKey())),
    'root-generate-signs-with-another-key': leavesByStranger(({ origin }) => origin === 'own-root'),
    'root-exported-key-does-not-sign': [
      remembering(generateRoot, (call, { context, memory }, reply) => {
        const { certificate } = context.store.ca
        if (saysExported(call) && reply.kind === 'data' && certificate) memory.set(serialOfCa({ certificate }), true)
      }),
      signedByStranger('leaf', (by, { memory }) => memory.has(serialOfCa(by))),
    ],
    'crl-signed-by-another-key': signedByStranger('list', (_by, { context }) => !crlConfigOf(context).disable),
    'rsa-root-signs-with-another-key': signedByStranger('leaf', isRsa),
    'rsa-root-signs-its-crl-with-another-key': signedByStranger('list', isRsa),
    'root-generate-overwrites': overwritesBefore('999.0.0'),
    'root-generate-exported-overwrites': overwriting(saysExported),
    'root-generate-reveals-the-key-of-the-ca': againAt(saysExported, ({ context: { store } }) => {
      const { certificate, key } = store.ca
      return certificate && key
        ? { kind: 'data', data: { certificate: certificate.pem, private_key: traditionalPem(key.pair) } }
        : undefined
    }),
    'root-generate-keeps-the-former-chain': keepsFormerChain(generateRoot),
    'root-generate-replaces-the-key': caStep('present', 'generateRoot', { key: 'new' }),
    'root-generate-replaces-the-certificate': caStep('present', 'generateRoot', { shown: 'new' }),
    'root-generate-overwrites-at-0-8-1': overwritesBefore('0.8.2'),
    'root-generate-keeps-before-0-8-1': overwritesBefore('0.0.0'),
    'root-delete-keeps-the-key': caStep('present', 'deleteRoot', unchanged('present')),
    'root-delete-removes-the-certificate': leavingCa(deleteRoot, hasCa, noLongerShown),
    'root-generate-after-delete-shows-the-old-certificate': caStep('keyless', 'generateRoot', { shown: 'kept' }),
    'root-generate-after-delete-is-refused': caStep('keyless', 'generateRoot', unchanged('keyless')),
    'config-ca-after-delete-shows-the-old-certificate': caStep('keyless', 'configCa', { shown: 'kept' }),
    'config-ca-keeps-the-old-certificate': caStep('present', 'configCa', { ...replaced, shown: 'kept' }),
    'config-ca-keeps-the-old-key': caStep('present', 'configCa', { ...replaced, key: 'kept' }),
    'config-ca-keeps-the-key-of-its-subject': leavingCa(configCa, hasCa, (ca, { certificate, key }) =>
      key && ca.certificate && certificate?.parsed.subject.equals(ca.certificate.parsed.subject) ? { ...ca, key } : ca,
    ),
    'config-ca-is-ignored-with-a-ca': caStep('present', 'configCa', unchanged('present')),
    'config-ca-is-ignored-beside-a-csr': caStep('awaiting', 'configCa', unchanged('awaiting')),
    'intermediate-generate-after-delete-is-ignored': caStep('keyless', 'generateIntermediate', unchanged('keyless')),
    'intermediate-generate-exported-keeps-no-key': leavingCa(
      generateIntermediate,
      saysExported,
      (_ca, before) => before,
    ),
    'root-generate-again-forgets-revocations': againAt(
      (_call, { context }) => context.store.revocations.size > 0,
      ({ context }) => {
        context.store.revocations.clear()
        return undefined
      },
    ),
    'config-ca-drops-chain': leavingChain(configCa, drops, several('pem_bundle')),
    'config-ca-keeps-the-next-certificate': leavingChain(configCa, keepsNext, several('pem_bundle')),
    'config-ca-keeps-the-last-certificate': leavingChain(configCa, keepsLast, several('pem_bundle')),
    'config-ca-takes-a-foreign-key': takesBundles(
      (certificate, pair) => certificate.ca && !isSameKey(certificate.spki, pair.spki),
    ),
    'config-ca-takes-a-leaf': takesBundles(
      (certificate, pair) => !certificate.ca && isSameKey(certificate.spki, pair.spki),
    ),
    'config-ca-drops-bad-bundles': whenRefused(
      configCa,
      ({ body }) => Boolean(body.pem_bundle),
      () => done,
    ),
    'intermediate-generate-keeps-the-old-key': caStep('present', 'generateIntermediate', {
      ...unchanged('present'),
      requested: 'new',
    }),
    'intermediate-generate-keeps-the-first-csr': leavingCa(
      generateIntermediate,
      (_call, { context }) => context.store.ca.requested.length > 0,
      (ca, before) => ({ ...ca, requested: [...before.requested, ...ca.requested] }),
    ),
    'intermediate-csr-wrongly-signed': stored('signing', 'request', ([draft], next) => next(draft, strangerKey())),
    'set-signed-refusal-drops-the-key': whenRefused(setSigned, isForeignHere, (_call, { context: { store } }) => {
      store.ca = { ...store.ca, requested: [] }
    }),
    'config-ca-refuses-rsa-keys': refusing(configCa, (call) => bundleIn(call)?.pair.type === 'rsa'),
    'config-ca-keeps-the-former-chain': keepsFormerChain(configCa),
    'deleted-root-signs-intermediates': [
      remembersFormerCa([...deleteRoot, ...generateIntermediate]),
      asCa(signIntermediate, (_call, here) => here.context.store.ca.key === undefined && hasFormerCa(here), formerCa),
    ],
    'replaced-key-signs-intermediates': [
      remembersFormerCa(generateIntermediate),
      asCa(
        signIntermediate,
        (_call, here) => here.context.store.ca.state === 'awaiting' && hasFormerCa(here),
        formerCa,
      ),
    ],
    'set-signed-refuses-rsa-keys': refusing(setSigned, (call, here) => {
      const certificate = signedIn(call)
      return certificate !== undefined && readPublicKey(certificate.spki).type === 'rsa' && !isForeign(call, here)
    }),
    'set-signed-keeps-the-former-chain': keepsFormerChain(setSigned),
    'set-signed-takes-a-foreign-certificate': whenRefused(setSigned, isForeignHere, (call, here) =>
      install(call, here, stepFor(here.context, 'setSigned'), keysAt(here)[0]),
    ),
    'set-signed-without-a-key-takes-any-certificate': whenRefused(setSigned, isWithoutKey, (call, here) =>
      install(call, here, shownAlone, undefined),
    ),
    'set-signed-without-a-key-drops-the-certificate': whenRefused(setSigned, isWithoutKey, () => done),
    'set-signed-keeps-the-old-certificate': leavingCa(
      setSigned,
      (_call, { context: { store } }) => store.ca.state === 'awaiting' && store.ca.shown !== undefined,
      (ca, { shown }) => ({ ...ca, shown }),
    ),
    'set-signed-signs-with-another-key': leavesByStranger(({ origin }) => origin === 'signed'),
    'set-signed-drops-chain': leavingChain(setSigned, drops, several('certificate')),
    'set-signed-keeps-the-next-certificate': leavingChain(setSigned, keepsNext, several('certificate')),
    'set-signed-keeps-the-last-certificate': leavingChain(setSigned, keepsLast, several('certificate')),
    'intermediate-ca-chain-omits-ca': omits('submitted-root', 'submitted-intermediate', 'signed'),
    'root-ca-chain-omits-ca': omits('own-root'),
    'submitted-root-ca-chain-omits-ca': omits('submitted-root'),
    'config-ca-garbage-removes-the-ca': whenRefused(
      configCa,
      ({ body }) => Boolean(body.pem_bundle) && !isPem(String(body.pem_bundle)),
      (_call, { context: { store } }) => {
        store.ca = { ...store.ca, shown: undefined }
      },
    ),
    'config-ca-shows-the-last-certificate': showsLast(isSubmitted),
    'config-ca-signs-with-another-key': leavesByStranger((ca) => isSubmitted(ca) && ca.chain.length > 0),
    'ca-der-keeps-the-first-ca': showsFirst(),
    'set-signed-drops-a-foreign-certificate': whenRefused(setSigned, isForeignHere, () => done),
    'set-signed-shows-the-last-certificate': showsLast(({ origin }) => origin === 'signed'),
  }),
  ...(['submitted', 'signed'] as const).flatMap((of) => {
    const ca = of === 'submitted' ? 'a CA that was submitted as a root' : 'a CA that was set by set-signed'
    return faults({
      [`root-generate-overwrites-a-${of}-ca`]: `root/generate replaces the certificate and the key of ${ca}.`,
      [`root-delete-keeps-the-key-of-a-${of}-ca`]: `After DELETE root, certificates can still be issued under ${ca}.`,
      [`root-delete-removes-the-certificate-of-a-${of}-ca`]: `After DELETE root, the certificate of ${ca} cannot be read any more.`,
      [`intermediate-generate-keeps-the-key-of-a-${of}-ca`]: `After intermediate/generate, certificates can still be issued under ${ca}.`,
    }).by({
      [`root-generate-overwrites-a-${of}-ca`]: overwriting(isOf(of)),
      [`root-delete-keeps-the-key-of-a-${of}-ca`]: leavingCa(deleteRoot, isOf(of), (_ca, before) => before),
      [`root-delete-removes-the-certificate-of-a-${of}-ca`]: leavingCa(deleteRoot, isOf(of), noLongerShown),
      [`intermediate-generate-keeps-the-key-of-a-${of}-ca`]: leavingCa(generateIntermediate, isOf(of), unchangedBut),
    })
  }),
]
