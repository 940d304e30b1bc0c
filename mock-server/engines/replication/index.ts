/** The engine of replication between clusters, for disaster recovery and for performance: modes, connections,
 * activation tokens, filters. */

import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import type { FixedEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import { createClusterState } from './cluster-state.ts'
import { createSigner } from './connections/activation-tokens.ts'
import { createClusterCertificates } from './connections/cluster-certificates.ts'
import { createTraffic } from './connections/cluster-traffic.ts'
import { createForward } from './connections/forwarding.ts'
import type { Context } from './context.ts'
import { createRoleChange } from './role-change.ts'
import { routesOf, statusOfBoth } from './routes.ts'
import { replicationRules } from './rules/index.ts'

const kinds = ['dr', 'performance'] as const satisfies readonly ReplicationKind[]

export function createReplication(services: Services): readonly FixedEngine[] {
  const roleChange = createRoleChange(services)
  const certificates = createClusterCertificates(services.cluster.id)
  const contextOf = (kind: ReplicationKind, other: ReplicationKind): Context =>
    createClusterState(kind, services, replicationRules[kind], () => contexts[other], { roleChange, certificates })
  const contexts: Readonly<Record<ReplicationKind, Context>> = {
    dr: contextOf('dr', 'performance'),
    performance: contextOf('performance', 'dr'),
  }
  const sign = createSigner()
  let listening = false

  /** Announces each write to the secondaries. This starts only when another cluster first connects. */
  function listen(): void {
    if (listening) return
    listening = true
    services.storage.onWrite(() => {
      for (const { sessions } of Object.values(contexts)) sessions.announce()
    })
  }

  services.clusterRole.servesOnDrSecondary = (path) => contexts.dr.rules.paths.servedOnDrSecondary(path)
  const traffic = createTraffic(services, contexts)
  services.extensions.clusterTraffic = (...arrived) => {
    listen()
    traffic(...arrived)
  }
  services.extensions.clusterCertificate = () => certificates.listener
  services.extensions.forward = createForward(contexts.performance)

  const common: FixedEngine = {
    prefix: 'sys/replication',
    routes: [statusOfBoth(contexts)],
    scope: 'this-cluster',
    state: certificates,
  }
  const ofKinds = kinds.map((kind): FixedEngine => {
    const context = contexts[kind]
    return {
      prefix: `sys/replication/${kind}`,
      routes: routesOf(context, sign),
      scope: 'this-cluster',
      state: context,
      stop() {
        context.sessions.breakAll()
        context.link?.stop()
        roleChange.stop()
      },
      context,
    }
  })
  return [common, ...ofKinds]
}
