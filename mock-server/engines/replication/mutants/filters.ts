/** Mutants of paths filters and dynamic filters. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { FilterTables } from '../tables/filters.ts'
import type { ReplicationTables } from '../tables/index.ts'
import { ofKind } from './cells.ts'

const fault = (
  id: string,
  does: string,
  changed: (filters: FilterTables) => Partial<FilterTables>,
): Mutant<ReplicationTables> =>
  ofKind('performance', id, does, (tables) => ({
    ...tables,
    filters: { ...tables.filters, ...changed(tables.filters) },
  }))

const filtersOnDr: Mutant<ReplicationTables> = ofKind(
  'dr',
  'paths-filters-are-served',
  'DR replication has paths filters, too.',
  (tables) => ({
    ...tables,
    filters: { ...tables.filters, served: true },
  }),
)

const all = (): boolean => true
const none = (): boolean => false

export const filterFaults: readonly Mutant<ReplicationTables>[] = [
  filtersOnDr,
  fault('filter-write-writes-all', 'A filter is set for every secondary.', ({ reaches }) => ({
    reaches: { ...reaches, write: 'all' },
  })),
  fault('filter-delete-deletes-all', 'Deleting a filter deletes those of every secondary.', ({ reaches }) => ({
    reaches: { ...reaches, delete: 'all' },
  })),
  fault('filter-allow-includes-all', 'An allow filter keeps nothing back.', ({ includes }) => ({
    includes: { ...includes, allow: all },
  })),
  fault('filter-allow-excludes-listed', 'An allow filter keeps back what it lists, too.', ({ includes }) => ({
    includes: { ...includes, allow: none },
  })),
  fault('filter-deny-excludes-nothing', 'A deny filter keeps nothing back.', ({ includes }) => ({
    includes: { ...includes, deny: all },
  })),
  fault('filter-deny-excludes-all', 'A deny filter keeps back what it does not list, too.', ({ includes }) => ({
    includes: { ...includes, deny: none },
  })),
  fault('filter-deny-spares-namespaces', 'A deny filter keeps back no namespace that it lists.', () => ({
    namespaces: 'spared',
  })),
  fault(
    'filter-allow-ignores-auth-mounts',
    'An allow filter keeps back auth mounts that it lists.',
    ({ includes }) => ({
      includes: { ...includes, allow: (listed, isAuth) => listed && !isAuth },
    }),
  ),
  fault('filter-default-is-deny', 'Without mode a filter denies.', () => ({ defaultMode: 'deny' })),
  fault('filter-paths-default-is-all', 'Without paths a filter lists every mount.', () => ({
    defaultPaths: (mounts) => mounts,
  })),
  fault('filter-read-omits-mode', 'A filter is shown without its mode.', ({ shows }) => ({
    shows: { ...shows, mode: false },
  })),
  fault('filter-read-omits-paths', 'A filter is shown without its paths.', ({ shows }) => ({
    shows: { ...shows, paths: false },
  })),
  fault('filter-keeps-first-path-only', 'Only the first path of a filter is kept.', () => ({
    stored: (paths) => paths.slice(0, 1),
  })),
  fault(
    'filter-other-mode-refused-but-kept',
    'A filter of another mode is refused, and one without paths is set.',
    () => ({
      otherMode: 'refused-but-kept',
    }),
  ),
  fault('filter-takes-other-modes', 'A filter of another mode is kept as it is.', () => ({ otherMode: 'stored' })),
  fault('filter-other-mode-is-allow', 'A filter of another mode is kept as an allow filter.', () => ({
    otherMode: 'allow',
  })),
  fault('filter-write-adds-paths', 'Writing a filter again adds to its paths.', () => ({
    stored: (paths, earlier) => [...(earlier ?? []), ...paths],
  })),
  fault('filter-write-keeps-first', 'Writing a filter again changes nothing.', () => ({ rewrite: 'ignored' })),
  fault('filter-delete-keeps-reading', 'A deleted filter is still shown.', ({ deleted }) => ({
    deleted: { ...deleted, shown: true },
  })),
  fault('filter-delete-keeps-filtering', 'A deleted filter still keeps mounts back.', ({ deleted }) => ({
    deleted: { ...deleted, filters: true },
  })),
  fault('filter-takes-any-id', 'A filter is kept for an id that no secondary has.', () => ({ id: 'anything' })),
  fault('filter-acts-on-every-secondary', 'A filter keeps mounts back from every secondary.', () => ({
    actsOn: (filters) => Object.values(filters)[0],
  })),
  fault('filter-survives-update-primary', 'A filter stays when a new token is used with update-primary.', () => ({
    newToken: 'keeps',
  })),
  fault(
    'filter-ends-with-the-next-write',
    'A filter removes what it must keep back when it is set, and nothing is kept back after the next write.',
    () => ({ lasts: 'until-the-next-write' }),
  ),
  fault(
    'filter-allow-excludes-later-mounts',
    'An allow filter keeps back mounts that it lists and that are made later.',
    () => ({
      laterMounts: 'not-allowed',
    }),
  ),
  fault(
    'filter-allow-of-auth-mounts-spares-secret-ones',
    'An allow filter that lists auth mounts only keeps back no secret mounts.',
    () => ({ allowOfOneKind: 'spares-the-other' }),
  ),
  fault(
    'filter-of-an-auth-mount-acts-on-its-namesake',
    'A filter that lists an auth mount acts on the secret mount of that name, too.',
    () => ({ lists: (listed, mount) => listed === mount || listed === `auth/${mount}` }),
  ),
  fault(
    'filter-of-a-secret-mount-acts-on-its-namesake',
    'A filter that lists a secret mount acts on the auth mount of that name, too.',
    () => ({ lists: (listed, mount) => listed === mount || mount === `auth/${listed}` }),
  ),
  fault(
    'filter-set-last-acts-alone',
    'Of the filters of several secondaries only the one that was set last acts.',
    () => ({
      actsOn: (filters, secondary) => {
        const last = Math.max(0, ...Object.values(filters).map(({ writes }) => writes))
        return filters[secondary]?.writes === last ? filters[secondary] : undefined
      },
    }),
  ),
  fault('filter-ends-with-a-reconnection', 'A filter ends when its secondary connects again.', () => ({
    reconnection: 'drops',
  })),
  fault('dynamic-filter-absent-on-primary', 'A primary shows no dynamic filter.', ({ dynamic }) => ({
    dynamic: { ...dynamic, onPrimary: false },
  })),
  fault('dynamic-filter-absent-on-secondary', 'A secondary shows no dynamic filter.', ({ dynamic }) => ({
    dynamic: { ...dynamic, onSecondary: false },
  })),
  fault('filter-acts-on-its-first-path-only', 'Of the paths of a filter only the first counts.', () => ({
    heeded: (paths) => paths.slice(0, 1),
  })),
  fault('filter-acts-on-its-last-path-only', 'Of the paths of a filter only the last counts.', () => ({
    heeded: (paths) => paths.slice(-1),
  })),
  fault('filter-acts-on-ten-paths-only', 'Of the paths of a filter only the first ten count.', () => ({
    heeded: (paths) => paths.slice(0, 10),
  })),
  fault(
    'filter-deny-excludes-alike',
    'A deny filter keeps back the mounts whose paths begin with a listed one.',
    () => ({
      lists: (listed, mount) => mount.startsWith(listed.slice(0, -1)),
    }),
  ),
  fault(
    'filter-deny-spares-later-mounts',
    'A deny filter keeps back only mounts that were there when it was set.',
    () => ({
      laterMounts: 'spared',
    }),
  ),
  fault(
    'filter-acts-by-its-first-mode',
    'A filter that is written again with another mode acts by its first mode.',
    () => ({
      actsBy: 'its first mode',
    }),
  ),
  fault(
    'filter-rewrite-keeps-mode',
    'Writing a filter again without mode keeps the mode of before.',
    ({ omitted }) => ({
      omitted: { ...omitted, mode: 'kept' },
    }),
  ),
  fault('filter-rewrite-keeps-paths', 'Writing a filter again without paths keeps those of before.', ({ omitted }) => ({
    omitted: { ...omitted, paths: 'kept' },
  })),
  fault(
    'filter-after-a-deletion-ignored',
    'A filter that was deleted cannot be set again: a success changes nothing.',
    () => ({
      afterDeletion: 'ignored',
    }),
  ),
  fault('filter-read-shows-another', 'Reading the filter of a secondary that has none shows that of another.', () => ({
    without: 'of-another',
  })),
  fault(
    'filter-rewrite-ignores-other-modes',
    'Writing a filter again with another mode succeeds and keeps its mode.',
    () => ({
      otherMode: 'kept-on-rewrite',
    }),
  ),
  fault(
    'filter-other-mode-refused-but-lists',
    'Writing a filter again with another mode is refused, and its paths are stored.',
    () => ({
      otherMode: 'refused-but-lists',
    }),
  ),
  fault('filter-delete-only-empties-the-list', 'A deleted filter stays, with its mode and without paths.', () => ({
    removes: 'its paths',
  })),
]
