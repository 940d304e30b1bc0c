/** Paths filters: document 1, Paths filter. */
import { seam } from '../../../kernel/seam.ts'

export const filterModes = ['allow', 'deny'] as const
export type FilterMode = (typeof filterModes)[number]

export interface Filter {
  readonly mode: string
  /** The paths as they were given. */
  readonly paths: readonly string[]
}

export interface FilterTables {
  readonly served: boolean
  readonly defaultMode: FilterMode
  /** Returns the paths of a filter that is written without `paths`, from the paths of all mounts. */
  readonly defaultPaths: (mounts: readonly string[]) => readonly string[]
  /** Tells whether a mount reaches the secondary. */
  readonly includes: Readonly<Record<FilterMode, (listed: boolean, isAuth: boolean) => boolean>>
  /** A filter that denies keeps back the namespaces that it lists, or none. */
  readonly namespaces: 'denied' | 'spared'
  /** `kept-on-rewrite` accepts a rewrite and keeps the earlier mode; `refused-but-lists` refuses it and stores its paths. */
  readonly otherMode: 'refused' | 'refused-but-kept' | 'stored' | 'allow' | 'kept-on-rewrite' | 'refused-but-lists'
  readonly shows: { readonly mode: boolean; readonly paths: boolean }
  /** Returns the paths of a filter that count. */
  readonly heeded: (paths: readonly string[]) => readonly string[]
  readonly stored: (paths: readonly string[], earlier: readonly string[] | undefined) => readonly string[]
  readonly rewrite: 'replaces' | 'ignored'
  /** A rewrite without these fields uses their defaults, or keeps what they were. */
  readonly omitted: { readonly mode: 'default' | 'kept'; readonly paths: 'default' | 'kept' }
  /** A filter that is set after a deletion is stored, or ignored. */
  readonly afterDeletion: 'stored' | 'ignored'
  /** A filter acts by its present mode, or by the mode of the first write. */
  readonly actsBy: 'its mode' | 'its first mode'
  /** Mounts that are made after a filter that lists them are treated as listed, or those of a filter that denies them are
   * spared, or those of a filter that allows them are kept back. */
  readonly laterMounts: 'as-listed' | 'spared' | 'not-allowed'
  /** A filter that allows mounts of one kind, secret or auth, keeps back those of the other kind, or spares them. */
  readonly allowOfOneKind: 'keeps-back-the-other' | 'spares-the-other'
  /** A path stands for the mount at that path, or for every mount whose path begins so. */
  readonly lists: (listed: string, mount: string) => boolean
  /** A secondary without a filter is shown none, or that of another one. */
  readonly without: 'none' | 'of-another'
  /** A deleted filter is still shown, or still filters, if these flags are true. */
  readonly deleted: { readonly shown: boolean; readonly filters: boolean }
  /** A deletion removes the filter, or only its paths. */
  readonly removes: 'the filter' | 'its paths'
  /** Whose filter a write or a deletion changes. */
  readonly reaches: Readonly<Record<'write' | 'delete', 'the one named' | 'all'>>
  /** A filter names its secondary by its cluster id, or by anything. */
  readonly id: 'cluster-id' | 'anything'
  /** Chooses the filter that applies to a secondary. */
  readonly actsOn: <F extends { readonly writes: number }>(
    filters: Readonly<Record<string, F>>,
    secondary: string,
  ) => F | undefined
  /** A filter acts for as long as it exists, or on what was there when it was set only. */
  readonly lasts: 'always' | 'until-the-next-write'
  /** The filter is dropped, or kept, if its secondary uses a new token with update-primary. */
  readonly newToken: 'drops' | 'keeps'
  /** The filter is kept, or dropped, if its secondary connects again. */
  readonly reconnection: 'keeps' | 'drops'
  readonly dynamic: { readonly onPrimary: boolean; readonly onSecondary: boolean }
}

export const filterTables: FilterTables = {
  served: true,
  defaultMode: 'allow',
  defaultPaths: () => [],
  includes: { allow: (listed) => listed, deny: (listed) => !listed },
  namespaces: 'denied',
  otherMode: 'refused',
  shows: { mode: true, paths: true },
  rewrite: 'replaces',
  omitted: { mode: 'default', paths: 'default' },
  afterDeletion: 'stored',
  actsBy: 'its mode',
  laterMounts: 'as-listed',
  allowOfOneKind: 'keeps-back-the-other',
  lists: (listed, mount) => listed === mount,
  without: 'none',
  deleted: { shown: false, filters: false },
  removes: 'the filter',
  reaches: { write: 'the one named', delete: 'the one named' },
  id: 'cluster-id',
  actsOn: (filters, secondary) => filters[secondary],
  lasts: 'always',
  newToken: 'drops',
  reconnection: 'keeps',
  dynamic: { onPrimary: true, onSecondary: true },
  // Seams: a filter holds the paths that it was last given, and all of them count.
  heeded: seam((paths) => paths),
  stored: seam((paths) => paths),
}
