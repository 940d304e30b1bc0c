/** The state of this cluster in one kind of replication, which its endpoints work on. */
import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import type { Reply } from '../../kernel/contracts.ts'
import type { Services } from '../../kernel/services.ts'
import type { StatePart } from '../../kernel/state/state-part.ts'
import type { ClusterCertificates } from './connections/cluster-certificates.ts'
import type { Link } from './connections/primary-link.ts'
import type { Sessions } from './connections/secondary-sessions.ts'
import type { Asleep, Membership, Progress, Registration, Upstream } from './membership.ts'
import type { RoleChange } from './role-change.ts'
import type { KindTables } from './tables/index.ts'
import type { Effect, Trigger } from './tables/transitions.ts'

/** The facts that a transition needs. */
export interface Change {
  readonly primaryClusterAddr?: string
  readonly upstream?: Upstream
  /** The id of the set of the new primary. */
  readonly setId?: string
}

export interface Context extends StatePart {
  readonly kind: ReplicationKind
  readonly services: Services
  readonly roleChange: RoleChange
  readonly certificates: ClusterCertificates
  readonly tables: () => KindTables
  /** Returns the context of the other kind of replication. */
  readonly other: () => Context
  membership: Membership
  readonly sessions: Sessions
  /** The connection to the primary. */
  link: Link | undefined
  /** A DR secondary stores this and does not serve it. */
  asleep: Asleep | undefined
  assertPossible(trigger: Trigger): void
  /** Refuses a trigger that the table does not have. */
  change(trigger: Trigger, given?: Change, also?: Partial<Effect>): void
  /** Changes the role by the variation of this server, which may take its time. */
  turn(trigger: Trigger, given?: Change): Reply
  /** A trigger that was accepted and is not in effect yet. */
  readonly pending: Trigger | undefined
  update(changed: Partial<Membership>): void
  updateRegistration(id: string, changed: Partial<Registration>): void
  /** Forgets these secondaries, and the tokens that they have not fetched. */
  drop(ids: readonly string[]): void
  progress(): Progress
}
