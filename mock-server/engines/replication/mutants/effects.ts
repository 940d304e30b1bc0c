/** Mutants of the other effects of transitions: the column "Also" of the table. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { ReplicationTables } from '../tables/index.ts'
import { type Change, cells, inEffects, inJoining, inTransitions, ofBoth, ofKind, together } from './cells.ts'

const inPromotion =
  (changed: object): Change =>
  (tables) => ({ ...tables, promotion: { ...tables.promotion, ...changed } })
const inPerformance =
  (changed: object): Change =>
  (tables) => ({ ...tables, performance: { ...tables.performance, ...changed } })
const serving =
  (part: 'serves' | 'follows'): Change =>
  (tables) => ({ ...tables, [part]: { ...tables[part], disabled: true } })

const data: readonly Mutant<ReplicationTables>[] = [
  ofBoth(
    'secondary-enable-keeps-data',
    'A cluster that joins keeps what it held, beside what is copied.',
    inEffects('secondary/enable', { data: 'kept' }),
  ),
  ofBoth(
    'rejoin-keeps-data',
    'A cluster that joins keeps what it held, if it was a secondary before and left.',
    inEffects('secondary/enable', { data: 'wiped-at-first' }),
  ),
  ofBoth(
    'secondary-takes-no-data',
    'A secondary shows to be in touch and holds nothing of what its primary holds.',
    cells({ takes: { first: false, later: false } }),
  ),
  ofBoth(
    'secondary-takes-first-copy-only',
    'Nothing that is written to the primary after the join arrives at the secondary.',
    cells({ takes: { first: true, later: false } }),
  ),
  ofBoth(
    'update-primary-wipes',
    'update-primary clears the data before the cluster connects.',
    inEffects('secondary/update-primary', { data: 'mounts-wiped' }),
  ),
  ofBoth(
    'blank-token-wipes',
    'update-primary with a blank token clears the data.',
    inEffects('secondary/forget-primary', { data: 'mounts-wiped' }),
  ),
].flat()

const spare =
  (part: string): Change =>
  (tables) => ({ ...tables, spares: [part] })

const wipes: readonly Mutant<ReplicationTables>[] = [
  ofBoth('secondary-enable-keeps-policies', 'A cluster that joins keeps its policies.', spare('sys/policies')),
  ofBoth(
    'secondary-enable-keeps-governing-policies',
    'A cluster that joins keeps its RGPs and EGPs.',
    together(spare('sys/policies'), cells({ spared: (state) => ({ ...(state as object), acl: {} }) })),
  ),
  ofBoth('secondary-enable-keeps-tokens', 'A cluster that joins keeps its tokens.', spare('tokens')),
].flat()

const others: readonly Mutant<ReplicationTables>[] = [
  ofBoth(
    'primary-enable-enables-the-other-kind',
    'primary/enable makes the cluster primary in both kinds of replication.',
    cells({ enables: 'both-kinds' }),
  ),
  ofBoth(
    'demote-demotes-in-the-other-kind',
    'primary/demote makes the cluster secondary in both kinds of replication.',
    cells({ besides: { 'primary/demote': 'primary/demote' } }),
  ),
  ofBoth(
    'primary-disable-disables-the-other-kind',
    'primary/disable disables both kinds of replication.',
    cells({ besides: { 'primary/disable': 'primary/disable' } }),
  ),
].flat()

/** A performance secondary can be a DR primary. */
const besides: readonly Mutant<ReplicationTables>[] = (
  [
    ['promote', 'secondary/promote', 'secondary/promote'],
    ['update-primary', 'secondary/update-primary with a blank token', 'secondary/forget-primary'],
    ['secondary-disable', 'secondary/disable', 'secondary/disable'],
  ] as const
).map(([id, called, trigger]) =>
  ofKind(
    'performance',
    `${id}-disables-the-other-kind`,
    `${called} disables a DR primary, too.`,
    cells({ besides: { [trigger]: 'primary/disable' } }),
  ),
)

const hindered: readonly Mutant<ReplicationTables>[] = [
  ofBoth(
    'demoted-is-not-promoted',
    'A primary that was demoted cannot be promoted.',
    cells({ hinders: (trigger, { by }) => trigger === 'secondary/promote' && by === 'primary/demote' }),
  ),
  ofBoth(
    'demoted-is-not-disabled',
    'A primary that was demoted cannot be disabled.',
    cells({ hinders: (trigger, { by }) => trigger === 'secondary/disable' && by === 'primary/demote' }),
  ),
  ofBoth(
    'blank-token-hinders-promotion',
    'A secondary that has forgotten its primary cannot be promoted.',
    cells({ hinders: (trigger, { by }) => trigger === 'secondary/promote' && by === 'secondary/forget-primary' }),
  ),
  ofBoth(
    'primary-that-has-secondaries-is-not-demoted',
    'A primary cannot be demoted while secondaries have joined it.',
    cells({ hinders: (trigger, { isJoined }) => trigger === 'primary/demote' && isJoined }),
  ),
].flat()

