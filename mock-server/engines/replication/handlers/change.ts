/** The endpoints that change the mode of a cluster. */

import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { flagField, textField } from '../../../kernel/http/body-fields.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { Malformed, trustIn } from '../connections/activation-tokens.ts'
import { accept, OtherKind } from '../connections/joining.ts'
import type { Change, Context } from '../context.ts'
import { clearMounts } from '../data/cluster-data.ts'
import type { JoiningTrigger } from '../rules/joining.ts'
import type { Trigger } from '../rules/transitions.ts'

/** Refuses a trigger that needs a valid operation token and has none. */
function assertAuthorized(trigger: Trigger, call: Call, context: Context): void {
  const { services, rules } = context
  const rule = rules.operationToken[trigger]
  if (!rule || services.clusterRole.modes.dr !== 'secondary') return
  if (rule.exempts(call.body)) return
  const token = textField(call.body, 'dr_operation_token') ?? ''
  if (rule.blank === 'taken' && call.body.dr_operation_token === '') return
  const isClients = (): boolean => token !== '' && JSON.stringify(context.asleep?.parts.tokens ?? '').includes(token)
  if (rule.isValid(token, services.extensions.operationTokens?.isLive(token) ?? false, isClients)) return
  if (rule.without === 'refused-but-done') context.change(trigger)
  throw badRequest('invalid or missing dr_operation_token')
}

export function enablePrimary(call: Call, context: Context): Reply {
  const trigger = 'primary/enable'
  const { membership, rules } = context
  if (membership.mode === 'secondary' && isDemoted(context) && rules.enabledAsDemoted === 'primary')
    return context.turn('secondary/promote')
  assertUnhindered(trigger, context)
  return context.turn(trigger, addressIn(call, trigger, context))
}

