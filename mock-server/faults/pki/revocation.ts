/** Faults of revocation and of CRLs. */

import { isDeepStrictEqual } from 'node:util'
import { keyIdOfCa } from '../../engines/pki/certificates/issuer.ts'
import { crlConfigOf, dueNow, rotate as markDue, revoke as record } from '../../engines/pki/certificates/revocation.ts'
import { newSerial, serialBytes, serialKey, serialOf } from '../../engines/pki/certificates/serials.ts'
import { revoked } from '../../engines/pki/handlers/revocations.ts'
import type { CaKey, CaState, CrlConfig, Stored } from '../../engines/pki/store.ts'
import { readCertificate } from '../../engines/pki/x509/certificate.ts'
import { type ListDraft, writeEntry } from '../../engines/pki/x509/crl.ts'
import { sequence } from '../../engines/pki/x509/der.ts'
import { readName, writeName } from '../../engines/pki/x509/names.ts'
import { members, readOne, tags } from '../../engines/pki/x509/reader.ts'
import { type Call, done } from '../../kernel/contracts.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import { losingOthers } from '../lost-writes.ts'
import { nameIn, without } from '../operations.ts'
import { during, withMethods } from '../with-methods.ts'
import { part, requestField } from './cells.ts'
import {
  after,
  always,
  asCa,
  configCa,
  deleteRoot,
  drafting,
  draftingList,
  fault,
  faults,
  formerCa,
  generateIntermediate,
  generateRoot,
  type Here,
  hasFormerCa,
  on,
  type PkiFault,
  refusing,
  remembering,
  remembersFormerCa,
  remembersRoles,
  setSigned,
  showing,
  signedByStranger,
  stored,
  whenRefused,
} from './pki-operations.ts'
import { strangerKey } from './strangers.ts'

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
const hasSeparator =
  (separator: string) =>
  ({ body }: Call): boolean =>
    String(body.serial_number).includes(separator)
