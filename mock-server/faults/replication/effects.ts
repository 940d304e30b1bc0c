/** Faults of the other effects of transitions: the column "Also" of the table. */
import { type Change, cells, inEffects, inTransitions, ofBoth, ofKind, together } from './cluster-operations.ts'

const inPerformance =
  (changed: object): Change =>
  (rules) => ({ ...rules, performance: { ...rules.performance, ...changed } })
const serving =
  (part: 'serves' | 'follows'): Change =>
  (rules) => ({ ...rules, [part]: { ...rules[part], disabled: true } })

const data = [
  ofBoth(
    'secondary-enable-keeps-data',
    'A cluster that joins keeps its earlier data in addition to the copied data.',
    inEffects('secondary/enable', { data: 'kept' }),
  ),
  ofBoth(
    'rejoin-keeps-data',
    'A cluster that joins keeps its earlier data if it was a secondary before.',
    inEffects('secondary/enable', { data: 'wiped-at-first' }),
  ),
  ofBoth(
    'former-primary-keeps-data',
    'A cluster that joins keeps its earlier data if it was a primary before.',
    inEffects('secondary/enable', { data: 'wiped-unless-primary' }),
  ),
  ofBoth(
    'secondary-takes-no-data',
    'A secondary is shown as connected but gets no data from its primary.',
    cells({ takes: { first: false, later: false } }),
  ),
  ofBoth(
    'secondary-takes-first-copy-only',
    'Data written to the primary after the join is not replicated to the secondary.',
    cells({ takes: { first: true, later: false } }),
  ),
  ofBoth(
    'update-primary-wipes',
    'update-primary deletes the mounts before the cluster connects.',
    inEffects('secondary/update-primary', { data: 'mounts-wiped' }),
  ),
  ofBoth(
    'blank-token-wipes',
    'update-primary with a blank token deletes the mounts.',
    inEffects('secondary/forget-primary', { data: 'mounts-wiped' }),
  ),
].flat()

const spare =
  (part: string): Change =>
  (rules) => ({ ...rules, spares: [part] })

const wipes = [
  ofBoth('secondary-enable-keeps-policies', 'A cluster that joins keeps its policies.', spare('sys/policies')),
  ofBoth(
    'secondary-enable-keeps-governing-policies',
    'A cluster that joins keeps its RGPs and EGPs.',
    together(spare('sys/policies'), cells({ spared: (state) => ({ ...(state as object), acl: {} }) })),
  ),
  ofBoth('secondary-enable-keeps-tokens', 'A cluster that joins keeps its tokens.', spare('tokens')),
].flat()

const bothKinds = [
  ofBoth(
    'primary-enable-enables-the-other-kind',
    'primary/enable makes the cluster a primary in both kinds of replication.',
    cells({ enables: 'both-kinds' }),
  ),
  ofBoth(
    'demote-demotes-in-the-other-kind',
    'primary/demote makes the cluster a secondary in both kinds of replication.',
    cells({ besides: { 'primary/demote': 'primary/demote' } }),
  ),
  ofBoth(
    'primary-disable-disables-the-other-kind',
    'primary/disable disables both kinds of replication.',
    cells({ besides: { 'primary/disable': 'primary/disable' } }),
  ),
].flat()

/** Faults of clusters in both kinds of replication: a performance secondary can be a DR primary. */
const ofPerformanceSecondaries = (
  [
    ['promote', 'secondary/promote', 'secondary/promote'],
    ['update-primary', 'secondary/update-primary with a blank token', 'secondary/forget-primary'],
    ['secondary-disable', 'secondary/disable', 'secondary/disable'],
  ] as const
).map(([id, operation, trigger]) =>
  ofKind(
    'performance',
    `${id}-disables-the-other-kind`,
    `${operation} also disables DR replication if the cluster is a DR primary.`,
    cells({ besides: { [trigger]: 'primary/disable' } }),
  ),
)

