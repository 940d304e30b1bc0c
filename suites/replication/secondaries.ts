/** A secondary is promoted, given another primary, disabled or revoked: alike for both kinds. */
import type { Check, Expectation } from '../../harness/vocabulary/index.ts'
import { isRefusal, mismatch } from '../../harness/vocabulary/index.ts'
import {
  activated,
  activationTokenIn,
  admitted,
  authorized,
  joined,
  primaryEnabled,
  promoted,
  replicating,
  roleCheck,
  secondaryDisable,
  threeClusters,
  turned,
  twoClusters,
  unused,
} from './given.ts'
import { badTokens, ownSentinel } from './joining.ts'
import type { Replication } from './kind.ts'
import { cut } from './links.ts'
import { linkedPrimary } from './primaries.ts'
import {
  idOf,
  primaryDemote,
  primaryDisable,
  primaryEnable,
  promote,
  revokeSecondary,
  secondaryEnable,
  secondaryToken,
  updatePrimary,
} from './roles.ts'
import { hasCome, inTouch, sentinel, written } from './sentinels.ts'
import { follows, holds, isCleared, isCutOff } from './then-data.ts'
import { becomes, hasOtherId, remembered } from './then-roles.ts'

const fromMain = { from: 'main', to: 'second' } as const
const again = { again: '-again' }

/** The form of the reply is open, so only a refusal or an empty reply is no token. */
const givesToken: Expectation = {
  words: 'an activation token is given',
  judge({ reply }) {
    if (activationTokenIn(reply) !== undefined) return undefined
    return mismatch(reply, 'token', 'an activation token', isRefusal(reply) ? `status ${reply.status}` : 'none')
  },
}

/** A fault by which a DR secondary does not listen to who has an operation token. */
const deaf = ({ kind, mutant }: Replication): readonly string[] =>
  kind === 'dr' ? [mutant('operation-token-is-no-good')] : []

export function promotionOf(of: Replication): readonly Check[] {
  const { requirement, mutant } = of
  return [
    roleCheck('promote-makes-a-primary', {
      requirement: requirement('promote.makes-primary'),
      needs: twoClusters,
      given: [...replicating(of), ...authorized(of)],
      when: promote(of),
      then: [becomes(of, 'second', 'primary')],
      mutants: [mutant('promote-changes-nothing'), ...deaf(of)],
    }),
    roleCheck('force-promotes-a-secondary-that-is-behind', {
      requirement: requirement('promote.force'),
      needs: [...twoClusters, 'forwarder'],
      given: [
        unused('main', 'second'),
        sentinel('shared'),
        ...linkedPrimary(of),
        ...joined(of),
        hasCome(of),
        cut(),
        written('shared', 'main', 'later'),
        ...authorized(of),
      ],
      when: promote(of),
      then: [becomes(of, 'second', 'primary')],
      mutants: [mutant('promote-changes-nothing'), mutant('force-is-ignored'), ...deaf(of)],
    }),
    roleCheck('promote-without-force-takes-a-secondary-in-sync', {
      requirement: requirement('promote.sound'),
      needs: threeClusters,
      given: [
        unused('second', 'third'),
        primaryEnabled(of, 'second'),
        sentinel('shared', 'second'),
        ...joined(of, 'third', 'second'),
        hasCome(of, 'third', 'second'),
        ...authorized(of, 'third'),
        turned(of, primaryDemote(of, 'second'), 'second', 'secondary'),
      ],
      when: promote(of, 'third', {}),
      then: [becomes(of, 'third', 'primary')],
      mutants: [mutant('promote-changes-nothing'), mutant('sound-promotion-is-refused'), ...deaf(of)],
    }),
    roleCheck('promoted-primary-issues-activation-tokens', {
      requirement: requirement('promote.new-tokens'),
      needs: twoClusters,
      given: [...replicating(of), ...promoted(of)],
      when: secondaryToken(of, idOf('third'), 'second'),
      then: [givesToken],
      mutants: [mutant('promoted-issues-no-token')],
    }),
    roleCheck('promoted-primary-is-not-joined-without-a-new-token', {
      requirement: requirement('promote.others-wait'),
      needs: threeClusters,
      given: [...inTouch(of, 'second', 'third'), ...authorized(of), turned(of, primaryDisable(of), 'main', 'disabled')],
      when: promote(of),
      then: [isCutOff(of, { from: 'second', to: 'third' })],
      mutants: [mutant('others-follow-the-promoted')],
    }),
  ]
}

