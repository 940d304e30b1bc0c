/** The engine `sys`, which every server of this family has, whatever engines are mounted. */
import type { FixedEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import { capabilityRoutes } from './capabilities.ts'
import { healthRoutes } from './health.ts'
import { leaderRoutes } from './leader.ts'
import { leaseRoutes } from './leases.ts'
import { mountRoutes } from './mounts.ts'
import { namespaceRoutes } from './namespaces.ts'
import { sealRoutes } from './sealing.ts'
import { wrappingRoutes } from './wrapping.ts'

export const createSystem = (services: Services): FixedEngine => ({
  prefix: 'sys',
  routes: [
    healthRoutes,
    leaderRoutes,
    sealRoutes,
    mountRoutes,
    namespaceRoutes,
    leaseRoutes,
    wrappingRoutes,
    capabilityRoutes,
  ].flatMap((make) => make(services)),
})
