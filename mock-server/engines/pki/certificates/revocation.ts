/** Revokes certificates and keeps the list of them. A revocation is only recorded; the list is signed when somebody
 * reads it. */
import { parseDuration } from '../../../kernel/http/duration.ts'
import type { Context } from '../context.ts'
import type { Revocation, Stored } from '../store.ts'
import type { PkiTables } from '../tables/index.ts'
import type { CrlConfig, ListView } from '../tables/revocation.ts'
import { type ListDraft, writeEntry, writeList } from '../x509/crl.ts'
import { findIssuer, type Issuer, keyIdOfCa } from './issuer.ts'
import { serialBytes } from './serials.ts'

export const crlConfigOf = ({ store, tables }: Context): CrlConfig => store.crlConfig ?? tables.revocation.unwrittenCrl

/** Records a revocation. A certificate that is revoked already stays as it is. `asked` is the serial number as it was
 * written. Returns undefined if no such certificate is stored. */
export function revoke(context: Context, serial: string, asked = serial): Revocation | undefined {
  const { store, tables } = context
  const { records, listedSerial, revokingEnables } = tables.revocation.revocationList
  const known = store.revocations.get(serial)
  if (known) return known
  const revokedAt = context.clock.now()
  const stored = tables.revocation.revoking.unknown === 'listed' ? madeUp(revokedAt) : store.certificates.get(serial)
  if (!stored || stored.views?.revoked === false) return undefined
  const entry = writeEntry(serialBytes(listedSerial(serial, asked)), revokedAt)
  const revocation = { revokedAt, notAfter: stored.notAfter, entry }
  if (records[crlConfigOf(context).disable ? 'disabled' : 'enabled']) store.revocations.set(serial, revocation)
  if (revokingEnables && store.crlConfig) store.crlConfig = { ...store.crlConfig, disable: false }
  rotate(context, 'revoke')
  return revocation
}

/** Makes up a certificate for a serial number. Only a mutant uses it. */
const madeUp = (now: number): Pick<Stored, 'notAfter' | 'views'> => ({ notAfter: now + 24 * 3_600_000 })

/** Makes the next read of the list sign a new one. */
export function rotate(context: Context, cause: keyof PkiTables['revocation']['rotations']): void {
  const { list, revocations } = context.store
  if (context.tables.revocation.rotations[cause]) list.due = { at: context.clock.now(), upTo: revocations.size }
}

/** Returns the list in DER, as one of its reads shows it. Without a CA key this is the last one that was signed, if
 * any. */
export function currentList(context: Context, view: ListView): Buffer | undefined {
  const { disables, disabledIs } = context.tables.revocation.revocationList
  const issuer = findIssuer(context)
  const last = latestList(context)
  if (!crlConfigOf(context).disable) return last
  if (!disables[view] && issuer)
    return signList(context, issuer, { at: context.clock.now(), upTo: context.store.revocations.size }, false)
  return disabledIs === 'nothing' ? undefined : last
}

/** Signs the list if it is due or expired. */
export function latestList(context: Context): Buffer | undefined {
  const { list, revocations } = context.store
  const issuer = findIssuer(context)
  const now = context.clock.now()
  const stale = list.der !== undefined && now >= list.nextUpdate
  const due = list.due ?? (stale ? { at: now, upTo: revocations.size } : undefined)
  if (!issuer || !due) return list.der
  list.der = signList(context, issuer, due, crlConfigOf(context).disable)
  list.nextUpdate = due.at + expiryOf(context)
  list.due = undefined
  return list.der
}

function expiryOf(context: Context): number {
  const { revocationList, unwrittenCrl } = context.tables.revocation
  const seconds =
    parseDuration(revocationList.expiry(crlConfigOf(context), context.store)) ?? parseDuration(unwrittenCrl.expiry) ?? 0
  return seconds * 1000
}

type Due = NonNullable<Context['store']['list']['due']>

function signList(context: Context, { certificate, key }: Issuer, due: Due, disabled: boolean): Buffer {
  const { list } = context.store
  const { signers } = context.tables
  list.number += 1
  const draft: ListDraft = {
    issuer: context.tables.revocation.revocationList.issuer(certificate.parsed.subject),
    issuerKeyId: keyIdOfCa(certificate),
    thisUpdate: due.at - context.variation().crlBackdating * 1000,
    nextUpdate: due.at + expiryOf(context),
    number: list.number,
    entries: disabled ? [] : entriesAt(context, due),
  }
  return writeList(draft, (disabled ? signers.disabledList : signers.list)(key, certificate).signer)
}

function entriesAt({ store, tables }: Context, { at, upTo }: Due): readonly Buffer[] {
  const { dropsExpired, holds } = tables.revocation.revocationList
  const entries: Buffer[] = []
  let seen = 0
  for (const { entry, notAfter } of store.revocations.values()) {
    if (seen++ >= upTo) break
    if (!dropsExpired || notAfter > at) entries.push(entry)
  }
  return holds(entries)
}
