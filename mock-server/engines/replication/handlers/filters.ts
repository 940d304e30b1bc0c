/** Writes, reads and deletes paths filters of performance replication, and shows what they filter now. */

import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { listField, textField } from '../../../kernel/http/body-fields.ts'
import { Refusal, refuse } from '../../../kernel/http/refusal.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Context } from '../context.ts'
import { everyMount, everyNamespace } from '../data/data-parts.ts'
import { isNamespaceFiltered, keptBack } from '../data/filtered-mounts.ts'
import { type FilterMode, filterModes } from '../rules/filters.ts'

/** Returns whether the id of the activation token names a secondary in URLs. This is so if the status shows the id of
 * the set, which all secondaries share. */
const goByTokens = ({ variation }: Services): boolean => variation().statusClusterId === 'set'

/** Returns the cluster id of the secondary that the URL names. */
export function secondaryIn(call: Call, { membership, services }: Context): string {
  if (membership.mode !== 'primary') refuse(`this cluster is not a primary: it is ${membership.mode}`)
  const name = call.params.id ?? ''
  const known = membership.registrations.find(
    ({ id, clusterId }) => (goByTokens(services) ? id : clusterId) === name && clusterId !== '',
  )
  return known?.clusterId ?? refuse(`no secondary of this cluster has the id ${name}`)
}

/** Stores a filter. The mounts of the secondary change when it receives the next line. */
export function writeFilter(call: Call, context: Context): Reply {
  const secondary = secondaryIn(call, context)
  const filter = { mode: modeIn(call, context), paths: listField(call.body, 'paths') ?? [] }
  context.update({ filters: { ...context.membership.filters, [secondary]: filter } })
  return done
}

function modeIn({ body }: Call, { rules }: Context): FilterMode {
  const mode = textField(body, 'mode') || rules.filters.defaultMode
  return filterModes.find((known) => known === mode) ?? refuse(`mode must be allow or deny; saw ${mode}`)
}

export function readFilter(call: Call, context: Context): Reply {
  const filter = context.membership.filters[secondaryIn(call, context)]
  return filter ? { kind: 'data', data: filter } : nothing(context.services)
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
  context.filtering.drop(secondaryIn(call, context))
  return done
}

const dynamic = (mounts: readonly string[], namespaces: readonly string[] = []): Reply => ({
  kind: 'data',
  data: { dynamic_filtered_mounts: mounts, dynamic_filtered_namespaces: namespaces },
})

export function readDynamicOnPrimary(call: Call, context: Context): Reply {
  const { rules, services } = context
  const filter = context.filtering.of(secondaryIn(call, context))
  const namespaces = everyNamespace(services).filter((path) => isNamespaceFiltered(path, filter))
  return dynamic(keptBack(everyMount(services), filter, rules.filters), namespaces)
}

export function readDynamicOnSecondary(call: Call, context: Context): Reply {
  const { membership } = context
  if (membership.mode !== 'secondary') refuse(`this cluster is not a secondary: it is ${membership.mode}`)
  const own = goByTokens(context.services) ? membership.upstream?.id : membership.clusterId
  if (call.params.id !== own) refuse(`this secondary has another id than ${call.params.id}`)
  return dynamic(membership.filtered, membership.filteredNamespaces)
}
