/** Decides which mounts and namespaces a paths filter withholds from a secondary. */
import type { Mount } from '../../../kernel/mounts/mount.ts'
import type { StoredFilter } from '../membership.ts'
import type { FilterMode, FilterRules } from '../rules/filters.ts'
import { filterPathOf } from './data-parts.ts'

const withSlash = (path: string): string => `${path.replace(/^\/+|\/+$/g, '')}/`

const isIn = (namespace: string, listed: string, rules: FilterRules): boolean =>
  rules.namespaces === 'denied' && namespace.startsWith(withSlash(listed))

/** Returns the paths of the mounts that a filter withholds from a secondary. Local mounts are never sent, so they are
 * not among them. */
export const keptBack = (
  mounts: readonly Mount[],
  filter: StoredFilter | undefined,
  rules: FilterRules,
): readonly string[] => mounts.filter((mount) => !mount.local && isFiltered(mount, filter, rules)).map(filterPathOf)

export function isFiltered(mount: Mount, filter: StoredFilter | undefined, rules: FilterRules): boolean {
  if (!filter || (filter.deleted && !rules.deleted.filters)) return false
  if (filter.isRevived && rules.afterDeletion === 'stored-only') return false
  const path = filterPathOf(mount)
  const listed = rules
    .heeded(filter.paths)
    .some((one) => rules.lists(withSlash(one), path) || isIn(mount.namespace ?? '', one, rules))
  if (rules.laterMounts === 'spared' && filter.mode === 'deny' && !filter.mounts?.includes(path)) return false
  if (rules.laterMounts === 'not-allowed' && filter.mode === 'allow' && !filter.mounts?.includes(path)) return true
  if (rules.allowOfOneKind === 'spares-the-other' && isOfOtherKind(mount, filter)) return false
  const mode = rules.actsBy === 'its mode' ? filter.mode : (filter.firstMode ?? filter.mode)
  const includes = rules.includes[mode as FilterMode]
  return includes !== undefined && !includes(listed, mount.kind === 'auth')
}

/** Returns whether a filter allows mounts of one kind only, secret or auth, and the mount is of the other kind. */
function isOfOtherKind({ kind }: Mount, { mode, paths }: StoredFilter): boolean {
  const kinds = new Set(paths.map((path) => (withSlash(path).startsWith('auth/') ? 'auth' : 'secret')))
  return mode === 'allow' && kinds.size === 1 && !kinds.has(kind)
}

/** Returns whether a namespace is withheld from a secondary, with everything in it. A filter that allows mounts
 * withholds no namespace, because the document describes this only for filters that deny. */
export const isNamespaceFiltered = (path: string, filter: StoredFilter | undefined, rules: FilterRules): boolean =>
  filter?.mode === 'deny' &&
  (!filter.deleted || rules.deleted.filters) &&
  filter.paths.some((one) => isIn(path, one, rules))
