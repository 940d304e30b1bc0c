/** `status`: the mode of a cluster, and how far replication has come. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Place } from '../cluster-state.ts'
import type { Membership } from '../membership.ts'
import type { Mode } from '../tables/transitions.ts'
import { clusterAddressOf } from './tokens.ts'

type Members = Readonly<Record<string, unknown>>

export function readStatus(_call: Call, place: Place, services: Services): Reply {
  const { status } = place.tables()
  const { mode } = place.membership
  const told = status.mode[mode]
  const word = mode === 'disabled' && place.pending ? 'bootstrapping' : told && wordFor(told, services)
  return { kind: 'data', data: { ...(word ? { mode: word } : {}), ...details[mode](place, services) } }
}

/** The document has no word for it: readings, 9. */
const wordFor = (mode: Mode, { manner }: Services): string => (mode === 'disabled' ? manner().disabledMode : mode)

const details: Readonly<Record<Mode, (place: Place, services: Services) => Members>> = {
  disabled: () => ({}),
  primary: ofPrimary,
  secondary: ofSecondary,
}

/** What a DR secondary calls its cluster id may be its own or its set's: readings, 6. */
function idOf(place: Place, { manner }: Services): string {
  const { clusterId, setId } = place.membership
  return place.kind === 'dr' && manner().drClusterId === 'set' ? setId : clusterId
}

const timeOf = (ms: number): string => (ms === 0 ? '' : new Date(ms).toISOString())
const connection = (connected: boolean): string => (connected ? 'connected' : 'disconnected')
const still = '0'.repeat(40)

function ofPrimary(place: Place, services: Services): Members {
  const { status } = place.tables()
  const moves = status.progress.primary === 'told'
  const { writes, root } = place.progress()
  const secondaries = place.membership.registrations.filter(({ clusterId }) => clusterId !== '')
  return {
    ...(status.clusterId.primary === 'told' ? { cluster_id: idOf(place, services) } : {}),
    known_secondaries: secondaries.map(({ id }) => id),
    last_wal: moves ? writes : 1,
    merkle_root: moves ? root : still,
    primary_cluster_addr: clusterAddressOf(place, services),
    state: 'running',
    secondaries: secondaries.map(({ id, apiAddress, clusterAddress }) => ({
      node_id: id,
      api_address: apiAddress,
      cluster_address: clusterAddress,
      connection_status: connection(place.sessions.isOpen(id)),
      ...(moves ? { last_heartbeat: timeOf(services.clock.now()) } : {}),
    })),
  }
}

function stateOf({ membership, link }: Place): string {
  if (!membership.upstream) return 'idle'
  if (!link?.connected) return membership.synced ? 'transient-failure' : 'merkle-sync'
  return 'stream-wals'
}

function ofSecondary(place: Place, services: Services): Members {
  const { membership, link } = place
  const { status } = place.tables()
  const moves = status.progress.secondary === 'told'
  return {
    ...(status.clusterId.secondary === 'told' ? { cluster_id: idOf(place, services) } : {}),
    state: stateOf(place),
    last_remote_wal: moves ? membership.remoteWrites : 0,
    merkle_root: moves ? membership.root : still,
    ...upstreamOf(membership, link?.connected ?? false, moves ? timeOf(link?.lastSign ?? 0) : ''),
  }
}

function upstreamOf({ upstream }: Membership, connected: boolean, heartbeat: string): Members {
  if (!upstream) return { secondary_id: '', known_primary_cluster_addrs: [], primary_cluster_addr: '', primaries: [] }
  const { id, apiAddress, clusterAddress } = upstream
  return {
    secondary_id: id,
    known_primary_cluster_addrs: [clusterAddress],
    primary_cluster_addr: clusterAddress,
    primaries: [
      {
        api_address: apiAddress,
        cluster_address: clusterAddress,
        connection_status: connection(connected),
        last_heartbeat: heartbeat,
      },
    ],
  }
}
