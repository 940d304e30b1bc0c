/** Mutants of what happens to the CA of a mount, and of which key signs. The file is long because each state of the CA meets each
 * call. */
import type { CaCertificate, CaKey, Issuer, Store } from '../store.ts'
import type { chainIncludesCa } from '../tables/authorities.ts'
import { type CaEvent, type CaStep, replaced, unchanged } from '../tables/states.ts'
import { type KeyPair, traditionalPem } from '../x509/keys.ts'
import { pem } from '../x509/pem.ts'
import { caStep, cell, fresh, mutant, type PkiMutant, part } from './cells.ts'
import { strangerKey } from './strangers.ts'

/** Another key signs the leaves of such a CA. */
const leavesByStranger = (is: (ca: CaCertificate) => boolean) =>
  part('signers', { leaf: (key, ca) => (is(ca) ? strangerKey() : key) })

/** A root whose key was returned does not sign with it. */
function exportedDoesNotSign() {
  const exported = new WeakSet<KeyPair>()
  const leaf = (key: CaKey): CaKey => (exported.has(key.pair) ? strangerKey() : key)
  return (tables: Parameters<PkiMutant['change']>[0]) => ({
    ...tables,
    returnedKey(key: KeyPair) {
      exported.add(key)
      return key
    },
    signers: { ...tables.signers, leaf },
  })
}

/** Another key signs where that of the CA is RSA. */
const unlessRsa = (key: CaKey): CaKey => (key.pair.type === 'rsa' ? strangerKey() : key)

const isSubmitted = ({ origin }: CaCertificate): boolean => origin.startsWith('submitted-')

/** The last certificate that came with such a CA is shown instead of it. */
const showsLast = (is: (ca: CaCertificate) => boolean) => {
  const last = (ca: CaCertificate): Buffer | undefined => (is(ca) ? ca.chain.at(-1) : undefined)
  const lastPem = (ca: CaCertificate): string => pem('CERTIFICATE', last(ca) ?? ca.parsed.der)
  return cell('reads', 'bareReads', { ca: (ca) => last(ca) ?? ca.parsed.der, caPem: lastPem, certCa: lastPem })
}

/** GET ca goes on showing what it showed when it was first read. */
function showsFirst() {
  const first = new WeakMap<Store, Buffer>()
  return cell('reads', 'bareReads', {
    ca({ parsed: { der } }, { store }) {
      const known = first.get(store) ?? der
      first.set(store, known)
      return known
    },
  })
}

const overwrites = (change: { since?: string; before?: boolean; after?: boolean; always?: readonly string[] }) =>
  cell('states', 'rootOverwrites', change)
const omits = (...origins: (keyof typeof chainIncludesCa)[]) =>
  cell('authorities', 'chainIncludesCa', Object.fromEntries(origins.map((origin) => [origin, false])))

/** The event does this to a CA that was submitted as a root, or set as signed. */
const origins = { submitted: 'submitted-root', signed: 'signed' } as const
const byOrigin = (of: keyof typeof origins, on: CaEvent, step: CaStep) =>
  part('states', { stepByOrigin: (event, origin) => (event === on && origin === origins[of] ? step : undefined) })

