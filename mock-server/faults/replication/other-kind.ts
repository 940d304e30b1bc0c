/** Faults of what a transition does in the other kind of replication. */
import type { Membership } from '../../engines/replication/membership.ts'
import type { Mode, Trigger } from '../../engines/replication/rules/transitions.ts'
import { changing, faultOfDr, faultOfPerformance, faultsOfBoth } from './cluster-operations.ts'

/** A trigger causes another one in the other kind of replication, where that is possible. */
const causes = (trigger: Trigger, caused: Trigger) => [
  changing(trigger, 'other kind', (change, { context }) => {
    const { membership, other } = context
    if (other().rules.transitions[other().membership.mode][caused]) other().change(caused)
    // A cluster that becomes a DR secondary stores its role in performance replication away.
    context.update(membership)
    change()
  }),
]

const bothKinds = faultsOfBoth({
  'primary-enable-enables-the-other-kind': 'primary/enable makes the cluster a primary in both kinds of replication.',
  'demote-demotes-in-the-other-kind': 'primary/demote makes the cluster a secondary in both kinds of replication.',
  'primary-disable-disables-the-other-kind': 'primary/disable disables both kinds of replication.',
})
  .by({
    'primary-enable-enables-the-other-kind': changing('primary/enable', 'other kind', (change, { context }) => {
      change()
      const other = context.other()
      if (other.membership.mode === 'disabled') other.change('primary/enable')
    }),
    'demote-demotes-in-the-other-kind': causes('primary/demote', 'primary/demote'),
    'primary-disable-disables-the-other-kind': causes('primary/disable', 'primary/disable'),
  })
  .flat()

/** Faults of clusters in both kinds of replication: a performance secondary can be a DR primary. */
const ofPerformanceSecondaries = (
  [
    ['promote', 'secondary/promote', 'secondary/promote'],
    ['update-primary', 'secondary/update-primary with an activation token', 'secondary/update-primary'],
    ['secondary-disable', 'secondary/disable', 'secondary/disable'],
  ] as const
).map(([id, operation, trigger]) =>
  faultOfPerformance(
    `${id}-disables-the-other-kind`,
    `${operation} also disables DR replication if the cluster is a DR primary.`,
    causes(trigger, 'primary/disable'),
  ),
)

/** A promoted DR secondary becomes something else in performance replication than its primary was. */
const becomes = (mode: Mode, other: (membership: Membership) => Membership | undefined) => [
  changing('secondary/promote', 'performance', (change, { context }) => {
    const { asleep } = context
    const performance = asleep?.parts.performance as Membership | undefined
    if (performance?.mode === mode) context.asleep = { parts: { ...asleep?.parts, performance: other(performance) } }
    change()
  }),
]

const performance = [
  faultOfDr(
    'promoted-stays-out-of-the-performance-set',
    'When the DR secondary of a performance primary is promoted, it does not become a member of the performance set.',
    becomes('primary', () => undefined),
  ),
  faultOfDr(
    'promoted-does-not-try-the-performance-primary',
    'When the DR secondary of a performance secondary is promoted, it does not connect to the performance primary.',
    becomes('secondary', (membership) => ({ ...membership, upstream: undefined })),
  ),
]

export const otherKindFaults = [...bothKinds, ...ofPerformanceSecondaries, ...performance]
