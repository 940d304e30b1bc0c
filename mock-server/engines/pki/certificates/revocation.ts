/** Records revocations, and signs the lists of them. A revocation does not sign a list; the next read of the list
 * does. */
import { parseDuration } from '../../../kernel/http/duration.ts'
import type { Context } from '../context.ts'
import { canWait, msOf, rebuildingOf } from '../rebuilding.ts'
import type { PkiRules } from '../rules/index.ts'
import type { ListView } from '../rules/revocation.ts'
import type { CaKey, CrlConfig, Issuer, Revocation, SignedList } from '../store.ts'
import { type ListDraft, writeEntry, writeList } from '../x509/crl.ts'
import { signerBy } from '../x509/signer.ts'
import { keyIdOfCa } from './issuer.ts'
import { findIssuer, issuerId, type KnownIssuer, settingsOf } from './issuers.ts'
import { serialBytes } from './serials.ts'

export const crlConfigOf = ({ store, rules }: Context): CrlConfig => store.crlConfig ?? rules.revocation.unwrittenCrl

/** Records a revocation, or returns the existing one. Returns undefined if there is no such certificate, or if it cannot
 * be revoked. */
export function revoke(context: Context, serial: string): Revocation | undefined {
  const { certificates, revocations } = context.store
  const known = revocations.get(serial)
  if (known) return known
  const stored = certificates.get(serial)
  if (!stored || stored.views?.revoked === false) return undefined
  const revokedAt = context.clock.now()
  const { notAfter, issuer } = stored
  const entry = writeEntry(serialBytes(serial), revokedAt)
  const revocation = { revokedAt, notAfter, entry, ...(issuer !== undefined && { issuer }) }
  revocations.set(serial, revocation)
  rotate(context, 'revoke')
  return revocation
}

/** Marks every list as due, so that its next read signs a new one. With `auto_rebuild`, a revocation does not do so. */
export function rotate(context: Context, cause: keyof PkiRules['revocation']['rotations']): void {
  const { issuers, list, revocations } = context.store
  if (!context.rules.revocation.rotations[cause]) return
  if (cause === 'revoke' && rebuildingOf(context).auto_rebuild) return
  const due = { at: context.clock.now(), upTo: revocations.size }
  list.due = due
  for (const { list } of issuers.further) list.due = due
}

/** A list and the issuer that signs it; undefined if it cannot be signed. */
interface Target {
  readonly issuer: Issuer | undefined
  readonly list: SignedList
  /** The id of the issuer; absent for the default one. */
  readonly id?: string
}

function targetOf(context: Context, known: KnownIssuer | undefined): Target {
  const { store } = context
  const standard = findIssuer(context)
  if (!known) return targetOfDefault(context, standard)
  const { certificate, id, isDefault, key, list } = known
  const settings = settingsOf(store, id)
  const issuer = key && settings.usage.includes('crl-signing') ? { certificate, key, settings } : undefined
  return { issuer, list, ...(!isDefault && { id }) }
}

function targetOfDefault({ store, rules }: Context, present: Issuer | undefined): Target {
  const { list } = store
  const standard = rules.revocation.revocationList.signedBy(present, store)
  if (!standard || store.issuers.settings.size === 0) return { issuer: standard, list }
  const settings = settingsOf(store, issuerId(standard.certificate))
  return { issuer: settings.usage.includes('crl-signing') ? { ...standard, settings } : undefined, list }
}

/** Returns the list of an issuer in DER, as the given read shows it. If the issuer cannot sign lists, this is the last
 * signed list, if any. */
export function currentList(context: Context, view: ListView, known?: KnownIssuer): Buffer | undefined {
  const { disables, disabledIs } = context.rules.revocation.revocationList
  const target = targetOf(context, known)
  const last = latest(context, target)
  const { disable } = crlConfigOf(context)
  if (disable && !disables[view] && target.issuer) return signList(context, target, dueNow(context), false)
  return disable && disabledIs === 'nothing' ? undefined : rewritten(context, view, target, last)
}

const dueNow = ({ clock, store }: Context): Due => ({ at: clock.now(), upTo: store.revocations.size })

/** Returns the last list as this read shows it. Only a mutant changes it. */
function rewritten(context: Context, view: ListView, target: Target, last: Buffer | undefined): Buffer | undefined {
  const rewrite = context.rules.revocation.revocationList.rewritten(view)
  if (!rewrite || !last || !target.issuer) return last
  const isEmpty = crlConfigOf(context).disable || rewrite.entries === 'none'
  const due = dueNow(context)
  const upTo = rewrite.entries === 'the first' ? Math.min(due.upTo, 1) : due.upTo
  return signList(context, target, { ...due, upTo }, isEmpty, { signer: rewrite.signer })
}

