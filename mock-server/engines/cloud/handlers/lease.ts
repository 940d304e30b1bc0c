/** The endpoint `config/lease`. */
import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { durationText } from '../../../kernel/http/duration.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { LeaseConfig } from '../store.ts'
import { dataOf } from './replies.ts'

/** Returns the lease settings that were written, or else the defaults. */
export function leaseOf({ store, lifetimes }: Context): LeaseConfig {
  const { systemDefault, systemMax } = lifetimes()
  return store.lease ?? { lease: systemDefault, lease_max: systemMax }
}

function read({ body }: Call, { rules }: Context, name: keyof LeaseConfig): number {
  const given = textField(body, name)
  if (!given) throw badRequest(`missing ${name}`)
  const seconds = rules.lease.parse(given)
  if (seconds === undefined)
    throw badRequest(`${name} is not a duration with a suffix of h or less: ${JSON.stringify(given)}`)
  return seconds
}

export function writeLease(call: Call, context: Context): Reply {
  context.store.lease = { lease: read(call, context, 'lease'), lease_max: read(call, context, 'lease_max') }
  return done
}

export function readLease(context: Context): Reply {
  const { lease, lease_max } = leaseOf(context)
  return dataOf({ lease: durationText(lease), lease_max: durationText(lease_max) })
}
