/** Decides which mounts and namespaces a paths filter withholds from a secondary. */
import type { Mount } from '../../../kernel/mounts/mount.ts'
import type { Filter, FilterRules } from '../rules/filters.ts'
import { filterPathOf } from './data-parts.ts'

export const withSlash = (path: string): string => `${path.replace(/^\/+|\/+$/g, '')}/`

const isIn = (namespace: string, listed: string): boolean => namespace.startsWith(withSlash(listed))

/** Returns the paths of the mounts that a filter withholds from a secondary. Local mounts are never sent, so they are
 * not among them. */
export const keptBack = (mounts: readonly Mount[], filter: Filter | undefined, rules: FilterRules): readonly string[] =>
  mounts.filter((mount) => !mount.local && isFiltered(mount, filter, rules)).map(filterPathOf)

export function isFiltered(mount: Mount, filter: Filter | undefined, rules: FilterRules): boolean {
  if (!filter) return false
  const path = filterPathOf(mount)
  const isListed = filter.paths.some((one) => rules.lists(withSlash(one), path) || isIn(mount.namespace ?? '', one))
  return !rules.includes[filter.mode](isListed)
}

/** Returns whether a namespace is withheld from a secondary, with everything in it. A filter that allows mounts
 * withholds no namespace, because the document describes this only for filters that deny. */
export const isNamespaceFiltered = (path: string, filter: Filter | undefined): boolean =>
  filter?.mode === 'deny' && filter.paths.some((one) => isIn(path, one))
