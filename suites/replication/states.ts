/** The inverse of the table of states: the triggers that no row of it lists for a state. */
import type { Role } from './then/status.ts'

export const triggers = [
  'primary/enable',
  'primary/demote',
  'primary/disable',
  'secondary/enable',
  'secondary/promote',
  'secondary/update-primary',
  'secondary/disable',
] as const
export type Trigger = (typeof triggers)[number]

const listed: Readonly<Record<Role, readonly Trigger[]>> = {
  disabled: ['primary/enable', 'secondary/enable'],
  primary: ['primary/demote', 'primary/disable'],
  secondary: ['secondary/promote', 'secondary/update-primary', 'secondary/disable'],
}

export interface IllegalTrigger {
  readonly state: Role
  readonly trigger: Trigger
  /** The state and the trigger as one id: `secondary.primary-enable`, `primary.promote`. */
  readonly id: string
}

export const illegalTriggers: readonly IllegalTrigger[] = (['disabled', 'primary', 'secondary'] as const).flatMap(
  (state) =>
    triggers
      .filter((trigger) => !listed[state].includes(trigger))
      .map((trigger) => ({
        state,
        trigger,
        id: `${state}.${trigger.replace(/^secondary\/(?=promote|update)/, '').replace('/', '-')}`,
      })),
)

/** A request to disable replication that is already disabled asks for the present state, so a success is also
 * correct. */
export const isRefusalImplied = ({ state, trigger }: Pick<IllegalTrigger, 'state' | 'trigger'>): boolean =>
  !(state === 'disabled' && trigger.endsWith('/disable'))
