/** Computes the validity of a certificate. */
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { IssuerSettings } from '../store.ts'

/** Both times are in milliseconds since the epoch, in whole seconds. */
export interface Span {
  readonly notBefore: number
  readonly notAfter: number
}

interface Wanted {
  readonly kind: 'leaf' | 'root' | 'intermediate'
  /** The requested lifetime in seconds; 0 if none was requested. */
  readonly asked: number
  readonly role?: { readonly ttl: number; readonly max_ttl: number }
  /** The validity begins this many seconds before now. */
  readonly backdating: number
  /** The end of the validity of the signing CA, in milliseconds since the epoch. */
  readonly caEnd?: number
  /** What happens to a certificate that would outlive the signing CA; undefined means the rule for its kind. */
  readonly beyondCa?: IssuerSettings['leaf_not_after_behavior'] | undefined
}

const threeDays = 3 * 24 * 3600

export function spanOf(context: Context, { kind, asked, role, backdating, caEnd, ...wanted }: Wanted): Span {
  const rule = context.rules.lifetimes[kind]
  const { systemDefault, systemMax: ofMount } = context.lifetimes()
  const systemMax = context.variation().longestTtl === 'three-days' ? Math.min(ofMount, threeDays) : ofMount
  const terms = { roleTtl: role?.ttl ?? 0, roleMax: role?.max_ttl ?? 0, systemDefault, systemMax }
  const ttl = asked > 0 ? rule.asked(asked, terms) : rule.unasked(terms)
  if (ttl < asked && context.variation().longTtl === 'refused')
    throw badRequest(`ttl ${asked}s is longer than the longest lifetime, ${ttl}s`)
  const now = Math.floor(context.clock.now() / 1000)
  const notBefore = (now - backdating) * 1000
  const notAfter = (now + ttl) * 1000
  const beyondCa = wanted.beyondCa ? byBehavior[wanted.beyondCa] : rule.beyondCa
  if (caEnd === undefined || notAfter <= caEnd || beyondCa === 'allowed') return { notBefore, notAfter }
  if (beyondCa === 'capped') return { notBefore, notAfter: caEnd }
  throw badRequest(
    `cannot satisfy request, as TTL would result in notAfter ${shownTime(notAfter)} that is beyond the expiration of the CA certificate at ${shownTime(caEnd)}`,
  )
}

const byBehavior = { err: 'refused', truncate: 'capped', permit: 'allowed' } as const

const shownTime = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')
