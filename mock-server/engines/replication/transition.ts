/** Carries out one change of the role of this cluster, by the rules of transitions and effects. */
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Proof } from './connections/peer-client.ts'
import { createLink } from './connections/primary-link.ts'
import type { Change, Context } from './context.ts'
import { clearMounts, isDrSecondary, receive, sleep, wake, wipe } from './data/cluster-data.ts'
import type { Membership, Registration, Upstream } from './membership.ts'
import type { Effect, Mode, Trigger } from './rules/transitions.ts'

interface Cell {
  readonly to: Mode | 'unchanged'
  readonly effect: Effect
}

/** Returns the cell of a trigger in the current mode. Refuses a trigger that has no cell. */
export function cellOf(context: Context, trigger: Trigger): Cell {
  const { kind, membership, rules } = context
  const cell = rules.transitions[membership.mode][trigger]
  const effect = rules.effects[trigger]
  if (cell === 'refused-and-wiped') clearMounts(context)
  if (cell === undefined || cell === 'refused-and-wiped')
    throw badRequest(`${kind} replication is in mode ${membership.mode}: no ${trigger}`)
  return typeof cell === 'string' ? { to: cell, effect } : { to: cell.to, effect: { ...effect, ...cell.also } }
}

export function change(context: Context, trigger: Trigger, given: Change = {}, also: Partial<Effect> = {}): void {
  const { services, sessions, rules } = context
  const { to, ...cell } = cellOf(context, trigger)
  const effect = { ...cell.effect, ...also }
  if (to === 'unchanged') return
  const besides = rules.besides[trigger]
  const other = context.other()
  if (besides && other.rules.transitions[other.membership.mode][besides]) other.change(besides)
  const [first] = context.membership.registrations
  if (effect.sessions === 'ended') sessions.endAll()
  if (effect.sessions === 'first-ended' && first) sessions.end(first.id)
  const isDropped = (one: Registration): boolean =>
    effect.credentials === 'dropped' ||
    (effect.credentials === 'used-ones-dropped' && one.activated) ||
    (effect.credentials === 'first-dropped' && one === first)
  context.drop(context.membership.registrations.filter(isDropped).map(({ id }) => id))

  const earlier = context.membership
  const wipes = moveData(context, { to, trigger }, effect)
  context.membership = membershipAfter(context, { to, trigger, given, effect, earlier, wipes })
  follow(context)
  void services.storage.written()
  if (trigger === 'primary/enable' && rules.enables === 'both-kinds' && other.membership.mode === 'disabled')
    other.change('primary/enable')
}

/** Wipes the data, stops serving them, or serves them again. Returns true if they are wiped. */
function moveData(context: Context, { to, trigger }: Pick<Step, 'to' | 'trigger'>, effect: Effect): boolean {
  const { mode, former } = context.membership
  const spared: Partial<Record<Effect['data'], Mode>> = {
    'wiped-at-first': 'secondary',
    'wiped-unless-primary': 'primary',
  }
  const wipes = effect.data === 'wiped' || (effect.data in spared && former.mode !== spared[effect.data])
  const [was, becomes] = [isDrSecondary(context, mode), isDrSecondary(context, to)]
  if (becomes && (wipes || !was)) sleep(context, wipes ? 'wiped' : 'kept', trigger)
  else if (!becomes && was) wake(context, trigger)
  else if (wipes) wipe(context)
  if (effect.data === 'mounts-wiped') clearMounts(context)
  return wipes
}

interface Step {
  readonly to: Mode
  readonly trigger: Trigger
  readonly given: Change
  readonly effect: Effect
  /** The membership before the data were moved. */
  readonly earlier: Membership
  readonly wipes: boolean
}

function membershipAfter(context: Context, { to, trigger, given, effect, earlier, wipes }: Step): Membership {
  const { membership } = context
  const known = {
    given: given.upstream,
    none: undefined,
    past: earlier.past,
    kept: earlier.upstream ?? given.upstream,
  }
  const joins = trigger === 'secondary/enable'
  return {
    ...membership,
    mode: to,
    clusterId: clusterIdAfter(context, effect.clusterId),
    setId: setIdAfter(context, trigger, given),
    former: to === 'disabled' ? { mode: earlier.mode, clusterId: earlier.clusterId, by: earlier.by } : earlier.former,
    by: trigger,
    primaryClusterAddr: given.primaryClusterAddr ?? '',
    registrations: trigger === 'secondary/promote' ? earlier.peers : membership.registrations,
    filters: to === 'primary' ? earlier.filters : {},
    upstream: to === 'primary' ? undefined : known[effect.primary],
    past: earlier.upstream ?? earlier.past,
    peers: [],
    ...(to === 'secondary'
      ? { synced: !joins && earlier.synced, mingled: joins ? !wipes : earlier.mingled }
      : { synced: true, mingled: false, remoteWrites: 0, root: '', filtered: [] }),
  }
}

function clusterIdAfter({ membership, services }: Context, how: Effect['clusterId']): string {
  const isKept = how === 'kept' || (how === 'new-if-promoted' && membership.by !== 'secondary/promote')
  if (isKept) return membership.clusterId || services.mint.uuid()
  if (how === 'ended') return ''
  const { former } = membership
  const isFormer = typeof how === 'object' && former.mode === how.former && (how.by ?? former.by) === former.by
  return isFormer ? former.clusterId : services.mint.uuid()
}

function setIdAfter({ membership, services }: Context, trigger: Trigger, { setId }: Change): string {
  if (trigger === 'primary/enable') return services.mint.uuid()
  return (trigger !== 'secondary/enable' && membership.setId) || (setId ?? '')
}

/** Returns the proof for the link. A promoted secondary has a certificate of its own authority, so the authorities of
 * all peers are trusted. */
function proofFor({ trust }: Upstream, peers: Membership['peers']): Proof {
  const { authority, ...own } = trust
  return { ...own, authorities: [authority, ...peers.map((peer) => peer.authority).filter((pem) => pem !== '')] }
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
    addresses: () => [upstream.clusterAddress, ...context.membership.peers.map(({ clusterAddress }) => clusterAddress)],
    path: `/${kind}/stream`,
    introduction: () => ({
      ...{ id: upstream.id, secret: upstream.secret },
      ...{ cluster_id: context.membership.clusterId, set_id: context.membership.setId },
      ...{ api_address: addresses.api, cluster_address: addresses.cluster, authority: context.certificates.authority },
    }),
    proof: () => proofFor(upstream, context.membership.peers),
    services,
    delay: variation().syncLatency,
    onLine: (increment) => receive(context, increment),
  })
}
