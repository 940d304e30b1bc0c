/** Checks of demoting a primary, for both kinds of replication. The primary is `second`, because `second` may be
 * wiped. */
import { about, type Check } from '../../harness/vocabulary/index.ts'
import { ifTaken } from '../given.ts'
import {
  activated,
  authorized,
  demoted,
  joined,
  primaryEnabled,
  promoted,
  roleCheck,
  secondaryDisable,
  turned,
  unused,
} from './given.ts'
import { ownSentinel } from './joining.ts'
import { dr, type Replication } from './kind.ts'
import { cut, linkedCopy, linkedPrimary, staysAway } from './links.ts'
import { primaryDemote, primaryDisable, primaryEnable, promote, updatePrimary } from './roles.ts'
import { follows, holds } from './then/data.ts'
import { becomes, keepsIdAsSecondary, remembered, stays } from './then/roles.ts'
import { hasCome, inTouch, sentinel } from './then/sentinels.ts'

const fromMain = { from: 'main', to: 'second' } as const

export function demotionOf(of: Replication): readonly Check[] {
  const { requirement } = of
  const isLocal = of.kind === 'performance'
  const demotedAtFirst = [
    unused('second'),
    primaryEnabled(of, 'second'),
    turned(of, primaryDemote(of, 'second'), 'second', 'secondary'),
  ]
  const promotedAgain = [...demotedAtFirst, ...promoted(of), remembered(of, 'second')]
  return [
    roleCheck('demote-makes-a-secondary', {
      requirement: requirement('demote.makes-secondary'),
      given: [unused('second'), primaryEnabled(of, 'second')],
      when: primaryDemote(of, 'second'),
      then: [becomes(of, 'second', 'secondary')],
    }),
    roleCheck('primary-that-has-a-secondary-is-demoted', {
      requirement: requirement('demote.makes-secondary'),
      given: [unused('second', 'third'), primaryEnabled(of, 'second'), ...joined(of, 'third', 'second')],
      when: primaryDemote(of, 'second'),
      then: [becomes(of, 'second', 'secondary')],
    }),
    roleCheck('demoted-primary-is-promoted', {
      requirement: requirement('promote.makes-primary'),
      given: [...demotedAtFirst, ...authorized(of)],
      when: promote(of),
      then: [becomes(of, 'second', 'primary')],
    }),
    roleCheck('promoted-primary-is-demoted', {
      requirement: [requirement('demote.makes-secondary'), requirement('demote.keeps-cluster-id')],
      given: promotedAgain,
      when: primaryDemote(of, 'second'),
      then: [becomes(of, 'second', 'secondary'), keepsIdAsSecondary(of, 'second')],
    }),
    roleCheck('promoted-primary-is-disabled', {
      requirement: requirement('primary-disable.makes-disabled'),
      given: promotedAgain,
      when: primaryDisable(of, 'second'),
      then: [becomes(of, 'second', 'disabled')],
    }),
    roleCheck('primary-enable-on-a-demoted-primary-changes-nothing', {
      requirement: requirement('secondary.primary-enable-changes-nothing'),
      given: demotedAtFirst,
      when: primaryEnable(of, 'second'),
      then: [stays(of, 'second')],
    }),
    roleCheck('demoted-primary-is-disabled', {
      requirement: requirement('secondary-disable.makes-disabled'),
      given: [...demotedAtFirst, ...authorized(of)],
      when: secondaryDisable(of),
      then: [becomes(of, 'second', 'disabled')],
    }),
    roleCheck('demote-keeps-the-cluster-id', {
      requirement: [...['demote.keeps-cluster-id', 'spelling.no-body', ...(isLocal ? ['demote.own-kind'] : [])]].map(
        requirement,
      ),
      given: [
        unused('second'),
        primaryEnabled(of, 'second'),
        // A demoted DR primary serves nothing of the other kind.
        ...(isLocal ? [primaryEnabled(dr, 'second')] : []),
        remembered(of, 'second'),
      ],
      when: primaryDemote(of, 'second'),
      then: [
        keepsIdAsSecondary(of, 'second'),
        ...(isLocal ? [about(requirement('demote.own-kind'), ifTaken(stays(dr, 'second')))] : []),
      ],
    }),
    roleCheck('demoted-primary-connects-to-no-past-primary', {
      requirement: requirement('demote.connects-to-nothing'),
      needs: ['forwarder'],
      given: [unused('main', 'second'), ...linkedPrimary(of), ...joined(of), ...promoted(of)],
      when: primaryDemote(of, 'second'),
      then: [staysAway(of, 'second')],
    }),
    roleCheck('demoted-primary-rejoins', {
      requirement: requirement('demote.rejoins-without-wipe'),
      given: [
        ...inTouch(of),
        ...(isLocal ? [ownSentinel(of)] : []),
        ...demoted(of),
        activated(of, 'second', 'main', { again: '-again' }),
        ...authorized(of),
      ],
      when: updatePrimary(of),
      then: [follows(of, fromMain), ...(isLocal ? [holds(of, 'second', 'own')] : [])],
    }),
    roleCheck('demoted-primary-follows-its-former-secondary', {
      requirement: requirement('demote.rejoins-without-wipe'),
      given: [
        unused('second', 'third'),
        sentinel('shared', 'second'),
        primaryEnabled(of, 'second'),
        ...joined(of, 'third', 'second'),
        hasCome(of, 'third', 'second'),
        turned(of, primaryDemote(of, 'second'), 'second', 'secondary'),
        ...promoted(of, 'third'),
        activated(of, 'second', 'third'),
        ...authorized(of),
      ],
      when: updatePrimary(of),
      then: [follows(of, { from: 'third', to: 'second' })],
    }),
    // A DR secondary copies its primary completely, so it shows its own data only while the link is cut.
    ...(isLocal
      ? []
      : [
          roleCheck('demoted-primary-is-not-wiped-by-update-primary', {
            requirement: requirement('demote.rejoins-without-wipe'),
            needs: ['forwarder'],
            given: [
              ...linkedCopy(of),
              ...demoted(of),
              activated(of, 'second', 'main', { again: '-again' }),
              ...authorized(of),
              cut(),
            ],
            when: updatePrimary(of),
            then: [ifTaken(holds(of, 'second', 'shared'))],
          }),
        ]),
  ]
}
