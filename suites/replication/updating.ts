/** Checks in which a secondary gets another primary, or none, for both kinds of replication. */
import { type Check, refused } from '../../harness/vocabulary/index.ts'
import { attempted, ifTaken } from '../given.ts'
import { filtered, filterId } from '../performance-replication/filters.ts'
import { activated, authorized, forgotten, promoted, replicating, roleCheck, stillSecondary, updated } from './given.ts'
import { badTokens, ownSentinel } from './joining.ts'
import type { Replication } from './kind.ts'
import { cut, linkedCopy } from './links.ts'
import { keyed, ownKey } from './public-keys.ts'
import { lacking } from './required.ts'
import { updatePrimary } from './roles.ts'
import { follows, holds, ifRefused, isCutOff, keeps, outOfTouch } from './then/data.ts'
import { remains } from './then/roles.ts'
import { arrived, hasCome, inTouch, sentinel } from './then/sentinels.ts'
import { roleStays } from './then/witnesses.ts'

const fromMain = { from: 'main', to: 'second' } as const
const again = { again: '-again' }
/** A filter concerns what comes from the primary, not what is local. */
const withheld = attempted(filtered({ mode: 'deny', paths: ['{shared}/'] }))

/** Returns a function that keeps its arguments in performance replication and leaves them out in DR replication. */
const keptIn =
  ({ kind }: Replication) =>
  <T>(...items: readonly T[]): readonly T[] =>
    kind === 'performance' ? items : []

export function updatingOf(of: Replication): readonly Check[] {
  const { requirement } = of
  const isLocal = of.kind === 'performance'
  const ifLocal = keptIn(of)
  return [
    roleCheck('update-primary-leads-to-the-cluster-that-issued-the-token', {
      requirement: [
        requirement('update-primary.changes-primary'),
        requirement('promote.new-tokens'),
        ...ifLocal(requirement('update-primary.keeps-data')),
      ],
      given: [
        ...inTouch(of, 'second', 'third'),
        ...ifLocal(sentinel('own', 'third', { local: true })),
        ...promoted(of),
        activated(of, 'third', 'second', again),
        ...authorized(of, 'third'),
        // What is done with a token that is not valid must not keep a valid one from being taken.
        badTokens['made-up'],
        attempted(updatePrimary(of, 'third', { token: '{badToken}' })),
        stillSecondary(of, 'third'),
        ...ifLocal(arrived('own', 'third')),
      ],
      when: updatePrimary(of, 'third'),
      then: [follows(of, { from: 'second', to: 'third' }), ...ifLocal(holds(of, 'third', 'own'))],
    }),
    // This check is not for DR replication: generating a key may need a client token, and a DR secondary accepts none.
    ...(isLocal
      ? [
          roleCheck('update-primary-takes-a-token-for-its-public-key', {
            requirement: [requirement('secondary-token.encrypted'), requirement('update-primary.changes-primary')],
            applies: { since: '1.3.0' },
            given: [
              ...inTouch(of),
              // A secondary that still follows its primary would not show whether the token was accepted.
              forgotten(of),
              outOfTouch(of, fromMain),
              keyed(of, 'second'),
              activated(of, 'second', 'main', { ...again, ...ownKey('second') }),
            ],
            when: updatePrimary(of),
            then: [follows(of, fromMain)],
          }),
        ]
      : []),
    roleCheck('update-primary-keeps-a-secondary', {
      requirement: [requirement('update-primary.keeps-role'), ...ifLocal(requirement('update-primary.keeps-data'))],
      given: [
        ...(isLocal ? [...inTouch(of), ownSentinel(of), filterId, withheld] : replicating(of)),
        activated(of, 'second', 'main', again),
        ...authorized(of),
      ],
      when: updatePrimary(of),
      then: [remains(of, 'second', 'secondary'), ...ifLocal(holds(of, 'second', 'own'))],
    }),
    ...(isLocal
      ? []
      : [
          roleCheck('update-primary-wipes-nothing', {
            requirement: requirement('update-primary.keeps-data'),
            needs: ['forwarder'],
            given: [...linkedCopy(of), activated(of, 'second', 'main', again), ...authorized(of), cut()],
            when: updatePrimary(of),
            then: [ifTaken(holds(of, 'second', 'shared'))],
          }),
        ]),
    roleCheck('update-primary-with-a-blank-token-forgets-the-primary', {
      requirement: requirement('update-primary.blank-forgets'),
      given: [...inTouch(of), ...authorized(of)],
      when: updatePrimary(of, 'second', { token: '' }),
      then: [remains(of, 'second', 'secondary'), isCutOff(of, fromMain), holds(of, 'second', 'shared')],
    }),
    roleCheck('update-primary-with-a-token-that-is-made-up-is-refused', {
      requirement: requirement('update-primary.valid-token-refused'),
      given: [...replicating(of), activated(of, 'second', 'main', again), badTokens['made-up'], ...authorized(of)],
      when: updatePrimary(of, 'second', { token: '{badToken}' }),
      then: [refused(roleStays(of, 'second'))],
      control: updatePrimary(of),
    }),
    // The documents do not say whether a token may be used twice. But a request that is refused must not make the
    // cluster forget its primary.
    roleCheck('update-primary-refused-for-a-used-token-keeps-the-primary', {
      requirement: requirement('update-primary.valid-token-refused'),
      given: [...inTouch(of), ...ifLocal(ownSentinel(of)), ...authorized(of)],
      when: updatePrimary(of),
      then: [ifRefused(follows(of, fromMain)), ...ifLocal(ifRefused(keeps('second', 'own')))],
    }),
    roleCheck('update-primary-without-token-keeps-the-primary', {
      requirement: requirement('update-primary.token-required'),
      given: [
        ...inTouch(of),
        activated(of, 'second', 'main', again),
        ...authorized(of),
        updated(of),
        hasCome(of),
        ...ifLocal(ownSentinel(of)),
      ],
      when: lacking('token', updatePrimary(of, 'second', { token: '' })),
      then: [follows(of, fromMain), ...ifLocal(keeps('second', 'own'))],
      ...(isLocal ? { control: updatePrimary(of, 'second', { token: '' }) } : {}),
    }),
    ...Object.entries(badTokens).map(([name, bad]) =>
      roleCheck(`update-primary-with-a-token-that-is-${name}-changes-nothing`, {
        requirement: requirement('update-primary.valid-token'),
        given: [
          ...inTouch(of),
          ...ifLocal(ownSentinel(of)),
          activated(of, 'second', 'main', again),
          bad,
          ...authorized(of),
        ],
        when: updatePrimary(of, 'second', { token: '{badToken}' }),
        then: [follows(of, fromMain), ...ifLocal(keeps('second', 'own'))],
      }),
    ),
  ]
}
