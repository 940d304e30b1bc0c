/** The endpoint `sys/leader`, which clients ask for the state of a server. */
import type { Route } from '../../kernel/contracts.ts'
import type { Services } from '../../kernel/services.ts'
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

export function leaderRoutes({ addresses, clock }: Services): readonly Route[] {
  const activeTime = new Date(clock.now()).toISOString()
  return [
    {
      ...{ verb: 'GET', path: 'leader', access: 'anyone' },
      handle: (call) =>
        // A cluster of one node elects nobody.
        bare(
          addresses.standbys?.length
            ? {
                ...nobody,
                ...{ ha_enabled: true, is_self: !call.isStandby, active_time: activeTime },
                ...{ leader_address: addresses.api, leader_cluster_address: `https://${addresses.cluster}` },
              }
            : nobody,
        ),
    },
  ]
}
