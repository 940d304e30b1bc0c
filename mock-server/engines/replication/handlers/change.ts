/** The endpoints that change the mode of a cluster. */

import type { Call, Reply } from '../../../kernel/contracts.ts'
import { flagField, textField } from '../../../kernel/http/body-fields.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { trustIn } from '../connections/activation-tokens.ts'
import { accept } from '../connections/joining.ts'
import type { Change, Context } from '../context.ts'
import type { Trigger } from '../rules/transitions.ts'

/** Refuses a trigger that needs a valid operation token and has none. */
function assertAuthorized(trigger: Trigger, call: Call, { rules, services }: Context): void {
  const { clusterRole, extensions } = services
  if (!rules.operationToken.includes(trigger) || clusterRole.modes.dr !== 'secondary') return
  const token = textField(call.body, 'dr_operation_token') ?? ''
  if (!extensions.operationTokens?.isLive(token)) throw badRequest('invalid or missing dr_operation_token')
}

export const enablePrimary = (call: Call, context: Context): Reply => context.turn('primary/enable', addressIn(call))

function addressIn({ body }: Call): Change {
  const given = textField(body, 'primary_cluster_addr') ?? ''
  if (/^http:/i.test(given)) throw badRequest(`primary_cluster_addr ${given}: clusters connect by TLS only`)
  return { primaryClusterAddr: given.replace(/^https:\/\//i, '').replace(/\/+$/, '') }
}

export function leave(trigger: Trigger, call: Call, context: Context): Reply {
  context.assertPossible(trigger)
  assertAuthorized(trigger, call, context)
  return context.turn(trigger)
}

export function promote(call: Call, context: Context): Reply {
  const trigger = 'secondary/promote'
  const isForced = flagField(call.body, 'force') ?? false
  context.assertPossible(trigger)
  assertAuthorized(trigger, call, context)
  const state = soundness(context)
  if (context.rules.promotion[state] === 'refused' && !isForced)
    throw badRequest(`the secondary is ${state} and may lack data: promote it with force`)
  return context.turn(trigger, addressIn(call))
}

/** Returns `unsynced` for a secondary that never had all data, and `lost` for one whose primary is unreachable and sent
 * no farewell. */
export function soundness({ membership, link }: Context): 'unsynced' | 'lost' | 'sound' {
  if (membership.mode !== 'secondary') return 'sound'
  if (!membership.synced) return 'unsynced'
  return link && !link.connected && !link.parted ? 'lost' : 'sound'
}

export async function enableSecondary(call: Call, context: Context): Promise<Reply> {
  const trigger = 'secondary/enable'
  context.assertPossible(trigger)
  const token = textField(call.body, 'token') ?? ''
  if (token === '') throw badRequest('missing token')
  return join(trigger, token, call, context)
}

export async function updatePrimary(call: Call, context: Context): Promise<Reply> {
  const trigger = 'secondary/update-primary'
  context.assertPossible(trigger)
  assertAuthorized(trigger, call, context)
  const token = textField(call.body, 'token')
  if (token === undefined) throw badRequest('missing token')
  return token === '' ? context.turn('secondary/forget-primary') : join(trigger, token, call, context)
}

async function join(
  trigger: 'secondary/enable' | 'secondary/update-primary',
  token: string,
  { body }: Call,
  context: Context,
): Promise<Reply> {
  const { extensions, network } = context.services
  const invitation = {
    token,
    primaryApiAddr: textField(body, 'primary_api_addr') ?? '',
    caFile: textField(body, 'ca_file') ?? '',
    caPath: textField(body, 'ca_path') ?? '',
  }
  const { credentials, apiAddress } = await accept(invitation, {
    ...{ kind: context.kind, network, keys: extensions.secondaryKeys },
  })
  const { id, secret, primary_cluster_addr: clusterAddress } = credentials
  // This cluster may have changed while the primary was asked, so `turn` consults the table again.
  return context.turn(trigger, {
    setId: credentials.set_id,
    upstream: { id, secret, apiAddress, clusterAddress, trust: trustIn(credentials) },
  })
}
