/** Mutants of revocation and of CRLs. */

import { crlConfigOf, rotate as markDue, revoke as record } from '../../engines/pki/certificates/revocation.ts'
import { newSerial, serialBytes, serialKey, serialOf } from '../../engines/pki/certificates/serials.ts'
import { revoked } from '../../engines/pki/handlers/revocations.ts'
import type { PkiRules } from '../../engines/pki/rules/index.ts'
import type { revocationList } from '../../engines/pki/rules/revocation.ts'
import type { CaState, CrlConfig, Issuer, Store, Stored } from '../../engines/pki/store.ts'
import { readCertificate } from '../../engines/pki/x509/certificate.ts'
import { writeEntry } from '../../engines/pki/x509/crl.ts'
import { sequence } from '../../engines/pki/x509/der.ts'
import { readName, writeName } from '../../engines/pki/x509/names.ts'
import { members, readOne, tags } from '../../engines/pki/x509/reader.ts'
import type { Call } from '../../kernel/contracts.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import { losingOthers } from '../lost-writes.ts'
import { nameIn, without } from '../operations.ts'
import {
  after,
  type Change,
  fresh,
  type Here,
  mutant,
  on,
  type PkiMutant,
  part,
  refusing,
  remembering,
  requestField,
  showing,
  whenRefused,
} from './cells.ts'
import { strangerKey } from './strangers.ts'

type Rows = PkiRules['revocation']
const row =
  <K extends keyof Rows>(key: K, cells: Partial<Rows[K]>): Change =>
  (rules) => ({
    ...rules,
    revocation: { ...rules.revocation, [key]: { ...(rules.revocation[key] as object), ...cells } },
  })

const list = (cells: Partial<typeof revocationList>) => row('revocationList', cells)
const unknownName = writeName({ commonName: ['Nobody'] })
const nameOf = (stored: Stored | undefined): string | undefined =>
  stored && readName(readCertificate(Buffer.from(stored.der, 'latin1')).subject).commonName?.join()
/** Returns a positive serial number whose first bit is set, so that its encoding needs a leading zero. */
function highSerial(): Buffer {
  const serial = newSerial().subarray(1)
  serial[0] = (serial[0] ?? 0) | 0x80
  return serial
}

/** Encodes the serial number of an entry without its leading zero, so that it is read as a negative number. */
function withoutLeadingZero(entry: Buffer): Buffer {
  const [serial, ...rest] = members(readOne(entry, tags.sequence))
  const { bytes = Buffer.alloc(0), content = bytes } = serial ?? {}
  const isPadded = content.length > 1 && content[0] === 0
  const own = isPadded ? Buffer.concat([Buffer.of(0x02, content.length - 1), content.subarray(1)]) : bytes
  return sequence(own, ...rest.map((part) => part.bytes))
}

const revoke = ['POST revoke']
const rotate = ['GET crl/rotate']
const readConfig = ['GET config/crl']
const serialIn = ({ body }: Call): string => serialOf(String(body.serial_number ?? '')) ?? ''
const storedAt = (call: Call, { context }: Here): Stored | undefined => context.store.certificates.get(serialIn(call))
const isStored = (call: Call, here: Here): boolean => storedAt(call, here) !== undefined
/** Returns a certificate that is not revoked yet. */
const revocableAt = (call: Call, here: Here): Stored | undefined =>
  here.context.store.revocations.has(serialIn(call)) ? undefined : storedAt(call, here)
function isOfCa(call: Call, { context: { store } }: Here): boolean {
  const serial = store.ca.shown?.parsed.serial
  return serial !== undefined && serialKey(serial) === serialIn(call)
}
const isDisabled = (_call: Call, { context }: Here): boolean => crlConfigOf(context).disable
function enable(_call: Call, { context: { store } }: Here): void {
  if (store.crlConfig) store.crlConfig = { ...store.crlConfig, disable: false }
}
const forget = ({ context }: Here): void => context.store.revocations.clear()
/** Does something after the list was configured, by its configuration before and now. */
const configuring = (isMeant: (before: CrlConfig, here: Here) => boolean, act: (here: Here) => void) =>
  on(
    ['POST config/crl'],
    (_call, { context }) => context.store.revocations.size > 0,
    async (call, next, here) => {
      const before = crlConfigOf(here.context)
      const reply = await next(call)
      if (isMeant(before, here)) act(here)
      return reply
    },
  )
