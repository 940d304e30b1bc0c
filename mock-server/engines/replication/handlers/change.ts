/** The endpoints that move a cluster from one mode to another. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { flagField, textField } from '../../../kernel/http/body-fields.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import type { Services } from '../../../kernel/services.ts'
import { Malformed } from '../activation.ts'
import type { Change, Place } from '../cluster-state.ts'
import { accept } from '../joining.ts'
import type { JoiningTrigger } from '../tables/joining.ts'
import type { Trigger } from '../tables/transitions.ts'

const done: Reply = { kind: 'empty' }

/** What an operation token has to be shown for. */
function assertAuthorized(trigger: Trigger, call: Call, place: Place, services: Services): void {
  const rule = place.tables().operationToken[trigger]
  if (!rule || !services.ports.standing?.isDrSecondary()) return
  const token = textField(call.body, 'dr_operation_token') ?? ''
  if (rule.isValid(token, services.ports.operationTokens?.isLive(token) ?? false)) return
  if (rule.without === 'refused-but-done') place.change(trigger)
  throw new Refusal('bad-request', { message: 'invalid or missing dr_operation_token' })
}

export function enablePrimary(call: Call, place: Place): Reply {
  const trigger = 'primary/enable'
  return place.turn(trigger, addressIn(call, trigger, place))
}

function addressIn(call: Call, trigger: 'primary/enable' | 'secondary/promote', place: Place): Change {
  const given = textField(call.body, 'primary_cluster_addr') ?? ''
  return { primaryClusterAddr: place.tables().joining.heedsClusterAddress[trigger] ? given : '' }
}

export function leave(trigger: Trigger, call: Call, place: Place, services: Services): Reply {
  place.assertPossible(trigger)
  assertAuthorized(trigger, call, place, services)
  return place.turn(trigger)
}

export function promote(call: Call, place: Place, services: Services): Reply {
  const trigger = 'secondary/promote'
  const forced = flagField(call.body, 'force') ?? false
  place.assertPossible(trigger)
  assertAuthorized(trigger, call, place, services)
  const { promotion } = place.tables()
  const state = soundness(place)
  if (promotion[state] === 'refused' && !(forced && promotion.forced === 'promoted'))
    throw new Refusal('bad-request', { message: `the secondary is ${state} and may lack data: promote it with force` })
  return place.turn(trigger, addressIn(call, trigger, place))
}

/** A secondary that never had everything, one whose primary is out of sight without a farewell, or any other. */
function soundness({ membership, link }: Place): 'unsynced' | 'lost' | 'sound' {
  if (membership.mode !== 'secondary') return 'sound'
  if (!membership.synced) return 'unsynced'
  return link && !link.connected && !link.parted ? 'lost' : 'sound'
}

export async function enableSecondary(call: Call, place: Place, services: Services): Promise<Reply> {
  const trigger = 'secondary/enable'
  place.assertPossible(trigger)
  const token = textField(call.body, 'token') ?? ''
  if (token === '') return missing(trigger, place)
  return join(trigger, token, call, place, services)
}

export async function updatePrimary(call: Call, place: Place, services: Services): Promise<Reply> {
  const trigger = 'secondary/update-primary'
  place.assertPossible(trigger)
  assertAuthorized(trigger, call, place, services)
  const token = textField(call.body, 'token')
  if (token === undefined && place.tables().joining.tokenMissing[trigger] !== 'blank') return missing(trigger, place)
  if (token) return join(trigger, token, call, place, services)
  return place.turn('secondary/forget-primary')
}

function missing(trigger: JoiningTrigger, place: Place): Reply {
  const outcome = place.tables().joining.tokenMissing[trigger]
  if (outcome === 'ignored') return done
  if (outcome === 'refused-but-done') place.change(trigger === 'secondary/enable' ? trigger : 'secondary/disable')
  throw new Refusal('bad-request', { message: 'missing token' })
}

async function join(
  trigger: JoiningTrigger,
  token: string,
  call: Call,
  place: Place,
  services: Services,
): Promise<Reply> {
  const { joining } = place.tables()
  const invitation = {
    token,
    primaryApiAddr: textField(call.body, 'primary_api_addr') ?? '',
    caFile: textField(call.body, 'ca_file') ?? '',
    caPath: textField(call.body, 'ca_path') ?? '',
  }
  try {
    const { credentials, apiAddress } = await accept(invitation, {
      ...{ kind: place.kind, trigger, tables: joining },
      ...{ network: services.network, keys: services.ports.secondaryKeys },
    })
    // Until now the primary was asked: the cluster may have moved meanwhile, and the table is asked once more.
    const staysAway = trigger === 'secondary/update-primary' && isDemoted(place) && joining.demoted === 'stays-away'
    const { id, secret, primary_cluster_addr: clusterAddress } = credentials
    return place.turn(trigger, {
      setId: credentials.set_id,
      ...(staysAway ? {} : { upstream: { id, secret, apiAddress, clusterAddress } }),
    })
  } catch (error) {
    if (error instanceof Malformed) return malformed(trigger, place, error)
    throw error
  }
}

const isDemoted = ({ membership }: Place): boolean => membership.by === 'primary/demote'

function malformed(trigger: JoiningTrigger, place: Place, error: Malformed): Reply {
  const outcome = place.tables().joining.malformed[trigger]
  if (outcome === 'ignored') return done
  if (outcome === 'of-nobody') {
    place.change('secondary/enable', {}, { data: 'kept' })
    return done
  }
  if (outcome === 'refused-and-wipes') place.clearMounts()
  if (outcome === 'refused-and-forgets') place.change('secondary/forget-primary')
  if (outcome === 'refused-and-disables') place.change('secondary/disable')
  throw error
}
