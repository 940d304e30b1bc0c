/** Writes, reads and deletes paths filters of performance replication, and shows what they filter now. */

import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { listField, textField } from '../../../kernel/http/body-fields.ts'
import { Refusal, refuse } from '../../../kernel/http/refusal.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Context } from '../context.ts'
import { everyMount, everyNamespace, filterPathOf } from '../data/data-parts.ts'
import { isNamespaceFiltered, keptBack } from '../data/filtered-mounts.ts'
import type { StoredFilter } from '../membership.ts'
import { filterModes } from '../rules/filters.ts'

/** Returns whether the id of the activation token names a secondary in URLs. This is so if the status shows the id of
 * the set, which all secondaries share. */
const goByTokens = ({ variation }: Services): boolean => variation().statusClusterId === 'set'

/** Returns the cluster id of the secondary that the URL names. */
function secondaryIn(call: Call, context: Context): string {
  const { membership, rules } = context
  if (membership.mode !== 'primary') refuse(`this cluster is not a primary: it is ${membership.mode}`)
  const name = call.params.id ?? ''
  const known = membership.registrations.find(
    ({ id, clusterId }) => (goByTokens(context.services) ? id : clusterId) === name && clusterId !== '',
  )
  if (!known && rules.filters.id === 'cluster-id') refuse(`no secondary of this cluster has the id ${name}`)
  return known?.clusterId ?? name
}

export function writeFilter(call: Call, context: Context): Reply {
  const rules = context.rules.filters
  const secondary = secondaryIn(call, context)
  const earlier = context.membership.filters[secondary]
  const live = earlier && !earlier.deleted ? earlier : undefined
  const mode = modeIn(call, secondary, live, context)
  const paths = pathsIn(call, live, context)
  if (rules.noPaths === 'refused-but-kept' && paths.length === 0) {
    keep(secondary, { mode, paths, deleted: false }, context)
    refuse('a filter needs paths')
  }
  if ((live && rules.rewrite === 'ignored') || (earlier?.deleted && rules.afterDeletion === 'ignored')) return done
  for (const one of reached('write', secondary, context))
    keep(one, { mode, paths: rules.stored(paths, live?.paths), deleted: false }, context)
  return done
}

function pathsIn(call: Call, live: StoredFilter | undefined, context: Context): readonly string[] {
  const { defaultPaths, omitted } = context.rules.filters
  const given = listField(call.body, 'paths')
  if (omitted.paths === 'kept' && live && !given?.length) return live.paths
  return given ?? defaultPaths(everyMount(context.services).map(filterPathOf))
}

function modeIn(call: Call, secondary: string, live: StoredFilter | undefined, context: Context): string {
  const { defaultMode, omitted, otherMode } = context.rules.filters
  const usual = (omitted.mode === 'kept' && live?.mode) || defaultMode
  const mode = textField(call.body, 'mode') || usual
  if (filterModes.some((known) => known === mode)) return mode
  if (otherMode === 'refused-but-kept') keep(secondary, { mode: defaultMode, paths: [], deleted: false }, context)
  if (otherMode === 'refused-but-lists' && live)
    keep(secondary, { ...live, paths: listField(call.body, 'paths') ?? [] }, context)
  if (otherMode === 'kept-on-rewrite' && live) return live.mode
  if (otherMode === 'stored') return mode
  return otherMode === 'allow' ? 'allow' : refuse(`mode must be allow or deny; saw ${mode}`)
}

/** Returns the secondaries whose filters a call changes. */
const reached = (call: 'write' | 'delete', named: string, { membership, rules }: Context): readonly string[] =>
  rules.filters.reaches[call] === 'all' ? membership.registrations.map(({ clusterId }) => clusterId) : [named]

/** Stores a filter. The mounts of the secondary change when it receives the next line. */
function keep(
  secondary: string,
  filter: Omit<StoredFilter, 'writes' | 'firstMode' | 'mounts' | 'isRevived'>,
  context: Context,
): void {
  const { services, membership } = context
  const earlier = membership.filters[secondary]
  const first = earlier && !earlier.deleted ? { firstMode: earlier.firstMode ?? earlier.mode } : {}
  const mounts = everyMount(services).map(filterPathOf)
  const isRevived = earlier !== undefined && (earlier.deleted || earlier.isRevived === true)
  const kept = { ...filter, writes: services.storage.writes, ...first, mounts, isRevived }
  context.update({ filters: { ...context.membership.filters, [secondary]: kept } })
}

export function readFilter(call: Call, context: Context): Reply {
  const { deleted, shows, without } = context.rules.filters
  const { filters } = context.membership
  const own = filters[secondaryIn(call, context)]
  const filter = own ?? (without === 'of-another' ? Object.values(filters).at(-1) : undefined)
  if (!filter || (filter.deleted && !deleted.shown)) return nothing(context.services)
  const data = { ...(shows.mode ? { mode: filter.mode } : {}), ...(shows.paths ? { paths: filter.paths } : {}) }
  return { kind: 'data', data }
}

/** Returns the reply for a missing filter. The document describes an empty body with 200 for reads: readings, 8. */
function nothing({ variation }: Services): Reply {
  const replies = {
    'null-data': { kind: 'data', data: null },
    'empty-body': { kind: 'bare', status: 200, contentType: 'application/json', bytes: '' },
  } as const satisfies Record<string, Reply>
  const choice = variation().noFilter
  if (choice === 'not-found') throw new Refusal('not-found')
  return replies[choice]
}

export function deleteFilter(call: Call, context: Context): Reply {
  const secondary = secondaryIn(call, context)
  for (const one of reached('delete', secondary, context)) {
    const filter = context.membership.filters[one]
    if (!filter) continue
    const { removes } = context.rules.filters
    keep(one, removes === 'its paths' ? { ...filter, paths: [] } : { ...filter, deleted: true }, context)
  }
  return done
}

const dynamic = (mounts: readonly string[], namespaces: readonly string[] = []): Reply => ({
  kind: 'data',
  data: { dynamic_filtered_mounts: mounts, dynamic_filtered_namespaces: namespaces },
})

export function readDynamicOnPrimary(call: Call, context: Context): Reply {
  if (!context.rules.filters.dynamic.onPrimary) throw new Refusal('unsupported-path')
  const filter = context.membership.filters[secondaryIn(call, context)]
  const { filters } = context.rules
  const namespaces = everyNamespace(context.services).filter((path) => isNamespaceFiltered(path, filter, filters))
  return dynamic(keptBack(everyMount(context.services), filter, filters), namespaces)
}

export function readDynamicOnSecondary(call: Call, context: Context): Reply {
  const { membership, rules } = context
  if (!rules.filters.dynamic.onSecondary) throw new Refusal('unsupported-path')
  if (membership.mode !== 'secondary') refuse(`this cluster is not a secondary: it is ${membership.mode}`)
  const own = goByTokens(context.services) ? membership.upstream?.id : membership.clusterId
  if (call.params.id !== own) refuse(`this secondary has another id than ${call.params.id}`)
  return dynamic(membership.filtered, membership.filteredNamespaces)
}
