/** Checks that a cluster has an independent state in each kind of replication. */
import type { Action, Check, Exchange, Expectation, Reply, Scope, Step } from '../../harness/vocabulary/index.ts'
import { requestWords, StepFailed, shortfall } from '../../harness/vocabulary/index.ts'
import { ifTaken } from '../given.ts'
import { action } from '../records.ts'
import { enableBy } from './activation.ts'
import { activated, enabled, joined, primaryEnabled, promoted, roleCheck, secondaryDisable, unused } from './given.ts'
import { ownSentinel } from './joining.ts'
import { dr, performance, type Replication } from './kind.ts'
import { askWhenReady } from './readiness.ts'
import {
  idOf,
  primaryDemote,
  primaryDisable,
  primaryEnable,
  promote,
  revokeSecondary,
  secondaryEnable,
  status,
  statusToBeEnded,
  updatePrimary,
} from './roles.ts'
import { follows, ifRefused, keeps } from './then/data.ts'
import { stays } from './then/roles.ts'
import { hasCome, sentinel } from './then/sentinels.ts'
import { clusterIdIn, roleIn } from './then/status.ts'
import { eventually } from './timing.ts'

/** Expects that second has the same role in the other kind as before. A demoted DR primary serves nothing of the other
 * kind until it is promoted again, so it is promoted if necessary. */
function returnsTo(other: Replication, role: 'primary'): Expectation {
  const reading = status(other, 'second')
  return {
    words: `afterwards, second is ${other.kind} ${role} as before, or when it is promoted again`,
    touches: [reading],
    before: async (scope) => clusterIdIn(await askWhenReady(scope, reading)) ?? '',
    async judge({ scope }, before) {
      const isSame = (seen: Reply) =>
        roleIn(seen) === role && (before === '' || clusterIdIn(seen) === undefined || clusterIdIn(seen) === before)
      if (isSame(await askWhenReady(scope, reading))) return undefined
      await assertPromoted(scope)
      const seen = await eventually(scope, reading, isSame)
      return isSame(seen) ? undefined : shortfall(seen, 'mode', `${role}, as before`, roleIn(seen) ?? 'none')
    },
  }
}

async function assertPromoted(scope: Scope): Promise<void> {
  for (const step of promoted(dr)) await scope.perform(step)
}

/** Ends the role that second may get in this kind. The judged request is of the other kind, so its undo does not end
 * it. */
const mayJoin = (other: Replication) =>
  action(
    `the ${other.kind} role of second, if it gets one, is taken back`,
    { touches: [statusToBeEnded(other, 'second'), secondaryEnable(other)] },
    async (scope) => {
      await scope.perform(statusToBeEnded(other, 'second'))
    },
  )

/** Main has one secondary of each kind, both under the same id. */
const bothKinds = (of: Replication): readonly Step[] => {
  const other = of.kind === 'dr' ? performance : dr
  return [
    unused('main', 'second', 'third'),
    // The DR secondary is promoted so that it shows its data. It then also has the role of its primary in the other
    // kind, which has to be ended.
    ...(['second', 'third'] as const).map((cluster) => statusToBeEnded(performance, cluster)),
    sentinel('shared'),
    primaryEnabled(of),
    primaryEnabled(other),
    activated(of),
    enabled(of),
    hasCome(of),
    issuedUnderTheIdOfSecond(other),
    enabled(other, 'third'),
    hasCome(other, 'third'),
  ]
}

/** `{thirdToken}` is an activation token of the other kind, issued for second's id. */
function issuedUnderTheIdOfSecond(other: Replication): Action {
  const issuing = activated(other, 'second')
  return {
    ...issuing,
    words: `\`thirdToken\` is a ${other.kind} activation token under the id of second`,
    provides: ['thirdToken'],
    async run(scope) {
      await issuing.run(scope)
      const token = scope.value('secondToken')
      if (token === '') throw new StepFailed('saved-invalid', { name: 'secondToken', what: 'an activation token' })
      scope.save('thirdToken', token, { secret: true })
    },
  }
}

