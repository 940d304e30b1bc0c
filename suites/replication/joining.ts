/** Checks in which a disabled cluster becomes primary or secondary, for both kinds of replication. */
import { type Action, about, type Check, del, post, refused, StepFailed } from '../../harness/vocabulary/index.ts'
import { attempted, ifTaken, namespace } from '../given.ts'
import { action } from '../records.ts'
import { altered } from './alteration.ts'
import {
  activated,
  admitted,
  authorized,
  enabled,
  primaryEnabled,
  replicating,
  roleCheck,
  secondaryDisable,
  turned,
  unused,
} from './given.ts'
import { dr, performance, type Replication } from './kind.ts'
import {
  idOf,
  primaryEnable,
  revokeSecondary,
  secondaryEnable,
  secondaryToken,
  statusToBeEnded,
  tokenOf,
} from './roles.ts'
import { ifRefused, isCleared, keeps, receives } from './then/data.ts'
import { policyMade, policySeen, showsItsPolicy } from './then/policies.ts'
import { becomes, stays } from './then/roles.ts'
import { sentinel, written } from './then/sentinels.ts'
import { isServedMeanwhile } from './then/served.ts'
import { roleStays } from './then/witnesses.ts'

/** Creates a mount on `second` that no other cluster has. It is local only in performance replication, because a DR
 * secondary copies local mounts, too. */
export const ownSentinel = (of: Replication): Action => sentinel('own', 'second', { local: of.kind === 'performance' })

const authMounted = (name: string, type: string) =>
  post(`sys/auth/{${name}}`, { type }, { undo: del(`sys/auth/{${name}}`) })
const authMounts = [authMounted('shared', 'userpass'), authMounted('own', 'approle')]
const inner = sentinel('space/inner')
/** Gives main more than values: auth mounts of several types, one with the name of a secret mount, and a mount in a
 * namespace. A server may lack a type, or namespaces, and may refuse the name. */
const furnished = action(
  'main has auth mounts and a mount in a namespace, as far as it accepts them',
  { touches: [...authMounts, ...inner.touches] },
  async (scope) => {
    for (const steps of [...authMounts.map((mounted) => [mounted]), [namespace('space'), inner]])
      try {
        for (const step of steps) await scope.perform(step)
      } catch (error) {
        if (!(error instanceof StepFailed) || !['step-refused', 'dialect-lacks'].includes(error.code)) throw error
      }
  },
)

/** Makes `{badToken}`, which is not a valid activation token. */
const badToken = (words: string, make: (valid: string) => string) =>
  action(`\`badToken\` is ${words}`, { provides: ['badToken'] }, async (scope) => {
    const valid = scope.value(tokenOf('second'))
    const bad = make(valid)
    if (bad === valid)
      throw new StepFailed('saved-invalid', { name: tokenOf('second'), what: 'a token that can be altered' })
    scope.save('badToken', bad, { secret: true })
  })

export const badTokens = {
  'made-up': badToken('a made-up text', () => 'no-activation-token'),
  altered: badToken('an activation token with every letter and digit changed', altered),
}

export function joiningOf(of: Replication): readonly Check[] {
  const { requirement } = of
  const other = of.kind === 'dr' ? performance : dr
  const ready = [unused('main', 'second'), primaryEnabled(of), activated(of)]
  return [
    roleCheck('primary-enable-makes-a-primary', {
      requirement: ['primary-enable.makes-primary', 'status.mode', 'primary-enable.own-kind'].map(requirement),
      given: [unused('main'), statusToBeEnded(other, 'main')],
      when: primaryEnable(of),
      then: [
        becomes(of, 'main', 'primary'),
        about(requirement('primary-enable.own-kind'), ifTaken(stays(other, 'main'))),
      ],
    }),
    roleCheck('secondary-enable-makes-a-secondary', {
      requirement: [requirement('secondary-enable.makes-secondary'), requirement('status.mode')],
      given: [unused('main', 'second'), furnished, primaryEnabled(of), activated(of)],
      when: secondaryEnable(of),
      then: [about(requirement('status.mode'), isServedMeanwhile(of, 'second')), becomes(of, 'second', 'secondary')],
    }),
    // A server may refuse to revoke an id whose token was never used.
    roleCheck('token-is-good-after-one-for-another-secondary', {
      requirement: [requirement('secondary-enable.makes-secondary'), requirement('spelling.written-default')],
      given: [
        ...ready,
        secondaryToken(of, idOf('second', '-another')),
        attempted(revokeSecondary(of, idOf('second', '-another'))),
      ],
      when: secondaryEnable(of),
      then: [becomes(of, 'second', 'secondary')],
    }),
    roleCheck('secondary-takes-what-the-primary-holds', {
      requirement: requirement('secondary.takes-data'),
      given: [unused('main', 'second'), sentinel('shared'), primaryEnabled(of), activated(of)],
      when: secondaryEnable(of),
      then: [receives(of, { from: 'main', to: 'second' })],
    }),
    roleCheck('secondary-takes-what-is-written-later', {
      requirement: requirement('secondary.takes-data'),
      given:
        of.kind === 'performance'
          ? [policyMade, ...replicating(of), policySeen, sentinel('shared')]
          : [...replicating(of), sentinel('shared')],
      when: written('shared', 'main', 'later'),
      then: [
        receives(of, { from: 'main', to: 'second', key: 'later' }),
        // A DR secondary serves no policies.
        ...(of.kind === 'performance' ? [about('policies.acl.write.updates', showsItsPolicy)] : []),
      ],
    }),
    roleCheck('secondary-enable-clears-the-cluster', {
      requirement: requirement('secondary-enable.clears-data'),
      given: [unused('main', 'second'), ownSentinel(of), primaryEnabled(of), activated(of)],
      when: secondaryEnable(of),
      then: [isCleared(of, 'second', 'own')],
    }),
    roleCheck('secondary-enable-with-a-token-that-is-made-up-is-refused', {
      requirement: requirement('secondary-enable.valid-token-refused'),
      given: [...ready, badTokens['made-up']],
      when: secondaryEnable(of, 'second', { token: '{badToken}' }),
      then: [refused(roleStays(of, 'second'))],
      control: secondaryEnable(of),
    }),
    // The documents do not say whether a token may be used twice. But a request that is refused must not clear the
    // cluster.
    roleCheck('secondary-enable-refused-for-a-used-token-clears-nothing', {
      requirement: requirement('secondary-enable.valid-token'),
      given: [
        ...ready,
        enabled(of),
        ...authorized(of),
        turned(of, secondaryDisable(of), 'second', 'disabled'),
        admitted('second'),
        ownSentinel(of),
      ],
      when: secondaryEnable(of),
      then: [ifRefused(keeps('second', 'own'))],
    }),
    ...Object.entries(badTokens).map(([name, bad]) =>
      roleCheck(`secondary-enable-with-a-token-that-is-${name}-changes-nothing`, {
        requirement: requirement('secondary-enable.valid-token'),
        given: [unused('main', 'second'), ownSentinel(of), primaryEnabled(of), activated(of), bad],
        when: secondaryEnable(of, 'second', { token: '{badToken}' }),
        then: [stays(of, 'second'), keeps('second', 'own')],
        control: secondaryEnable(of),
      }),
    ),
  ]
}
