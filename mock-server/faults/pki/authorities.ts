/** Mutants of how calls change the CA of a mount, and of which key signs. */

import type { chainIncludesCa } from '../../engines/pki/rules/authorities.ts'
import type { PkiRules } from '../../engines/pki/rules/index.ts'
import { type CaEvent, type CaStep, replaced, unchanged } from '../../engines/pki/rules/states.ts'
import type { CaCertificate, CaKey, Issuer, Store } from '../../engines/pki/store.ts'
import { type KeyPair, traditionalPem } from '../../engines/pki/x509/keys.ts'
import { pem } from '../../engines/pki/x509/pem.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import { caStep, cell, fresh, type Here, mutant, on, type PkiMutant, part, showing } from './cells.ts'
import { strangerKey } from './strangers.ts'

/** Signs leaf certificates with another key than that of the CA, for the CAs that `is` accepts. */
const leavesByStranger = (is: (ca: CaCertificate) => boolean) =>
  part('signers', { leaf: (key, ca) => (is(ca) ? strangerKey() : key) })

/** Signs leaf certificates of a root whose private key was returned with another key. */
function exportedDoesNotSign() {
  const exported = new WeakSet<KeyPair>()
  const leaf = (key: CaKey): CaKey => (exported.has(key.pair) ? strangerKey() : key)
  return (rules: PkiRules) => ({
    ...rules,
    returnedKey(key: KeyPair) {
      exported.add(key)
      return key
    },
    signers: { ...rules.signers, leaf },
  })
}

/** Returns another key if the key of the CA is an RSA key. */
const unlessRsa = (key: CaKey): CaKey => (key.pair.type === 'rsa' ? strangerKey() : key)

const isSubmitted = ({ origin }: CaCertificate): boolean => origin.startsWith('submitted-')

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

const overwrites = (change: { since?: string; before?: boolean; after?: boolean; always?: readonly string[] }) =>
  cell('states', 'rootOverwrites', change)
const omits = (...origins: (keyof typeof chainIncludesCa)[]) =>
  cell('authorities', 'chainIncludesCa', Object.fromEntries(origins.map((origin) => [origin, false])))

/** Makes an event take this step for a CA that was submitted as a root, or set by set-signed. */
const origins = { submitted: 'submitted-root', signed: 'signed' } as const
const byOrigin = (of: keyof typeof origins, on: CaEvent, step: CaStep) =>
  part('states', { stepByOrigin: (event, origin) => (event === on && origin === origins[of] ? step : undefined) })

