/** The endpoints about the nodes of a cluster: `sys/leader`, `sys/ha-status` and `sys/step-down`. */
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { reportedVersion } from '../../kernel/versions.ts'
import { bare } from './health.ts'

const nobody = {
  ha_enabled: false,
  is_self: false,
  active_time: '0001-01-01T00:00:00Z',
  leader_address: '',
  leader_cluster_address: '',
  performance_standby: false,
  performance_standby_last_remote_wal: 0,
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

export function leaderRoutes({ addresses, clock, facts, nodes, storage }: Services): readonly Route[] {
  /** A cluster of one node elects no leader. */
  const isAlone = (): boolean => nodes.urls.length === 1
  const clusterAddress = (): string => `https://${addresses.cluster}`

  function leader({ isStandby }: Call): Reply {
    if (isAlone()) return bare(nobody)
    const readsHere = isStandby && nodes.performanceStandbys
    return bare({
      ...{ ha_enabled: true, is_self: !isStandby, active_time: timeOf(nodes.activeSince) },
      ...{ leader_address: addresses.api, leader_cluster_address: clusterAddress() },
      ...{ performance_standby: readsHere, performance_standby_last_remote_wal: readsHere ? storage.writes : 0 },
    })
  }

  function members(): Reply {
    const list = nodes.urls.map((url, node) => ({
      ...{ hostname: `node-${node + 1}`, api_address: url, cluster_address: clusterAddress() },
      ...{ active_node: node === nodes.active, last_echo: node === nodes.active ? null : timeOf(clock.now()) },
      ...{ echo_duration_ms: 0, clock_skew_ms: 0 },
      ...{ version: reportedVersion(facts), upgrade_version: reportedVersion(facts), redundancy_zone: '' },
    }))
    return { kind: 'data', data: { nodes: list } }
  }

  function stepDown({ isStandby }: Call): Reply {
    if (isAlone()) throw badRequest('sys/step-down: this cluster has one node, and nobody could take over')
    if (isStandby)
      return { kind: 'empty', warnings: ['this node is not active, so there is nothing to step down from'] }
    nodes.stepDown()
    return done
  }

  return [
    { verb: 'GET', path: 'leader', access: 'anyone', handle: leader },
    { verb: 'GET', path: 'ha-status', access: 'token', handle: members },
    { verb: 'POST', path: 'step-down', access: 'sudo', handle: stepDown },
  ]
}
