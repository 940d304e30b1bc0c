/** Records revocations, and signs the lists of them. A revocation does not sign a list; the next read of the list
 * does. */
import { parseDuration } from '../../../kernel/http/duration.ts'
import type { Context } from '../context.ts'
import { canWait, msOf, rebuildingOf } from '../rebuilding.ts'
import type { CrlConfig, Issuer, Revocation, SignedList } from '../store.ts'
import { writeEntry } from '../x509/crl.ts'
import { keyIdOfCa } from './issuer.ts'
import { issuerId, issuersOf, type KnownIssuer, settingsOf } from './issuers.ts'
import { serialBytes } from './serials.ts'

export const crlConfigOf = ({ store, rules }: Context): CrlConfig => store.crlConfig ?? rules.unwrittenCrl

/** Records a revocation, or returns the existing one. Returns undefined if there is no such certificate. With
 * `auto_rebuild`, the list does not change before it is due. */
export function revoke(context: Context, serial: string): Revocation | undefined {
  const { certificates, revocations } = context.store
  const known = revocations.get(serial)
  if (known) return known
  const stored = certificates.get(serial)
  if (!stored) return undefined
  const revokedAt = context.clock.now()
  const { notAfter, issuer } = stored
  const entry = writeEntry(serialBytes(serial), revokedAt)
  const revocation = { revokedAt, notAfter, entry, ...(issuer !== undefined && { issuer }) }
  revocations.set(serial, revocation)
  if (!rebuildingOf(context).auto_rebuild) rotate(context)
  return revocation
}

/** Marks every list as due, so that its next read signs a new one. */
export function rotate(context: Context): void {
  const { issuers, list } = context.store
  const due = dueNow(context)
  list.due = due
  for (const { list } of issuers.further) list.due = due
}

/** The moment that the next list shows: its time, and how many revocations there were. */
type Due = NonNullable<SignedList['due']>

export const dueNow = ({ clock, store }: Context): Due => ({ at: clock.now(), upTo: store.revocations.size })

/** A list and the issuer that signs it; undefined if it cannot be signed. */
interface Target {
  readonly issuer: Issuer | undefined
  readonly list: SignedList
  /** The id of the issuer; absent for the default one. */
  readonly id?: string
}

const defaultOf = (context: Context): KnownIssuer | undefined =>
  issuersOf(context.store).find(({ isDefault }) => isDefault)

function targetOf(context: Context, known = defaultOf(context)): Target {
  const { store } = context
  if (!known) return { issuer: undefined, list: store.list }
  const { certificate, id, isDefault, key, list } = known
  const settings = settingsOf(store, id)
  const issuer = key && settings.usage.includes('crl-signing') ? { certificate, key, settings } : undefined
  return { issuer, list, ...(!isDefault && { id }) }
}

/** Returns the list of an issuer in DER, by default of the default issuer. It is signed again if it is due or expired.
 * If the issuer cannot sign lists, this is the last signed list, if any. */
export const currentList = (context: Context, known?: KnownIssuer): Buffer | undefined =>
  current(context, targetOf(context, known))

/** Signs a list that is due, and returns the list that is in effect. */
function current(context: Context, target: Target): Buffer | undefined {
  const { issuer, list } = target
  const { auto_rebuild, auto_rebuild_grace_period: grace } = rebuildingOf(context)
  const isStale = list.der !== undefined && context.clock.now() >= list.nextUpdate - (auto_rebuild ? msOf(grace) : 0)
  const due = list.due ?? (isStale ? dueNow(context) : undefined)
  if (!issuer || !due || isEarly(context, due)) return list.der
  list.der = signList(context, target, issuer, due)
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
  if (!enable_delta || crlConfigOf(context).disable || !canWait(context) || !current(context, target)) return undefined
  const due = dueNow(context)
  const { delta } = list
  const isFresh = delta !== undefined && delta.base >= list.base && due.at < delta.at + msOf(interval)
  if (!target.issuer || (isFresh && !asked)) return delta?.der
  const base = list.base
  const der = signList(context, target, target.issuer, due, base)
  list.delta = { der, at: due.at, base }
  return der
}

const expiryOf = (context: Context): number => (parseDuration(crlConfigOf(context).expiry) ?? 0) * 1000

/** `base` is the number of the complete list that a delta list continues; it is absent for a complete list. */
function signList(context: Context, target: Target, issuer: Issuer, due: Due, base?: number): Buffer {
  const { list } = target
  list.number += 1
  if (base === undefined) list.base = list.number
  const draft = {
    issuer: issuer.certificate.parsed.subject,
    issuerKeyId: keyIdOfCa(issuer.certificate),
    thisUpdate: due.at - context.variation().crlBackdating * 1000,
    nextUpdate: due.at + expiryOf(context),
    number: list.number,
    base,
    entries: crlConfigOf(context).disable ? [] : entriesAt(context, due, target, base === undefined ? 0 : list.covers),
  }
  return context.signing.list(draft, issuer)
}

/** Returns the entries of an issuer, without those of certificates that have expired. */
function entriesAt({ store }: Context, { at, upTo }: Due, { id }: Target, from: number): readonly Buffer[] {
  const others = new Set(store.issuers.further.map(({ certificate }) => issuerId(certificate)))
  const isOfTarget = (issuer: string): boolean => (id === undefined ? !others.has(issuer) : issuer === id)
  const entries: Buffer[] = []
  let seen = 0
  for (const { entry, issuer = '', notAfter } of store.revocations.values()) {
    if (seen++ >= upTo) break
    if (seen > from && isOfTarget(issuer) && notAfter > at) entries.push(entry)
  }
  return entries
}
