/** Checks of promoting a secondary, for both kinds of replication. */
import type { Action, Check, Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  isDenied,
  isRefusal,
  isSuccess,
  StepFailed,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import { givesToken } from './activation.ts'
import {
  activated,
  assertRole,
  authorized,
  forgotten,
  joined,
  primaryEnabled,
  promoted,
  replicating,
  roleCheck,
  turned,
  unused,
  updated,
} from './given.ts'
import type { Replication } from './kind.ts'
import { addressed, cut, healed, linked, linkedCopy } from './links.ts'
import { askWhenReady } from './readiness.ts'
import { idOf, primaryDemote, primaryDisable, promote, secondaryToken, status, updatePrimary } from './roles.ts'
import { isCutOff } from './then/data.ts'
import { becomes, stays } from './then/roles.ts'
import { arrived, hasCome, inTouch, sentinel, written } from './then/sentinels.ts'
import { always } from './timing.ts'

/** Makes `second`, which was promoted while its primary was lost, a secondary of a primary that is there. */
const backToMain = (of: Replication): readonly (Action | Exchange)[] => [
  turned(of, primaryDemote(of, 'second'), 'second', 'secondary'),
  healed(),
  activated(of, 'second', 'main', { again: '-back' }),
  ...authorized(of),
  updated(of),
  written('shared', 'main', 'back'),
  of.kind === 'dr' ? hasCome(of) : arrived('shared', 'second', 'back'),
  ...authorized(of),
]

/** The way back is not judged here, so a step that fails only means that this server shows no failing safety check. */
async function isBack(scope: Scope, of: Replication): Promise<boolean> {
  try {
    await scope.admit('second')
    for (const step of backToMain(of)) await scope.perform(step)
    return true
  } catch (error) {
    if (error instanceof StepFailed) return false
    throw error
  }
}

/** Returns the reply that accepts the promotion, at once or a while later, because a server may later promote a
 * secondary whose primary is lost; undefined if it is refused twice. */
async function findAcceptance(scope: Scope, of: Replication, unforced: Exchange): Promise<Reply | undefined> {
  for (const isFirst of [true, false]) {
    const reply = await askWhenReady(scope, unforced)
    if (isSuccess(reply)) return reply
    if (!isRefusal(reply) || isDenied(reply)) throw stepRefused(reply)
    // A request that was sent more than once may have succeeded the first time. In that case, the role shows it.
    if (isFirst || reply.isRepeated) await always(scope, status(of, 'second'), () => true, 'late')
  }
  await assertRole(scope, of, 'second', 'secondary')
  return undefined
}

/** The documents do not say what the safety checks examine, so only a refusal shows that they fail. A server may refuse
 * to promote a secondary whose primary is lost, or one whose primary is there. */
const refusedUnforced = (of: Replication, fields: { readonly force?: false } = { force: false }): Action => {
  const unforced = promote(of, 'second', fields)
  const called = fields.force === false ? 'with `force: false`' : 'without `force`'
  return action(
    `promote ${called} is refused, and again a while later`,
    {
      touches: [
        unforced,
        status(of, 'second'),
        ...backToMain(of).flatMap((step) => (step.kind === 'exchange' ? [step] : step.touches)),
      ],
    },
    async (scope) => {
      const accepted = await findAcceptance(scope, of, unforced)
      if (!accepted) return
      await assertRole(scope, of, 'second', 'primary')
      if ((await isBack(scope, of)) && !(await findAcceptance(scope, of, unforced))) return
      throw DoesNotApply.shown(accepted, `no safety check fails: promote ${called} is accepted`)
    },
  )
}

export function promotionOf(of: Replication): readonly Check[] {
  const { requirement } = of
  return [
    roleCheck('promote-makes-a-primary', {
      requirement: requirement('promote.makes-primary'),
      given: [...replicating(of), ...authorized(of)],
      when: promote(of),
      then: [becomes(of, 'second', 'primary')],
    }),
    roleCheck('secondary-that-has-forgotten-its-primary-is-promoted', {
      requirement: requirement('promote.makes-primary'),
      given: [...replicating(of), ...authorized(of), forgotten(of), ...authorized(of)],
      when: promote(of),
      then: [becomes(of, 'second', 'primary')],
    }),
    roleCheck('secondary-that-was-given-another-token-is-promoted', {
      requirement: requirement('promote.makes-primary'),
      given: [
        ...replicating(of),
        activated(of, 'second', 'main', { again: '-again' }),
        ...authorized(of),
        updated(of),
        ...authorized(of),
      ],
      when: promote(of),
      then: [becomes(of, 'second', 'primary')],
    }),
    roleCheck('force-promotes-a-secondary-that-is-behind', {
      requirement: requirement('promote.force'),
      needs: ['forwarder'],
      given: [...linkedCopy(of), cut(), written('shared', 'main', 'later'), ...authorized(of)],
      when: promote(of),
      then: [becomes(of, 'second', 'primary')],
    }),
    roleCheck('force-promotes-beside-an-address', {
      requirement: requirement('promote.force'),
      needs: ['forwarder'],
      given: [
        ...linkedCopy(of),
        linked('second', 'ownLink'),
        cut(),
        written('shared', 'main', 'later'),
        ...authorized(of),
      ],
      when: promote(of, 'second', { force: true, primary_cluster_addr: '{ownLink}' }),
      then: [becomes(of, 'second', 'primary')],
    }),
    roleCheck('promote-without-force-is-not-forced', {
      requirement: requirement('promote.force-default'),
      needs: ['forwarder'],
      given: [...linkedCopy(of), cut(), written('shared', 'main', 'later'), ...authorized(of), refusedUnforced(of)],
      when: promote(of, 'second', {}),
      then: [stays(of, 'second')],
      control: promote(of),
    }),
    roleCheck('promote-with-force-false-is-not-forced', {
      requirement: requirement('promote.force'),
      needs: ['forwarder'],
      given: [...linkedCopy(of), cut(), written('shared', 'main', 'later'), ...authorized(of), refusedUnforced(of, {})],
      when: promote(of, 'second', { force: false }),
      then: [stays(of, 'second')],
      control: promote(of),
    }),
    roleCheck('promote-without-force-takes-a-secondary-in-sync', {
      requirement: requirement('promote.sound'),
      given: [
        unused('second', 'third'),
        // The mount is created first so that it is removed last: a secondary without a primary serves no writes.
        sentinel('shared', 'second'),
        primaryEnabled(of, 'second'),
        ...joined(of, 'third', 'second'),
        hasCome(of, 'third', 'second'),
        ...authorized(of, 'third'),
        turned(of, primaryDemote(of, 'second'), 'second', 'secondary'),
      ],
      when: promote(of, 'third', {}),
      then: [becomes(of, 'third', 'primary')],
    }),
    roleCheck('promoted-primary-issues-activation-tokens', {
      requirement: requirement('promote.new-tokens'),
      given: [...replicating(of), ...promoted(of)],
      when: secondaryToken(of, idOf('third'), 'second'),
      then: [givesToken],
    }),
    roleCheck('promoted-primary-is-not-joined-without-a-new-token', {
      requirement: requirement('promote.others-wait'),
      given: [...inTouch(of, 'second', 'third'), ...authorized(of), turned(of, primaryDisable(of), 'main', 'disabled')],
      when: promote(of),
      then: [isCutOff(of, { from: 'second', to: 'third' }, { once: ['second', 'primary'] })],
    }),
    // A DR secondary has a copy of everything that its primary held, so it may accept the primary's tokens.
    ...(of.kind === 'dr'
      ? []
      : [
          roleCheck('promoted-primary-is-not-joined-by-a-token-of-its-former-primary', {
            requirement: requirement('promote.old-tokens'),
            given: [
              ...inTouch(of, 'second', 'third'),
              activated(of, 'third', 'main', { again: '-again' }),
              turned(of, primaryDisable(of), 'main', 'disabled'),
              turned(of, promote(of), 'second', 'primary'),
              addressed('second'),
            ],
            when: updatePrimary(of, 'third', { primary_api_addr: '{secondUrl}' }),
            then: [isCutOff(of, { from: 'second', to: 'third' })],
          }),
        ]),
  ]
}
