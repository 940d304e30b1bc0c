/** The engine `sys`, which every server of this family has, whatever engines are mounted. */
import { staying } from '../../kernel/cluster/forwarding.ts'
import type { FixedEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import { stateOf } from '../../kernel/state/state-part.ts'
import { together } from '../../kernel/state/state-parts.ts'
import { absences } from './absent.ts'
import { capabilityRoutes } from './capabilities.ts'
import { healthRoutes } from './health.ts'
import { createKeyring, keyringRoutes } from './keyring.ts'
import { leaderRoutes } from './leader.ts'
import { leaseRoutes } from './leases.ts'
import { mountRoutes } from './mounts.ts'
import { namespaceRoutes } from './namespaces.ts'
import { createRekey } from './rekey.ts'
import { createMoves, remountRoutes } from './remount.ts'
import { sealRoutes } from './sealing.ts'
import { uiRoutes } from './ui.ts'
import { wrappingRoutes } from './wrapping.ts'

const shared = [mountRoutes, uiRoutes, namespaceRoutes] as const
/** These routes change nothing that clusters share, so each cluster serves them itself. */
const own = [
  ...[healthRoutes, leaderRoutes, sealRoutes, leaseRoutes, wrappingRoutes, capabilityRoutes, absences],
] as const

export function createSystem(services: Services): FixedEngine {
  const keyring = createKeyring(services)
  const moves = createMoves()
  const rekey = createRekey(services)
  return {
    prefix: 'sys',
    routes: [
      ...staying(own.flatMap((make) => make(services))),
      ...shared.flatMap((make) => make(services)),
      ...keyringRoutes(keyring),
      ...rekey.routes,
      ...remountRoutes(moves, services),
    ],
    state: together({ keyring, moves: stateOf(moves), rekey: rekey.state }),
  }
}
