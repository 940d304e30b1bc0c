import type { Increment } from '../../engines/replication/connections/secondary-sessions.ts'
import { callersMounts } from '../../engines/replication/data/data-parts.ts'
import type { Membership } from '../../engines/replication/membership.ts'
import type { Mode, Trigger } from '../../engines/replication/rules/transitions.ts'
import { prefixOf } from '../../kernel/mounts/mount.ts'
import type { SavedMount } from '../../kernel/mounts/mounts.ts'
import type { StatePart } from '../../kernel/state/state-part.ts'
import { during } from '../with-methods.ts'
import {
  cameBy,
  changing,
  changingUnder,
  clearMounts,
  faultOfPerformance,
  faultsOfBoth,
  type Here,
  inEffects,
  noting,
  remembersTrigger,
  stored,
} from './cluster-operations.ts'

type Parts = Increment['parts']

export const keptData = inEffects('secondary/enable', { data: 'kept' })
const besides = ({ memory }: Here): readonly SavedMount[] | undefined =>
  memory.get('beside') as readonly SavedMount[] | undefined
const addsToData = (here: Here): boolean => besides(here) !== undefined

/** A cluster that joins keeps its earlier data in addition to the copied data, if `isMeant`. */
export const keepsData = (isMeant: (here: Here) => boolean) => [
  noting('roleChange', 'carryOut', ([{ trigger }], { memory }) => {
    if (trigger === 'secondary/enable') memory.delete('beside')
  }),
  changing(
    'secondary/enable',
    'data',
    (change, { context, memory }) => {
      const { mounts } = context.services
      memory.set('beside', structuredClone(callersMounts(context.services).map(mounts.keep)))
      during(context, { rules: keptData(context.rules) }, change)
    },
    isMeant,
  ),
  stored(
    'data',
    'receive',
    ([increment], next) => next({ ...increment, whole: false }),
    (_, { context, memory }) => context.kind === 'performance' && memory.has('beside'),
  ),
  changing(
    'secondary/promote',
    'data',
    (change, here) => {
      change()
      const { mounts } = here.context.services
      for (const kept of besides(here) ?? []) if (!mounts.at(prefixOf(kept.mount))) mounts.adopt(kept)
    },
    (here) => here.context.kind === 'dr' && addsToData(here),
  ),
]

const formerOf = ({ memory }: Here): Former | undefined => memory.get('former') as Former | undefined
interface Former extends Pick<Membership, 'mode' | 'clusterId'> {
  readonly by: unknown
}
/** Remembers what the cluster was before it was disabled. */
const remembersFormer = noting('roleChange', 'carryOut', ([{ trigger }], { context, memory }) => {
  const { mode, clusterId } = context.membership
  if (trigger.endsWith('/disable')) memory.set('former', { mode, clusterId, by: memory.get('by') })
  memory.set('by', trigger)
})
const wasBefore =
  (mode: Mode, by?: Trigger) =>
  (here: Here): boolean => {
    const former = formerOf(here)
    return former?.mode === mode && (by ?? former.by) === former.by
  }

const isStored = (part: string): boolean => ['keys', 'performance'].includes(part)
/** The data of the primary do not arrive: neither the `first` copy nor later changes, or only those. */
const takesNone = (isMeant: (whole: boolean) => boolean) => [
  stored(
    'data',
    'receive',
    ([increment], next) => next({ ...increment, whole: false, parts: partsIn(increment, isStored) }),
    ([{ whole }]) => isMeant(whole),
  ),
]
const partsIn = ({ parts }: Increment, isIn: (part: string) => boolean): Parts =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => isIn(name)))

const wipesMounts = (trigger: Trigger) => [
  changing(trigger, 'data', (change, { context }) => {
    clearMounts(context)
    change()
  }),
]

const data = faultsOfBoth({
  'secondary-enable-keeps-data': 'A cluster that joins keeps its earlier data in addition to the copied data.',
  'rejoin-keeps-data': 'A cluster that joins keeps its earlier data if it was a secondary before.',
  'former-primary-keeps-data': 'A cluster that joins keeps its earlier data if it was a primary before.',
  'secondary-takes-no-data': 'A secondary is shown as connected but gets no data from its primary.',
  'secondary-takes-first-copy-only': 'Data written to the primary after the join is not replicated to the secondary.',
  'update-primary-wipes': 'update-primary deletes the mounts before the cluster connects.',
  'blank-token-wipes': 'update-primary with a blank token deletes the mounts.',
})
  .by({
    'secondary-enable-keeps-data': keepsData(() => true),
    'rejoin-keeps-data': [remembersFormer, ...keepsData(wasBefore('secondary'))],
    'former-primary-keeps-data': [remembersFormer, ...keepsData(wasBefore('primary'))],
    'secondary-takes-no-data': takesNone(() => true),
    'secondary-takes-first-copy-only': takesNone((whole) => !whole),
    'update-primary-wipes': wipesMounts('secondary/update-primary'),
    'blank-token-wipes': wipesMounts('secondary/forget-primary'),
  })
  .flat()

