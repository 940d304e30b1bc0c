/** Faults of what transitions do to connections: to the secondaries of a cluster, and to its primary. */
import { isFrom } from '../../engines/replication/connections/cluster-certificates.ts'
import type { Increment } from '../../engines/replication/connections/secondary-sessions.ts'
import type { Context } from '../../engines/replication/context.ts'
import type { Registration } from '../../engines/replication/membership.ts'
import type { Trigger } from '../../engines/replication/rules/transitions.ts'
import { during, withMethods } from '../with-methods.ts'
import {
  changing,
  connect,
  faultsOfBoth,
  type Here,
  inTransitions,
  noting,
  pastPrimary,
  remembersPrimary,
  rule,
  stored,
} from './cluster-operations.ts'

const serving = (part: 'serves' | 'follows') =>
  rule((rules) => ({ ...rules, [part]: { ...rules[part], disabled: true } }))

/** A trigger drops only some credentials of secondaries, and ends only some connections. */
const keepsSecondaries = (
  trigger: Trigger,
  isDropped: (registration: Registration, context: Context) => boolean,
  { connected }: { readonly connected: boolean },
) =>
  changing(trigger, 'secondaries', (change, { context }) => {
    const { registrations } = context.membership
    const dropped = registrations.filter((one) => isDropped(one, context)).map(({ id }) => id)
    const { drop, sessions } = context
    const endAll = (): void => {
      for (const id of dropped) sessions.end(id)
    }
    const changed = { drop: () => drop(dropped), ...(connected ? { sessions: withMethods(sessions, { endAll }) } : {}) }
    during(context, changed, change)
  })
const none = (): boolean => false
const isFirst = (one: Registration, { membership }: Context): boolean => membership.registrations[0]?.id === one.id

const keepsPrimary = (trigger: Trigger) =>
  changing(trigger, 'primary', (change, { context }) => {
    const { upstream } = context.membership
    change()
    connect(context, upstream)
  })

const peersOf = ({ memory }: Here): readonly Registration[] => (memory.get('peers') ?? []) as readonly Registration[]
const hasPeers = (_: readonly unknown[], here: Here): boolean => peersOf(here).length > 0
/** Secondaries learn of each other from their primary. They connect to the one of them that is promoted, which knows
 * their credentials and trusts the certificates of the former primary. */
const introducing = [
  {
    ...stored('data', 'outgoing', ([id], next, { context }) => {
      const outgoing = next(id)
      return outgoing && Object.assign(outgoing, { peers: context.membership.registrations })
    }),
    remembers: true as const,
  },
  noting('data', 'receive', ([increment], { memory }) =>
    memory.set('peers', (increment as Increment & { readonly peers?: readonly Registration[] }).peers),
  ),
  remembersPrimary,
  changing(
    'secondary/promote',
    'secondaries',
    (change, here) => {
      change()
      here.context.update({ registrations: peersOf(here) })
    },
    (here) => peersOf(here).length > 0,
  ),
  stored(
    'peers',
    'addresses',
    ([upstream], next, here) => [...next(upstream), ...peersOf(here).map(({ clusterAddress }) => clusterAddress)],
    hasPeers,
  ),
  stored(
    'peers',
    'authorities',
    ([upstream], next, here) => [
      ...next(upstream),
      ...peersOf(here).flatMap(({ authority }) => (authority === '' ? [] : [authority])),
    ],
    hasPeers,
  ),
  stored(
    'peers',
    'isIssued',
    ([certificate], next, here) => next(certificate) || isFrom(certificate, [pastPrimary(here)?.trust.authority ?? '']),
    (_, here) => pastPrimary(here) !== undefined,
  ),
]

export const connectionFaults = faultsOfBoth({
  'demote-reconnects-to-past-primary':
    'A demoted cluster connects to the primary that it had before it became a primary itself.',
  'primary-disable-keeps-secondaries': 'The secondaries of a disabled primary stay connected.',
  'primary-disable-cuts-the-first-only':
    'A disabled primary disconnects the secondary that joined first, and the others stay connected.',
  'disabled-primary-takes-new-secondaries':
    'A disabled primary disconnects its secondaries but accepts secondaries that use a token from before.',
  'primary-enabled-anew-takes-secondaries-back':
    'When a disabled primary is enabled again, its former secondaries reconnect.',
  'secondary-disable-stays-connected': 'A disabled secondary still receives data from its primary.',
  'others-follow-the-promoted':
    'When a secondary is promoted, the other secondaries of its former primary connect to it without update-primary.',
  'blank-token-keeps-the-primary': 'update-primary with a blank token does not forget the primary.',
  'blank-token-disables': 'update-primary with a blank token disables replication on the cluster.',
  'update-primary-disables': 'update-primary with a valid token disables replication on the cluster.',
})
  .by({
    'demote-reconnects-to-past-primary': [
      remembersPrimary,
      changing(
        'primary/demote',
        'primary',
        (change, here) => {
          change()
          connect(here.context, pastPrimary(here))
        },
        (here) => pastPrimary(here) !== undefined,
      ),
    ],
    'primary-disable-keeps-secondaries': [
      keepsSecondaries('primary/disable', none, { connected: true }),
      serving('serves'),
    ],
    'primary-disable-cuts-the-first-only': [
      keepsSecondaries('primary/disable', isFirst, { connected: true }),
      serving('serves'),
    ],
    'disabled-primary-takes-new-secondaries': [
      keepsSecondaries('primary/disable', ({ activated }) => activated, { connected: false }),
      serving('serves'),
    ],
    'primary-enabled-anew-takes-secondaries-back': [
      keepsSecondaries('primary/disable', none, { connected: false }),
      keepsSecondaries('primary/enable', none, { connected: false }),
    ],
    'secondary-disable-stays-connected': [keepsPrimary('secondary/disable'), serving('follows')],
    'others-follow-the-promoted': introducing,
    'blank-token-keeps-the-primary': keepsPrimary('secondary/forget-primary'),
    'blank-token-disables': inTransitions('secondary', 'secondary/forget-primary', 'disabled'),
    'update-primary-disables': inTransitions('secondary', 'secondary/update-primary', 'disabled'),
  })
  .flat()
