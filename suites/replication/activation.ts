/** Activation tokens: how they are issued, how long they live, and who may request one. */
import type { Check, CheckBody, Exchange, Json, Step } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  fieldOf,
  isRefusal,
  mismatch,
  notSuccess,
  refused,
  replyLacks,
  shortfall,
  succeeds,
} from '../../harness/vocabulary/index.ts'
import { aclPolicy, token } from '../given.ts'
import { action, expectation } from '../records.ts'
import { activated, activationTokenIn, primaryEnabled, roleCheck, unused } from './given.ts'
import type { Cluster, Replication } from './kind.ts'
import { hasTexts } from './returned.ts'
import { idOf, secondaryEnable, secondaryToken, tokenOf, trigger } from './roles.ts'
import { becomes, stays } from './then/roles.ts'
import { tokenUnseen } from './then/witnesses.ts'

/** Joins `second` with the activation token that was issued for `issuedFor`, which may be another cluster. */
export const enableBy = (of: Replication, issuedFor: Cluster): Exchange =>
  trigger(of, 'secondary/enable', 'second', { token: `{${tokenOf(issuedFor)}}` })

/** The documents do not define the format of the reply. A refusal does not count as a token, and neither does a reply
 * that has only an envelope. */
export const givesToken = expectation('the reply has an activation token', ({ reply }) => {
  if (activationTokenIn(reply) !== undefined) return undefined
  if (isRefusal(reply)) return notSuccess(reply)
  if (!hasTexts(reply)) return mismatch(reply, 'token', 'an activation token', 'none')
  throw replyLacks(reply, 'an activation token in a form that is known')
})

const isWrapped = expectation('the reply is response-wrapped', ({ reply }) => {
  if (typeof fieldOf(reply, '/wrap_info/token') === 'string') return undefined
  return shortfall(reply, '/wrap_info/token', 'a wrapping token', 'none')
})

export function issuingOf(of: Replication): readonly Check[] {
  const given = [unused('main'), primaryEnabled(of)]
  const asking = secondaryToken(of, idOf('second'))
  return [
    roleCheck('secondary-token-gives-an-activation-token', {
      requirement: of.requirement('secondary-token.returns-token'),
      given,
      when: asking,
      then: [givesToken],
    }),
    roleCheck('token-for-no-public-key-is-wrapped', {
      requirement: of.requirement('secondary-token.wrapped'),
      given,
      when: asking,
      then: [isWrapped],
    }),
  ]
}

export const passed = (minutes: number) =>
  action(`${minutes} minutes pass`, {}, (scope) =>
    scope.time.pass(minutes * 60, 'the lifetime of an activation token is judged by the clock'),
  )

/** Lifetimes are judged with a tolerance of two minutes, because the clocks of clusters differ. */
export function lifetimesOf(of: Replication): readonly Check[] {
  const issuing = [unused('main', 'second'), primaryEnabled(of)]
  const needs: CheckBody['needs'] = ['clock']
  const lives = (id: string, requirement: string, fields: Record<string, string>, minutes: number) =>
    roleCheck(id, {
      requirement: of.requirement(requirement),
      needs,
      given: [...issuing, activated(of, 'second', 'main', fields), passed(minutes)],
      when: secondaryEnable(of),
      then: [becomes(of, 'second', 'secondary')],
    })
  const ends = (id: string, requirement: string, fields: Record<string, string>, minutes: number) =>
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
    })
  return [
    lives('activation-token-lives-thirty-minutes', 'secondary-token.ttl-default', {}, 28),
    ends('activation-token-ends-after-thirty-minutes', 'secondary-token.ttl-default', {}, 32),
    lives('activation-token-lives-as-long-as-asked', 'secondary-token.ttl', { ttl: '2h' }, 118),
    // Other checks write minutes and hours.
    ends('activation-token-ends-when-asked', 'secondary-token.ttl', { ttl: '300s' }, 7),
  ]
}

/** Returns the seconds of a duration, which is a number, digits, or a string with units. */
function secondsIn(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const parts = [...value.matchAll(/(\d{1,20})([hms])/g)]
  const seconds = { h: 3600, m: 60, s: 1 } as const
  return parts.map(([part]) => part).join('') === value && value !== ''
    ? parts.reduce((sum, [, count, unit]) => sum + Number(count) * seconds[unit as keyof typeof seconds], 0)
    : undefined
}

/** For runs that cannot wait: judges the lifetime of the wrapping token, because the activation token can only be
 * reached through it. The wrapping token may be valid longer than the token inside. */
const toldToLive = (minutes: number) =>
  expectation(`its wrapping token is reported to be valid for ${minutes} minutes, or longer`, ({ reply }) => {
    if (activationTokenIn(reply) === undefined) throw replyLacks(reply, 'an activation token')
    const told = secondsIn(fieldOf(reply, '/wrap_info/ttl'))
    if (told === undefined) throw DoesNotApply.shown(reply, `no reply tells how long an activation token lives`)
    const least = minutes * 60 - 5
    return told >= least ? undefined : mismatch(reply, '/wrap_info/ttl', `${minutes * 60} s or more`, `${told} s`)
  })

/** Judges the same lifetimes without waiting. */
export function shownLifetimesOf(of: Replication): readonly Check[] {
  const lifetimes = [
    ['thirty-minutes', 'secondary-token.ttl-default', {}, 30],
    ['as-long-as-asked', 'secondary-token.ttl', { ttl: '2h' }, 120],
  ] as const
  return lifetimes.map(([word, requirement, fields, minutes]) =>
    roleCheck(`activation-token-is-told-to-live-${word}`, {
      requirement: [requirement, ...('ttl' in fields ? ['spelling.duration'] : [])].map(of.requirement),
      given: [unused('main'), primaryEnabled(of)],
      when: secondaryToken(of, idOf('second'), 'main', fields),
      then: [toldToLive(minutes)],
    }),
  )
}

/** Makes the tokens `lacking` (without sudo) and `both` (with sudo). The documents do not say what a caller needs
 * besides sudo, so both tokens have every capability that a write can need. */
export function askers(of: Replication): readonly Step[] {
  const { path } = secondaryToken(of, idOf('second'))
  const holder = (as: string, sudo: readonly string[]) => [
    ...aclPolicy(`{access}-${as}`, [{ path, capabilities: ['create', 'update', ...sudo] }]),
    token(as, [`{access}-${as}`]),
  ]
  return [...holder('lacking', []), ...holder('both', ['sudo'])]
}

export function callersOf(of: Replication): readonly Check[] {
  const asking = secondaryToken(of, idOf('second'))
  const given = [unused('main'), primaryEnabled(of), ...askers(of)]
  return [
    roleCheck('secondary-token-without-sudo-is-refused', {
      requirement: of.requirement('secondary-token.needs-sudo'),
      given,
      when: { ...asking, as: 'lacking' },
      then: [refused(tokenUnseen)],
      control: { ...asking, as: 'both' },
    }),
    roleCheck('secondary-token-without-a-token-is-refused', {
      requirement: of.requirement('secondary-token.needs-sudo'),
      given: [unused('main'), primaryEnabled(of)],
      when: { ...asking, as: 'nobody' },
      then: [refused(tokenUnseen)],
      control: asking,
    }),
    roleCheck('secondary-token-with-sudo-succeeds', {
      requirement: of.requirement('secondary-token.sudo-suffices'),
      given,
      when: { ...asking, as: 'both' },
      then: [succeeds],
    }),
  ]
}
