/** The rules of paths filters: document 1, Paths filter. */
export const filterModes = ['allow', 'deny'] as const
export type FilterMode = (typeof filterModes)[number]

export interface Filter {
  readonly mode: FilterMode
  /** The paths exactly as they were written. */
  readonly paths: readonly string[]
}

export interface FilterRules {
  readonly served: boolean
  readonly defaultMode: FilterMode
  /** Returns whether a mount reaches the secondary, by the mode of the filter. */
  readonly includes: Readonly<Record<FilterMode, (listed: boolean) => boolean>>
  /** Returns whether a listed path means a mount. */
  readonly lists: (listed: string, mount: string) => boolean
}

export const filterRules: FilterRules = {
  served: true,
  defaultMode: 'allow',
  includes: { allow: (listed) => listed, deny: (listed) => !listed },
  lists: (listed, mount) => listed === mount,
}
