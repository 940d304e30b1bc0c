/** Decides which mounts a paths filter keeps from a secondary. */
import type { Mount } from '../../../kernel/mounts/mount.ts'
import type { StoredFilter } from '../membership.ts'
import type { FilterMode, FilterTables } from '../tables/filters.ts'
import { filterPathOf } from './data-parts.ts'

const withSlash = (path: string): string => `${path.replace(/^\/+|\/+$/g, '')}/`

/** Returns the mounts of a primary that its filter keeps from a secondary. Local mounts are never sent. */
export const keptBack = (
  mounts: readonly Mount[],
  filter: StoredFilter | undefined,
  tables: FilterTables,
): readonly string[] => mounts.filter((mount) => !mount.local && isFiltered(mount, filter, tables)).map(filterPathOf)

export function isFiltered(mount: Mount, filter: StoredFilter | undefined, tables: FilterTables): boolean {
  if (!filter || (filter.deleted && !tables.deleted.filters)) return false
  const path = filterPathOf(mount)
  const listed = filter.paths.some((one) => withSlash(one) === path)
  const includes = tables.includes[filter.mode as FilterMode]
  return includes !== undefined && !includes(listed, mount.kind === 'auth')
}
