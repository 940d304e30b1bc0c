/** A secondary is promoted, for both kinds. */
import type { Check } from '../../harness/vocabulary/index.ts'
import { givesToken } from './activation.ts'
import {
  activated,
  authorized,
  joined,
  primaryEnabled,
  promoted,
  replicating,
  roleCheck,
  threeClusters,
  turned,
  twoClusters,
  unused,
} from './given.ts'
import type { Replication } from './kind.ts'
import { addressed, cut, linkedCopy } from './links.ts'
import { idOf, primaryDemote, primaryDisable, promote, secondaryToken, updatePrimary } from './roles.ts'
import { hasCome, inTouch, sentinel, written } from './sentinels.ts'
import { isCutOff } from './then-data.ts'
import { becomes } from './then-roles.ts'

/** A mutant by which a DR secondary ignores operation tokens. */
export const deaf = ({ kind, mutant }: Replication): readonly string[] =>
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
      given: [...linkedCopy(of), cut(), written('shared', 'main', 'later'), ...authorized(of)],
      when: promote(of),
      then: [becomes(of, 'second', 'primary')],
      mutants: [mutant('promote-changes-nothing'), mutant('force-is-ignored'), ...deaf(of)],
    }),
    roleCheck('promote-without-force-takes-a-secondary-in-sync', {
      requirement: requirement('promote.sound'),
      needs: threeClusters,
      given: [
        unused('second', 'third'),
        // Made first, it is taken back last: a secondary without a primary serves no write.
        sentinel('shared', 'second'),
        primaryEnabled(of, 'second'),
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
      then: [isCutOff(of, { from: 'second', to: 'third' }, { once: ['second', 'primary'] })],
      mutants: [mutant('others-follow-the-promoted')],
    }),
    // A DR secondary has a copy of everything that its primary held, so it may accept the primary's tokens.
    ...(of.kind === 'dr'
      ? []
      : [
          roleCheck('promoted-primary-is-not-joined-by-a-token-of-its-former-primary', {
            requirement: requirement('promote.old-tokens'),
            needs: threeClusters,
            given: [
              ...inTouch(of, 'second', 'third'),
              activated(of, 'third', 'main', { again: '-again' }),
              turned(of, primaryDisable(of), 'main', 'disabled'),
              turned(of, promote(of), 'second', 'primary'),
              addressed('second'),
            ],
            when: updatePrimary(of, 'third', { primary_api_addr: '{secondUrl}' }),
            then: [isCutOff(of, { from: 'second', to: 'third' })],
            mutants: [mutant('others-follow-the-promoted')],
          }),
        ]),
  ]
}
