/** Replication between clusters, for disaster recovery and for performance: modes, links, activation tokens, filters. */

import type { FixedEngine } from '../../kernel/engine.ts'
import type { ReplicationKind } from '../../kernel/extension-points.ts'
import { mutantSet } from '../../kernel/mutant-set.ts'
import type { Services } from '../../kernel/services.ts'
import { createSigner } from './activation.ts'
import { type Context, createClusterState } from './cluster-state.ts'
import { mutants } from './mutants/index.ts'
import { createRoleChange } from './role-change.ts'
import { routesOf } from './routes.ts'
import { createTraffic } from './serving.ts'
import { replicationTables } from './tables/index.ts'

export { mutants } from './mutants/index.ts'

const kinds = ['dr', 'performance'] as const satisfies readonly ReplicationKind[]

export function createReplication(services: Services): readonly FixedEngine[] {
  let current = replicationTables
  const roleChange = createRoleChange(services.variation)
  const contextOf = (kind: ReplicationKind): Context =>
    createClusterState(
      kind,
      services,
      () => current[kind],
      (other) => contexts[other],
      roleChange,
    )
  const contexts: Readonly<Record<ReplicationKind, Context>> = {
    dr: contextOf('dr'),
    performance: contextOf('performance'),
  }
  const sign = createSigner()
  let listening = false

  /** Storage is there when the server has started. */
  function listen(): void {
    if (listening) return
    listening = true
    services.storage().onWrite(() => {
      for (const { sessions } of Object.values(contexts)) sessions.announce()
    })
  }

  const isDrSecondary = (): boolean => contexts.dr.membership.mode === 'secondary'
  services.extensions.clusterRole = {
    isDrSecondary,
    get ready() {
      return roleChange.ready
    },
    modeOf: (kind) => contexts[kind].membership.mode,
    serves: (path) => !isDrSecondary() || current.dr.paths.servedOnDrSecondary(path),
  }
  const traffic = createTraffic(services, contexts)
  services.extensions.clusterTraffic = (request, response) => {
    listen()
    traffic(request, response)
  }

  return kinds.map((kind): FixedEngine => {
    const context = contexts[kind]
    return {
      prefix: `sys/replication/${kind}`,
      routes: routesOf(
        context,
        () => contexts[kind === 'dr' ? 'performance' : 'dr'],
        services,
        sign,
        roleChange.assertNonePending,
      ),
      scope: 'this-cluster',
      state: context,
      stop() {
        context.sessions.breakAll()
        context.link?.stop()
        roleChange.stop()
      },
      ...(kind === 'dr'
        ? {
            mutants: mutantSet(replicationTables, mutants, (tables) => {
              current = tables
            }),
          }
        : {}),
    }
  })
}