function addressIn(call: Call, trigger: 'primary/enable' | 'secondary/promote', context: Context): Change {
  const given = textField(call.body, 'primary_cluster_addr') ?? ''
  if (/^http:/i.test(given)) throw badRequest(`primary_cluster_addr ${given}: clusters connect by TLS only`)
  const address = given.replace(/^https:\/\//i, '').replace(/\/+$/, '')
  const { clusterAddressUnset, heedsClusterAddress } = context.rules.joining
  const former =
    trigger === 'primary/enable' && clusterAddressUnset === 'former' ? context.membership.formerAddress : ''
  return { primaryClusterAddr: heedsClusterAddress[trigger] ? address || former : '' }
}

/** Refuses a trigger although the mode allows it. Only a mutant does this. */
function assertUnhindered(trigger: Trigger, context: Context): void {
  const { membership, sessions, rules } = context
  const circumstances = {
    by: membership.by,
    isJoined: membership.registrations.some(({ activated }) => activated),
    isConnected: membership.registrations.some(({ id }) => sessions.isOpen(id)),
    isLost: soundness(context) === 'lost',
  }
  if (rules.hinders(trigger, circumstances)) throw badRequest(`${trigger} is not possible now`)
}

export function leave(trigger: Trigger, call: Call, context: Context): Reply {
  context.assertPossible(trigger)
  assertAuthorized(trigger, call, context)
  assertUnhindered(trigger, context)
  return context.turn(trigger)
}

export function promote(call: Call, context: Context): Reply {
  const trigger = 'secondary/promote'
  const { promotion } = context.rules
  const given = flagField(call.body, 'force')
  const flag = promotion.flag === 'its-presence' && given !== undefined ? true : given
  const isIgnored = promotion.flag === 'its-value-without-an-address' && Boolean(call.body.primary_cluster_addr)
  const forced = !isIgnored && (flag ?? promotion.unsaid === 'forced')
  context.assertPossible(trigger)
  assertAuthorized(trigger, call, context)
  assertUnhindered(trigger, context)
  const state = soundness(context)
  const isBesidePrimary = promotion.connected === 'refused' && context.link?.connected === true
  const isUnsafe = promotion[state] === 'refused' || isBesidePrimary
  if (isUnsafe && !(forced && promotion.forced === 'promoted'))
    throw badRequest(`the secondary is ${state} and may lack data: promote it with force`)
  return context.turn(trigger, addressIn(call, trigger, context))
}

/** Returns `unsynced` for a secondary that never had all data, and `lost` for one whose primary is unreachable and sent
 * no farewell. */
function soundness({ membership, link }: Context): 'unsynced' | 'lost' | 'sound' {
  if (membership.mode !== 'secondary') return 'sound'
  if (!membership.synced) return 'unsynced'
  return link && !link.connected && !link.parted ? 'lost' : 'sound'
}

export async function enableSecondary(call: Call, context: Context): Promise<Reply> {
  const trigger = 'secondary/enable'
  context.assertPossible(trigger)
  assertUnhindered(trigger, context)
  const token = textField(call.body, 'token') ?? ''
  if (token === '') return missing(trigger, context)
  return join(trigger, token, call, context)
}

export async function updatePrimary(call: Call, context: Context): Promise<Reply> {
  const trigger = 'secondary/update-primary'
  context.assertPossible(trigger)
  assertAuthorized(trigger, call, context)
  const token = textField(call.body, 'token')
  if (token === undefined && context.rules.joining.tokenMissing[trigger] !== 'blank') return missing(trigger, context)
  if (token) return join(trigger, token, call, context)
  assertUnhindered('secondary/forget-primary', context)
  return context.turn('secondary/forget-primary')
}

function missing(trigger: JoiningTrigger, context: Context): Reply {
  const outcome = context.rules.joining.tokenMissing[trigger]
  if (outcome === 'ignored') return done
  if (outcome === 'refused-but-done') context.change(trigger === 'secondary/enable' ? trigger : 'secondary/disable')
  if (outcome === 'refused-and-wipes') clearMounts(context)
  if (outcome === 'refused-and-forgets') context.change('secondary/forget-primary')
  throw badRequest('missing token')
}

async function join(trigger: JoiningTrigger, token: string, call: Call, context: Context): Promise<Reply> {
  const { joining } = context.rules
  const keys = context.services.extensions.secondaryKeys
  const invitation = {
    token,
    primaryApiAddr: textField(call.body, 'primary_api_addr') ?? '',
    caFile: textField(call.body, 'ca_file') ?? '',
    caPath: textField(call.body, 'ca_path') ?? '',
  }
  try {
    const { credentials, apiAddress } = await accept(invitation, {
      ...{ kind: context.kind, trigger, rules: joining },
      ...{ network: context.services.network, keys },
    })
    // This cluster may have changed while the primary was asked, so `turn` consults the table again.
    const isAway =
      joining.demoted === 'stays-away' || (joining.demoted === 'stays-away-from-its-own' && !context.membership.past)
    const staysAway = trigger === 'secondary/update-primary' && isDemoted(context) && isAway
    const { id, secret, primary_cluster_addr: clusterAddress } = credentials
    const trust = trustIn(credentials)
    if (joining.moved === 'wiped') clearIfMoved(trigger, clusterAddress, context)
    const isElsewhere = credentials.kind !== context.kind && joining.otherKind === 'joins-in-its-own-kind'
    return (isElsewhere ? context.other() : context).turn(trigger, {
      setId: credentials.set_id,
      keepsData: joining.encryptedWipes === 'nothing' && keys?.isEncrypted(token) === true,
      ...(staysAway ? {} : { upstream: { id, secret, apiAddress, clusterAddress, trust } }),
    })
  } catch (error) {
    if (error instanceof Malformed) return malformed(trigger, context, error)
    actDespiteRefusal(trigger, error instanceof OtherKind, context)
    throw error
  }
}

/** Removes the mounts of a secondary that gets another primary. Only a mutant does this. */
function clearIfMoved(trigger: JoiningTrigger, clusterAddress: string, context: Context): void {
  const former = context.membership.upstream?.clusterAddress ?? clusterAddress
  if (trigger === 'secondary/update-primary' && former !== clusterAddress) clearMounts(context)
}

/** Changes something although the token is refused. Only a mutant does this. */
function actDespiteRefusal(trigger: JoiningTrigger, isOfOtherKind: boolean, context: Context): void {
  const { otherKind, spent } = context.rules.joining
  const outcome = isOfOtherKind ? otherKind : spent[trigger]
  if (outcome === 'refused-and-wipes') clearMounts(context)
  if (outcome === 'refused-and-forgets') context.change('secondary/forget-primary')
}

const isDemoted = ({ membership }: Context): boolean => membership.by === 'primary/demote'

function malformed(trigger: JoiningTrigger, context: Context, error: Malformed): Reply {
  const outcome = context.rules.joining.malformed[trigger]
  if (outcome === 'ignored') return done
  if (outcome === 'without-primary') {
    context.change('secondary/enable', {}, { data: 'kept' })
    return done
  }
  if (outcome === 'refused-and-wipes') clearMounts(context)
  if (outcome === 'refused-and-forgets') context.change('secondary/forget-primary')
  if (outcome === 'refused-and-disables') context.change('secondary/disable')
  throw error
}
