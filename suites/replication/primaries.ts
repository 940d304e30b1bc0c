/** A primary is demoted or disabled: alike for both kinds. Whoever is demoted is `second`, which may be wiped. */
import type { Check } from '../../harness/vocabulary/index.ts'
import {
  activated,
  authorized,
  demoted,
  joined,
  primaryEnabled,
  promoted,
  roleCheck,
  turned,
  twoClusters,
  unused,
} from './given.ts'
import { ownSentinel } from './joining.ts'
import type { Replication } from './kind.ts'
import { cut, linked, staysAway } from './links.ts'
import { primaryDemote, primaryDisable, primaryEnable, secondaryEnable, updatePrimary } from './roles.ts'
import { hasCome, inTouch, sentinel } from './sentinels.ts'
import { follows, holds, isCutOff, isCutOffOrCleared } from './then-data.ts'
import { becomes, hasOtherId, keepsId, remembered } from './then-roles.ts'

const fromMain = { from: 'main', to: 'second' } as const

/** Main gives its secondaries the address of a forwarder. */
export const linkedPrimary = (of: Replication) => [
  linked(),
  primaryEnabled(of, 'main', { primary_cluster_addr: '{link}' }),
]

export function demotionOf(of: Replication): readonly Check[] {
  const { requirement, mutant } = of
  const isLocal = of.kind === 'performance'
  return [
    roleCheck('demote-makes-a-secondary', {
      requirement: requirement('demote.makes-secondary'),
      needs: twoClusters,
      given: [unused('second'), primaryEnabled(of, 'second')],
      when: primaryDemote(of, 'second'),
      then: [becomes(of, 'second', 'secondary')],
      mutants: [mutant('demote-changes-nothing'), mutant('status-shows-secondary-as-primary')],
    }),
    roleCheck('demote-keeps-the-cluster-id', {
      requirement: requirement('demote.keeps-cluster-id'),
      needs: twoClusters,
      given: [unused('second'), primaryEnabled(of, 'second'), remembered(of, 'second')],
      when: primaryDemote(of, 'second'),
      then: [keepsId(of, 'second', 'secondary')],
      mutants: [mutant('demote-changes-cluster-id')],
    }),
    roleCheck('demoted-primary-connects-to-no-past-primary', {
      requirement: requirement('demote.connects-to-nothing'),
      needs: [...twoClusters, 'forwarder'],
      given: [unused('main', 'second'), ...linkedPrimary(of), ...joined(of), ...promoted(of)],
      when: primaryDemote(of, 'second'),
      then: [staysAway(of, 'second')],
      mutants: [mutant('demote-reconnects-to-past-primary')],
    }),
    roleCheck('demoted-primary-rejoins', {
      requirement: requirement('demote.rejoins-without-wipe'),
      needs: twoClusters,
      given: [
        ...inTouch(of),
        ...(isLocal ? [ownSentinel(of)] : []),
        ...demoted(of),
        activated(of, 'second', 'main', { again: '-again' }),
        ...authorized(of),
      ],
      when: updatePrimary(of),
      then: [follows(of, fromMain), ...(isLocal ? [holds(of, 'second', 'own')] : [])],
      mutants: [
        mutant('demoted-cannot-rejoin'),
        mutant('secondary-takes-first-copy-only'),
        mutant('update-primary-disables'),
        mutant('update-primary-changes-nothing'),
        ...(isLocal ? [mutant('update-primary-wipes')] : []),
      ],
    }),
    // A DR secondary copies its primary whole: only while it is out of touch does it show what it has of itself.
    ...(isLocal
      ? []
      : [
          roleCheck('demoted-primary-is-not-wiped-by-update-primary', {
            requirement: requirement('demote.rejoins-without-wipe'),
            needs: [...twoClusters, 'forwarder'],
            given: [
              unused('main', 'second'),
              sentinel('shared'),
              ...linkedPrimary(of),
              ...joined(of),
              hasCome(of),
              ...demoted(of),
              activated(of, 'second', 'main', { again: '-again' }),
              ...authorized(of),
              cut(),
            ],
            when: updatePrimary(of),
            then: [holds(of, 'second', 'shared')],
            mutants: [mutant('update-primary-wipes')],
          }),
        ]),
  ]
}

export function disablingOf(of: Replication): readonly Check[] {
  const { requirement, mutant } = of
  const disabled = turned(of, primaryDisable(of), 'main', 'disabled')
  return [
    roleCheck('primary-disable-makes-it-disabled', {
      requirement: [requirement('primary-disable.makes-disabled'), requirement('status.mode')],
      given: [unused('main'), primaryEnabled(of)],
      when: primaryDisable(of),
      then: [becomes(of, 'main', 'disabled')],
      mutants: [mutant('primary-disable-changes-nothing')],
    }),
    roleCheck('primary-disable-cuts-off-secondaries', {
      requirement: requirement('primary-disable.cuts-secondaries'),
      needs: twoClusters,
      given: inTouch(of),
      when: primaryDisable(of),
      then: [isCutOff(of, fromMain)],
      mutants: [mutant('primary-disable-changes-nothing'), mutant('primary-disable-keeps-secondaries')],
    }),
    roleCheck('primary-enabled-anew-has-another-cluster-id', {
      requirement: requirement('primary-disable.changes-cluster-id'),
      given: [unused('main'), primaryEnabled(of), remembered(of, 'main'), disabled],
      when: primaryEnable(of),
      then: [hasOtherId(of, 'main', 'primary')],
      mutants: [mutant('primary-disable-keeps-cluster-id')],
    }),
    roleCheck('former-primary-has-another-cluster-id-as-secondary', {
      requirement: requirement('primary-disable.changes-cluster-id'),
      needs: twoClusters,
      given: [
        unused('main', 'second'),
        primaryEnabled(of, 'second'),
        remembered(of, 'second'),
        turned(of, primaryDisable(of, 'second'), 'second', 'disabled'),
        primaryEnabled(of),
        activated(of),
      ],
      when: secondaryEnable(of),
      then: [hasOtherId(of, 'second', 'secondary')],
      mutants: [mutant('secondary-enable-keeps-former-id')],
    }),
    roleCheck('primary-enabled-anew-is-not-rejoined-by-former-secondaries', {
      requirement: [
        requirement('primary-disable.secondaries-need-wipe'),
        requirement('primary-disable.cuts-secondaries'),
      ],
      needs: twoClusters,
      given: [...inTouch(of), disabled],
      when: primaryEnable(of),
      then: [isCutOff(of, fromMain)],
      mutants: [mutant('primary-enabled-anew-takes-secondaries-back')],
    }),
    // That a DR secondary was wiped does not show.
    ...(of.kind === 'dr'
      ? []
      : [
          roleCheck('former-secondary-of-a-primary-enabled-anew-needs-a-wipe', {
            requirement: requirement('primary-disable.secondaries-need-wipe'),
            needs: twoClusters,
            given: [
              ...inTouch(of),
              ownSentinel(of),
              disabled,
              primaryEnabled(of),
              activated(of, 'second', 'main', { again: '-again' }),
            ],
            when: updatePrimary(of),
            then: [isCutOffOrCleared(of, fromMain)],
            mutants: [mutant('update-primary-takes-a-secondary-of-a-former-set')],
          }),
        ]),
  ]
}
