/** Carries out one change of the role of this cluster, by the rules of transitions and effects. */
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Proof } from './connections/peer-client.ts'
import { createLink } from './connections/primary-link.ts'
import type { Change, Context } from './context.ts'
import { isDrSecondary, sleep, wake } from './data/cluster-data.ts'
import type { Membership, Upstream } from './membership.ts'
import type { Effect, Mode, Trigger } from './rules/transitions.ts'

/** Returns the mode to which a trigger leads from the current mode. Refuses a trigger that leads to none. */
export function nextMode({ kind, membership, rules }: Context, trigger: Trigger): Mode {
  const to = rules.transitions[membership.mode][trigger]
  if (!to) throw badRequest(`${kind} replication is in mode ${membership.mode}: no ${trigger}`)
  return to
}

export function change(context: Context, trigger: Trigger, given: Change = {}): void {
  const { services, sessions, rules } = context
  const to = nextMode(context, trigger)
  const effect = rules.effects[trigger]
  sessions.endAll()
  context.drop(context.membership.registrations.map(({ id }) => id))
  moveData(context, { to, trigger }, effect)
  context.membership = membershipAfter(context, { to, trigger, given, effect })
  follow(context)
  void services.storage.written()
}

interface Step {
  readonly to: Mode
  readonly trigger: Trigger
  readonly given: Change
  readonly effect: Effect
}

/** Wipes the data, stops serving them, or serves them again. */
function moveData(context: Context, { to, trigger }: Pick<Step, 'to' | 'trigger'>, { data }: Effect): void {
  const wipes = data === 'wiped'
  const [was, becomes] = [isDrSecondary(context, context.membership.mode), isDrSecondary(context, to)]
  if (becomes && (wipes || !was)) sleep(context, data)
  else if (!becomes && was) wake(context, trigger)
  else if (wipes) context.data.wipe()
}

function membershipAfter(context: Context, { to, trigger, given, effect }: Step): Membership {
  const { membership } = context
  return {
    ...membership,
    mode: to,
    clusterId: clusterIdAfter(context, effect.clusterId),
    setId: setIdAfter(context, trigger, given),
    primaryClusterAddr: given.primaryClusterAddr ?? '',
    filters: to === 'primary' ? membership.filters : {},
    upstream: to === 'primary' ? undefined : given.upstream,
    ...(to === 'secondary'
      ? { synced: trigger !== 'secondary/enable' && membership.synced }
      : { synced: true, remoteWrites: 0, root: '', filtered: [] }),
  }
}

function clusterIdAfter({ membership, services }: Context, how: Effect['clusterId']): string {
  if (how === 'ended') return ''
  return (how === 'kept' && membership.clusterId) || services.mint.uuid()
}

function setIdAfter({ membership, services }: Context, trigger: Trigger, { setId }: Change): string {
  if (trigger === 'primary/enable') return services.mint.uuid()
  return (trigger !== 'secondary/enable' && membership.setId) || (setId ?? '')
}

function proofFor(upstream: Upstream, { peers }: Context): Proof {
  const { authority: _, ...own } = upstream.trust
  return { ...own, authorities: peers.authorities(upstream) }
}

/** Ends the earlier connection, and connects to the primary if the current mode has one. */
export function follow(context: Context): void {
  context.link?.stop()
  context.link = undefined
  const { kind, membership, services, rules } = context
  const { addresses, variation } = services
  const { upstream, mode } = membership
  if (!rules.follows[mode] || !upstream) return
  context.link = createLink({
    addresses: () => context.peers.addresses(upstream),
    path: `/${kind}/stream`,
    introduction: () => ({
      ...{ id: upstream.id, secret: upstream.secret },
      ...{ cluster_id: context.membership.clusterId, set_id: context.membership.setId },
      ...{ api_address: addresses.api, cluster_address: addresses.cluster, authority: context.certificates.authority },
    }),
    proof: () => proofFor(upstream, context),
    services,
    delay: variation().syncLatency,
    onLine: (increment) => context.data.receive(increment),
  })
}
