/** The endpoints of one kind of replication work on this context, which holds the state of the cluster in it. */
import type { X509Certificate } from 'node:crypto'
import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import type { Reply } from '../../kernel/contracts.ts'
import type { Services } from '../../kernel/services.ts'
import type { StatePart } from '../../kernel/state/state-part.ts'
import type { ClusterCertificates } from './connections/cluster-certificates.ts'
import type { Link } from './connections/primary-link.ts'
import type { Increment, Outgoing, Sessions } from './connections/secondary-sessions.ts'
import type { Asleep, Membership, Progress, Registration, Upstream } from './membership.ts'
import type { RoleChange } from './role-change.ts'
import type { Filter } from './rules/filters.ts'
import type { KindRules } from './rules/index.ts'
import type { Trigger } from './rules/transitions.ts'

/** The facts that a transition needs. */
export interface Change {
  readonly primaryClusterAddr?: string
  readonly upstream?: Upstream
  /** The id of the set of the new primary. */
  readonly setId?: string
}

/** The paths filters of the secondaries, by the cluster id of the secondary. */
export interface Filtering {
  of(clusterId: string): Filter | undefined
  drop(clusterId: string): void
}

/** How this cluster recognises its secondaries, and finds and recognises its primary. */
export interface Peers {
  isSecret(given: string, registration: Registration): boolean
  isIssued(certificate: X509Certificate): boolean
  /** Returns addresses as `host:port`, which are tried in turn. */
  addresses(upstream: Upstream): readonly string[]
  /** Returns the certificate authorities of the primary, as PEM. */
  authorities(upstream: Upstream): readonly string[]
}

export interface SharedData {
  /** Returns the data that a secondary must have now, or undefined if it must not receive anything. */
  outgoing(id: string): Outgoing | undefined
  /** Takes over the data that the primary sent. */
  receive(increment: Increment): void
  /** Removes all data from the cluster. */
  wipe(): void
}

export interface Context extends StatePart {
  readonly kind: ReplicationKind
  readonly services: Services
  readonly roleChange: RoleChange
  readonly certificates: ClusterCertificates
  readonly rules: KindRules
  /** Returns the context of the other kind of replication. */
  readonly other: () => Context
  membership: Membership
  readonly sessions: Sessions
  readonly filtering: Filtering
  readonly peers: Peers
  readonly data: SharedData
  /** The connection to the primary. */
  link: Link | undefined
  /** The data that a DR secondary stores and does not serve. */
  asleep: Asleep | undefined
  assertPossible(trigger: Trigger): void
  /** Refuses a trigger for which the table has no cell in the current mode. */
  change(trigger: Trigger, given?: Change): void
  /** Changes the role, at once or after the delay of this variation. */
  turn(trigger: Trigger, given?: Change): Reply
  /** A trigger that was accepted, but has not taken effect yet. */
  readonly pending: Trigger | undefined
  update(changed: Partial<Membership>): void
  updateRegistration(id: string, changed: Partial<Registration>): void
  /** Forgets these secondaries, and deletes their activation tokens that were not unwrapped yet. */
  drop(ids: readonly string[]): void
  progress(): Progress
}
