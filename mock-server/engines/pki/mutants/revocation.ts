/** Mutants of revocation and of its list. The file is long because a list can be wrong in its content, its time, its signature
 * and in each of its reads. */
import { parseDuration } from '../../../kernel/http/duration.ts'
import type { CaState, Issuer, Store } from '../store.ts'
import type { revocationList } from '../tables/revocation.ts'
import { writeName } from '../x509/names.ts'
import { cell, fresh, mutant, type PkiMutant, part, requestField } from './cells.ts'
import { strangerKey } from './strangers.ts'

type Rows = Parameters<PkiMutant['change']>[0]['revocation']
const row =
  <K extends keyof Rows>(key: K, cells: Partial<Rows[K]>): PkiMutant['change'] =>
  (tables) => ({
    ...tables,
    revocation: { ...tables.revocation, [key]: { ...(tables.revocation[key] as object), ...cells } },
  })

const list = (cells: Partial<typeof revocationList>) => row('revocationList', cells)
const unknownName = writeName({ commonName: ['Nobody'] })
const anotherSerial = (serial: string): string => `01-${serial.slice(3)}`

/** In this state of the CA, lists are signed by the last key that it had. */
function oldKeySigns(state: CaState) {
  const last = new WeakMap<object, Issuer>()
  return list({
    signedBy(issuer, store) {
      if (issuer) last.set(store, issuer)
      return issuer ?? (store.ca.state === state ? last.get(store) : undefined)
    },
  })
}