/** Lists another serial number than that of a revoked certificate. */
function listAnother(serial: string, { context: { store } }: Here): void {
  const revocation = store.revocations.get(serial)
  const another = serialBytes(`01-${serial.slice(3)}`)
  if (revocation) store.revocations.set(serial, { ...revocation, entry: writeEntry(another, revocation.revokedAt) })
}
const listsAnother = (separator: string) =>
  after(
    revoke,
    (call, here) => String(call.body.serial_number).includes(separator) && isStored(call, here),
    (call, here) => listAnother(serialIn(call), here),
  )
const leasing = ['POST issue/:name', 'POST sign/:name']
/** Ends the leases of certificates in another way. */
const ending = (end: (serial: string, usual: () => void | Promise<void>, here: Here) => void | Promise<void>) =>
  after(
    leasing,
    (call, { context }) => context.store.roles.get(nameIn(call))?.generate_lease === true,
    (_call, here, reply) => {
      if (reply.kind !== 'data' || !reply.lease) return undefined
      const { lease } = reply
      const { serial } = lease.kept as { readonly serial: string }
      return { ...reply, lease: { ...lease, revoke: () => end(serial, () => lease.revoke(), here) } }
    },
  )

/** In this state of the CA, CRLs are still signed by the last key that the CA had. */
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
    'revoke records the revocation, but the CRL does not list it until the next rotation.',
    row('rotations', { revoke: false }),
  ),
  mutant(
    'revoke-adds-another-serial',
    'revoke with a serial that has colons puts a wrong serial into the CRL.',
    listsAnother(':'),
  ),
  mutant('revoke-refuses-hyphens', 'revoke refuses a serial with hyphens.', row('revoking', { separators: /:/ })),
  mutant('revoke-refuses-colons', 'revoke refuses a serial with colons.', row('revoking', { separators: /-/ })),
  mutant(
    'revoke-takes-unknown-serials',
    'revoke of a serial that no certificate has succeeds.',
    whenRefused(
      revoke,
      (call, here) => Boolean(call.body.serial_number) && !isOfCa(call, here),
      (_call, { context }) => revoked(context.clock.now()),
    ),
  ),
  mutant(
    'revoke-lists-unknown-serials',
    'revoke of a serial that no stored certificate has succeeds and puts the serial into the CRL.',
    on(
      revoke,
      (call, here) =>
        serialIn(call) !== '' && !isOfCa(call, here) && !here.context.store.revocations.has(serialIn(call)),
      (call, next, here) => {
        const { clock, store } = here.context
        const stored = storedAt(call, here)
        store.certificates.set(serialIn(call), { der: '', ...stored, notAfter: clock.now() + 24 * 3_600_000 })
        try {
          return next(call)
        } finally {
          if (stored) store.certificates.set(serialIn(call), stored)
          else store.certificates.delete(serialIn(call))
        }
      },
    ),
  ),
  mutant(
    'revoke-with-hyphens-adds-another-serial',
    'revoke with a serial that has hyphens puts a wrong serial into the CRL.',
    listsAnother('-'),
    ending(async (serial, usual, here) => {
      await usual()
      listAnother(serial, here)
    }),
  ),
  mutant(
    'revoke-serial-number-optional',
    'revoke without serial_number succeeds.',
    requestField('revoke', 'serial_number', { required: false }),
  ),
  mutant(
    'revoke-ignores-later-revocations',
    'CRLs list only the first certificate that was revoked on the mount.',
    list({ holds: (entries) => entries.slice(0, 1) }),
  ),
  mutant(
    'revocations-at-once-lose-one',
    'Of certificates that are revoked at the same time, CRLs list only the one whose revocation ends last.',
    on(
      ['POST revoke'],
      () => true,
      (call, next, { context }) => losingOthers(context.store.revocations, () => next(call)),
    ),
  ),
  mutant(
    'lease-revocation-keeps-the-certificate',
    'Revoking the lease of a certificate succeeds but does not revoke the certificate.',
    ending(() => {}),
  ),
  mutant('rotate-keeps-the-crl', 'GET crl/rotate succeeds but makes no new CRL.', row('rotations', { rotate: false })),
  mutant(
    'rotate-works-once',
    'GET crl/rotate always succeeds but makes a new CRL only the first time.',
    remembering(rotate, (_call, { memory }) => {
      memory.set('rotated', true)
    }),
    on(
      rotate,
      (_call, { memory }) => memory.has('rotated'),
      () => ({ kind: 'data', data: { success: true } }),
    ),
  ),
  mutant(
    'crl-with-entries-is-valid-for-72-hours',
    'A CRL with entries is valid for 72 h, whatever expiry is configured.',
    list({ expiry: ({ expiry }, of) => ((of as Store).revocations.size > 0 ? '72h' : expiry) }),
  ),
  mutant(
    'crl-expiry-default-24h',
    'If config/crl was never written, CRLs are valid for 24 h.',
    row('unwrittenCrl', { expiry: '24h' }),
  ),
  mutant(
    'crl-expiry-ignored',
    'expiry in config/crl is stored and shown, but CRLs are always valid for 72 h.',
    list({ expiry: () => '72h' }),
  ),
  mutant(
    'crl-later-expiry-ignored',
    'The expiry that was configured when the first CRL of a mount was made stays in effect.',
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
    'An expiry in config/crl above 72 h is treated as 72 h.',
    list({ expiry: ({ expiry }) => ((parseDuration(expiry) ?? 0) > 72 * 3600 ? '72h' : expiry) }),
  ),
  mutant(
    'deleted-root-signs-crls',
    'After DELETE root, crl/rotate still signs CRLs with the old key.',
    fresh(() => oldKeySigns('keyless')),
  ),
  mutant(
    'replaced-key-signs-crls',
    'After intermediate/generate on a mount with a CA, crl/rotate still signs CRLs with the old key.',
    fresh(() => oldKeySigns('awaiting')),
  ),
  mutant(
    'revoke-needs-the-role',
    'revoke refuses certificates that were issued under a role that was deleted.',
    refusing(revoke, (call, here) => {
      const role = revocableAt(call, here)?.role
      return role !== undefined && !here.context.store.roles.has(role)
    }),
  ),
  mutant(
    'rotate-keeps-expired-entries',
    'CRLs still list revoked certificates after they have expired.',
    list({ dropsExpired: false }),
  ),
  mutant(
    'revoke-enables-the-crl',
    'Revoking a certificate while the CRL is disabled enables the CRL.',
    after(revoke, isDisabled, enable),
  ),
  mutant(
    'crl-expiry-read-omits',
    'The reply to GET config/crl lacks expiry.',
    showing(
      readConfig,
      () => true,
      (fields) => without(fields, 'expiry'),
    ),
  ),
  mutant(
    'crl-disable-read-omits',
    'The reply to GET config/crl lacks disable.',
    showing(
      readConfig,
      () => true,
      (fields) => without(fields, 'disable'),
    ),
  ),
  mutant(
    'crl-expiry-default-is-not-shown',
    'GET config/crl shows an empty expiry until a write gives one.',
    showing(
      readConfig,
      (_call, { context }) => context.store.crlConfig === undefined,
      (fields) => ({ ...fields, expiry: '' }),
    ),
  ),
  mutant(
    'crl-expiry-read-is-the-default',
    'GET config/crl always shows the expiry 72h.',
    showing(
      readConfig,
      (_call, { context }) => crlConfigOf(context).expiry !== '72h',
      (fields) => ({ ...fields, expiry: '72h' }),
    ),
  ),
  mutant(
    'crl-disable-read-is-the-default',
    'GET config/crl always shows disable false.',
    showing(readConfig, isDisabled, (fields) => ({ ...fields, disable: false })),
  ),
  mutant('crl-issuer-altered', 'The issuer of CRLs is not the subject of the CA.', list({ issuer: () => unknownName })),
  mutant(
    'crl-disable-default-on',
    'If config/crl was never written, the CRL is disabled.',
    row('unwrittenCrl', { disable: true }),
  ),
  mutant(
    'crl-expiry-written-default-24h',
    'POST config/crl without expiry sets the expiry 24h.',
    requestField('configCrl', 'expiry', { fallback: '24h' }),
  ),
  mutant(
    'crl-written-default-disables',
    'POST config/crl without disable disables the CRL.',
    requestField('configCrl', 'disable', { fallback: true }),
  ),
  mutant(
    'crl-takes-any-expiry',
    'POST config/crl accepts an expiry that is not a duration.',
    requestField('configCrl', 'expiry', { invalid: () => undefined }),
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
    'GET crl/rotate while the CRL is disabled enables the CRL.',
    after(rotate, isDisabled, enable),
  ),
  mutant(
    'crl-enabled-lists-the-last-revocation',
    'When the CRL is enabled again, it lists only the last revocation.',
    configuring(
      (before, { context }) => before.disable && !crlConfigOf(context).disable,
      ({ context: { store } }) => {
        for (const serial of [...store.revocations.keys()].slice(0, -1)) store.revocations.delete(serial)
      },
    ),
  ),
  mutant(
    'crl-disabled-is-empty-body',
    'While the CRL is disabled, crl and crl/pem return an empty body.',
    list({ disabledIs: 'nothing' }),
  ),
  mutant(
    'crl-disabled-signed-by-another-key',
    'While the CRL is disabled, the empty CRL is signed by another key than that of the CA.',
    part('signers', { disabledList: strangerKey }),
  ),
  mutant(
    'crl-disable-forgets',
    'Disabling the CRL forgets all earlier revocations.',
    configuring((_before, { context }) => crlConfigOf(context).disable, forget),
  ),
  mutant(
    'crl-second-disable-forgets',
    'Disabling the CRL again while it is disabled forgets all revocations.',
    configuring((before, { context }) => before.disable && crlConfigOf(context).disable, forget),
  ),
  mutant(
    'crl-configuration-forgets',
    'A POST config/crl that leaves the CRL enabled forgets all revocations.',
    configuring((before, { context }) => !before.disable && !crlConfigOf(context).disable, forget),
  ),
  mutant(
    'rotation-forgets',
    'GET crl/rotate makes a CRL without entries and forgets all revocations.',
    after(
      rotate,
      (_call, { context }) => context.store.revocations.size > 0,
      (_call, here) => forget(here),
    ),
  ),
  mutant(
    'second-revocation-takes-back',
    'Revoking a certificate that is already revoked removes it from the CRL.',
    on(
      revoke,
      (call, { context }) => context.store.revocations.has(serialIn(call)),
      async (call, next, { context }) => {
        const reply = await next(call)
        context.store.revocations.delete(serialIn(call))
        markDue(context, 'revoke')
        return reply
      },
    ),
  ),
  mutant(
    'crl-stays-that-of-a-replaced-ca',
    'After config/ca or set-signed replaced a CA, the CRL is still that of the former CA until something is revoked.',
    row('rotations', { replacedCa: false }),
  ),
  mutant(
    'crl-disabled-does-not-record',
    'revoke while the CRL is disabled succeeds but does not record the revocation.',
    after(revoke, isDisabled, (call, { context }) => {
      context.store.revocations.delete(serialIn(call))
    }),
  ),
  mutant(
    'crl-enable-does-not-rebuild',
    'Enabling the CRL again leaves it empty until the next rotation or revocation.',
    row('rotations', { enable: false }),
  ),
  mutant(
    'revoke-forgets-earlier-revocations',
    'CRLs list only the certificate that was revoked last.',
    list({ holds: (entries) => entries.slice(-1) }),
  ),
  mutant(
    'crl-holds-the-first-five',
    'CRLs list only the first five revoked certificates.',
    list({ holds: (entries) => entries.slice(0, 5) }),
  ),
  mutant(
    'crl-holds-the-last-three',
    'CRLs list only the last three revoked certificates.',
    list({ holds: (entries) => entries.slice(-3) }),
  ),
  mutant(
    'crl-with-entries-signed-by-the-former-ca',
    'CRLs with entries are signed by the CA before the present one; empty CRLs are right.',
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
    'crl-der-lists-the-first-revocation',
    'The CRL that GET crl returns lists only the first revoked certificate; crl/pem and cert/crl are right.',
    list({ rewritten: (view) => (view === 'crl' ? { entries: 'the first' } : undefined) }),
  ),
  mutant(
    'cert-crl-lists-the-first-revocation',
    'The CRL that GET cert/crl returns lists only the first revoked certificate; crl and crl/pem are right.',
    list({ rewritten: (view) => (view === 'cert' ? { entries: 'the first' } : undefined) }),
  ),
  mutant(
    'revoke-revokes-each-of-the-name',
    'revoke also revokes the other certificates of the same common name.',
    after(revoke, isStored, (call, here) => {
      const { certificates } = here.context.store
      const name = nameOf(storedAt(call, here))
      for (const [serial, other] of certificates) if (nameOf(other) === name) record(here.context, serial)
    }),
  ),
  ...(['submitted', 'signed'] as const).map((origin) =>
    mutant(
      `revoke-is-refused-under-a-${origin}-ca`,
      `revoke is refused if the CA of the mount was ${origin === 'signed' ? 'set by set-signed' : 'submitted'}.`,
      refusing(
        revoke,
        (call, here) =>
          revocableAt(call, here) !== undefined &&
          here.context.store.ca.certificate?.origin.startsWith(origin) === true,
      ),
    ),
  ),
  mutant(
    'crl-expiry-minutes-misread',
    'An expiry in config/crl with the suffix m is read as hours.',
    list({ expiry: ({ expiry }) => expiry.replace(/m$/, 'h') }),
  ),
  mutant(
    'crl-serials-become-negative',
    'The first bit of the serial numbers of leaf certificates is set, and CRLs write them as negative numbers.',
    (rules) => ({ ...rules, leafSerial: highSerial }),
    list({ holds: (entries) => entries.map(withoutLeadingZero) }),
  ),
  mutant(
    'cert-read-omits-revoked',
    'GET cert/:serial returns 404 for revoked certificates.',
    refusing(
      ['GET cert/:serial'],
      ({ params }, { context }) => context.store.revocations.has(serialOf(params.serial ?? '') ?? ''),
      'not-found',
    ),
  ),
  mutant(
    'crl-der-lists-nothing',
    'The CRL that GET crl returns has no entries; crl/pem and cert/crl are right.',
    list({ rewritten: (view) => (view === 'crl' ? { entries: 'none' } : undefined) }),
  ),
  mutant(
    'crl-with-entries-signed-by-another-key',
    'CRLs with entries are signed by another key than that of the CA; empty CRLs are right.',
    part('signers', { list: (key, _ca, entries) => (entries > 0 ? strangerKey() : key) }),
  ),
  ...(['pem', 'cert'] as const).map((shown) =>
    mutant(
      `${shown}-crl-signed-by-another-key`,
      `GET ${shown === 'pem' ? 'crl/pem' : 'cert/crl'} returns a CRL signed by another key than that of the CA.`,
      list({ rewritten: (view) => (view === shown ? { signer: strangerKey() } : undefined) }),
    ),
  ),
  ...(['submitted', 'signed'] as const).map((origin) =>
    mutant(
      `${origin}-ca-does-not-sign-its-crl`,
      `The CRL of a CA from ${origin === 'submitted' ? 'config/ca' : 'set-signed'} is signed by another key.`,
      part('signers', { list: (key, ca) => (ca.origin.startsWith(origin) ? strangerKey() : key) }),
    ),
  ),
  mutant(
    'revoke-takes-leaves-only',
    'revoke refuses the serials of certificates that were not issued under a role.',
    refusing(revoke, (call, here) => {
      const stored = revocableAt(call, here)
      return stored !== undefined && stored.role === undefined
    }),
  ),
]