export const authorityMutants: readonly PkiMutant[] = [
  ...(['submitted', 'signed'] as const).flatMap((of) => {
    const ca = of === 'submitted' ? 'a CA that was submitted as a root' : 'a CA that was set as signed'
    return [
      mutant(
        `root-generate-overwrites-a-${of}-ca`,
        `root/generate replaces certificate and key of ${ca}.`,
        byOrigin(of, 'generateRoot', replaced),
      ),
      mutant(
        `root-delete-keeps-the-key-of-a-${of}-ca`,
        `After DELETE root certificates can still be issued under ${ca}.`,
        byOrigin(of, 'deleteRoot', unchanged('present')),
      ),
      mutant(
        `root-delete-removes-the-certificate-of-a-${of}-ca`,
        `After DELETE root the certificate of ${ca} is no longer readable.`,
        byOrigin(of, 'deleteRoot', { ...unchanged('none'), key: 'gone', certificate: 'gone', shown: 'gone' }),
      ),
      mutant(
        `intermediate-generate-keeps-the-key-of-a-${of}-ca`,
        `After intermediate/generate certificates are still issued under ${ca}.`,
        byOrigin(of, 'generateIntermediate', { ...unchanged('present'), requested: 'new' }),
      ),
    ]
  }),
  mutant(
    'root-delete-keeps-the-generated-key',
    'After DELETE root under a CA that was set as signed, set-signed takes the certificate of the deleted CA again, and its key signs.',
    byOrigin('signed', 'deleteRoot', {
      ...{ next: 'awaiting', key: 'gone', certificate: 'gone', shown: 'kept' },
      requested: 'kept',
    }),
  ),
  mutant(
    'root-not-self-signed',
    'root/generate: the signature of the root certificate is by another key (subject and issuer are right, the CA key works).',
    part('signers', { root: strangerKey }),
  ),
  mutant(
    'root-generate-signs-with-another-key',
    "Under a generated root, leaf certificates are signed by a key that is not the root's (CRLs are right).",
    leavesByStranger(({ origin }) => origin === 'own-root'),
  ),
  mutant(
    'root-exported-key-does-not-sign',
    'root/generate/exported: leaf certificates are signed by another key than the exported one (and than that of the certificate). Type internal is right.',
    fresh(exportedDoesNotSign),
  ),
  mutant(
    'crl-signed-by-another-key',
    'CRLs (while enabled) are signed by another key than that of the CA.',
    part('signers', { list: strangerKey }),
  ),
  mutant(
    'rsa-root-signs-with-another-key',
    'Under a CA with an RSA key leaf certificates are signed by another key than that of the CA.',
    part('signers', { leaf: unlessRsa }),
  ),
  mutant(
    'rsa-root-signs-its-crl-with-another-key',
    'The CRLs of a CA with an RSA key are signed by another key than that of the CA.',
    part('signers', { list: unlessRsa }),
  ),
  mutant(
    'root-generate-overwrites',
    'root/generate on a mount with a CA replaces certificate and key (since 0.8.1 too, 0.8.1 itself included).',
    overwrites({ after: true }),
  ),
  mutant(
    'root-generate-exported-overwrites',
    'root/generate/exported on a mount with a CA replaces certificate and key. Type internal is right.',
    overwrites({ always: ['exported'] }),
  ),
  mutant(
    'root-generate-reveals-the-key-of-the-ca',
    'root/generate/exported on a mount with a CA changes nothing, and its reply holds the private key of the CA.',
    cell('authorities', 'generatedRoots', {
      again: ({ certificate, key }, type) =>
        type === 'exported' && certificate && key
          ? { certificate: certificate.pem, private_key: traditionalPem(key.pair) }
          : undefined,
    }),
  ),
  mutant(
    'root-generate-keeps-the-former-chain',
    'After DELETE root and a new root/generate, ca_chain still holds the certificates above the former CA.',
    cell('authorities', 'generatedRoots', { keepsFormerChain: true }),
  ),
  mutant(
    'root-generate-replaces-the-key',
    'root/generate on a mount with a CA replaces the key, not the certificate.',
    caStep('present', 'generateRoot', { key: 'new' }),
  ),
  mutant(
    'root-generate-replaces-the-certificate',
    'root/generate on a mount with a CA replaces the certificate that ca, ca/pem, ca_chain show; leaves are still signed by the old key under the old issuer.',
    caStep('present', 'generateRoot', { shown: 'new' }),
  ),
  mutant(
    'root-generate-overwrites-at-0-8-1',
    'In version 0.8.1 itself root/generate still overwrites.',
    overwrites({ since: '0.8.2' }),
  ),
  mutant(
    'root-generate-keeps-before-0-8-1',
    'Before 0.8.1 root/generate on a mount with a CA leaves it unchanged (like later versions).',
    overwrites({ before: false }),
  ),
  mutant(
    'root-delete-keeps-the-key',
    'After DELETE root certificates can still be issued.',
    caStep('present', 'deleteRoot', unchanged('present')),
  ),
  mutant(
    'root-delete-removes-the-certificate',
    'After DELETE root the CA certificate is no longer readable.',
    caStep('present', 'deleteRoot', { shown: 'gone' }),
  ),
  mutant(
    'root-generate-after-delete-shows-the-old-certificate',
    'After DELETE root and a new root/generate, ca/pem still shows the old certificate (the new key signs under the new issuer).',
    caStep('keyless', 'generateRoot', { shown: 'kept' }),
  ),
  mutant(
    'root-generate-after-delete-is-refused',
    'After DELETE root a new root/generate leaves everything unchanged.',
    caStep('keyless', 'generateRoot', unchanged('keyless')),
  ),
  mutant(
    'config-ca-after-delete-shows-the-old-certificate',
    'After DELETE root and config/ca, ca/pem still shows the old certificate.',
    caStep('keyless', 'configCa', { shown: 'kept' }),
  ),
  mutant(
    'config-ca-keeps-the-old-certificate',
    'config/ca on a mount with a CA (key not deleted) changes the key, not the certificate shown at ca/pem.',
    caStep('present', 'configCa', { ...replaced, shown: 'kept' }),
  ),
  mutant(
    'config-ca-keeps-the-old-key',
    'config/ca on a mount with a CA changes the certificate, not the key that signs.',
    caStep('present', 'configCa', { ...replaced, key: 'kept' }),
  ),
  mutant(
    'config-ca-is-ignored-with-a-ca',
    'config/ca on a mount with a CA answers a success and changes nothing.',
    caStep('present', 'configCa', unchanged('present')),
  ),
  mutant(
    'config-ca-drops-chain',
    'config/ca: CA certificates after the first are not in ca_chain.',
    cell('authorities', 'configCa', { chainOf: () => [] }),
  ),
  mutant(
    'config-ca-keeps-the-next-certificate',
    'config/ca: of the CA certificates after the first only the next one is in ca_chain.',
    cell('authorities', 'configCa', { chainOf: (further) => further.slice(0, 1) }),
  ),
  mutant(
    'config-ca-keeps-the-last-certificate',
    'config/ca: of the CA certificates after the first only the last one is in ca_chain.',
    cell('authorities', 'configCa', { chainOf: (further) => further.slice(-1) }),
  ),
  mutant(
    'config-ca-takes-a-foreign-key',
    'config/ca: a bundle whose key does not belong to the certificate becomes the CA.',
    cell('authorities', 'configCa', { needsItsKey: false }),
  ),
  mutant(
    'config-ca-takes-a-leaf',
    'config/ca: a bundle whose certificate does not belong to a CA becomes the CA.',
    cell('authorities', 'configCa', { needsCa: false }),
  ),
  mutant(
    'config-ca-drops-bad-bundles',
    'config/ca: an invalid bundle (garbage, truncated, mismatch, no CA) answers a success and changes nothing.',
    cell('authorities', 'configCa', { invalid: 'ignored' }),
  ),
  mutant(
    'intermediate-generate-keeps-the-old-key',
    'After intermediate/generate on a mount with a CA certificates are still issued under the old CA and key.',
    caStep('present', 'generateIntermediate', { ...unchanged('present'), requested: 'new' }),
  ),
  mutant(
    'intermediate-generate-keeps-the-first-csr',
    'A second intermediate/generate does not replace the key of the first: set-signed takes a certificate for the first CSR, whose key then signs (also one for the second).',
    caStep('awaiting', 'generateIntermediate', { requested: 'added' }),
  ),
  mutant(
    'intermediate-csr-wrongly-signed',
    'intermediate/generate: the signature of the CSR is not by its own key.',
    part('signers', { request: strangerKey }),
  ),
  mutant(
    'set-signed-refusal-drops-the-key',
    'set-signed refuses a certificate for another key, and forgets the generated key.',
    cell('authorities', 'setSigned', { refusalDropsKey: true }),
  ),
  mutant(
    'config-ca-refuses-rsa-keys',
    'config/ca refuses a bundle whose key is RSA.',
    cell('authorities', 'configCa', { keyTypes: ['ec'] }),
  ),
  mutant(
    'config-ca-keeps-the-former-chain',
    'config/ca of a certificate alone leaves the certificates above the former CA in ca_chain.',
    cell('authorities', 'configCa', { keepsFormerChain: true }),
  ),
  mutant(
    'deleted-root-signs-intermediates',
    'After DELETE root, sign-intermediate goes on signing by the old key.',
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
    'After intermediate/generate on a mount with a CA, sign-intermediate goes on signing by the old key.',
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
    'set-signed of a certificate alone leaves the certificates above the former CA in ca_chain.',
    cell('authorities', 'setSigned', { keepsFormerChain: true }),
  ),
  mutant(
    'set-signed-takes-a-foreign-certificate',
    'set-signed takes a CA certificate for another key: it is shown at ca and ca/pem.',
    cell('authorities', 'setSigned', { foreign: 'taken' }),
  ),
  mutant(
    'set-signed-without-a-key-takes-any-certificate',
    'set-signed on a mount where no key was generated takes a CA certificate: it is shown at ca and ca/pem.',
    cell('authorities', 'setSigned', { withoutKey: 'taken' }),
  ),
  mutant(
    'set-signed-without-a-key-drops-the-certificate',
    'set-signed on a mount where no key was generated answers a success and changes nothing.',
    cell('authorities', 'setSigned', { withoutKey: 'ignored' }),
  ),
  mutant(
    'set-signed-keeps-the-old-certificate',
    'set-signed on a mount that had a CA certificate before leaves ca/pem showing the old one.',
    caStep('awaiting', 'setSigned', { shown: 'kept-if-any' }),
  ),
  mutant(
    'set-signed-signs-with-another-key',
    'After set-signed leaf certificates are signed by another key than that of the CSR.',
    leavesByStranger(({ origin }) => origin === 'signed'),
  ),
  mutant(
    'set-signed-drops-chain',
    'set-signed: certificates appended are not in ca_chain.',
    cell('authorities', 'setSigned', { chainOf: () => [] }),
  ),
  mutant(
    'set-signed-keeps-the-next-certificate',
    'set-signed: of the certificates appended only the first one is in ca_chain.',
    cell('authorities', 'setSigned', { chainOf: (further) => further.slice(0, 1) }),
  ),
  mutant(
    'set-signed-keeps-the-last-certificate',
    'set-signed: of the certificates appended only the last one is in ca_chain.',
    cell('authorities', 'setSigned', { chainOf: (further) => further.slice(-1) }),
  ),
  mutant(
    'intermediate-ca-chain-omits-ca',
    'ca_chain of an intermediate or submitted CA holds the appended certificates only, not the CA itself.',
    omits('submitted-root', 'submitted-intermediate', 'signed'),
  ),
  mutant('root-ca-chain-omits-ca', 'ca_chain of a generated root is empty.', omits('own-root')),
  mutant('submitted-root-ca-chain-omits-ca', 'ca_chain of a submitted root is empty.', omits('submitted-root')),
  mutant(
    'config-ca-garbage-removes-the-ca',
    'config/ca with a bundle that is not PEM or is cut short is refused, but the certificate of the CA is gone (ca, ca/pem answer 404).',
    cell('authorities', 'configCa', {
      unreadable: (store) => {
        store.ca = { ...store.ca, shown: undefined }
      },
    }),
  ),
  mutant(
    'config-ca-shows-the-last-certificate',
    'config/ca on a mount without a CA, with a bundle of several certificates: ca and ca/pem show the last of them (the first one issues).',
    showsLast(isSubmitted),
  ),
  mutant(
    'config-ca-signs-with-another-key',
    'config/ca on a mount without a CA, with a bundle of several certificates: leaves are signed by another key than the submitted one.',
    leavesByStranger((ca) => isSubmitted(ca) && ca.chain.length > 0),
  ),
  mutant(
    'ca-der-keeps-the-first-ca',
    'GET ca shows the CA of its first read ever after (ca/pem shows the present one).',
    fresh(showsFirst),
  ),
  mutant(
    'set-signed-drops-a-foreign-certificate',
    'set-signed of a CA certificate for another key answers a success and changes nothing.',
    cell('authorities', 'setSigned', { foreign: 'ignored' }),
  ),
  mutant(
    'set-signed-shows-the-last-certificate',
    'set-signed with several certificates: ca and ca/pem show the last of them.',
    showsLast(({ origin }) => origin === 'signed'),
  ),
]
