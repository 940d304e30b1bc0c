/** Revoked certificates, and the list of them. Revoking only records: the list is signed when somebody asks for it. */
import { parseDuration } from '../../kernel/http/duration.ts'
import type { Mounted } from './context.ts'
import { findIssuer, type Issuer, keyIdOfCa } from './issuer.ts'
import { serialBytes } from './serials.ts'
import type { Revocation, Stored } from './store.ts'
import type { PkiTables } from './tables/index.ts'
import type { CrlConfig, ListView } from './tables/revocation.ts'
import { type ListDraft, writeEntry, writeList } from './x509/crl.ts'

export const crlConfigOf = ({ store, tables }: Mounted): CrlConfig => store.crlConfig ?? tables.revocation.unwrittenCrl

/** Records a revocation; a certificate that is revoked already stays as it is. `asked` is the serial as it was written.
 * Undefined where no such certificate is stored. */
export function revoke(mounted: Mounted, serial: string, asked = serial): Revocation | undefined {
  const { store, tables } = mounted
  const { records, listedSerial, revokingEnables } = tables.revocation.revocationList
  const known = store.revocations.get(serial)
  if (known) return known
  const revokedAt = mounted.clock.now()
  const stored = tables.revocation.revoking.unknown === 'listed' ? madeUp(revokedAt) : store.certificates.get(serial)
  if (!stored || stored.views?.revoked === false) return undefined
  const entry = writeEntry(serialBytes(listedSerial(serial, asked)), revokedAt)
  const revocation = { revokedAt, notAfter: stored.notAfter, entry }
  if (records[crlConfigOf(mounted).disable ? 'disabled' : 'enabled']) store.revocations.set(serial, revocation)
  if (revokingEnables && store.crlConfig) store.crlConfig = { ...store.crlConfig, disable: false }
  rotate(mounted, 'revoke')
  return revocation
}

/** Stands for whatever has a serial. */
const madeUp = (now: number): Pick<Stored, 'notAfter' | 'views'> => ({ notAfter: now + 24 * 3_600_000 })

/** From now on the list is another one. */
export function rotate(mounted: Mounted, cause: keyof PkiTables['revocation']['rotations']): void {
  const { list, revocations } = mounted.store
  if (mounted.tables.revocation.rotations[cause]) list.due = { at: mounted.clock.now(), upTo: revocations.size }
}

/** The list, DER, as one of its reads shows it. Without a CA key it is the last one that was signed, if any. */
export function currentList(mounted: Mounted, view: ListView): Buffer | undefined {
  const { disables, disabledIs } = mounted.tables.revocation.revocationList
  const issuer = findIssuer(mounted)
  const last = latestList(mounted)
  if (!crlConfigOf(mounted).disable) return last
  if (!disables[view] && issuer)
    return signList(mounted, issuer, { at: mounted.clock.now(), upTo: mounted.store.revocations.size }, false)
  return disabledIs === 'nothing' ? undefined : last
}

/** Signs the list if it is due, or no longer good. */
export function latestList(mounted: Mounted): Buffer | undefined {
  const { list, revocations } = mounted.store
  const issuer = findIssuer(mounted)
  const now = mounted.clock.now()
  const stale = list.der !== undefined && now >= list.nextUpdate
  const due = list.due ?? (stale ? { at: now, upTo: revocations.size } : undefined)
  if (!issuer || !due) return list.der
  list.der = signList(mounted, issuer, due, crlConfigOf(mounted).disable)
  list.nextUpdate = due.at + expiryOf(mounted)
  list.due = undefined
  return list.der
}

function expiryOf(mounted: Mounted): number {
  const { revocationList, unwrittenCrl } = mounted.tables.revocation
  const seconds =
    parseDuration(revocationList.expiry(crlConfigOf(mounted), mounted.store)) ?? parseDuration(unwrittenCrl.expiry) ?? 0
  return seconds * 1000
}

type Due = NonNullable<Mounted['store']['list']['due']>

function signList(mounted: Mounted, { certificate, key }: Issuer, due: Due, disabled: boolean): Buffer {
  const { list } = mounted.store
  const { signers } = mounted.tables
  list.number += 1
  const draft: ListDraft = {
    issuer: mounted.tables.revocation.revocationList.issuer(certificate.parsed.subject),
    issuerKeyId: keyIdOfCa(certificate),
    thisUpdate: due.at - mounted.manner().crlBackdating * 1000,
    nextUpdate: due.at + expiryOf(mounted),
    number: list.number,
    entries: disabled ? [] : entriesAt(mounted, due),
  }
  return writeList(draft, (disabled ? signers.disabledList : signers.list)(key, certificate).signer)
}

function entriesAt({ store, tables }: Mounted, { at, upTo }: Due): readonly Buffer[] {
  const { dropsExpired, holds } = tables.revocation.revocationList
  const entries: Buffer[] = []
  let seen = 0
  for (const { entry, notAfter } of store.revocations.values()) {
    if (seen++ >= upTo) break
    if (!dropsExpired || notAfter > at) entries.push(entry)
  }
  return holds(entries)
}
