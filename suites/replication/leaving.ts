/** Checks in which a secondary is disabled, or is revoked by its primary, for both kinds of replication. */
import type { Check } from '../../harness/vocabulary/index.ts'
import { ifAccepted, ifTaken, whereTaken } from '../given.ts'
import { enableBy } from './activation.ts'
import {
  activated,
  admitted,
  authorized,
  forgotten,
  joined,
  primaryEnabled,
  promoted,
  replicating,
  roleCheck,
  secondaryDisable,
  turned,
  unused,
  updated,
} from './given.ts'
import { ownSentinel } from './joining.ts'
import type { Replication } from './kind.ts'
import { cut, healed, linkedCopy, onceHealed, outOfReach } from './links.ts'
import {
  idOf,
  primaryDemote,
  primaryDisable,
  primaryEnable,
  revokeSecondary,
  secondaryEnable,
  secondaryToken,
  status,
  updatePrimary,
} from './roles.ts'
import { follows, isCleared, isCutOff, leadsNowhere } from './then/data.ts'
import { becomes, hasOtherId, remembered } from './then/roles.ts'
import { arrived, hasCome, inTouch, sentinel, written } from './then/sentinels.ts'

const fromMain = { from: 'main', to: 'second' } as const
const again = { again: '-again' }
/** The id of the third cluster begins with that of the second. */
const alike = { id: idOf('second', '-too') }

export function leavingOf(of: Replication): readonly Check[] {
  const { requirement } = of
  const left = [...authorized(of), turned(of, secondaryDisable(of), 'second', 'disabled'), admitted('second')]
  const withoutPrimary = [turned(of, primaryDemote(of, 'second'), 'second', 'secondary')]
  return [
    roleCheck('secondary-disable-makes-it-disabled', {
      requirement: requirement('secondary-disable.makes-disabled'),
      given: [...replicating(of), ...authorized(of)],
      when: secondaryDisable(of),
      then: [becomes(of, 'second', 'disabled')],
    }),
    roleCheck('secondary-that-has-forgotten-its-primary-is-disabled', {
      requirement: requirement('secondary-disable.makes-disabled'),
      given: [...replicating(of), ...authorized(of), forgotten(of), ...authorized(of)],
      when: secondaryDisable(of),
      then: [becomes(of, 'second', 'disabled')],
    }),
    roleCheck('secondary-that-is-out-of-touch-is-disabled', {
      requirement: requirement('secondary-disable.makes-disabled'),
      needs: ['forwarder'],
      given: [...linkedCopy(of), ...authorized(of), cut()],
      when: secondaryDisable(of),
      then: [becomes(of, 'second', 'disabled')],
    }),
    roleCheck('secondary-disable-cuts-it-off', {
      requirement: requirement('secondary-disable.cuts'),
      given: [...inTouch(of), ...authorized(of)],
      when: secondaryDisable(of),
      then: [isCutOff(of, fromMain, { once: ['second', 'disabled'] })],
    }),
    roleCheck('former-secondary-has-another-cluster-id-as-primary', {
      requirement: requirement('secondary-disable.changes-cluster-id'),
      // As a secondary, the cluster may report the id of its set (reading 6); a former primary reports its own id.
      given: [...replicating(of), ...promoted(of), remembered(of, 'second'), ...withoutPrimary, ...left],
      when: primaryEnable(of, 'second'),
      then: [hasOtherId(of, 'second', 'primary')],
    }),
    roleCheck('secondary-that-left-has-another-cluster-id-as-primary', {
      requirement: [requirement('secondary-disable.changes-cluster-id'), requirement('primary-enable.makes-primary')],
      given: [...replicating(of), remembered(of, 'second'), ...left],
      when: primaryEnable(of, 'second'),
      then: [becomes(of, 'second', 'primary'), hasOtherId(of, 'second', 'primary')],
    }),
    roleCheck('secondary-that-left-has-another-cluster-id-as-secondary', {
      requirement: requirement('secondary-disable.changes-cluster-id'),
      // The cluster joins another set, because a secondary may report the id of its set (reading 6).
      given: [
        ...replicating(of),
        remembered(of, 'second'),
        ...left,
        turned(of, primaryDisable(of), 'main', 'disabled'),
        primaryEnabled(of),
        activated(of, 'second', 'main', again),
      ],
      when: secondaryEnable(of),
      then: [hasOtherId(of, 'second', 'secondary')],
    }),
    roleCheck('former-secondary-is-wiped-when-it-joins-again', {
      requirement: requirement('secondary-disable.wipes-when-joining'),
      given: [...replicating(of), ...left, ownSentinel(of), activated(of, 'second', 'main', again)],
      when: secondaryEnable(of),
      then: [isCleared(of, 'second', 'own')],
    }),
  ]
}

