/** A cluster's place among others, for one kind of replication: its mode, whom it serves, whom it follows. The file is long
 * because all of this is one state, which changes as a whole. */
import { createHash } from 'node:crypto'
import { performance as stopwatch } from 'node:perf_hooks'
import type { Reply } from '../../kernel/contracts.ts'
import type { ReplicationKind } from '../../kernel/extension-points.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import type { Mount, SavedMount } from '../../kernel/mounts/mounts.ts'
import type { Services } from '../../kernel/services.ts'
import { isFiltered, keptBack } from './filtering.ts'
import { createLink, type Link } from './link.ts'
import { type Membership, noMembership, type Registration, type Upstream } from './membership.ts'
import { type Asleep, awaken, callersMounts, type Parts, sharedOf, takeOver, wholeOf } from './parts.ts'
import type { RoleChange } from './role-change.ts'
import { createSessions, type Increment, type Outgoing, type Sessions } from './sessions.ts'
import type { KindTables } from './tables/index.ts'
import type { Effect, Mode, Trigger } from './tables/transitions.ts'

/** What a transition brings along. */
export interface Change {
  readonly primaryClusterAddr?: string
  readonly upstream?: Upstream
  /** Of the primary that is to be followed. */
  readonly setId?: string
}

interface Progress {
  readonly writes: number
  readonly root: string
}

export interface Context {
  readonly kind: ReplicationKind
  readonly membership: Membership
  readonly tables: () => KindTables
  readonly sessions: Sessions
  readonly link: Link | undefined
  assertPossible(trigger: Trigger): void
  /** Refuses what the table does not have. */
  change(trigger: Trigger, given?: Change, also?: Partial<Effect>): void
  /** The same in the manner of this server, which may take its time. */
  turn(trigger: Trigger, given?: Change): Reply
  /** A trigger that was accepted and is not in effect yet. */
  readonly pending: Trigger | undefined
  update(changed: Partial<Membership>): void
  updateRegistration(id: string, changed: Partial<Registration>): void
  /** Forgets these secondaries, and what they have not fetched. */
  drop(ids: readonly string[]): void
  clearMounts(): void
  /** How far this cluster has written, and a hash of what a secondary without filters would have. */
  progress(): Progress
  snapshot(): unknown
  restore(state: unknown): void
  reset(): void
}

interface SavedState {
  readonly membership: Membership
  readonly asleep: Asleep | undefined
}

