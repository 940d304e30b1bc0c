/** `config/lease`. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { parseDuration } from '../../../kernel/http/duration.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import type { Mounted } from '../context.ts'
import { bad, text } from '../fields.ts'
import type { LeaseConfig } from '../store.ts'
import { dataOf, done, durationText } from './replies.ts'

/** The lease settings that hold, written or not. */
export function leaseOf({ store, lifetimes }: Mounted): LeaseConfig {
  const { systemDefault, systemMax } = lifetimes()
  return store.lease ?? { lease: systemDefault, lease_max: systemMax }
}

const fallback = (mounted: Mounted, name: keyof LeaseConfig): number => {
  const { systemDefault, systemMax } = mounted.lifetimes()
  return name === 'lease' ? systemDefault : systemMax
}

function read(mounted: Mounted, call: Call, name: keyof LeaseConfig): number {
  const { fields, parse } = mounted.tables.lease
  const given = text(call.body, name)
  if (given === undefined || given === '') {
    if (fields[name].absent === 'refused') throw bad(`missing ${name}`)
    return fallback(mounted, name)
  }
  const seconds = parse(given)
  if (seconds === undefined) throw bad(`${name} is no duration with a suffix of h or less: ${JSON.stringify(given)}`)
  return fields[name].stored(seconds) ?? fallback(mounted, name)
}

export function writeLease(mounted: Mounted, call: Call): Reply {
  const { store, tables } = mounted
  try {
    store.lease = { lease: read(mounted, call, 'lease'), lease_max: read(mounted, call, 'lease_max') }
  } catch (error) {
    const asSent = (name: keyof LeaseConfig): number => parseDuration(call.body[name]) ?? fallback(mounted, name)
    if (tables.refusedWrite === 'stored') store.lease = { lease: asSent('lease'), lease_max: asSent('lease_max') }
    throw error
  }
  return done
}

export function readLease(mounted: Mounted): Reply {
  const { unset, read: known, fields } = mounted.tables.lease
  if ((mounted.store.lease ? known : unset) === 'not-found') throw new Refusal('not-found')
  const { lease, lease_max } = leaseOf(mounted)
  return dataOf({
    ...(fields.lease.shown ? { lease: durationText(lease) } : {}),
    ...(fields.lease_max.shown ? { lease_max: durationText(lease_max) } : {}),
  })
}
