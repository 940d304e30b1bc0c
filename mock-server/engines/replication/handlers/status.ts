/** The endpoint `status` shows the mode of a cluster and the progress of replication. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Context } from '../context.ts'
import type { Membership } from '../membership.ts'
import type { Mode } from '../rules/transitions.ts'
import { clusterAddressOf } from './tokens.ts'

type Members = Readonly<Record<string, unknown>>

export const readStatus = (_call: Call, context: Context): Reply => ({ kind: 'data', data: statusOf(context) })

export function statusOf(context: Context): object {
  const { status } = context.rules
  const { mode } = context.membership
  const shown = status.mode[mode]
  const word = mode === 'disabled' && context.pending ? 'bootstrapping' : shown && wordFor(shown, context.services)
  return { ...(word ? { mode: word } : {}), ...details[mode](context) }
}

/** Returns the word for a mode. The document has none for a disabled cluster: readings, 9. */
const wordFor = (mode: Mode, { variation }: Services): string => (mode === 'disabled' ? variation().disabledMode : mode)

const details: Readonly<Record<Mode, (context: Context) => Members>> = {
  disabled: () => ({}),
  primary: ofPrimary,
  secondary: ofSecondary,
}

/** Returns the cluster id, which may be the cluster's own id or that of its set: readings, 6. */
function idOf({ membership, services }: Context): string {
  const { clusterId, setId } = membership
  return services.variation().statusClusterId === 'set' ? setId : clusterId
}

const urlOf = (address: string): string => (address === '' ? '' : `https://${address}`)
const timeOf = (ms: number): string => (ms === 0 ? '' : new Date(ms).toISOString())
const connection = (connected: boolean): string => (connected ? 'connected' : 'disconnected')
const constantRoot = '0'.repeat(40)

function ofPrimary(context: Context): Members {
  const { status } = context.rules
  const progresses = status.progress.primary === 'shown'
  const { writes, root } = context.progress()
  const secondaries = context.membership.registrations.filter(({ clusterId }) => clusterId !== '')
  return {
    ...(status.clusterId.primary === 'shown' ? { cluster_id: idOf(context) } : {}),
    known_secondaries: secondaries.map(({ id }) => id),
    last_wal: progresses ? writes : 1,
    merkle_root: progresses ? root : constantRoot,
    primary_cluster_addr: urlOf(clusterAddressOf(context)),
    state: 'running',
    secondaries: secondaries.map(({ id, apiAddress, clusterAddress }) => ({
      node_id: id,
      api_address: apiAddress,
      cluster_address: urlOf(clusterAddress),
      connection_status: connection(context.sessions.isOpen(id)),
      ...(progresses ? { last_heartbeat: timeOf(context.services.clock.now()) } : {}),
    })),
  }
}

function stateOf({ membership, link }: Context): string {
  if (!membership.upstream) return 'idle'
  if (!link?.connected) return membership.synced ? 'transient-failure' : 'merkle-sync'
  return 'stream-wals'
}

function ofSecondary(context: Context): Members {
  const { membership, link } = context
  const { status } = context.rules
  const progresses = status.progress.secondary === 'shown'
  return {
    ...(status.clusterId.secondary === 'shown' ? { cluster_id: idOf(context) } : {}),
    state: stateOf(context),
    last_remote_wal: progresses ? membership.remoteWrites : 0,
    merkle_root: progresses ? membership.root : constantRoot,
    ...upstreamOf(membership, link?.connected ?? false, progresses ? timeOf(link?.lastSign ?? 0) : ''),
  }
}

function upstreamOf({ upstream }: Membership, connected: boolean, heartbeat: string): Members {
  if (!upstream) return { secondary_id: '', known_primary_cluster_addrs: [], primary_cluster_addr: '', primaries: [] }
  const { id, apiAddress, clusterAddress } = upstream
  return {
    secondary_id: id,
    known_primary_cluster_addrs: [urlOf(clusterAddress)],
    primary_cluster_addr: urlOf(clusterAddress),
    primaries: [
      {
        api_address: apiAddress,
        cluster_address: urlOf(clusterAddress),
        connection_status: connection(connected),
        last_heartbeat: heartbeat,
      },
    ],
  }
}
