/** Faults of paths filters and dynamic filters. */
import type { FilterRules } from '../../engines/replication/rules/filters.ts'
import { ofKind } from './cluster-operations.ts'

const fault = (id: string, does: string, changed: (filters: FilterRules) => Partial<FilterRules>) =>
  ofKind('performance', id, does, (rules) => ({
    ...rules,
    filters: { ...rules.filters, ...changed(rules.filters) },
  }))

const filtersOnDr = ofKind('dr', 'paths-filters-are-served', 'DR replication has paths filters as well.', (rules) => ({
  ...rules,
  filters: { ...rules.filters, served: true },
}))

const all = (): boolean => true
const none = (): boolean => false

export const filterFaults = [
  filtersOnDr,
  fault(
    'filter-write-writes-all',
    'Writing the filter of one secondary writes the filters of all secondaries.',
    ({ reaches }) => ({
      reaches: { ...reaches, write: 'all' },
    }),
  ),
  fault(
    'filter-delete-deletes-all',
    'Deleting the filter of one secondary deletes the filters of all secondaries.',
    ({ reaches }) => ({
      reaches: { ...reaches, delete: 'all' },
    }),
  ),
  fault('filter-allow-includes-all', 'An allow filter withholds no mounts.', ({ includes }) => ({
    includes: { ...includes, allow: all },
  })),
  fault('filter-allow-excludes-listed', 'An allow filter also withholds the mounts that it lists.', ({ includes }) => ({
    includes: { ...includes, allow: none },
  })),
  fault('filter-deny-excludes-nothing', 'A deny filter withholds no mounts.', ({ includes }) => ({
    includes: { ...includes, deny: all },
  })),
  fault(
    'filter-deny-excludes-all',
    'A deny filter also withholds the mounts that it does not list.',
    ({ includes }) => ({
      includes: { ...includes, deny: none },
    }),
  ),
  fault('filter-deny-spares-namespaces', 'A deny filter does not withhold the namespaces that it lists.', () => ({
    namespaces: 'spared',
  })),
  fault(
    'filter-allow-ignores-auth-mounts',
    'An allow filter withholds the auth mounts that it lists.',
    ({ includes }) => ({
      includes: { ...includes, allow: (listed, isAuth) => listed && !isAuth },
    }),
  ),
  fault('filter-default-is-deny', 'A filter that is written without mode is a deny filter.', () => ({
    defaultMode: 'deny',
  })),
  fault('filter-paths-default-is-all', 'A filter that is written without paths lists every mount.', () => ({
    defaultPaths: (mounts) => mounts,
  })),
  fault('filter-read-omits-mode', 'A filter is shown without its mode.', ({ shows }) => ({
    shows: { ...shows, mode: false },
  })),
  fault('filter-read-omits-paths', 'A filter is shown without its paths.', ({ shows }) => ({
    shows: { ...shows, paths: false },
  })),
  fault('filter-keeps-first-path-only', 'Only the first path of a filter is stored.', () => ({
    stored: (paths) => paths.slice(0, 1),
  })),
  fault(
    'filter-other-mode-refused-but-kept',
    'Writing a filter with an unknown mode is refused but stores a filter without paths.',
    () => ({
      otherMode: 'refused-but-kept',
    }),
  ),
  fault('filter-takes-other-modes', 'A filter with an unknown mode is accepted and stored.', () => ({
    otherMode: 'stored',
  })),
  fault(
    'filter-other-mode-is-allow',
    'A filter with an unknown mode is accepted and stored as an allow filter.',
    () => ({
      otherMode: 'allow',
    }),
  ),
  fault('filter-write-adds-paths', 'Writing a filter again adds the new paths to the earlier ones.', () => ({
    stored: (paths, earlier) => [...(earlier ?? []), ...paths],
  })),
  fault('filter-write-keeps-first', 'Writing a filter again succeeds but changes nothing.', () => ({
    rewrite: 'ignored',
  })),
  fault('filter-delete-keeps-reading', 'A deleted filter is still shown.', ({ deleted }) => ({
    deleted: { ...deleted, shown: true },
  })),
  fault('filter-delete-keeps-filtering', 'A deleted filter still withholds mounts.', ({ deleted }) => ({
    deleted: { ...deleted, filters: true },
  })),
  fault('filter-takes-any-id', 'A filter is accepted for an id that no secondary has.', () => ({ id: 'anything' })),
  fault('filter-acts-on-every-secondary', 'The filter of one secondary withholds mounts from every secondary.', () => ({
    actsOn: (filters) => Object.values(filters)[0],
  })),
  fault(
    'filter-survives-update-primary',
    'A filter is kept when its secondary uses a new token with update-primary.',
    () => ({
      newToken: 'keeps',
    }),
  ),
  fault(
    'filter-ends-with-the-next-write',
    'A filter removes mounts from its secondary when it is set, but has no effect any more after the next write.',
    () => ({ lasts: 'until-the-next-write' }),
  ),
  fault(
    'filter-allow-excludes-later-mounts',
    'An allow filter withholds listed mounts that are created after the filter.',
    () => ({
      laterMounts: 'not-allowed',
    }),
  ),
  fault(
    'filter-allow-of-auth-mounts-spares-secret-ones',
    'An allow filter that lists only auth mounts does not withhold secret mounts.',
    () => ({ allowOfOneKind: 'spares-the-other' }),
  ),
  fault(
    'filter-of-an-auth-mount-acts-on-its-namesake',
    'A filter that lists an auth mount also applies to the secret mount of the same name.',
    () => ({ lists: (listed, mount) => listed === mount || listed === `auth/${mount}` }),
  ),
  fault(
    'filter-of-a-secret-mount-acts-on-its-namesake',
    'A filter that lists a secret mount also applies to the auth mount of the same name.',
    () => ({ lists: (listed, mount) => listed === mount || mount === `auth/${listed}` }),
  ),
  fault(
    'filter-set-last-acts-alone',
    'Only the filter that was written last has an effect if several secondaries have filters.',
    () => ({
      actsOn: (filters, secondary) => {
        const last = Math.max(0, ...Object.values(filters).map(({ writes }) => writes))
        return filters[secondary]?.writes === last ? filters[secondary] : undefined
      },
    }),
  ),
  fault(
    'filter-set-first-acts-alone',
    'Only the filter that was written first has an effect if several secondaries have filters.',
    () => ({
      actsOn: (filters, secondary) => (Object.keys(filters)[0] === secondary ? filters[secondary] : undefined),
    }),
  ),
  fault('filter-ends-when-another-secondary-joins', 'All filters are dropped when a further secondary joins.', () => ({
    anotherJoins: 'drops',
  })),
  fault(
    'filter-without-paths-refused-but-kept',
    'Writing a filter that lists no paths is refused but stores the filter.',
    () => ({ noPaths: 'refused-but-kept' }),
  ),
  fault('filter-ends-with-a-reconnection', 'A filter is dropped when its secondary reconnects.', () => ({
    reconnection: 'drops',
  })),
  fault('dynamic-filter-absent-on-primary', 'The dynamic filter cannot be read on a primary.', ({ dynamic }) => ({
    dynamic: { ...dynamic, onPrimary: false },
  })),
  fault('dynamic-filter-absent-on-secondary', 'The dynamic filter cannot be read on a secondary.', ({ dynamic }) => ({
    dynamic: { ...dynamic, onSecondary: false },
  })),
  fault('filter-acts-on-its-first-path-only', 'Only the first path of a filter counts.', () => ({
    heeded: (paths) => paths.slice(0, 1),
  })),
  fault('filter-acts-on-its-last-path-only', 'Only the last path of a filter counts.', () => ({
    heeded: (paths) => paths.slice(-1),
  })),
  fault('filter-acts-on-ten-paths-only', 'Only the first ten paths of a filter count.', () => ({
    heeded: (paths) => paths.slice(0, 10),
  })),
  fault('filter-deny-excludes-alike', 'A path in a filter also applies to mounts whose paths begin with it.', () => ({
    lists: (listed, mount) => mount.startsWith(listed.slice(0, -1)),
  })),
  fault(
    'filter-deny-spares-later-mounts',
    'A deny filter does not withhold listed mounts that are created after the filter.',
    () => ({
      laterMounts: 'spared',
    }),
  ),
  fault(
    'filter-acts-by-its-first-mode',
    'A filter that is written again with another mode applies its first mode.',
    () => ({
      actsBy: 'its first mode',
    }),
  ),
  fault('filter-rewrite-keeps-mode', 'Writing a filter again without mode keeps the earlier mode.', ({ omitted }) => ({
    omitted: { ...omitted, mode: 'kept' },
  })),
  fault(
    'filter-rewrite-keeps-paths',
    'Writing a filter again without paths keeps the earlier paths.',
    ({ omitted }) => ({
      omitted: { ...omitted, paths: 'kept' },
    }),
  ),
  fault(
    'filter-after-a-deletion-ignored',
    'Writing a filter again after its deletion succeeds but stores nothing.',
    () => ({
      afterDeletion: 'ignored',
    }),
  ),
  fault(
    'filter-after-a-deletion-has-no-effect',
    'A filter that is written again after its deletion has no effect.',
    () => ({
      afterDeletion: 'stored-only',
    }),
  ),
  fault(
    'filter-read-shows-another',
    'Reading the filter of a secondary without a filter shows the filter of another secondary.',
    () => ({
      without: 'of-another',
    }),
  ),
  fault(
    'filter-rewrite-ignores-other-modes',
    'Writing a filter again with an unknown mode succeeds and keeps the earlier mode.',
    () => ({
      otherMode: 'kept-on-rewrite',
    }),
  ),
  fault(
    'filter-other-mode-refused-but-lists',
    'Writing a filter again with an unknown mode is refused, but the new paths are stored.',
    () => ({
      otherMode: 'refused-but-lists',
    }),
  ),
  fault(
    'filter-delete-only-empties-the-list',
    'Deleting a filter removes only its paths, and the filter stays with its mode.',
    () => ({
      removes: 'its paths',
    }),
  ),
]
