/** What the status shows: document 1, Replication cluster. */
import type { Mode } from './transitions.ts'

export interface StatusTables {
  /** The mode that is shown. Undefined leaves it out. */
  readonly mode: Readonly<Record<Mode, Mode | undefined>>
  readonly clusterId: Readonly<Record<Exclude<Mode, 'disabled'>, 'told' | 'left-out'>>
  readonly progress: Readonly<Record<Exclude<Mode, 'disabled'>, 'told' | 'stands-still'>>
}

export const statusTables: StatusTables = {
  mode: { disabled: 'disabled', primary: 'primary', secondary: 'secondary' },
  clusterId: { primary: 'told', secondary: 'told' },
  progress: { primary: 'told', secondary: 'told' },
}
