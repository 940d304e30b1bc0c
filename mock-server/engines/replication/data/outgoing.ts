/** The data that this cluster sends to its secondaries, and its progress. */
import { createHash } from 'node:crypto'
import type { Outgoing } from '../connections/secondary-sessions.ts'
import type { Context } from '../context.ts'
import type { Progress } from '../membership.ts'
import { partsFor } from './cluster-data.ts'
import { everyMount, everyNamespace, type Parts } from './data-parts.ts'
import { isFiltered, isNamespaceFiltered, keptBack } from './filtered-mounts.ts'

/** Returns the data that a secondary must have now, or undefined if it must not receive anything. */
export function outgoingFor(context: Context, id: string): Outgoing | undefined {
  const { membership, services, rules } = context
  const registration = membership.registrations.find((one) => one.id === id)
  if (!registration || !rules.serves[membership.mode] || services.seal.sealed) return undefined
  const { filters } = rules
  const filter = context.filtering.of(registration.clusterId)
  const parts = partsFor(context, {
    mount: (mount) => !isFiltered(mount, filter, filters),
    namespace: (path) => !isNamespaceFiltered(path, filter),
  })
  return {
    parts,
    filtered: keptBack(everyMount(services), filter, filters),
    filteredNamespaces: everyNamespace(services).filter((path) => isNamespaceFiltered(path, filter)),
    writes: services.storage.writes,
    root: hashOf(parts),
  }
}

/** Returns a function that reads the progress of this cluster. In some variations the progress may be slightly
 * outdated. */
export function createProgressReader(context: Context): () => Progress {
  const { services } = context
  let progress = { writes: -1, root: '', readAt: Number.NEGATIVE_INFINITY }
  return () => {
    const now = services.clock.now()
    // A clock that was reset may be behind the time of the last reading.
    if (Math.abs(now - progress.readAt) < services.variation().progressAge) return progress
    const { writes } = services.storage
    const root =
      progress.writes === writes
        ? progress.root
        : hashOf(partsFor(context, { mount: () => true, namespace: () => true }))
    progress = { writes, root, readAt: now }
    return progress
  }
}

function hashOf(parts: Parts): string {
  const hash = createHash('sha1')
  for (const [name, json] of parts) hash.update(name).update(json)
  return hash.digest('hex')
}