/** This check is not for DR replication: a DR secondary would not show that the link works again after it was cut. */
function revokedOutOfTouch(of: Replication): Check {
  const { requirement } = of
  return roleCheck('secondary-that-is-revoked-while-it-is-out-of-touch-does-not-reconnect', {
    requirement: requirement('revoke-secondary.cuts'),
    needs: ['forwarder'],
    given: [
      ...linkedCopy(of),
      ...[cut(), written('shared', 'main', 'meanwhile'), healed(), arrived('shared', 'second', 'meanwhile')],
      ...[cut(), outOfReach(of)],
    ],
    when: revokeSecondary(of, idOf('second')),
    then: [onceHealed(isCutOff(of, fromMain))],
  })
}

export function revokingOf(of: Replication): readonly Check[] {
  const { requirement } = of
  return [
    roleCheck('revoked-secondary-is-cut-off', {
      requirement: requirement('revoke-secondary.cuts'),
      given: inTouch(of),
      when: revokeSecondary(of, idOf('second')),
      then: [isCutOff(of, fromMain)],
    }),
    roleCheck('secondary-that-was-given-another-token-is-revoked', {
      requirement: requirement('revoke-secondary.cuts'),
      given: [...inTouch(of), activated(of, 'second', 'main', again), ...authorized(of), updated(of), hasCome(of)],
      when: revokeSecondary(of, idOf('second', again.again)),
      then: [isCutOff(of, fromMain)],
    }),
    roleCheck('revoked-secondary-is-cut-off-at-once', {
      requirement: requirement('revoke-secondary.cuts-at-once'),
      given: inTouch(of),
      when: revokeSecondary(of, idOf('second')),
      then: [isCutOff(of, fromMain, { atOnce: true })],
    }),
    roleCheck('revoked-secondary-does-not-reconnect-by-its-old-token', {
      requirement: requirement('revoke-secondary.cuts'),
      given: [...inTouch(of), ...authorized(of), revokeSecondary(of, idOf('second'))],
      when: updatePrimary(of),
      then: [isCutOff(of, fromMain)],
    }),
    roleCheck('revoked-secondary-does-not-come-back-by-a-token-it-was-not-given', {
      requirement: requirement('revoke-secondary.cuts'),
      // The primary may serve nothing for a moment after the revocation, and then serves its status again.
      given: [...inTouch(of), revokeSecondary(of, idOf('second')), status(of, 'main')],
      // The documents do not say whether an id can be used again (reading 5).
      when: secondaryToken(of, idOf('second')),
      then: [ifAccepted(isCutOff(of, fromMain))],
    }),
    ...(of.kind === 'dr' ? [] : [revokedOutOfTouch(of)]),
    roleCheck('token-that-was-revoked-before-its-use-leads-nowhere', {
      requirement: requirement('revoke-secondary.unused-token'),
      given: [
        unused('main', 'second'),
        sentinel('shared'),
        primaryEnabled(of),
        activated(of),
        whereTaken(revokeSecondary(of, idOf('second'))),
        activated(of, 'third'),
      ],
      when: secondaryEnable(of),
      then: [leadsNowhere(of, fromMain)],
      control: enableBy(of, 'third'),
    }),
    roleCheck('revoked-secondary-reconnects-by-a-new-token', {
      requirement: requirement('revoke-secondary.new-token'),
      given: [
        ...inTouch(of),
        ...authorized(of),
        revokeSecondary(of, idOf('second')),
        activated(of, 'second', 'main', again),
      ],
      when: updatePrimary(of),
      then: [follows(of, fromMain)],
    }),
    roleCheck('revoke-spares-other-secondaries', {
      requirement: requirement('revoke-secondary.spares-others'),
      given: [unused('third'), ...inTouch(of), ...joined(of, 'third', 'main', alike), hasCome(of, 'third')],
      when: revokeSecondary(of, idOf('second')),
      then: [
        ifTaken(follows(of, { from: 'main', to: 'third' })),
        ...(of.kind === 'dr' ? [] : [isCutOff(of, fromMain)]),
      ],
    }),
  ]
}
