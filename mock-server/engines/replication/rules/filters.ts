/** The rules of paths filters: document 1, Paths filter. */
import { seam } from '../../../kernel/seam.ts'

export const filterModes = ['allow', 'deny'] as const
export type FilterMode = (typeof filterModes)[number]

export interface Filter {
  readonly mode: string
  /** The paths exactly as they were written. */
  readonly paths: readonly string[]
}

export interface FilterRules {
  readonly served: boolean
  readonly defaultMode: FilterMode
  /** Returns the paths of a filter that is written without `paths`, from the paths of all mounts. */
  readonly defaultPaths: (mounts: readonly string[]) => readonly string[]
  /** Returns whether a mount reaches the secondary, by the mode of the filter. */
  readonly includes: Readonly<Record<FilterMode, (listed: boolean, isAuth: boolean) => boolean>>
  /** A filter that denies withholds the namespaces that it lists, or no namespace. */
  readonly namespaces: 'denied' | 'spared'
  /** The result of a write with an invalid mode. `kept-on-rewrite` accepts it and keeps the earlier mode;
   * `refused-but-lists` refuses it and stores its paths. */
  readonly otherMode: 'refused' | 'refused-but-kept' | 'stored' | 'allow' | 'kept-on-rewrite' | 'refused-but-lists'
  /** A write that names no paths is accepted, or is refused but stores the filter. */
  readonly noPaths: 'taken' | 'refused-but-kept'
  readonly shows: { readonly mode: boolean; readonly paths: boolean }
  /** Returns the paths of a filter that take effect. */
  readonly heeded: (paths: readonly string[]) => readonly string[]
  readonly stored: (paths: readonly string[], earlier: readonly string[] | undefined) => readonly string[]
  readonly rewrite: 'replaces' | 'ignored'
  /** A rewrite without these fields uses their defaults, or keeps their earlier values. */
  readonly omitted: { readonly mode: 'default' | 'kept'; readonly paths: 'default' | 'kept' }
  /** A filter that is set after a deletion is stored, or ignored, or stored without taking effect. */
  readonly afterDeletion: 'stored' | 'ignored' | 'stored-only'
  /** A filter acts by its current mode, or by the mode of the first write. */
  readonly actsBy: 'its mode' | 'its first mode'
  /** How a filter treats mounts that are made after it was set: like all others; or a filter that denies never
   * withholds them; or a filter that allows always withholds them. */
  readonly laterMounts: 'as-listed' | 'spared' | 'not-allowed'
  /** A filter that allows mounts of one kind only, secret or auth, withholds those of the other kind, or lets them
   * through. */
  readonly allowOfOneKind: 'keeps-back-the-other' | 'spares-the-other'
  /** Returns whether a listed path means a mount: the mount at exactly that path or, with a mutant, every mount whose
   * path starts with it. */
  readonly lists: (listed: string, mount: string) => boolean
  /** A read for a secondary without a filter shows none, or the filter of another secondary. */
  readonly without: 'none' | 'of-another'
  /** A deleted filter is still shown, or still filters, if these flags are true. */
  readonly deleted: { readonly shown: boolean; readonly filters: boolean }
  /** A deletion removes the filter, or only its paths. */
  readonly removes: 'the filter' | 'its paths'
  /** A write and a deletion change the filter of the named secondary, or the filters of all. */
  readonly reaches: Readonly<Record<'write' | 'delete', 'the one named' | 'all'>>
  /** A filter must name its secondary by its cluster id, or may use any id. */
  readonly id: 'cluster-id' | 'anything'
  /** Returns the filter that applies to a secondary. */
  readonly actsOn: <F extends { readonly writes: number }>(
    filters: Readonly<Record<string, F>>,
    secondary: string,
  ) => F | undefined
  /** A filter acts as long as it exists, or only until the next write. */
  readonly lasts: 'always' | 'until-the-next-write'
  /** If a secondary uses a new token with update-primary, its filter is dropped, or kept. */
  readonly newToken: 'drops' | 'keeps'
  /** If a secondary connects again, its filter is kept, or dropped. */
  readonly reconnection: 'keeps' | 'drops'
  /** If a secondary joins, the filters of the others are kept, or dropped. */
  readonly anotherJoins: 'keeps' | 'drops'
  readonly dynamic: { readonly onPrimary: boolean; readonly onSecondary: boolean }
}

export const filterRules: FilterRules = {
  served: true,
  defaultMode: 'allow',
  defaultPaths: () => [],
  includes: { allow: (listed) => listed, deny: (listed) => !listed },
  namespaces: 'denied',
  otherMode: 'refused',
  noPaths: 'taken',
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
  anotherJoins: 'keeps',
  dynamic: { onPrimary: true, onSecondary: true },
  // Seams: a filter has the paths that were last written, and all of them take effect.
  heeded: seam((paths) => paths),
  stored: seam((paths) => paths),
}
