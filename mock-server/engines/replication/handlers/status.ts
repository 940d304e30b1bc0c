/** The endpoint `status` shows the mode of a cluster and the progress of replication. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import type { Context } from '../context.ts'
import type { Membership } from '../membership.ts'
import type { Mode } from '../rules/transitions.ts'
import { clusterAddressOf } from './tokens.ts'

type Members = Readonly<Record<string, unknown>>

export const readStatus = (_call: Call, context: Context): Reply => ({ kind: 'data', data: statusOf(context) })

export function statusOf(context: Context): object {
  const { mode } = context.membership
  return { mode: mode === 'disabled' ? wordForDisabled(context) : mode, ...details[mode](context) }
}

/** The document has no word for a disabled cluster: readings, 9. */
const wordForDisabled = ({ pending, services }: Context): string =>
  pending ? 'bootstrapping' : services.variation().disabledMode

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

function ofPrimary(context: Context): Members {
  const { writes, root } = context.progress()
  const secondaries = context.membership.registrations.filter(({ clusterId }) => clusterId !== '')
  return {
    cluster_id: idOf(context),
    known_secondaries: secondaries.map(({ id }) => id),
    last_wal: writes,
    merkle_root: root,
    primary_cluster_addr: urlOf(clusterAddressOf(context)),
    state: 'running',
    secondaries: secondaries.map(({ id, apiAddress, clusterAddress }) => ({
      node_id: id,
      api_address: apiAddress,
      cluster_address: urlOf(clusterAddress),
      connection_status: connection(context.sessions.isOpen(id)),
      last_heartbeat: timeOf(context.services.clock.now()),
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
  return {
    cluster_id: idOf(context),
    state: stateOf(context),
    last_remote_wal: membership.remoteWrites,
    merkle_root: membership.root,
    ...upstreamOf(membership, link?.connected ?? false, timeOf(link?.lastSign ?? 0)),
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