export const authorityMutants: readonly PkiMutant[] = [
  ...(['submitted', 'signed'] as const).flatMap((of) => {
    const ca = of === 'submitted' ? 'a CA that was submitted as a root' : 'a CA that was set by set-signed'
    return [
      mutant(
        `root-generate-overwrites-a-${of}-ca`,
        `root/generate replaces the certificate and the key of ${ca}.`,
        byOrigin(of, 'generateRoot', replaced),
      ),
      mutant(
        `root-delete-keeps-the-key-of-a-${of}-ca`,
        `After DELETE root, certificates can still be issued under ${ca}.`,
        byOrigin(of, 'deleteRoot', unchanged('present')),
      ),
      mutant(
        `root-delete-removes-the-certificate-of-a-${of}-ca`,
        `After DELETE root, the certificate of ${ca} cannot be read any more.`,
        byOrigin(of, 'deleteRoot', { ...unchanged('none'), key: 'gone', certificate: 'gone', shown: 'gone' }),
      ),
      mutant(
        `intermediate-generate-keeps-the-key-of-a-${of}-ca`,
        `After intermediate/generate, certificates can still be issued under ${ca}.`,
        byOrigin(of, 'generateIntermediate', { ...unchanged('present'), requested: 'new' }),
      ),
    ]
  }),
  mutant(
    'root-delete-keeps-the-generated-key',
    'After DELETE root of a CA from set-signed, set-signed accepts its certificate again, and its old key signs.',
    byOrigin('signed', 'deleteRoot', {
      ...{ next: 'awaiting', key: 'gone', certificate: 'gone', shown: 'kept' },
      requested: 'kept',
    }),
  ),
  mutant(
    'root-not-self-signed',
    'root/generate signs the root certificate with another key than its own.',
    part('signers', { root: strangerKey }),
  ),
  mutant(
    'root-generate-signs-with-another-key',
    'Under a generated root, leaf certificates are signed by another key than that of the root; CRLs are right.',
    leavesByStranger(({ origin }) => origin === 'own-root'),
  ),
  mutant(
    'root-exported-key-does-not-sign',
    'Under a root from root/generate/exported, leaf certificates are signed by another key than the exported one.',
    fresh(exportedDoesNotSign),
  ),
  mutant(
    'crl-signed-by-another-key',
    'CRLs are signed by another key than that of the CA while they are enabled.',
    part('signers', { list: strangerKey }),
  ),
  mutant(
    'rsa-root-signs-with-another-key',
    'Under a CA with an RSA key, leaf certificates are signed by another key than that of the CA.',
    part('signers', { leaf: unlessRsa }),
  ),
  mutant(
    'rsa-root-signs-its-crl-with-another-key',
    'The CRLs of a CA with an RSA key are signed by another key than that of the CA.',
    part('signers', { list: unlessRsa }),
  ),
  mutant(
    'root-generate-overwrites',
    'root/generate on a mount with a CA replaces certificate and key even from version 0.8.1 on.',
    overwrites({ after: true }),
  ),
  mutant(
    'root-generate-exported-overwrites',
    'root/generate/exported on a mount with a CA replaces certificate and key; root/generate/internal is right.',
    overwrites({ always: ['exported'] }),
  ),
  mutant(
    'root-generate-reveals-the-key-of-the-ca',
    'The reply to root/generate/exported on a mount with a CA contains the private key of that CA.',
    cell('authorities', 'generatedRoots', {
      again: ({ certificate, key }, type) =>
        type === 'exported' && certificate && key
          ? { certificate: certificate.pem, private_key: traditionalPem(key.pair) }
          : undefined,
    }),
  ),
  mutant(
    'root-generate-keeps-the-former-chain',
    'After DELETE root and a new root/generate, ca_chain still contains the certificates above the former CA.',
    cell('authorities', 'generatedRoots', { keepsFormerChain: true }),
  ),
  mutant(
    'root-generate-replaces-the-key',
    'root/generate on a mount with a CA replaces its key but not its certificate.',
    caStep('present', 'generateRoot', { key: 'new' }),
  ),
  mutant(
    'root-generate-replaces-the-certificate',
    'root/generate on a mount with a CA replaces the certificate that reads show, but the old CA still signs.',
    caStep('present', 'generateRoot', { shown: 'new' }),
  ),
  mutant(
    'root-generate-overwrites-at-0-8-1',
    'In version 0.8.1 itself, root/generate still replaces an existing CA.',
    overwrites({ since: '0.8.2' }),
  ),
  mutant(
    'root-generate-keeps-before-0-8-1',
    'Before version 0.8.1, root/generate does not replace an existing CA, as in later versions.',
    overwrites({ before: false }),
  ),
  mutant(
    'root-delete-keeps-the-key',
    'After DELETE root, certificates can still be issued.',
    caStep('present', 'deleteRoot', unchanged('present')),
  ),
  mutant(
    'root-delete-removes-the-certificate',
    'After DELETE root, the CA certificate cannot be read any more.',
    caStep('present', 'deleteRoot', { shown: 'gone' }),
  ),
  mutant(
    'root-generate-after-delete-shows-the-old-certificate',
    'After DELETE root and a new root/generate, reads still show the old CA certificate, although the new CA signs.',
    caStep('keyless', 'generateRoot', { shown: 'kept' }),
  ),
  mutant(
    'root-generate-after-delete-is-refused',
    'After DELETE root, a new root/generate changes nothing.',
    caStep('keyless', 'generateRoot', unchanged('keyless')),
  ),
  mutant(
    'config-ca-after-delete-shows-the-old-certificate',
    'After DELETE root and config/ca, reads still show the old CA certificate.',
    caStep('keyless', 'configCa', { shown: 'kept' }),
  ),
  mutant(
    'config-ca-keeps-the-old-certificate',
    'config/ca on a mount with a CA replaces the CA, but reads still show the old certificate.',
    caStep('present', 'configCa', { ...replaced, shown: 'kept' }),
  ),
  mutant(
    'config-ca-keeps-the-old-key',
    'config/ca on a mount with a CA replaces the certificate, but the old key still signs.',
    caStep('present', 'configCa', { ...replaced, key: 'kept' }),
  ),
  mutant(
    'config-ca-keeps-the-key-of-its-subject',
    'config/ca with a certificate that has the subject of the present CA replaces the certificate, but the old key still signs.',
    cell('authorities', 'configCa', {
      keyTaken: (submitted, { parsed }, { certificate, key }) =>
        key && certificate?.parsed.subject.equals(parsed.subject) ? key : submitted,
    }),
  ),
  mutant(
    'config-ca-is-ignored-with-a-ca',
    'config/ca on a mount with a CA succeeds but changes nothing.',
    caStep('present', 'configCa', unchanged('present')),
  ),
  mutant(
    'config-ca-is-ignored-beside-a-csr',
    'config/ca succeeds but changes nothing if a certificate request of the mount waits for its certificate.',
    caStep('awaiting', 'configCa', unchanged('awaiting')),
  ),
  mutant(
    'intermediate-generate-after-delete-is-ignored',
    'intermediate/generate after DELETE root returns a CSR, but the mount does not keep its key.',
    caStep('keyless', 'generateIntermediate', unchanged('keyless')),
  ),
  mutant(
    'intermediate-generate-exported-keeps-no-key',
    'intermediate/generate/exported returns the key and a CSR, but the mount does not keep the key.',
    part('authorities', { requestWaits: (type) => type !== 'exported' }),
  ),
  mutant(
    'root-generate-again-forgets-revocations',
    'root/generate on a mount with a CA leaves the CA as it is, but undoes all revocations.',
    cell('authorities', 'generatedRoots', {
      again(_ca, _type, { revocations }) {
        revocations.clear()
        return undefined
      },
    }),
  ),
  mutant(
    'config-ca-drops-chain',
    'The certificates after the first one in a bundle for config/ca are not in ca_chain.',
    cell('authorities', 'configCa', { chainOf: () => [] }),
  ),
  mutant(
    'config-ca-keeps-the-next-certificate',
    'Of the certificates in a bundle for config/ca, ca_chain has only the first two.',
    cell('authorities', 'configCa', { chainOf: (further) => further.slice(0, 1) }),
  ),
  mutant(
    'config-ca-keeps-the-last-certificate',
    'Of the certificates in a bundle for config/ca, ca_chain has only the first and the last one.',
    cell('authorities', 'configCa', { chainOf: (further) => further.slice(-1) }),
  ),
  mutant(
    'config-ca-takes-a-foreign-key',
    'config/ca accepts a bundle whose key does not belong to its certificate.',
    cell('authorities', 'configCa', { needsItsKey: false }),
  ),
  mutant(
    'config-ca-takes-a-leaf',
    'config/ca accepts a bundle whose certificate is not a CA certificate.',
    cell('authorities', 'configCa', { needsCa: false }),
  ),
  mutant(
    'config-ca-drops-bad-bundles',
    'config/ca with an invalid bundle succeeds but changes nothing.',
    cell('authorities', 'configCa', { invalid: 'ignored' }),
  ),
  mutant(
    'intermediate-generate-keeps-the-old-key',
    'After intermediate/generate on a mount with a CA, certificates are still issued under the old CA.',
    caStep('present', 'generateIntermediate', { ...unchanged('present'), requested: 'new' }),
  ),
  mutant(
    'intermediate-generate-keeps-the-first-csr',
    'After a second intermediate/generate, set-signed still accepts a certificate for the first CSR, whose key signs.',
    caStep('awaiting', 'generateIntermediate', { requested: 'added' }),
  ),
  mutant(
    'intermediate-csr-wrongly-signed',
    'intermediate/generate signs the CSR with another key than its own.',
    part('signers', { request: strangerKey }),
  ),
  mutant(
    'set-signed-refusal-drops-the-key',
    'set-signed refuses a certificate for another key but also forgets the generated key.',
    cell('authorities', 'setSigned', { refusalDropsKey: true }),
  ),
  mutant(
    'config-ca-refuses-rsa-keys',
    'config/ca refuses a bundle with an RSA key.',
    cell('authorities', 'configCa', { keyTypes: ['ec'] }),
  ),
  mutant(
    'config-ca-keeps-the-former-chain',
    'After config/ca with a single certificate, ca_chain still contains the certificates above the former CA.',
    cell('authorities', 'configCa', { keepsFormerChain: true }),
  ),
  mutant(
    'deleted-root-signs-intermediates',
    'After DELETE root, sign-intermediate still signs with the old key.',
    fresh(() => {
      const last = new WeakMap<Store, Issuer>()
      return cell('authorities', 'intermediates', {
        signedBy(issuer, store) {
          if (issuer) last.set(store, issuer)
          return issuer ?? last.get(store)
        },
      })
    }),
  ),
  mutant(
    'replaced-key-signs-intermediates',
    'After intermediate/generate on a mount with a CA, sign-intermediate still signs with the old key.',
    fresh(() => {
      const last = new WeakMap<Store, Issuer>()
      return cell('authorities', 'intermediates', {
        signedBy(issuer, store) {
          if (issuer) last.set(store, issuer)
          return issuer ?? (store.ca.state === 'awaiting' ? last.get(store) : undefined)
        },
      })
    }),
  ),
  mutant(
    'set-signed-refuses-rsa-keys',
    'set-signed refuses a certificate for an RSA key.',
    cell('authorities', 'setSigned', { keyTypes: ['ec'] }),
  ),
  mutant(
    'set-signed-keeps-the-former-chain',
    'After set-signed with a single certificate, ca_chain still contains the certificates above the former CA.',
    cell('authorities', 'setSigned', { keepsFormerChain: true }),
  ),
  mutant(
    'set-signed-takes-a-foreign-certificate',
    'set-signed accepts a CA certificate for another key, and reads show it.',
    cell('authorities', 'setSigned', { foreign: 'taken' }),
  ),
  mutant(
    'set-signed-without-a-key-takes-any-certificate',
    'set-signed on a mount where no key was generated accepts a CA certificate, and reads show it.',
    cell('authorities', 'setSigned', { withoutKey: 'taken' }),
  ),
  mutant(
    'set-signed-without-a-key-drops-the-certificate',
    'set-signed on a mount where no key was generated succeeds but changes nothing.',
    cell('authorities', 'setSigned', { withoutKey: 'ignored' }),
  ),
  mutant(
    'set-signed-keeps-the-old-certificate',
    'After set-signed on a mount that had a CA before, reads still show the old CA certificate.',
    caStep('awaiting', 'setSigned', { shown: 'kept-if-any' }),
  ),
  mutant(
    'set-signed-signs-with-another-key',
    'After set-signed, leaf certificates are signed by another key than that of the CSR.',
    leavesByStranger(({ origin }) => origin === 'signed'),
  ),
  mutant(
    'set-signed-drops-chain',
    'The certificates after the first one in set-signed are not in ca_chain.',
    cell('authorities', 'setSigned', { chainOf: () => [] }),
  ),
  mutant(
    'set-signed-keeps-the-next-certificate',
    'Of the certificates in set-signed, ca_chain has only the first two.',
    cell('authorities', 'setSigned', { chainOf: (further) => further.slice(0, 1) }),
  ),
  mutant(
    'set-signed-keeps-the-last-certificate',
    'Of the certificates in set-signed, ca_chain has only the first and the last one.',
    cell('authorities', 'setSigned', { chainOf: (further) => further.slice(-1) }),
  ),
  mutant(
    'intermediate-ca-chain-omits-ca',
    'The ca_chain of a CA that was submitted or set by set-signed does not contain the CA itself.',
    omits('submitted-root', 'submitted-intermediate', 'signed'),
  ),
  mutant('root-ca-chain-omits-ca', 'The ca_chain of a generated root is empty.', omits('own-root')),
  mutant(
    'submitted-root-ca-chain-omits-ca',
    'The ca_chain of a submitted root does not contain the root itself.',
    omits('submitted-root'),
  ),
  mutant(
    'config-ca-garbage-removes-the-ca',
    'config/ca with a bundle that is not PEM is refused, but the certificate of the CA cannot be read any more.',
    cell('authorities', 'configCa', {
      unreadable: (store) => {
        store.ca = { ...store.ca, shown: undefined }
      },
    }),
  ),
  mutant(
    'config-ca-shows-the-last-certificate',
    'After config/ca with several certificates, ca and ca/pem show the last of them instead of the CA.',
    showsLast(isSubmitted),
  ),
  mutant(
    'config-ca-signs-with-another-key',
    'After config/ca with several certificates, leaf certificates are signed by another key than the submitted one.',
    leavesByStranger((ca) => isSubmitted(ca) && ca.chain.length > 0),
  ),
  mutant('ca-der-keeps-the-first-ca', 'GET ca always returns the CA of its first read; ca/pem is right.', showsFirst()),
  mutant(
    'set-signed-drops-a-foreign-certificate',
    'set-signed with a CA certificate for another key succeeds but changes nothing.',
    cell('authorities', 'setSigned', { foreign: 'ignored' }),
  ),
  mutant(
    'set-signed-shows-the-last-certificate',
    'After set-signed with several certificates, ca and ca/pem show the last of them instead of the CA.',
    showsLast(({ origin }) => origin === 'signed'),
  ),
]
