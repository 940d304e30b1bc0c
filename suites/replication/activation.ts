/** How long activation tokens live, and who may ask for one. */
import type { Action, Check, CheckBody, Exchange } from '../../harness/vocabulary/index.ts'
import { refused, succeeds } from '../../harness/vocabulary/index.ts'
import { aclPolicy, token } from '../given.ts'
import { activated, primaryEnabled, roleCheck, twoClusters, unused } from './given.ts'
import type { Cluster, Replication } from './kind.ts'
import { idOf, secondaryEnable, secondaryToken, tokenOf, trigger } from './roles.ts'
import { becomes, stays } from './then-roles.ts'
import { tokenUnseen } from './witnesses.ts'

/** It is used on `second`, whoever it was issued for. */
export const enableBy = (of: Replication, issuedFor: Cluster): Exchange =>
  trigger(of, 'secondary/enable', 'second', { token: `{${tokenOf(issuedFor)}}` })

/** Faults that keep every cluster from becoming a secondary, or from showing it. */
export const notJoining = (of: Replication): readonly string[] =>
  ['secondary-enable-changes-nothing', 'status-shows-secondary-as-primary'].map(of.mutant)

const passed = (minutes: number): Action => ({
  kind: 'action',
  words: `${minutes} minutes pass`,
  touches: [],
  run: (scope) => scope.time.pass(minutes * 60, 'the lifetime of an activation token is judged by the clock'),
})

/** Lifetimes are judged two minutes to either side: the clocks of clusters differ. */
export function lifetimesOf(of: Replication): readonly Check[] {
  const issuing = [unused('main', 'second'), primaryEnabled(of)]
  const needs: CheckBody['needs'] = [...twoClusters, 'clock']
  const lives = (id: string, requirement: string, fields: Record<string, string>, minutes: number, fault: string) =>
    roleCheck(id, {
      requirement: of.requirement(requirement),
      needs,
      given: [...issuing, activated(of, 'second', 'main', fields), passed(minutes)],
      when: secondaryEnable(of),
      then: [becomes(of, 'second', 'secondary')],
      mutants: [of.mutant(fault), ...notJoining(of)],
    })
  const ends = (id: string, requirement: string, fields: Record<string, string>, minutes: number, fault: string) =>
    roleCheck(id, {
      requirement: of.requirement(requirement),
      needs,
      given: [
        ...issuing,
        activated(of, 'second', 'main', fields),
        passed(minutes),
        activated(of, 'third', 'main', fields),
      ],
      when: secondaryEnable(of),
      then: [stays(of, 'second')],
      control: enableBy(of, 'third'),
      mutants: [of.mutant(fault)],
    })
  return [
    lives('activation-token-lives-thirty-minutes', 'secondary-token.ttl-default', {}, 28, 'token-default-ttl-is-short'),
    ends(
      'activation-token-ends-after-thirty-minutes',
      'secondary-token.ttl-default',
      {},
      32,
      'token-ignores-default-ttl',
    ),
    lives(
      'activation-token-lives-as-long-as-asked',
      'secondary-token.ttl',
      { ttl: '2h' },
      118,
      'token-ignores-longer-ttl',
    ),
    ends('activation-token-ends-when-asked', 'secondary-token.ttl', { ttl: '5m' }, 7, 'token-ignores-shorter-ttl'),
  ]
}

/** What the token of a caller must be allowed besides sudo is open: it is allowed all that a write can need. */
export function callersOf(of: Replication): readonly Check[] {
  const asking = secondaryToken(of, idOf('second'))
  const holder = (as: string, sudo: readonly string[]) => [
    ...aclPolicy(`{access}-${as}`, [{ path: asking.path, capabilities: ['create', 'update', ...sudo] }]),
    token(as, [`{access}-${as}`]),
  ]
  const given = [unused('main'), primaryEnabled(of), ...holder('lacking', []), ...holder('both', ['sudo'])]
  return [
    roleCheck('secondary-token-without-sudo-is-refused', {
      requirement: of.requirement('secondary-token.needs-sudo'),
      given,
      when: { ...asking, as: 'lacking' },
      then: [refused(tokenUnseen)],
      control: { ...asking, as: 'both' },
      mutants: [of.mutant('secondary-token-without-sudo')],
    }),
    roleCheck('secondary-token-with-sudo-succeeds', {
      requirement: of.requirement('secondary-token.sudo-suffices'),
      given,
      when: { ...asking, as: 'both' },
      then: [succeeds],
      mutants: [of.mutant('secondary-token-needs-root')],
    }),
  ]
}
