/** The rules for what the status shows: document 1, Replication cluster. */
import type { Mode } from './transitions.ts'

export interface StatusRules {
  /** The mode that is shown, or undefined to leave it out. */
  readonly mode: Readonly<Record<Mode, Mode | undefined>>
  readonly clusterId: Readonly<Record<Exclude<Mode, 'disabled'>, 'shown' | 'left-out'>>
  readonly progress: Readonly<Record<Exclude<Mode, 'disabled'>, 'shown' | 'constant'>>
}

export const statusRules: StatusRules = {
  mode: { disabled: 'disabled', primary: 'primary', secondary: 'secondary' },
  clusterId: { primary: 'shown', secondary: 'shown' },
  progress: { primary: 'shown', secondary: 'shown' },
}
