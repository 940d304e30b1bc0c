/** Replication between clusters, for disaster recovery and for performance: modes, links, activation tokens, filters. */

import type { FixedRoom } from '../../kernel/engine.ts'
import type { ReplicationKind } from '../../kernel/extension-points.ts'
import { faultsOf } from '../../kernel/mutant-set.ts'
import type { Services } from '../../kernel/services.ts'
import { createSigner } from './activation.ts'
import { createPlace, type Place } from './cluster-state.ts'
import { mutants } from './mutants/index.ts'
import { createTurning } from './role-change.ts'
import { routesOf } from './routes.ts'
import { createTraffic } from './serving.ts'
import { replicationTables } from './tables/index.ts'

export { mutants } from './mutants/index.ts'

const kinds = ['dr', 'performance'] as const satisfies readonly ReplicationKind[]

export function createReplication(services: Services): readonly FixedRoom[] {
  let current = replicationTables
  const turning = createTurning(services.manner)
  const placeOf = (kind: ReplicationKind): Place =>
    createPlace(
      kind,
      services,
      () => current[kind],
      (other) => places[other],
      turning,
    )
  const places: Readonly<Record<ReplicationKind, Place>> = { dr: placeOf('dr'), performance: placeOf('performance') }
  const sign = createSigner()
  let listening = false

  /** Storage is there when the server has started. */
  function listen(): void {
    if (listening) return
    listening = true
    services.storage().onWrite(() => {
      for (const { sessions } of Object.values(places)) sessions.announce()
    })
  }

  const isDrSecondary = (): boolean => places.dr.membership.mode === 'secondary'
  services.ports.standing = {
    isDrSecondary,
    get ready() {
      return turning.ready
    },
    modeOf: (kind) => places[kind].membership.mode,
    serves: (path) => !isDrSecondary() || current.dr.paths.servedOnDrSecondary(path),
  }
  const traffic = createTraffic(services, places)
  services.ports.clusterTraffic = (request, response) => {
    listen()
    traffic(request, response)
  }

  return kinds.map((kind): FixedRoom => {
    const place = places[kind]
    return {
      prefix: `sys/replication/${kind}`,
      routes: routesOf(
        place,
        () => places[kind === 'dr' ? 'performance' : 'dr'],
        services,
        sign,
        turning.assertNonePending,
      ),
      place: 'this-cluster',
      state: place,
      stop() {
        place.sessions.breakAll()
        place.link?.stop()
        turning.stop()
      },
      ...(kind === 'dr'
        ? {
            faults: faultsOf(replicationTables, mutants, (tables) => {
              current = tables
            }),
          }
        : {}),
    }
  })
}
