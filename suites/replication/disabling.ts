/** Checks of disabling a primary, and of enabling it again, for both kinds of replication. */
import { about, type Check } from '../../harness/vocabulary/index.ts'
import { ifTaken } from '../given.ts'
import { enableBy } from './activation.ts'
import { activated, primaryEnabled, promoted, replicating, roleCheck, turned, unused } from './given.ts'
import { ownSentinel } from './joining.ts'
import { dr, performance, type Replication } from './kind.ts'
import { primaryDisable, primaryEnable, secondaryEnable, updatePrimary } from './roles.ts'
import { isCleared, isCutOff, isCutOffOrCleared, leadsNowhere } from './then/data.ts'
import { becomes, hasOtherId, remembered, stays } from './then/roles.ts'
import { inTouch, sentinel } from './then/sentinels.ts'

const fromMain = { from: 'main', to: 'second' } as const

export function disablingOf(of: Replication): readonly Check[] {
  const { requirement } = of
  const other = of.kind === 'dr' ? performance : dr
  const disabled = turned(of, primaryDisable(of), 'main', 'disabled')
  return [
    roleCheck('primary-disable-makes-it-disabled', {
      requirement: ['primary-disable.makes-disabled', 'status.mode', 'primary-disable.own-kind'].map(requirement),
      given: [unused('main'), primaryEnabled(of), primaryEnabled(other)],
      when: primaryDisable(of),
      then: [
        becomes(of, 'main', 'disabled'),
        about(requirement('primary-disable.own-kind'), ifTaken(stays(other, 'main'))),
      ],
    }),
    roleCheck('primary-disable-cuts-off-secondaries', {
      requirement: [requirement('primary-disable.cuts-secondaries'), requirement('primary-disable.makes-disabled')],
      given: inTouch(of),
      when: primaryDisable(of),
      then: [becomes(of, 'main', 'disabled'), isCutOff(of, fromMain, { once: ['main', 'disabled'] })],
    }),
    roleCheck('primary-disable-cuts-off-every-secondary', {
      requirement: requirement('primary-disable.cuts-secondaries'),
      given: inTouch(of, 'second', 'third'),
      when: primaryDisable(of),
      then: [isCutOff(of, { from: 'main', to: 'third' }, { once: ['main', 'disabled'] })],
    }),
    roleCheck('primary-disable-keeps-new-secondaries-away', {
      requirement: requirement('primary-disable.cuts-secondaries'),
      given: [unused('main', 'second'), sentinel('shared'), primaryEnabled(of), activated(of), disabled],
      when: secondaryEnable(of),
      then: [leadsNowhere(of, fromMain)],
    }),
    roleCheck('primary-enabled-anew-has-another-cluster-id', {
      requirement: [requirement('primary-disable.changes-cluster-id'), requirement('primary-enable.makes-primary')],
      given: [unused('main'), primaryEnabled(of), remembered(of, 'main'), disabled],
      when: primaryEnable(of),
      then: [becomes(of, 'main', 'primary'), hasOtherId(of, 'main', 'primary')],
    }),
    roleCheck('promoted-primary-enabled-anew-has-another-cluster-id', {
      requirement: requirement('primary-disable.changes-cluster-id'),
      given: [
        ...replicating(of),
        ...promoted(of),
        remembered(of, 'second'),
        turned(of, primaryDisable(of, 'second'), 'second', 'disabled'),
      ],
      when: primaryEnable(of, 'second'),
      then: [hasOtherId(of, 'second', 'primary')],
    }),
    roleCheck('former-primary-has-another-cluster-id-as-secondary', {
      requirement: [requirement('primary-disable.changes-cluster-id'), requirement('secondary-enable.clears-data')],
      given: [
        unused('main', 'second'),
        ownSentinel(of),
        primaryEnabled(of, 'second'),
        remembered(of, 'second'),
        turned(of, primaryDisable(of, 'second'), 'second', 'disabled'),
        primaryEnabled(of),
        activated(of),
      ],
      when: secondaryEnable(of),
      then: [hasOtherId(of, 'second', 'secondary'), isCleared(of, 'second', 'own')],
    }),
    roleCheck('primary-enabled-anew-is-not-rejoined-by-former-secondaries', {
      requirement: requirement('primary-disable.forgets-secondaries'),
      given: [...inTouch(of), disabled],
      when: primaryEnable(of),
      then: [isCutOff(of, fromMain, { once: ['main', 'primary'] })],
    }),
    roleCheck('token-of-a-primary-that-was-disabled-leads-nowhere', {
      requirement: requirement('primary-disable.ends-tokens'),
      given: [
        unused('main', 'second'),
        sentinel('shared'),
        primaryEnabled(of),
        activated(of),
        disabled,
        primaryEnabled(of),
        activated(of, 'third'),
      ],
      when: secondaryEnable(of),
      then: [leadsNowhere(of, fromMain)],
      control: enableBy(of, 'third'),
    }),
    // In DR replication, nothing shows whether the secondary was wiped.
    ...(of.kind === 'dr'
      ? []
      : [
          roleCheck('former-secondary-of-a-primary-enabled-anew-needs-a-wipe', {
            requirement: requirement('primary-disable.secondaries-need-wipe'),
            given: [
              ...inTouch(of),
              ownSentinel(of),
              disabled,
              primaryEnabled(of),
              activated(of, 'second', 'main', { again: '-again' }),
            ],
            when: updatePrimary(of),
            then: [isCutOffOrCleared(of, fromMain)],
          }),
        ]),
  ]
}
