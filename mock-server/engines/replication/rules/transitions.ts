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

/** The further effects of a transition: the column "Also". */
export interface Effect {
  /** What happens to the data of callers. `wiped-at-first`: wiped unless the cluster was a secondary before it was
   * disabled. `wiped-unless-primary`: wiped unless it was a primary. */
  readonly data: 'kept' | 'wiped' | 'wiped-at-first' | 'wiped-unless-primary' | 'mounts-wiped'
  /** `former`: the id before the cluster was disabled, if it was in that mode then and had come to it by the trigger
   * `by`. Otherwise a new one.
   * `new-if-promoted`: a new one if the cluster had come to its mode by a promotion. */
  readonly clusterId: 'kept' | 'new' | 'new-if-promoted' | 'ended' | { readonly former: Mode; readonly by?: Trigger }
  /** What happens to the credentials that the cluster issued to secondaries, and to the connections. */
  readonly credentials: 'kept' | 'dropped' | 'used-ones-dropped' | 'first-dropped'
  readonly sessions: 'kept' | 'ended' | 'first-ended'
  /** The primary that the cluster knows after the transition. */
  readonly primary: 'given' | 'none' | 'kept' | 'past'
}

/** The next mode, a success without effect, a refusal that nevertheless wipes the mounts, or a mode with other effects
 * than usual. */
export type Cell = Mode | 'unchanged' | 'refused-and-wiped' | { readonly to: Mode; readonly also: Partial<Effect> }

export const transitions: Readonly<Record<Mode, Partial<Readonly<Record<Trigger, Cell>>>>> = {
  disabled: { 'primary/enable': 'primary', 'secondary/enable': 'secondary' },
  primary: { 'primary/demote': 'secondary', 'primary/disable': 'disabled' },
  secondary: {
    'secondary/promote': 'primary',
    'secondary/update-primary': 'secondary',
    'secondary/forget-primary': 'secondary',
    'secondary/disable': 'disabled',
  },
}

const usual: Effect = { data: 'kept', clusterId: 'kept', credentials: 'dropped', sessions: 'ended', primary: 'none' }

export const effects: Readonly<Record<Trigger, Effect>> = {
  'primary/enable': { ...usual, clusterId: 'new' },
  'primary/demote': usual,
  'primary/disable': { ...usual, clusterId: 'ended' },
  'secondary/enable': { ...usual, data: 'wiped', clusterId: 'new', primary: 'given' },
  'secondary/promote': usual,
  'secondary/update-primary': { ...usual, primary: 'given' },
  'secondary/forget-primary': usual,
  'secondary/disable': { ...usual, clusterId: 'ended' },
}