/** A DR secondary holds the place in performance replication asleep with the rest. */
export function createClusterState(
  kind: ReplicationKind,
  services: Services,
  tables: () => KindTables,
  contextOf: (kind: ReplicationKind) => Context,
  roleChange: RoleChange,
): Context {
  const { clock, network, mint, variation, addresses, extensions } = services
  const performance = (): Context => contextOf('performance')
  let membership = noMembership
  let link: Link | undefined
  let asleep: Asleep | undefined
  let progress = { writes: -1, root: '', readAt: Number.NEGATIVE_INFINITY }

  const partsFor = (reaches: (mount: Mount) => boolean): Parts =>
    kind === 'dr' ? wholeOf(services, tables(), performance().membership) : sharedOf(services, tables(), reaches)

  function outgoingFor(id: string): Outgoing | undefined {
    const registration = membership.registrations.find((one) => one.id === id)
    if (!registration || !tables().serves[membership.mode] || services.seal.sealed) return undefined
    const { filters } = tables()
    const filter = filters.actsOn(membership.filters, registration.clusterId)
    const parts = partsFor((mount) => !isFiltered(mount, filter, filters))
    return {
      parts,
      filtered: keptBack(callersMounts(services), filter, filters),
      writes: services.storage().writes,
      root: hashOf(parts),
      peers: tables().introduces ? membership.registrations : [],
    }
  }

  const sessions = createSessions(outgoingFor, () => variation().syncLatency)

  const isDrSecondary = (mode: Mode): boolean => kind === 'dr' && mode === 'secondary'

  const spared = (parts: Readonly<Record<string, unknown>> = {}) => pick(parts, tables().spares)
  const unspared = (parts: Readonly<Record<string, unknown>>) =>
    pick(
      parts,
      Object.keys(parts).filter((name) => !tables().spares.includes(name)),
    )

  function wipe(): Readonly<Record<string, unknown>> {
    const { parts, clear } = services.storage()
    const kept = Object.fromEntries(tables().spares.map((name) => [name, parts[name]?.snapshot()]))
    clear()
    for (const [name, state] of Object.entries(kept)) parts[name]?.restore(state)
    return structuredClone(kept)
  }

  function receive({ parts, whole, gone, writes, root, filtered, peers }: Increment): void {
    const { takes } = tables()
    const taken = unspared((whole ? takes.first : takes.later) ? parts : pick(parts, ['keys', 'performance']))
    const clears = whole && takes.first
    if (kind === 'dr' && taken.keys) services.keys.adopt(taken.keys, 'root-token-too')
    if (isDrSecondary(membership.mode))
      asleep = {
        beside: asleep?.beside ?? [],
        parts: { ...(clears ? spared(asleep?.parts) : asleep?.parts), ...taken },
      }
    else if (kind === 'dr') awaken({ parts: taken, beside: [] }, services)
    else takeOver(taken, { whole: clears && !membership.mingled, gone, tables: tables() }, services)
    membership = { ...membership, synced: true, remoteWrites: writes, root, filtered, peers }
    services.storage().written()
  }

  function follow(): void {
    link?.stop()
    link = undefined
    const { upstream, mode } = membership
    if (!tables().follows[mode] || !upstream) return
    link = createLink({
      addresses: () => [upstream.clusterAddress, ...membership.peers.map(({ clusterAddress }) => clusterAddress)],
      path: `/${kind}/stream`,
      introduction: () => ({
        ...{ id: upstream.id, secret: upstream.secret, cluster_id: membership.clusterId, set_id: membership.setId },
        ...{ api_address: addresses.api, cluster_address: addresses.cluster },
      }),
      network,
      now: () => clock.now(),
      delay: variation().syncLatency,
      onLine: receive,
    })
  }

  /** What the cluster serves goes to sleep, or is wiped, as it becomes a DR secondary. */
  function sleep(data: 'kept' | 'wiped', trigger: Trigger): void {
    const whole = wholeOf(services, tables(), performance().membership)
    const parts = Object.fromEntries([...whole].map(([name, json]) => [name, JSON.parse(json)]))
    const beside = trigger === 'secondary/enable' ? callersMounts(services).map(services.mounts.keep) : []
    asleep = data === 'kept' ? { parts, beside: structuredClone(beside) } : undefined
    performance().reset()
    const kept = wipe()
    if (data === 'wiped' && tables().spares.length > 0) asleep = { parts: kept, beside: [] }
    extensions.operationTokens?.end()
  }

  function clearMounts(): void {
    for (const mount of callersMounts(services)) services.mounts.remove(mount)
    const kept = (asleep?.parts.mounts ?? []) as readonly SavedMount[]
    if (asleep) asleep = { beside: [], parts: { ...asleep.parts, mounts: kept.filter(({ mount }) => mount.builtIn) } }
  }

  function wake(trigger: Trigger): void {
    const whole = asleep
    asleep = undefined
    extensions.operationTokens?.end()
    if (!whole) return
    awaken(whole, services)
    const earlier = whole.parts.performance as Membership | undefined
    if (trigger !== 'secondary/promote' || !earlier) return
    const { ofPrimary, ofSecondary } = tables().performance
    if (earlier.mode === 'primary' && ofPrimary === 'left-out') return
    const unconnected = earlier.mode === 'secondary' && ofSecondary === 'unconnected'
    performance().restore({ membership: unconnected ? { ...earlier, upstream: undefined } : earlier })
  }

  function cellOf(trigger: Trigger): { readonly to: Mode | 'unchanged'; readonly effect: Effect } {
    const cell = tables().transitions[membership.mode][trigger]
    const effect = tables().effects[trigger]
    if (cell === 'refused-and-wiped') clearMounts()
    if (cell === undefined || cell === 'refused-and-wiped')
      throw new Refusal('bad-request', { message: `${kind} replication is in mode ${membership.mode}: no ${trigger}` })
    return typeof cell === 'string' ? { to: cell, effect } : { to: cell.to, effect: { ...effect, ...cell.also } }
  }

  function clusterIdAfter(how: Effect['clusterId']): string {
    if (how === 'kept') return membership.clusterId || mint.uuid()
    if (how === 'ended') return ''
    const { former } = membership
    return how !== 'new' && former.mode === how.former ? former.clusterId : mint.uuid()
  }

  function change(trigger: Trigger, given: Change = {}, also: Partial<Effect> = {}): void {
    const { to, ...cell } = cellOf(trigger)
    const effect = { ...cell.effect, ...also }
    if (to === 'unchanged') return
    const besides = tables().besides[trigger]
    const other = contextOf(kind === 'dr' ? 'performance' : 'dr')
    if (besides && other.tables().transitions[other.membership.mode][besides]) other.change(besides)
    if (effect.sessions === 'ended') sessions.endAll()
    if (effect.credentials === 'dropped') drop(membership.registrations.map(({ id }) => id))

    const earlier = membership
    const wipes = effect.data === 'wiped' || (effect.data === 'wiped-at-first' && earlier.former.mode !== 'secondary')
    const data = wipes ? 'wiped' : 'kept'
    if (isDrSecondary(to) && (wipes || !isDrSecondary(earlier.mode))) sleep(data, trigger)
    else if (!isDrSecondary(to) && isDrSecondary(earlier.mode)) wake(trigger)
    else if (wipes) wipe()

    if (effect.data === 'mounts-wiped') clearMounts()
    const known = {
      given: given.upstream,
      none: undefined,
      past: earlier.past,
      kept: earlier.upstream ?? given.upstream,
    }
    const joins = trigger === 'secondary/enable'
    const clusterId = clusterIdAfter(effect.clusterId)
    membership = {
      ...membership,
      mode: to,
      clusterId,
      setId: setIdAfter(trigger, given),
      former: to === 'disabled' ? { mode: earlier.mode, clusterId: earlier.clusterId } : earlier.former,
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
    follow()
    services.storage().written()
    if (trigger === 'primary/enable' && tables().enables === 'both-kinds') enableBoth(other)
  }

  function enableBoth(other: Context): void {
    if (other.membership.mode === 'disabled') other.change('primary/enable')
  }

  function setIdAfter(trigger: Trigger, { setId }: Change): string {
    if (trigger === 'primary/enable') return mint.uuid()
    return (trigger !== 'secondary/enable' && membership.setId) || (setId ?? '')
  }

  function drop(ids: readonly string[]): void {
    for (const { id, wrapped } of membership.registrations) if (ids.includes(id)) services.wrapping.take(wrapped)
    membership = { ...membership, registrations: membership.registrations.filter(({ id }) => !ids.includes(id)) }
  }

  return {
    kind,
    get membership() {
      return membership
    },
    tables,
    sessions,
    get link() {
      return link
    },
    assertPossible: (trigger) => void cellOf(trigger),
    change,
    turn(trigger, given) {
      cellOf(trigger)
      return roleChange.carryOut({ kind, trigger }, () => change(trigger, given))
    },
    get pending() {
      return roleChange.pending?.kind === kind ? roleChange.pending.trigger : undefined
    },
    update(changed) {
      membership = { ...membership, ...changed }
    },
    updateRegistration(id, changed) {
      const registrations = membership.registrations.map((one) => (one.id === id ? { ...one, ...changed } : one))
      membership = { ...membership, registrations }
    },
    drop,
    clearMounts,
    progress() {
      const now = stopwatch.now()
      if (now - progress.readAt < variation().progressAge) return progress
      const { writes } = services.storage()
      const root = progress.writes === writes ? progress.root : hashOf(partsFor(() => true))
      progress = { writes, root, readAt: now }
      return progress
    },
    snapshot: (): SavedState => ({ membership, asleep }),
    restore(state) {
      const kept = state as Partial<SavedState>
      roleChange.stop()
      sessions.breakAll()
      membership = kept.membership ?? noMembership
      asleep = kept.asleep
      follow()
    },
    reset() {
      roleChange.stop()
      sessions.breakAll()
      membership = noMembership
      asleep = undefined
      follow()
    },
  }
}

const pick = (parts: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => names.includes(name)))

function hashOf(parts: Parts): string {
  const hash = createHash('sha1')
  for (const [name, json] of parts) hash.update(name).update(json)
  return hash.digest('hex')
}
