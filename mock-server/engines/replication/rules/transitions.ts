/** The modes of a cluster, and the triggers that change them: document 1, States and transitions. */
export type Mode = 'disabled' | 'primary' | 'secondary'

export const triggers = [
  'primary/enable',
  'primary/demote',
  'primary/disable',
  'secondary/enable',
  'secondary/promote',
  'secondary/update-primary',
  /** `secondary/update-primary` with a blank token. */
  'secondary/forget-primary',
  'secondary/disable',
] as const
export type Trigger = (typeof triggers)[number]

export const transitions: Readonly<Record<Mode, Partial<Readonly<Record<Trigger, Mode>>>>> = {
  disabled: { 'primary/enable': 'primary', 'secondary/enable': 'secondary' },
  primary: { 'primary/demote': 'secondary', 'primary/disable': 'disabled' },
  secondary: {
    'secondary/promote': 'primary',
    'secondary/update-primary': 'secondary',
    'secondary/forget-primary': 'secondary',
    'secondary/disable': 'disabled',
  },
}

/** The further effects of a transition: the column "Also". Each transition ends the connections of secondaries and
 * their credentials, and the cluster knows no other primary than the one that the trigger names. */
export interface Effect {
  /** What happens to the data of callers. */
  readonly data: 'kept' | 'wiped'
  readonly clusterId: 'kept' | 'new' | 'ended'
}

const usual: Effect = { data: 'kept', clusterId: 'kept' }

export const effects: Readonly<Record<Trigger, Effect>> = {
  'primary/enable': { data: 'kept', clusterId: 'new' },
  'primary/demote': usual,
  'primary/disable': { data: 'kept', clusterId: 'ended' },
  'secondary/enable': { data: 'wiped', clusterId: 'new' },
  'secondary/promote': usual,
  'secondary/update-primary': usual,
  'secondary/forget-primary': usual,
  'secondary/disable': { data: 'kept', clusterId: 'ended' },
}