/** No wipe removes this part of the data, and no copy replaces it. */
const spares = (part: string, left: (state: unknown) => unknown = (state) => state) => [
  stored('data', 'wipe', (_given, next, { context }) => {
    const own: StatePart | undefined = context.services.storage.parts[part]
    const state = structuredClone(left(own?.snapshot()))
    next()
    own?.restore(state)
  }),
  stored(
    'data',
    'receive',
    ([increment], next) => next({ ...increment, parts: partsIn(increment, (name) => name !== part) }),
    ([{ parts }]) => part in parts,
  ),
]

const wipes = faultsOfBoth({
  'secondary-enable-keeps-policies': 'A cluster that joins keeps its policies.',
  'secondary-enable-keeps-governing-policies': 'A cluster that joins keeps its RGPs and EGPs.',
  'secondary-enable-keeps-tokens': 'A cluster that joins keeps its tokens.',
})
  .by({
    'secondary-enable-keeps-policies': spares('sys/policies'),
    'secondary-enable-keeps-governing-policies': spares('sys/policies', (state) => ({ ...(state as object), acl: {} })),
    'secondary-enable-keeps-tokens': spares('tokens'),
  })
  .flat()

/** After a trigger, the cluster has the cluster id that it had before it was disabled. */
const keepsFormerId = (trigger: Trigger, mode: Mode, by?: Trigger) => [
  remembersFormer,
  changing(
    trigger,
    'cluster id',
    (change, here) => {
      change()
      here.context.update({ clusterId: formerOf(here)?.clusterId ?? '' })
    },
    wasBefore(mode, by),
  ),
]

const ids = faultsOfBoth({
  'demote-changes-cluster-id': 'A demoted cluster gets a new cluster id.',
  'demote-changes-the-id-of-who-was-promoted': 'A cluster that was promoted gets a new cluster id when it is demoted.',
  'primary-disable-keeps-cluster-id': 'A primary that was disabled and is enabled again keeps its former cluster id.',
  'secondary-enable-keeps-former-id':
    'A primary that was disabled and becomes a secondary keeps its former cluster id.',
  'secondary-disable-keeps-cluster-id':
    'A secondary that was disabled and becomes a primary keeps its former cluster id.',
  'primary-disable-keeps-the-id-of-who-was-promoted':
    'A primary that was once promoted, was disabled and is enabled again keeps its former cluster id.',
  'secondary-enable-keeps-the-id-of-a-former-secondary':
    'A secondary that was disabled and becomes a secondary again keeps its former cluster id.',
  'secondary-disable-keeps-the-id-of-who-joined':
    'A secondary that joined by secondary/enable, was disabled and becomes a primary keeps its former cluster id.',
})
  .by({
    'demote-changes-cluster-id': inEffects('primary/demote', { clusterId: 'new' }),
    'demote-changes-the-id-of-who-was-promoted': [
      remembersTrigger,
      changingUnder(
        'primary/demote',
        'cluster id',
        inEffects('primary/demote', { clusterId: 'new' }),
        cameBy('secondary/promote'),
      ),
    ],
    'primary-disable-keeps-cluster-id': keepsFormerId('primary/enable', 'primary'),
    'secondary-enable-keeps-former-id': keepsFormerId('secondary/enable', 'primary'),
    'secondary-disable-keeps-cluster-id': keepsFormerId('primary/enable', 'secondary'),
    'primary-disable-keeps-the-id-of-who-was-promoted': keepsFormerId('primary/enable', 'primary', 'secondary/promote'),
    'secondary-enable-keeps-the-id-of-a-former-secondary': keepsFormerId('secondary/enable', 'secondary'),
    'secondary-disable-keeps-the-id-of-who-joined': keepsFormerId('primary/enable', 'secondary', 'secondary/enable'),
  })
  .flat()

const policiesOfTheFirstCopy = faultOfPerformance(
  'secondary-keeps-the-policies-of-its-first-copy',
  'A secondary keeps the policies that it got when it joined, although its primary has others now.',
  [
    noting('roleChange', 'carryOut', (_, { memory }) => memory.delete('copied')),
    stored(
      'data',
      'receive',
      ([increment], next, { memory }) => {
        const isFirst = !memory.has('copied')
        memory.set('copied', true)
        return next(
          isFirst ? increment : { ...increment, parts: partsIn(increment, (name) => name !== 'sys/policies') },
        )
      },
      ([{ parts }]) => 'sys/policies' in parts,
    ),
  ],
)

export const effectFaults = [...data, ...wipes, ...ids, policiesOfTheFirstCopy]