const ids = [
  ofBoth(
    'demote-changes-cluster-id',
    'A demoted cluster gets a new cluster id.',
    inEffects('primary/demote', { clusterId: 'new' }),
  ),
  ofBoth(
    'demote-changes-the-id-of-who-was-promoted',
    'A cluster that was promoted gets a new cluster id when it is demoted.',
    inEffects('primary/demote', { clusterId: 'new-if-promoted' }),
  ),
  ofBoth(
    'primary-disable-keeps-cluster-id',
    'A primary that was disabled and is enabled again keeps its former cluster id.',
    inEffects('primary/enable', { clusterId: { former: 'primary' } }),
  ),
  ofBoth(
    'secondary-enable-keeps-former-id',
    'A primary that was disabled and becomes a secondary keeps its former cluster id.',
    inEffects('secondary/enable', { clusterId: { former: 'primary' } }),
  ),
  ofBoth(
    'secondary-disable-keeps-cluster-id',
    'A secondary that was disabled and becomes a primary keeps its former cluster id.',
    inEffects('primary/enable', { clusterId: { former: 'secondary' } }),
  ),
  ofBoth(
    'primary-disable-keeps-the-id-of-who-was-promoted',
    'A primary that was once promoted, was disabled and is enabled again keeps its former cluster id.',
    inEffects('primary/enable', { clusterId: { former: 'primary', by: 'secondary/promote' } }),
  ),
  ofBoth(
    'secondary-enable-keeps-the-id-of-a-former-secondary',
    'A secondary that was disabled and becomes a secondary again keeps its former cluster id.',
    inEffects('secondary/enable', { clusterId: { former: 'secondary' } }),
  ),
  ofBoth(
    'secondary-disable-keeps-the-id-of-who-joined',
    'A secondary that joined by secondary/enable, was disabled and becomes a primary keeps its former cluster id.',
    inEffects('primary/enable', { clusterId: { former: 'secondary', by: 'secondary/enable' } }),
  ),
].flat()

const connections = [
  ofBoth(
    'demote-reconnects-to-past-primary',
    'A demoted cluster connects to the primary that it had before it became a primary itself.',
    inEffects('primary/demote', { primary: 'past' }),
  ),
  ofBoth(
    'primary-disable-keeps-secondaries',
    'The secondaries of a disabled primary stay connected.',
    together(inEffects('primary/disable', { credentials: 'kept', sessions: 'kept' }), serving('serves')),
  ),
  ofBoth(
    'primary-disable-cuts-the-first-only',
    'A disabled primary disconnects the secondary that joined first, and the others stay connected.',
    together(
      inEffects('primary/disable', { credentials: 'first-dropped', sessions: 'first-ended' }),
      serving('serves'),
    ),
  ),
  ofBoth(
    'disabled-primary-takes-new-secondaries',
    'A disabled primary disconnects its secondaries but accepts secondaries that use a token from before.',
    together(inEffects('primary/disable', { credentials: 'used-ones-dropped' }), serving('serves')),
  ),
  ofBoth(
    'primary-enabled-anew-takes-secondaries-back',
    'When a disabled primary is enabled again, its former secondaries reconnect.',
    together(
      inEffects('primary/disable', { credentials: 'kept' }),
      inEffects('primary/enable', { credentials: 'kept' }),
    ),
  ),
  ofBoth(
    'secondary-disable-stays-connected',
    'A disabled secondary still receives data from its primary.',
    together(inEffects('secondary/disable', { primary: 'kept' }), serving('follows')),
  ),
  ofBoth(
    'others-follow-the-promoted',
    'When a secondary is promoted, the other secondaries of its former primary connect to it without update-primary.',
    cells({ introduces: true }),
  ),
  ofBoth(
    'blank-token-keeps-the-primary',
    'update-primary with a blank token does not forget the primary.',
    inEffects('secondary/forget-primary', { primary: 'kept' }),
  ),
  ofBoth(
    'blank-token-disables',
    'update-primary with a blank token disables replication on the cluster.',
    inTransitions('secondary', 'secondary/forget-primary', 'disabled'),
  ),
  ofBoth(
    'update-primary-disables',
    'update-primary with a valid token disables replication on the cluster.',
    inTransitions('secondary', 'secondary/update-primary', 'disabled'),
  ),
].flat()

const performance = [
  ofKind(
    'dr',
    'promoted-stays-out-of-the-performance-set',
    'When the DR secondary of a performance primary is promoted, it does not become a member of the performance set.',
    inPerformance({ ofPrimary: 'left-out' }),
  ),
  ofKind(
    'dr',
    'promoted-does-not-try-the-performance-primary',
    'When the DR secondary of a performance secondary is promoted, it does not connect to the performance primary.',
    inPerformance({ ofSecondary: 'unconnected' }),
  ),
]

export const effectFaults = [
  ...data,
  ...wipes,
  ...bothKinds,
  ...ofPerformanceSecondaries,
  ...ids,
  ...connections,
  ...performance,
]