export function updatingOf(of: Replication): readonly Check[] {
  const { requirement, mutant } = of
  const isLocal = of.kind === 'performance'
  return [
    roleCheck('update-primary-leads-to-the-cluster-that-issued-the-token', {
      requirement: [requirement('update-primary.changes-primary'), requirement('promote.new-tokens')],
      needs: threeClusters,
      given: [
        ...inTouch(of, 'second', 'third'),
        ...promoted(of),
        activated(of, 'third', 'second', again),
        ...authorized(of, 'third'),
      ],
      when: updatePrimary(of, 'third'),
      then: [follows(of, { from: 'second', to: 'third' })],
      mutants: [
        mutant('update-primary-changes-nothing'),
        mutant('update-primary-disables'),
        mutant('secondary-takes-first-copy-only'),
      ],
    }),
    roleCheck('update-primary-keeps-a-secondary', {
      requirement: [
        requirement('update-primary.keeps-role'),
        ...(isLocal ? [requirement('update-primary.keeps-data')] : []),
      ],
      needs: twoClusters,
      given: [
        ...replicating(of),
        ...(isLocal ? [ownSentinel(of)] : []),
        activated(of, 'second', 'main', again),
        ...authorized(of),
      ],
      when: updatePrimary(of),
      then: [becomes(of, 'second', 'secondary'), ...(isLocal ? [holds(of, 'second', 'own')] : [])],
      mutants: [mutant('update-primary-disables'), ...(isLocal ? [mutant('update-primary-wipes')] : [])],
    }),
    ...(isLocal
      ? []
      : [
          roleCheck('update-primary-wipes-nothing', {
            requirement: requirement('update-primary.keeps-data'),
            needs: [...twoClusters, 'forwarder'],
            given: [
              unused('main', 'second'),
              sentinel('shared'),
              ...linkedPrimary(of),
              ...joined(of),
              hasCome(of),
              activated(of, 'second', 'main', again),
              ...authorized(of),
              cut(),
            ],
            when: updatePrimary(of),
            then: [holds(of, 'second', 'shared')],
            mutants: [mutant('update-primary-wipes')],
          }),
        ]),
    roleCheck('update-primary-with-a-blank-token-forgets-the-primary', {
      requirement: requirement('update-primary.blank-forgets'),
      needs: twoClusters,
      given: [...inTouch(of), ...authorized(of)],
      when: updatePrimary(of, 'second', { token: '' }),
      then: [becomes(of, 'second', 'secondary'), isCutOff(of, fromMain), holds(of, 'second', 'shared')],
      mutants: [mutant('blank-token-disables'), mutant('blank-token-keeps-the-primary'), mutant('blank-token-wipes')],
    }),
    ...Object.entries(badTokens).map(([name, bad]) =>
      roleCheck(`update-primary-with-a-token-that-is-${name}-changes-nothing`, {
        requirement: requirement('update-primary.valid-token'),
        needs: twoClusters,
        given: [...inTouch(of), activated(of, 'second', 'main', again), bad, ...authorized(of)],
        when: updatePrimary(of, 'second', { token: '{badToken}' }),
        then: [follows(of, fromMain)],
        mutants: [
          mutant('update-primary-bad-token-forgets'),
          mutant('update-primary-bad-token-disables'),
          mutant('secondary-takes-first-copy-only'),
        ],
      }),
    ),
  ]
}

export function leavingOf(of: Replication): readonly Check[] {
  const { requirement, mutant } = of
  const left = [...authorized(of), turned(of, secondaryDisable(of), 'second', 'disabled'), admitted('second')]
  return [
    roleCheck('secondary-disable-makes-it-disabled', {
      requirement: requirement('secondary-disable.makes-disabled'),
      needs: twoClusters,
      given: [...replicating(of), ...authorized(of)],
      when: secondaryDisable(of),
      then: [becomes(of, 'second', 'disabled')],
      mutants: [mutant('secondary-disable-changes-nothing'), ...deaf(of)],
    }),
    roleCheck('secondary-disable-cuts-it-off', {
      requirement: requirement('secondary-disable.cuts'),
      needs: twoClusters,
      given: [...inTouch(of), ...authorized(of)],
      when: secondaryDisable(of),
      then: [isCutOff(of, fromMain)],
      mutants: [mutant('secondary-disable-changes-nothing'), mutant('secondary-disable-stays-connected')],
    }),
    roleCheck('former-secondary-has-another-cluster-id-as-primary', {
      requirement: requirement('secondary-disable.changes-cluster-id'),
      needs: twoClusters,
      given: [...replicating(of), remembered(of, 'second'), ...left],
      when: primaryEnable(of, 'second'),
      then: [hasOtherId(of, 'second', 'primary')],
      mutants: [mutant('secondary-disable-keeps-cluster-id')],
    }),
    roleCheck('former-secondary-is-wiped-when-it-joins-again', {
      requirement: requirement('secondary-disable.wipes-when-joining'),
      needs: twoClusters,
      given: [...replicating(of), ...left, ownSentinel(of), activated(of, 'second', 'main', again)],
      when: secondaryEnable(of),
      then: [isCleared(of, 'second', 'own')],
      mutants: [mutant('secondary-enable-keeps-data'), mutant('rejoin-keeps-data')],
    }),
  ]
}

export function revokingOf(of: Replication): readonly Check[] {
  const { requirement, mutant } = of
  return [
    roleCheck('revoked-secondary-is-cut-off', {
      requirement: requirement('revoke-secondary.cuts'),
      needs: twoClusters,
      given: inTouch(of),
      when: revokeSecondary(of, idOf('second')),
      then: [isCutOff(of, fromMain, { atOnce: true })],
      mutants: [mutant('revoke-changes-nothing'), mutant('revoked-reconnects')],
    }),
    roleCheck('revoke-spares-other-secondaries', {
      requirement: requirement('revoke-secondary.spares-others'),
      needs: threeClusters,
      given: inTouch(of, 'second', 'third'),
      when: revokeSecondary(of, idOf('second')),
      then: [follows(of, { from: 'main', to: 'third' })],
      mutants: [mutant('revoke-cuts-all'), mutant('secondary-takes-first-copy-only')],
    }),
  ]
}