const ids: readonly Mutant<ReplicationTables>[] = [
  ofBoth(
    'demote-changes-cluster-id',
    'A demoted cluster has another cluster id than it had as primary.',
    inEffects('primary/demote', { clusterId: 'new' }),
  ),
  ofBoth(
    'primary-disable-keeps-cluster-id',
    'A primary that was disabled and enabled again has its former cluster id.',
    inEffects('primary/enable', { clusterId: { former: 'primary' } }),
  ),
  ofBoth(
    'secondary-enable-keeps-former-id',
    'A primary that was disabled and becomes a secondary has its former cluster id.',
    inEffects('secondary/enable', { clusterId: { former: 'primary' } }),
  ),
  ofBoth(
    'secondary-disable-keeps-cluster-id',
    'A secondary that was disabled and becomes a primary has its former cluster id.',
    inEffects('primary/enable', { clusterId: { former: 'secondary' } }),
  ),
  ofBoth(
    'primary-disable-keeps-the-id-of-who-was-promoted',
    'A primary that was promoted, disabled and enabled again has its former cluster id.',
    inEffects('primary/enable', { clusterId: { former: 'primary', by: 'secondary/promote' } }),
  ),
  ofBoth(
    'secondary-enable-keeps-the-id-of-a-former-secondary',
    'A secondary that was disabled and becomes a secondary again has its former cluster id.',
    inEffects('secondary/enable', { clusterId: { former: 'secondary' } }),
  ),
  ofBoth(
    'secondary-disable-keeps-the-id-of-who-joined',
    'A secondary that joined by secondary/enable, was disabled and becomes a primary has its former cluster id.',
    inEffects('primary/enable', { clusterId: { former: 'secondary', by: 'secondary/enable' } }),
  ),
].flat()

const connections: readonly Mutant<ReplicationTables>[] = [
  ofBoth(
    'demote-reconnects-to-past-primary',
    'A demoted cluster connects to the primary that it had before it was one.',
    inEffects('primary/demote', { primary: 'past' }),
  ),
  ofBoth(
    'demoted-cannot-rejoin',
    'update-primary on a demoted cluster succeeds, and it never connects.',
    inJoining(() => ({ demoted: 'stays-away' })),
  ),
  ofBoth(
    'primary-disable-keeps-secondaries',
    'The secondaries of a primary that is disabled stay connected.',
    together(inEffects('primary/disable', { credentials: 'kept', sessions: 'kept' }), serving('serves')),
  ),
  ofBoth(
    'disabled-primary-takes-new-secondaries',
    'A primary that is disabled disconnects its secondaries, and takes those that use an earlier token afterwards.',
    together(inEffects('primary/disable', { credentials: 'used-ones-dropped' }), serving('serves')),
  ),
  ofBoth(
    'primary-enabled-anew-takes-secondaries-back',
    'The former secondaries of a primary that was disabled reconnect when it is enabled again.',
    together(
      inEffects('primary/disable', { credentials: 'kept' }),
      inEffects('primary/enable', { credentials: 'kept' }),
    ),
  ),
  ofBoth(
    'secondary-disable-stays-connected',
    'A secondary that is disabled goes on receiving from its primary.',
    together(inEffects('secondary/disable', { primary: 'kept' }), serving('follows')),
  ),
  ofBoth(
    'others-follow-the-promoted',
    'The other secondaries of its former primary connect to a promoted cluster without update-primary.',
    cells({ introduces: true }),
  ),
  ofBoth(
    'blank-token-keeps-the-primary',
    'With a blank token update-primary forgets nothing.',
    inEffects('secondary/forget-primary', { primary: 'kept' }),
  ),
  ofBoth(
    'blank-token-disables',
    'update-primary with a blank token disables the cluster.',
    inTransitions('secondary', 'secondary/forget-primary', 'disabled'),
  ),
  ofBoth(
    'update-primary-disables',
    'update-primary with a valid token disables the cluster.',
    inTransitions('secondary', 'secondary/update-primary', 'disabled'),
  ),
].flat()

const promotions: readonly Mutant<ReplicationTables>[] = [
  ofBoth(
    'force-is-ignored',
    'A promotion is not forced where the safety checks fail.',
    inPromotion({ forced: 'as-unforced' }),
  ),
  ofBoth('force-by-its-presence', 'A promotion is forced by `force: false`.', inPromotion({ flag: 'its-presence' })),
  ofBoth('force-by-default', 'A promotion without `force` is forced.', inPromotion({ unsaid: 'forced' })),
  ofBoth(
    'sound-promotion-is-refused',
    'A promotion without force is refused although the safety checks pass.',
    inPromotion({ sound: 'refused' }),
  ),
  [
    ofKind(
      'dr',
      'promoted-stays-out-of-the-performance-set',
      'A promoted DR secondary of a performance primary is left out of the performance set.',
      inPerformance({ ofPrimary: 'left-out' }),
    ),
    ofKind(
      'dr',
      'promoted-does-not-try-the-performance-primary',
      'A promoted DR secondary of a performance secondary does not connect to the performance primary.',
      inPerformance({ ofSecondary: 'unconnected' }),
    ),
  ],
].flat()

export const effectFaults: readonly Mutant<ReplicationTables>[] = [
  ...data,
  ...wipes,
  ...others,
  ...besides,
  ...hindered,
  ...ids,
  ...connections,
  ...promotions,
]
