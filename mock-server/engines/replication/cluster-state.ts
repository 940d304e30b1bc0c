/** The state of this cluster in one kind of replication: its mode, its secondaries, its primary. */
import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import type { Services } from '../../kernel/services.ts'
import { peersOf } from './connections/peers.ts'
import { createSessions } from './connections/secondary-sessions.ts'
import type { Context } from './context.ts'
import { receive } from './data/cluster-data.ts'
import { createProgressReader, outgoingFor } from './data/outgoing.ts'
import { type Asleep, type Membership, noMembership } from './membership.ts'
import type { KindRules } from './rules/index.ts'
import { change, follow, nextMode } from './transition.ts'

interface SavedState {
  readonly membership: Membership
  readonly asleep: Asleep | undefined
}

/** Creates the context of one kind of replication. While the cluster is a DR secondary, its state in performance
 * replication is among the data that it stores and does not serve. */
export function createClusterState(
  kind: ReplicationKind,
  services: Services,
  rules: KindRules,
  other: () => Context,
  { roleChange, certificates }: Pick<Context, 'roleChange' | 'certificates'>,
): Context {
  let membership = noMembership

  /** Breaks all connections, and then opens those that the new membership requires. */
  function restart(next: Membership, asleep: Asleep | undefined): void {
    roleChange.stop()
    context.sessions.breakAll()
    context.membership = next
    context.asleep = asleep
    follow(context)
  }

  const context: Context = {
    ...{ kind, services, roleChange, certificates, rules, other },
    get membership() {
      return membership
    },
    set membership(next) {
      membership = next
      services.clusterRole.modes[kind] = next.mode
    },
    peers: peersOf(certificates),
    data: {
      outgoing: (id) => outgoingFor(context, id),
      receive: (increment) => receive(context, increment),
      wipe: () => services.storage.clear(),
    },
    filtering: {
      of: (clusterId) => membership.filters[clusterId],
      drop(clusterId) {
        const { [clusterId]: _dropped, ...filters } = membership.filters
        context.update({ filters })
      },
    },
    sessions: createSessions((id) => context.data.outgoing(id), services),
    link: undefined,
    asleep: undefined,
    assertPossible: (trigger) => void nextMode(context, trigger),
    change: (trigger, given) => change(context, trigger, given),
    turn(trigger, given) {
      nextMode(context, trigger)
      return context.roleChange.carryOut({ kind, trigger }, () => change(context, trigger, given))
    },
    get pending() {
      return roleChange.pending?.kind === kind ? roleChange.pending.trigger : undefined
    },
    update(changed) {
      context.membership = { ...membership, ...changed }
    },
    updateRegistration(id, changed) {
      const registrations = membership.registrations.map((one) => (one.id === id ? { ...one, ...changed } : one))
      context.membership = { ...membership, registrations }
    },
    drop(ids) {
      for (const { id, wrapped } of membership.registrations) if (ids.includes(id)) services.wrapping.take(wrapped)
      context.membership = {
        ...membership,
        registrations: membership.registrations.filter(({ id }) => !ids.includes(id)),
      }
    },
    progress: () => readProgress(),
    snapshot: (): SavedState => ({ membership, asleep: context.asleep }),
    restore(state) {
      const saved = state as Partial<SavedState>
      restart(saved.membership ?? noMembership, saved.asleep)
    },
    reset: () => restart(noMembership, undefined),
  }
  const readProgress = createProgressReader(context)
  return context
}