export const revocationMutants: readonly PkiMutant[] = [
  mutant(
    'revoke-does-not-rotate',
    'revoke records the revocation but leaves the CRL as it was until the next rotation (crl/rotate, or config/crl disable then enable).',
    row('rotations', { revoke: false }),
  ),
  mutant(
    'revoke-adds-another-serial',
    'revoke with a colon serial records a wrong serial in the CRL.',
    list({ listedSerial: (serial, asked) => (asked.includes(':') ? anotherSerial(serial) : serial) }),
  ),
  mutant('revoke-refuses-hyphens', 'revoke refuses a serial with hyphens.', row('revoking', { separators: /:/ })),
  mutant('revoke-refuses-colons', 'revoke refuses a serial with colons.', row('revoking', { separators: /-/ })),
  mutant(
    'revoke-takes-unknown-serials',
    'revoke of a serial that no certificate has is a success.',
    row('revoking', { unknown: 'accepted' }),
  ),
  mutant(
    'revoke-lists-unknown-serials',
    'revoke of a serial that no stored certificate has is a success, and the serial comes into the CRL.',
    row('revoking', { unknown: 'listed' }),
  ),
  mutant(
    'revoke-with-hyphens-adds-another-serial',
    'revoke with a hyphenated serial records a wrong serial in the CRL.',
    list({ listedSerial: (serial, asked) => (asked.includes('-') ? anotherSerial(serial) : serial) }),
  ),
  mutant(
    'revoke-serial-number-optional',
    'revoke without serial_number is a success.',
    requestField('revoke', 'serial_number', { required: false }),
  ),
  mutant(
    'revoke-ignores-later-revocations',
    'Only the first certificate revoked on a mount gets into CRLs.',
    list({ holds: (entries) => entries.slice(0, 1) }),
  ),
  mutant(
    'lease-revocation-keeps-the-certificate',
    'Revoking the lease of a certificate is a success and does not revoke the certificate.',
    cell('leaves', 'leases', { revoke: false }),
  ),
  mutant(
    'rotate-keeps-the-crl',
    'GET crl/rotate is a success and leaves the CRL as it was.',
    row('rotations', { rotate: false }),
  ),
  mutant(
    'rotate-works-once',
    'GET crl/rotate is a success each time and makes a new CRL the first time only.',
    fresh(() => {
      const rotated = new WeakSet<Store>()
      return list({
        rotates(store) {
          const isFirst = !rotated.has(store)
          rotated.add(store)
          return isFirst
        },
      })
    }),
  ),
  mutant(
    'crl-with-entries-is-valid-for-72-hours',
    'A CRL that lists something is valid for 72 h, whatever expiry is configured.',
    list({ expiry: ({ expiry }, of) => ((of as Store).revocations.size > 0 ? '72h' : expiry) }),
  ),
  mutant(
    'crl-expiry-default-24h',
    'Without config/crl CRLs are valid for 24 h.',
    row('unwrittenCrl', { expiry: '24h' }),
  ),
  mutant(
    'crl-expiry-ignored',
    'expiry of config/crl is stored and shown, and CRLs are valid for 72 h.',
    list({ expiry: () => '72h' }),
  ),
  mutant(
    'crl-later-expiry-ignored',
    'The expiry that was in force when the first CRL of a mount was made stays in force.',
    fresh(() => {
      const first = new WeakMap<object, string>()
      return list({
        expiry({ expiry }, of) {
          const known = first.get(of) ?? expiry
          first.set(of, known)
          return known
        },
      })
    }),
  ),
  mutant(
    'crl-expiry-is-72-hours-at-most',
    'An expiry of config/crl above 72 h counts as 72 h.',
    list({ expiry: ({ expiry }) => ((parseDuration(expiry) ?? 0) > 72 * 3600 ? '72h' : expiry) }),
  ),
  mutant(
    'deleted-root-signs-crls',
    'After DELETE root, crl/rotate goes on signing lists by the old key.',
    fresh(() => oldKeySigns('keyless')),
  ),
  mutant(
    'replaced-key-signs-crls',
    'After intermediate/generate on a mount with a CA, crl/rotate goes on signing lists by the old key.',
    fresh(() => oldKeySigns('awaiting')),
  ),
  mutant(
    'revoke-needs-the-role',
    'revoke refuses the certificates of a role that was deleted.',
    row('revoking', { isRevocable: ({ role }, store) => role === undefined || store.roles.has(role) }),
  ),
  mutant(
    'rotate-keeps-expired-entries',
    'A CRL lists revoked certificates even after they have expired.',
    list({ dropsExpired: false }),
  ),
  mutant(
    'revoke-enables-the-crl',
    'Revoking a certificate while the CRL is disabled publishes it again.',
    list({ revokingEnables: true }),
  ),
  mutant('crl-expiry-read-omits', 'GET config/crl answers without expiry.', list({ shows: ['disable'] })),
  mutant('crl-disable-read-omits', 'GET config/crl answers without disable.', list({ shows: ['expiry'] })),
  mutant(
    'crl-expiry-read-is-the-default',
    'GET config/crl always shows the expiry 72h.',
    list({ shown: (config) => ({ ...config, expiry: '72h' }) }),
  ),
  mutant(
    'crl-disable-read-is-the-default',
    'GET config/crl always shows disable false.',
    list({ shown: (config) => ({ ...config, disable: false }) }),
  ),
  mutant(
    'crl-issuer-altered',
    'A CRL names another issuer than the subject of the CA.',
    list({ issuer: () => unknownName }),
  ),
  mutant(
    'crl-disable-default-on',
    'A mount without config/crl has the CRL disabled.',
    row('unwrittenCrl', { disable: true }),
  ),
  mutant(
    'crl-expiry-written-default-24h',
    'POST config/crl without expiry sets 24h.',
    requestField('configCrl', 'expiry', { fallback: '24h' }),
  ),
  mutant(
    'crl-written-default-disables',
    'POST config/crl without disable disables the CRL.',
    requestField('configCrl', 'disable', { fallback: true }),
  ),
  mutant(
    'crl-takes-any-expiry',
    'POST config/crl with an expiry that is not a duration is a success.',
    requestField('configCrl', 'expiry', { fault: () => undefined }),
  ),
  mutant(
    'crl-disable-ignored',
    'config/crl disable true has no effect on crl and cert/crl.',
    list({ disables: { crl: false, pem: true, cert: false } }),
  ),
  mutant(
    'crl-disable-spares-pem',
    'config/crl disable true has no effect on crl/pem.',
    list({ disables: { crl: true, pem: false, cert: true } }),
  ),
  mutant(
    'crl-disable-spares-cert-crl',
    'config/crl disable true has no effect on cert/crl.',
    list({ disables: { crl: true, pem: true, cert: false } }),
  ),
  mutant(
    'crl-rotate-enables-the-crl',
    'GET crl/rotate while the CRL is disabled publishes it again.',
    list({ rotatingEnables: true }),
  ),
  mutant(
    'crl-enabled-lists-the-last-revocation',
    'When the CRL is enabled again, only the last revocation is still recorded.',
    list({ keptByEnabling: (serials) => serials.slice(-1) }),
  ),
  mutant(
    'crl-disabled-is-empty-body',
    'While the CRL is disabled crl and crl/pem answer with an empty body.',
    list({ disabledIs: 'nothing' }),
  ),
  mutant(
    'crl-disabled-signed-by-another-key',
    'While the CRL is disabled the empty CRL is signed by another key than that of the CA.',
    part('signers', { disabledList: strangerKey }),
  ),
  mutant(
    'crl-disable-forgets',
    'Revocations made before the CRL was disabled are forgotten when it is disabled.',
    list({ disablingForgets: 'always' }),
  ),
  mutant(
    'crl-second-disable-forgets',
    'Disabling the CRL once more, while it is disabled, forgets all revocations.',
    list({ disablingForgets: 'the second time' }),
  ),
  mutant(
    'crl-configuration-forgets',
    'POST config/crl that leaves the CRL enabled forgets all revocations.',
    list({ configuringForgets: true }),
  ),
  mutant(
    'rotation-forgets',
    'GET crl/rotate makes a CRL without entries, and forgets all revocations.',
    list({ rotatingForgets: true }),
  ),
  mutant(
    'second-revocation-takes-back',
    'Revoking a certificate that is revoked already takes it out of the CRL.',
    row('revoking', { again: 'takes back' }),
  ),
  mutant(
    'crl-stays-that-of-a-replaced-ca',
    'After config/ca or set-signed on a mount with a CA, the CRL is the last one of the former CA until something is revoked.',
    row('rotations', { replacedCa: false }),
  ),
  mutant(
    'crl-disabled-does-not-record',
    'Revocations made while the CRL is disabled are not recorded (revoke answers a success).',
    list({ records: { enabled: true, disabled: false } }),
  ),
  mutant(
    'crl-enable-does-not-rebuild',
    'config/crl disable false after true leaves the CRL empty until the next rotation or revocation.',
    row('rotations', { enable: false }),
  ),
  mutant(
    'revoke-forgets-earlier-revocations',
    'A CRL holds the certificate revoked last only.',
    list({ holds: (entries) => entries.slice(-1) }),
  ),
  mutant(
    'crl-holds-the-first-five',
    'A CRL holds the first five revoked certificates only.',
    list({ holds: (entries) => entries.slice(0, 5) }),
  ),
  mutant(
    'crl-holds-the-last-three',
    'A CRL holds the last three revoked certificates only.',
    list({ holds: (entries) => entries.slice(-3) }),
  ),
  mutant(
    'crl-with-entries-signed-by-the-former-ca',
    'CRLs that list something are signed by the CA that was there before the present one (empty ones are right).',
    fresh(() => {
      const known = new WeakMap<Store, { readonly present: Issuer; readonly former: Issuer | undefined }>()
      return list({
        signedBy(issuer, store) {
          const last = known.get(store)
          if (!issuer) return issuer
          if (issuer.key !== last?.present.key) known.set(store, { present: issuer, former: last?.present })
          const former = known.get(store)?.former
          return former && store.revocations.size > 0 ? former : issuer
        },
      })
    }),
  ),
  mutant(
    'crl-der-lists-nothing',
    'GET crl never lists anything (crl/pem and cert/crl do).',
    list({ rewritten: (view) => (view === 'crl' ? { entries: 'none' } : undefined) }),
  ),
  mutant(
    'crl-with-entries-signed-by-another-key',
    'CRLs that list something are signed by another key than that of the CA (empty ones are right).',
    part('signers', { list: (key, _ca, entries) => (entries > 0 ? strangerKey() : key) }),
  ),
  ...(['pem', 'cert'] as const).map((shown) =>
    mutant(
      `${shown}-crl-signed-by-another-key`,
      `GET ${shown === 'pem' ? 'crl/pem' : 'cert/crl'} always shows a CRL that is signed by another key than that of the CA (the other reads are right).`,
      list({ rewritten: (view) => (view === shown ? { signer: strangerKey() } : undefined) }),
    ),
  ),
  ...(['submitted', 'signed'] as const).map((origin) =>
    mutant(
      `${origin}-ca-does-not-sign-its-crl`,
      `The CRL of a CA that was ${origin === 'submitted' ? 'submitted to config/ca' : 'set by set-signed'} is signed by another key than that of the CA.`,
      part('signers', { list: (key, ca) => (ca.origin.startsWith(origin) ? strangerKey() : key) }),
    ),
  ),
  mutant(
    'revoke-takes-leaves-only',
    'revoke refuses the serials of certificates that no role issued.',
    row('revoking', { of: 'leaves' }),
  ),
]