const listsAnother = (separator: string) =>
  after(
    revoke,
    (call, here) => hasSeparator(separator)(call) && isStored(call, here),
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

type View = 'crl' | 'pem' | 'cert'
const reads: Readonly<Record<View, string>> = { crl: 'GET crl', pem: 'GET crl/pem', cert: 'GET cert/:serial' }
const views = Object.keys(reads) as View[]
const isList = ({ rest, params }: Call): boolean => !rest.startsWith('cert/') || params.serial === 'crl'

/** In this state of the CA, CRLs are still signed by the last key that the CA had. */
const oldKeySigns = (operations: readonly string[], state: CaState) => [
  remembersFormerCa(operations),
  asCa(
    views.map((view) => reads[view]),
    (call, here) => isList(call) && here.context.store.ca.state === state && hasFormerCa(here),
    formerCa,
  ),
]

/** Signs a list of its own for some reads, with another draft, by another key, or although the CRL is disabled. */
const listFor = (
  shown: readonly View[],
  change: { draft?: (draft: ListDraft) => ListDraft; key?: () => CaKey; disable?: false },
  when: (call: Call, here: Here) => boolean = always,
) =>
  on(
    shown.map((view) => reads[view]),
    (call, here) => isList(call) && here.context.store.ca.key !== undefined && when(call, here),
    (call, next, { context }) => {
      const { signing, store } = context
      const list: typeof signing.list = (draft, by) =>
        signing.list(change.draft?.(draft) ?? draft, { ...by, key: change.key?.() ?? by.key })
      const own = { ...store.list, due: dueNow(context) }
      const crlConfig = change.disable === undefined ? store.crlConfig : { ...crlConfigOf(context), disable: false }
      try {
        return during(store, { list: own, crlConfig }, () =>
          during(context, { signing: withMethods(signing, { list }) }, () => next(call)),
        )
      } finally {
        store.list.number = own.number
      }
    },
  )

const holding = (change: (entries: readonly Buffer[]) => readonly Buffer[]) =>
  draftingList((draft) => {
    const entries = change(draft.entries)
    return isDeepStrictEqual(entries, draft.entries) ? draft : { ...draft, entries }
  })
/** Makes CRLs valid for another number of seconds than the configuration says. */
const validFor = (change: (seconds: number, config: CrlConfig, here: Here, draft: ListDraft) => number) =>
  draftingList((draft, here) => {
    const config = crlConfigOf(here.context)
    const seconds = parseDuration(config.expiry) ?? 0
    const other = change(seconds, config, here, draft)
    return other === seconds ? draft : { ...draft, nextUpdate: draft.nextUpdate + (other - seconds) * 1000 }
  })
const theFirst = (draft: ListDraft): ListDraft => ({ ...draft, entries: draft.entries.slice(0, 1) })
const hasRevocations = (_call: Call, { context }: Here): boolean => context.store.revocations.size > 0
const threeDays = 72 * 3600

/** Does not make a new CRL after operations. One that was signed meanwhile stays. */
const keepingTheList = (operations: readonly string[], when: (call: Call, here: Here) => boolean = always) =>
  on(operations, when, async (call, next, { context: { store } }) => {
    const { der, due } = store.list
    const reply = await next(call)
    store.list.due = store.list.der === der ? due : undefined
    return reply
  })

export const ofRevocation: readonly PkiFault[] = [
  ...faults({
    'revoke-does-not-rotate': 'revoke records the revocation, but the CRL does not list it until the next rotation.',
    'revoke-adds-another-serial': 'revoke with a serial that has colons puts a wrong serial into the CRL.',
    'revoke-refuses-hyphens': 'revoke refuses a serial with hyphens.',
    'revoke-refuses-colons': 'revoke refuses a serial with colons.',
    'revoke-takes-unknown-serials': 'revoke of a serial that no certificate has succeeds.',
    'revoke-lists-unknown-serials':
      'revoke of a serial that no stored certificate has succeeds and puts the serial into the CRL.',
    'revoke-with-hyphens-adds-another-serial':
      'revoke with a serial that has hyphens puts a wrong serial into the CRL.',
    'revoke-serial-number-optional': 'revoke without serial_number succeeds.',
    'revoke-ignores-later-revocations': 'CRLs list only the first certificate that was revoked on the mount.',
    'revocations-at-once-lose-one':
      'Of certificates that are revoked at the same time, CRLs list only the one whose revocation ends last.',
    'lease-revocation-keeps-the-certificate':
      'Revoking the lease of a certificate succeeds but does not revoke the certificate.',
    'rotate-keeps-the-crl': 'GET crl/rotate succeeds but makes no new CRL.',
    'rotate-works-once': 'GET crl/rotate always succeeds but makes a new CRL only the first time.',
    'crl-with-entries-is-valid-for-72-hours': 'A CRL with entries is valid for 72 h, whatever expiry is configured.',
    'crl-expiry-default-24h': 'If config/crl was never written, CRLs are valid for 24 h.',
    'crl-expiry-ignored': 'expiry in config/crl is stored and shown, but CRLs are always valid for 72 h.',
    'crl-later-expiry-ignored':
      'The expiry that was configured when the first CRL of a mount was made stays in effect.',
    'crl-expiry-is-72-hours-at-most': 'An expiry in config/crl above 72 h is treated as 72 h.',
    'deleted-root-signs-crls': 'After DELETE root, crl/rotate still signs CRLs with the old key.',
    'replaced-key-signs-crls':
      'After intermediate/generate on a mount with a CA, crl/rotate still signs CRLs with the old key.',
    'revoke-needs-the-role': 'revoke refuses certificates that were issued under a role that was deleted.',
    'rotate-keeps-expired-entries': 'CRLs still list revoked certificates after they have expired.',
    'revoke-enables-the-crl': 'Revoking a certificate while the CRL is disabled enables the CRL.',
    'crl-expiry-read-omits': 'The reply to GET config/crl lacks expiry.',
    'crl-disable-read-omits': 'The reply to GET config/crl lacks disable.',
    'crl-expiry-default-is-not-shown': 'GET config/crl shows an empty expiry until a write gives one.',
    'crl-expiry-read-is-the-default': 'GET config/crl always shows the expiry 72h.',
    'crl-disable-read-is-the-default': 'GET config/crl always shows disable false.',
    'crl-issuer-altered': 'The issuer of CRLs is not the subject of the CA.',
    'crl-issuer-has-parts-with-a-field-only':
      'The issuer of CRLs is the subject of the CA without the parts for which no document has a field.',
    'crl-disable-default-on': 'If config/crl was never written, the CRL is disabled.',
    'crl-expiry-written-default-24h': 'POST config/crl without expiry sets the expiry 24h.',
    'crl-written-default-disables': 'POST config/crl without disable disables the CRL.',
    'crl-takes-any-expiry': 'POST config/crl accepts an expiry that is not a duration.',
    'crl-disable-ignored': 'config/crl disable true has no effect on crl and cert/crl.',
    'crl-disable-spares-pem': 'config/crl disable true has no effect on crl/pem.',
    'crl-disable-spares-cert-crl': 'config/crl disable true has no effect on cert/crl.',
    'crl-rotate-enables-the-crl': 'GET crl/rotate while the CRL is disabled enables the CRL.',
    'crl-enabled-lists-the-last-revocation': 'When the CRL is enabled again, it lists only the last revocation.',
    'crl-disabled-is-empty-body': 'While the CRL is disabled, crl and crl/pem return an empty body.',
    'crl-disabled-signed-by-another-key':
      'While the CRL is disabled, the empty CRL is signed by another key than that of the CA.',
    'crl-disable-forgets': 'Disabling the CRL forgets all earlier revocations.',
    'crl-second-disable-forgets': 'Disabling the CRL again while it is disabled forgets all revocations.',
    'crl-configuration-forgets': 'A POST config/crl that leaves the CRL enabled forgets all revocations.',
    'rotation-forgets': 'GET crl/rotate makes a CRL without entries and forgets all revocations.',
    'second-revocation-takes-back': 'Revoking a certificate that is already revoked removes it from the CRL.',
    'crl-stays-that-of-a-replaced-ca':
      'After config/ca or set-signed replaced a CA, the CRL is still that of the former CA until something is revoked.',
    'crl-disabled-does-not-record': 'revoke while the CRL is disabled succeeds but does not record the revocation.',
    'crl-enable-does-not-rebuild': 'Enabling the CRL again leaves it empty until the next rotation or revocation.',
    'revoke-forgets-earlier-revocations': 'CRLs list only the certificate that was revoked last.',
    'crl-holds-the-first-five': 'CRLs list only the first five revoked certificates.',
    'crl-holds-the-last-three': 'CRLs list only the last three revoked certificates.',
    'crl-with-entries-signed-by-the-former-ca':
      'CRLs with entries are signed by the CA before the present one; empty CRLs are right.',
    'crl-der-lists-the-first-revocation':
      'The CRL that GET crl returns lists only the first revoked certificate; crl/pem and cert/crl are right.',
    'cert-crl-lists-the-first-revocation':
      'The CRL that GET cert/crl returns lists only the first revoked certificate; crl and crl/pem are right.',
    'revoke-revokes-each-of-the-name': 'revoke also revokes the other certificates of the same common name.',
    'crl-expiry-minutes-misread': 'An expiry in config/crl with the suffix m is read as hours.',
    'crl-serials-become-negative':
      'The first bit of the serial numbers of leaf certificates is set, and CRLs write them as negative numbers.',
    'cert-read-omits-revoked': 'GET cert/:serial returns 404 for revoked certificates.',
    'crl-der-lists-nothing': 'The CRL that GET crl returns has no entries; crl/pem and cert/crl are right.',
    'crl-with-entries-signed-by-another-key':
      'CRLs with entries are signed by another key than that of the CA; empty CRLs are right.',
    'revoke-takes-leaves-only': 'revoke refuses the serials of certificates that were not issued under a role.',
  }).by({
    'revoke-does-not-rotate': [
      keepingTheList(revoke),
      ending(async (_serial, usual, { context: { store } }) => {
        const { due } = store.list
        await usual()
        store.list.due = due
      }),
    ],
    'revoke-adds-another-serial': listsAnother(':'),
    'revoke-refuses-hyphens': refusing(revoke, hasSeparator('-')),
    'revoke-refuses-colons': refusing(revoke, hasSeparator(':')),
    'revoke-takes-unknown-serials': whenRefused(
      revoke,
      (call, here) => Boolean(call.body.serial_number) && !isOfCa(call, here),
      (_call, { context }) => revoked(context.clock.now()),
    ),
    'revoke-lists-unknown-serials': on(
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
    'revoke-with-hyphens-adds-another-serial': [
      listsAnother('-'),
      ending(async (serial, usual, here) => {
        await usual()
        listAnother(serial, here)
      }),
    ],
    'revoke-serial-number-optional': whenRefused(
      revoke,
      ({ body }) => !body.serial_number,
      () => done,
    ),
    'revoke-ignores-later-revocations': holding((entries) => entries.slice(0, 1)),
    'revocations-at-once-lose-one': on(
      ['POST revoke'],
      () => true,
      (call, next, { context }) => losingOthers(context.store.revocations, () => next(call)),
    ),
    'lease-revocation-keeps-the-certificate': ending(() => {}),
    'rotate-keeps-the-crl': keepingTheList(rotate),
    'rotate-works-once': [
      remembering(rotate, (_call, { memory }) => {
        memory.set('rotated', true)
      }),
      on(
        rotate,
        (_call, { memory }) => memory.has('rotated'),
        () => ({ kind: 'data', data: { success: true } }),
      ),
    ],
    'crl-with-entries-is-valid-for-72-hours': validFor((seconds, _config, _here, { entries }) =>
      entries.length > 0 ? threeDays : seconds,
    ),
    'crl-expiry-default-24h': part('unwrittenCrl', { expiry: '24h' }),
    'crl-expiry-ignored': validFor(() => threeDays),
    'crl-later-expiry-ignored': stored('signing', 'list', ([draft, by], next, { context, memory }) => {
      const seconds = parseDuration(crlConfigOf(context).expiry) ?? 0
      if (!memory.has('seconds')) memory.set('seconds', seconds)
      return next({ ...draft, nextUpdate: draft.nextUpdate + (Number(memory.get('seconds')) - seconds) * 1000 }, by)
    }),
    'crl-expiry-is-72-hours-at-most': validFor((seconds) => Math.min(seconds, threeDays)),
    'deleted-root-signs-crls': oldKeySigns(deleteRoot, 'keyless'),
    'replaced-key-signs-crls': oldKeySigns(generateIntermediate, 'awaiting'),
    'revoke-needs-the-role': [
      remembersRoles,
      refusing(revoke, (call, here) => {
        const role = here.memory.get(serialIn(call))
        return typeof role === 'string' && !here.context.store.roles.has(role) && revocableAt(call, here) !== undefined
      }),
    ],
    'rotate-keeps-expired-entries': draftingList((draft, { context }) => {
      const { store } = context
      const expired = [...store.revocations.values()].filter(({ entry }) => !draft.entries.includes(entry))
      if (crlConfigOf(context).disable || expired.length === 0) return draft
      return { ...draft, entries: [...draft.entries, ...expired.map(({ entry }) => entry)] }
    }),
    'revoke-enables-the-crl': after(revoke, isDisabled, enable),
    'crl-expiry-read-omits': showing(
      readConfig,
      () => true,
      (fields) => without(fields, 'expiry'),
    ),
    'crl-disable-read-omits': showing(
      readConfig,
      () => true,
      (fields) => without(fields, 'disable'),
    ),
    'crl-expiry-default-is-not-shown': showing(
      readConfig,
      (_call, { context }) => context.store.crlConfig === undefined,
      (fields) => ({ ...fields, expiry: '' }),
    ),
    'crl-expiry-read-is-the-default': showing(
      readConfig,
      (_call, { context }) => crlConfigOf(context).expiry !== '72h',
      (fields) => ({ ...fields, expiry: '72h' }),
    ),
    'crl-disable-read-is-the-default': showing(readConfig, isDisabled, (fields) => ({ ...fields, disable: false })),
    'crl-issuer-altered': draftingList((draft) => ({ ...draft, issuer: unknownName })),
    'crl-issuer-has-parts-with-a-field-only': draftingList((draft) => ({
      ...draft,
      issuer: writeName(readName(draft.issuer)),
    })),
    'crl-disable-default-on': part('unwrittenCrl', { disable: true }),
    'crl-expiry-written-default-24h': requestField('configCrl', 'expiry', { fallback: '24h' }),
    'crl-written-default-disables': requestField('configCrl', 'disable', { fallback: true }),
    'crl-takes-any-expiry': requestField('configCrl', 'expiry', { invalid: () => undefined }),
    'crl-disable-ignored': listFor(['crl', 'cert'], { disable: false }, isDisabled),
    'crl-disable-spares-pem': listFor(['pem'], { disable: false }, isDisabled),
    'crl-disable-spares-cert-crl': listFor(['cert'], { disable: false }, isDisabled),
    'crl-rotate-enables-the-crl': after(rotate, isDisabled, enable),
    'crl-enabled-lists-the-last-revocation': configuring(
      (before, { context }) => before.disable && !crlConfigOf(context).disable,
      ({ context: { store } }) => {
        for (const serial of [...store.revocations.keys()].slice(0, -1)) store.revocations.delete(serial)
      },
    ),
    'crl-disabled-is-empty-body': [
      on([reads.crl, reads.pem], isDisabled, async (call, next) => {
        const reply = await next(call)
        return reply.kind === 'bare' ? { ...reply, status: 204, bytes: '' } : reply
      }),
      refusing([reads.cert], (call, here) => isList(call) && isDisabled(call, here), 'not-found'),
    ],
    'crl-disabled-signed-by-another-key': signedByStranger('list', (_by, here) => crlConfigOf(here.context).disable),
    'crl-disable-forgets': configuring((_before, { context }) => crlConfigOf(context).disable, forget),
    'crl-second-disable-forgets': configuring(
      (before, { context }) => before.disable && crlConfigOf(context).disable,
      forget,
    ),
    'crl-configuration-forgets': configuring(
      (before, { context }) => !before.disable && !crlConfigOf(context).disable,
      forget,
    ),
    'rotation-forgets': after(
      rotate,
      (_call, { context }) => context.store.revocations.size > 0,
      (_call, here) => forget(here),
    ),
    'second-revocation-takes-back': on(
      revoke,
      (call, { context }) => context.store.revocations.has(serialIn(call)),
      async (call, next, { context }) => {
        const reply = await next(call)
        context.store.revocations.delete(serialIn(call))
        markDue(context)
        return reply
      },
    ),
    'crl-stays-that-of-a-replaced-ca': keepingTheList(
      [...generateRoot, ...configCa, ...setSigned],
      (_call, { context }) => context.store.ca.shown !== undefined,
    ),
    'crl-disabled-does-not-record': after(revoke, isDisabled, (call, { context }) => {
      context.store.revocations.delete(serialIn(call))
    }),
    'crl-enable-does-not-rebuild': keepingTheList(
      ['POST config/crl'],
      (call, here) => isDisabled(call, here) && call.body.disable === false,
    ),
    'revoke-forgets-earlier-revocations': holding((entries) => entries.slice(-1)),
    'crl-holds-the-first-five': holding((entries) => entries.slice(0, 5)),
    'crl-holds-the-last-three': holding((entries) => entries.slice(-3)),
    'crl-with-entries-signed-by-the-former-ca': [
      remembersFormerCa([...deleteRoot, ...generateIntermediate, ...configCa, ...setSigned, ...generateRoot]),
      stored(
        'signing',
        'list',
        ([draft, by], next, here) => {
          const { certificate, key } = formerCa(here)
          if (!certificate || !key) return next(draft, by)
          const issuer = certificate.parsed.subject
          return next({ ...draft, issuer, issuerKeyId: keyIdOfCa(certificate) }, { ...by, certificate, key })
        },
        ([{ entries }], here) => entries.length > 0 && hasFormerCa(here),
      ),
    ],
    'crl-der-lists-the-first-revocation': listFor(['crl'], { draft: theFirst }, hasRevocations),
    'cert-crl-lists-the-first-revocation': listFor(['cert'], { draft: theFirst }, hasRevocations),
    'revoke-revokes-each-of-the-name': after(revoke, isStored, (call, here) => {
      const { certificates } = here.context.store
      const name = nameOf(storedAt(call, here))
      for (const [serial, other] of certificates) if (nameOf(other) === name) record(here.context, serial)
    }),
    'crl-expiry-minutes-misread': validFor((seconds, { expiry }) => (expiry.endsWith('m') ? seconds * 60 : seconds)),
    'crl-serials-become-negative': [
      drafting(['leaf'], (draft) => ({ ...draft, serial: highSerial() })),
      holding((entries) => entries.map(withoutLeadingZero)),
    ],
    'cert-read-omits-revoked': refusing(
      ['GET cert/:serial'],
      ({ params }, { context }) => context.store.revocations.has(serialOf(params.serial ?? '') ?? ''),
      'not-found',
    ),
    'crl-der-lists-nothing': listFor(['crl'], { draft: (draft) => ({ ...draft, entries: [] }) }, hasRevocations),
    'crl-with-entries-signed-by-another-key': signedByStranger(
      'list',
      (_by, _here, draft) => 'entries' in draft && draft.entries.length > 0,
    ),
    'revoke-takes-leaves-only': [
      remembersRoles,
      refusing(revoke, (call, here) => revocableAt(call, here) !== undefined && !here.memory.has(serialIn(call))),
    ],
  }),
  ...(['submitted', 'signed'] as const).map((origin) =>
    fault(
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
  ...(['pem', 'cert'] as const).map((shown) =>
    fault(
      `${shown}-crl-signed-by-another-key`,
      `GET ${shown === 'pem' ? 'crl/pem' : 'cert/crl'} returns a CRL signed by another key than that of the CA.`,
      listFor([shown], { key: strangerKey }),
    ),
  ),
  ...(['submitted', 'signed'] as const).map((origin) =>
    fault(
      `${origin}-ca-does-not-sign-its-crl`,
      `The CRL of a CA from ${origin === 'submitted' ? 'config/ca' : 'set-signed'} is signed by another key.`,
      signedByStranger('list', ({ certificate }) => certificate.origin.startsWith(origin)),
    ),
  ),
]
