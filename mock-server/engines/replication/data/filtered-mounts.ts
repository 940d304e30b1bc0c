/** Decides which mounts and namespaces a paths filter withholds from a secondary. */
import type { Mount } from '../../../kernel/mounts/mount.ts'
import type { StoredFilter } from '../membership.ts'
import type { FilterMode, FilterTables } from '../tables/filters.ts'
import { filterPathOf } from './data-parts.ts'

const withSlash = (path: string): string => `${path.replace(/^\/+|\/+$/g, '')}/`

const isIn = (namespace: string, listed: string, tables: FilterTables): boolean =>
  tables.namespaces === 'denied' && namespace.startsWith(withSlash(listed))

/** Returns the paths of the mounts that a filter withholds from a secondary. Local mounts are never sent, so they are
 * not among them. */
export const keptBack = (
  mounts: readonly Mount[],
  filter: StoredFilter | undefined,
  tables: FilterTables,
): readonly string[] => mounts.filter((mount) => !mount.local && isFiltered(mount, filter, tables)).map(filterPathOf)

export function isFiltered(mount: Mount, filter: StoredFilter | undefined, tables: FilterTables): boolean {
  if (!filter || (filter.deleted && !tables.deleted.filters)) return false
  if (filter.isRevived && tables.afterDeletion === 'stored-only') return false
  const path = filterPathOf(mount)
  const listed = tables
    .heeded(filter.paths)
    .some((one) => tables.lists(withSlash(one), path) || isIn(mount.namespace ?? '', one, tables))
  if (tables.laterMounts === 'spared' && filter.mode === 'deny' && !filter.mounts?.includes(path)) return false
  if (tables.laterMounts === 'not-allowed' && filter.mode === 'allow' && !filter.mounts?.includes(path)) return true
  if (tables.allowOfOneKind === 'spares-the-other' && isOfOtherKind(mount, filter)) return false
  const mode = tables.actsBy === 'its mode' ? filter.mode : (filter.firstMode ?? filter.mode)
  const includes = tables.includes[mode as FilterMode]
  return includes !== undefined && !includes(listed, mount.kind === 'auth')
}

/** Returns whether a filter allows mounts of one kind only, secret or auth, and the mount is of the other kind. */
function isOfOtherKind({ kind }: Mount, { mode, paths }: StoredFilter): boolean {
  const kinds = new Set(paths.map((path) => (withSlash(path).startsWith('auth/') ? 'auth' : 'secret')))
  return mode === 'allow' && kinds.size === 1 && !kinds.has(kind)
}

/** Returns whether a namespace is withheld from a secondary, with everything in it. A filter that allows mounts
 * withholds no namespace, because the document describes this only for filters that deny. */
export const isNamespaceFiltered = (path: string, filter: StoredFilter | undefined, tables: FilterTables): boolean =>
  filter?.mode === 'deny' &&
  (!filter.deleted || tables.deleted.filters) &&
  filter.paths.some((one) => isIn(path, one, tables))