/** Judges an expectation about what stays as it was once more, after a further request. */
const alsoAfter = (exchange: Exchange, expectation: Expectation): Expectation => ({
  ...expectation,
  words: `${expectation.words}, also after: ${requestWords(exchange)}`,
  touches: [...(expectation.touches ?? []), exchange],
  async judge(seen, before) {
    const found = await expectation.judge(seen, before)
    return found ?? expectation.judge({ ...seen, reply: await askWhenReady(seen.scope, exchange) }, before)
  },
})

/** A performance secondary can be a DR primary. A DR secondary serves nothing of the other kind. */
function besideDrPrimary(of: Replication): readonly Check[] {
  const given = [unused('main', 'second'), primaryEnabled(of), ...joined(of), primaryEnabled(dr, 'second')]
  const isKept = ifTaken(stays(dr, 'second'))
  const forgetting = updatePrimary(of, 'second', { token: '' })
  const triggers = [
    { id: 'promote', when: promote(of) },
    {
      id: 'update-primary',
      further: [activated(of, 'second', 'main', { again: '-again' })],
      when: updatePrimary(of),
      then: alsoAfter(forgetting, isKept),
    },
    { id: 'secondary-disable', when: secondaryDisable(of) },
  ]
  return triggers.map(({ id, further = [], when, then = isKept }) =>
    roleCheck(`${id}-leaves-dr-replication-alone`, {
      requirement: of.requirement(`${id}.own-kind`),
      given: [...given, ...further],
      when,
      then: [then],
    }),
  )
}

export function independenceOf(of: Replication): readonly Check[] {
  const other = of.kind === 'dr' ? performance : dr
  const inBoth = [unused('second'), primaryEnabled(of, 'second'), primaryEnabled(other, 'second')]
  return [
    roleCheck(`primary-enable-leaves-${other.kind}-replication-alone`, {
      requirement: of.requirement('primary-enable.own-kind'),
      given: [unused('main'), statusToBeEnded(other, 'main')],
      when: primaryEnable(of),
      then: [ifTaken(stays(other, 'main'))],
    }),
    roleCheck(`demote-leaves-${other.kind}-replication-alone`, {
      requirement: of.requirement('demote.own-kind'),
      given: inBoth,
      when: primaryDemote(of, 'second'),
      then: [ifTaken(of.kind === 'dr' ? returnsTo(other, 'primary') : stays(other, 'second'))],
    }),
    roleCheck(`primary-disable-leaves-${other.kind}-replication-alone`, {
      requirement: of.requirement('primary-disable.own-kind'),
      given: inBoth,
      when: primaryDisable(of, 'second'),
      then: [ifTaken(stays(other, 'second'))],
    }),
    ...(of.kind === 'performance' ? besideDrPrimary(of) : []),
    roleCheck(`secondary-enable-with-a-${other.kind}-token-changes-nothing`, {
      requirement: of.requirement('secondary-enable.own-kind'),
      given: [
        unused('main', 'second'),
        primaryEnabled(of),
        primaryEnabled(other),
        activated(other),
        mayJoin(other),
        activated(of, 'third'),
      ],
      when: secondaryEnable(of),
      then: [stays(of, 'second'), stays(other, 'second')],
      control: enableBy(of, 'third'),
    }),
    roleCheck(`secondary-enable-refused-for-a-${other.kind}-token-clears-nothing`, {
      requirement: of.requirement('secondary-enable.own-kind'),
      given: [unused('main', 'second'), ...[ownSentinel(of), primaryEnabled(other), activated(other), mayJoin(other)]],
      when: secondaryEnable(of),
      then: [ifRefused(keeps('second', 'own'))],
    }),
    roleCheck(`revoke-leaves-the-${other.kind}-secondary-of-that-id-connected`, {
      requirement: of.requirement('revoke-secondary.own-kind'),
      given: bothKinds(of),
      when: revokeSecondary(of, idOf('second')),
      then: [ifTaken(follows(other, { from: 'main', to: 'third' }))],
    }),
  ]
}