/** Returns the list of the default issuer, which it signs again if it is due or expired. */
export const latestList = (context: Context): Buffer | undefined => latest(context, targetOf(context, undefined))

function latest(context: Context, target: Target): Buffer | undefined {
  const { revocations } = context.store
  const { issuer, list } = target
  const now = context.clock.now()
  const { auto_rebuild, auto_rebuild_grace_period: grace } = rebuildingOf(context)
  const stale = list.der !== undefined && now >= list.nextUpdate - (auto_rebuild ? msOf(grace) : 0)
  const due = list.due ?? (stale ? { at: now, upTo: revocations.size } : undefined)
  if (!issuer || !due || isEarly(context, due)) return list.der
  list.der = signList(context, target, due, crlConfigOf(context).disable)
  list.nextUpdate = due.at + expiryOf(context)
  list.due = undefined
  list.covers = due.upTo
  return list.der
}

/** Milliseconds after which a server that signs its lists late has signed a list that is due. */
const late = 60

const isEarly = ({ clock, variation }: Context, due: Due): boolean =>
  variation().listsSigned === 'late' && clock.now() < due.at + late

/** Returns the delta list, which contains the revocations since the last complete list, if the configuration enables
 * it. It is signed again after its interval, or immediately if `asked` is true. */
export function deltaList(context: Context, known?: KnownIssuer, asked = false): Buffer | undefined {
  const { enable_delta, delta_rebuild_interval: interval } = rebuildingOf(context)
  const target = targetOf(context, known)
  const { list } = target
  if (!enable_delta || crlConfigOf(context).disable || !canWait(context) || !latest(context, target)) return undefined
  const now = context.clock.now()
  const { delta } = list
  const isFresh = delta !== undefined && delta.base >= list.base && now < delta.at + msOf(interval)
  if (!target.issuer || (isFresh && !asked)) return delta?.der
  const base = list.base
  const der = signList(context, target, { at: now, upTo: context.store.revocations.size }, false, { base })
  list.delta = { der, at: now, base }
  return der
}

function expiryOf(context: Context): number {
  const { revocationList, unwrittenCrl } = context.rules.revocation
  const seconds =
    parseDuration(revocationList.expiry(crlConfigOf(context), context.store)) ?? parseDuration(unwrittenCrl.expiry) ?? 0
  return seconds * 1000
}

type Due = NonNullable<SignedList['due']>

interface Signing {
  /** The number of the complete list that a delta list continues; absent for a complete list. */
  readonly base?: number
  /** A key that signs instead of that of the CA. Only a mutant sets it. */
  readonly signer?: CaKey | undefined
}

function signList(
  context: Context,
  target: Target,
  due: Due,
  disabled: boolean,
  { base, ...by }: Signing = {},
): Buffer {
  const { issuer, list } = target
  if (!issuer) return Buffer.alloc(0)
  const { certificate, key, settings } = issuer
  const { signers } = context.rules
  list.number += 1
  if (base === undefined) list.base = list.number
  const draft: ListDraft = {
    issuer: context.rules.revocation.revocationList.issuer(certificate.parsed.subject),
    issuerKeyId: keyIdOfCa(certificate),
    thisUpdate: due.at - context.variation().crlBackdating * 1000,
    nextUpdate: due.at + expiryOf(context),
    number: list.number,
    base,
    entries: disabled ? [] : entriesAt(context, due, target, base === undefined ? 0 : list.covers),
  }
  const { pair, signer } =
    by.signer ?? (disabled ? signers.disabledList : signers.list)(key, certificate, draft.entries.length)
  const hash = /^(?:ECDSAWith)?(SHA\d+)/.exec(settings?.revocation_signature_algorithm ?? '')?.[1]
  return writeList(draft, hash ? signerBy(signer, pair.type, hash.toLowerCase()) : signer)
}

function entriesAt({ store, rules }: Context, { at, upTo }: Due, { id }: Target, from: number): readonly Buffer[] {
  const { dropsExpired, holds } = rules.revocation.revocationList
  const others = new Set(store.issuers.further.map(({ certificate }) => issuerId(certificate)))
  const isOfTarget = (issuer: string): boolean => (id === undefined ? !others.has(issuer) : issuer === id)
  const entries: Buffer[] = []
  let seen = 0
  for (const { entry, issuer = '', notAfter } of store.revocations.values()) {
    if (seen++ >= upTo) break
    if (seen > from && isOfTarget(issuer) && (!dropsExpired || notAfter > at)) entries.push(entry)
  }
  return holds(entries)
}
