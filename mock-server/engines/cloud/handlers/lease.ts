/** The endpoint `config/lease`. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { durationText, parseDuration } from '../../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { LeaseConfig, Store } from '../store.ts'
import { dataOf } from './replies.ts'

/** Returns the lease settings that were written, or else the defaults. */
export function leaseOf({ store, lifetimes }: Context): LeaseConfig {
  const { systemDefault, systemMax } = lifetimes()
  return store.lease ?? { lease: systemDefault, lease_max: systemMax }
}

/** The lease settings when credentials were first issued. Only a mutant needs them. */
const firstUsed = new WeakMap<Store, LeaseConfig>()

/** Returns the lease settings for credentials that are issued now. */
export function leaseInUse(context: Context): LeaseConfig {
  const present = leaseOf(context)
  if (context.rules.lease.used === 'present') return present
  const first = firstUsed.get(context.store) ?? present
  firstUsed.set(context.store, first)
  return first
}

const fallback = (context: Context, name: keyof LeaseConfig): number => {
  const { systemDefault, systemMax } = context.lifetimes()
  return name === 'lease' ? systemDefault : systemMax
}

function read(call: Call, context: Context, name: keyof LeaseConfig): number {
  const { fields, parse } = context.rules.lease
  const given = textField(call.body, name)
  if (given === undefined || given === '') {
    const { absent } = fields[name]
    if (absent === 'refused' || (absent === 'default-at-first' && context.store.lease))
      throw badRequest(`missing ${name}`)
    return fallback(context, name)
  }
  const isNumber = typeof call.body[name] === 'number' && fields[name].numbers === 'taken'
  const seconds = isNumber ? Number(given) : parse(given, name)
  if (seconds === undefined)
    throw badRequest(`${name} is not a duration with a suffix of h or less: ${JSON.stringify(given)}`)
  return fields[name].stored(seconds) ?? fallback(context, name)
}

export function writeLease(call: Call, context: Context): Reply {
  const { store, rules } = context
  try {
    store.lease = { lease: read(call, context, 'lease'), lease_max: read(call, context, 'lease_max') }
  } catch (error) {
    const asSent = (name: keyof LeaseConfig): number => parseDuration(call.body[name]) ?? fallback(context, name)
    if (rules.refusedWrite === 'stored') store.lease = { lease: asSent('lease'), lease_max: asSent('lease_max') }
    throw error
  }
  if (rules.lease.root === 'reset' && store.root)
    store.root = { ...store.root, region: '', max_retries: rules.rootFields.max_retries.fallback }
  if (rules.refusedYetDone.includes('lease')) throw badRequest('the lease was not configured')
  return done
}

export function readLease(context: Context): Reply {
  const { unset, read: known, fields } = context.rules.lease
  if ((context.store.lease ? known : unset) === 'not-found') throw new Refusal('not-found')
  const { lease, lease_max } = leaseOf(context)
  return dataOf({
    ...(fields.lease.shown ? { lease: durationText(lease) } : {}),
    ...(fields.lease_max.shown ? { lease_max: durationText(lease_max) } : {}),
  })
}
