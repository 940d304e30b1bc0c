/** The endpoint `sys/leader`, which clients ask for the state of a server. A cluster here has one node. */
import type { Route } from '../../kernel/contracts.ts'
import { bare } from './health.ts'

const leader = {
  ha_enabled: false,
  is_self: false,
  active_time: '0001-01-01T00:00:00Z',
  leader_address: '',
  leader_cluster_address: '',
  performance_standby: false,
  performance_standby_last_remote_wal: 0,
}

export const leaderRoutes = (): readonly Route[] => [
  { verb: 'GET', path: 'leader', access: 'anyone', handle: () => bare(leader) },
]
