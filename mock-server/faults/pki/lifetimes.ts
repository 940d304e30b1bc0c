/** Faults of the lifetimes of certificates. */

import { type Lifetime, lifetimes, type Terms } from '../../engines/pki/rules/lifetimes.ts'
import type { Call } from '../../kernel/contracts.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import { nameIn, withBody } from '../operations.ts'
import { part, requestField, roleField } from './cells.ts'
import { asRole, drafting, fault, faults, issue, on, type PkiFault, roleAt } from './pki-operations.ts'

const lifetime = (kind: keyof typeof lifetimes, change: Partial<Lifetime>) =>
  part('lifetimes', { [kind]: { ...lifetimes[kind], ...change } })
const { leaf } = lifetimes
const tenYears = 315_360_000
const suffix = (from: string, to: string) => ({
  read: (given: unknown) => (typeof given === 'string' ? given.replace(new RegExp(`(\\d)${from}$`), `$1${to}`) : given),
})
const anyDuration = { read: (given: unknown) => (parseDuration(given) === undefined ? '' : given) }

/** Lets a ttl of issue in this unit exceed the max_ttl of the role. */
const unboundedIn = (unit: 's' | 'm') =>
  asRole(issue, (role, { body }) =>
    typeof body.ttl === 'string' && body.ttl.endsWith(unit) && role.max_ttl > 0 ? { ...role, max_ttl: 0 } : role,
  )

/** Replaces a ttl that equals the maximum by one hour. */
const notTheLongest = (kind: keyof typeof lifetimes) =>
  lifetime(kind, {
    asked: (ttl, terms) =>
      ttl === lifetimes[kind].asked(Number.POSITIVE_INFINITY, terms) ? 3600 : lifetimes[kind].asked(ttl, terms),
  })

function isAboveMax({ body }: Call): boolean {
  const [ttl = 0, max = 0] = [parseDuration(body.ttl), parseDuration(body.max_ttl)]
  return max > 0 && ttl > max
}

export const ofLifetimes: readonly PkiFault[] = [
  ...faults({
    'issue-ttl-that-is-the-longest-ignored':
      'issue with a ttl that equals the max_ttl of the role returns a certificate that is valid for an hour.',
    'root-ttl-that-is-the-longest-ignored':
      'root/generate with a ttl that equals the maximum of the mount makes a root that is valid for an hour.',
    'sign-intermediate-ttl-that-is-the-longest-ignored':
      'sign-intermediate with a ttl that equals the maximum of the mount returns a certificate for an hour.',
    'leaf-lifetime-counts-from-not-before':
      'The lifetime of an issued certificate counts from its NotBefore, which may be in the past, and not from now.',
    'role-ttl-ignored':
      'The ttl of a role is ignored: the default of the mount or max_ttl is used, whichever is shorter.',
    'role-ttl-seconds-misread': 'A ttl of a role with the suffix s is read as minutes.',
    'role-ttl-minutes-misread': 'A ttl of a role with the suffix m is read as seconds.',
    'role-ttl-hours-misread': 'A ttl of a role with the suffix h is read as minutes.',
    'role-ttl-default-ignores-max-ttl':
      'Without ttl in role and request, the default of the mount is used even if the max_ttl of the role is shorter.',
    'role-ttl-default-is-max-ttl':
      'Without ttl in role and request, max_ttl is used even if the default of the mount is shorter.',
    'role-ttl-default-is-system-max':
      'Without ttl in role and request and without max_ttl, the maximum of the mount is used instead of its default.',
    'role-max-ttl-ignored': 'The max_ttl of a role does not limit the ttl of a request.',
    'role-ttl-above-max-ttl':
      'A role with a ttl above its max_ttl is accepted, and its certificates are valid for that ttl.',
    'role-max-ttl-default-unbounded':
      'Without max_ttl, the maximum of the mount does not limit the ttl of an issue request.',
    'issue-ttl-ignored': 'The ttl of an issue request is ignored: the ttl of the role is used.',
    'issue-ttl-default-is-max-ttl':
      'Without ttl in the request, a role with ttl and max_ttl issues certificates that are valid for max_ttl.',
    'root-ttl-ignored': 'root/generate ignores ttl and uses the default lifetime.',
    'root-ttl-above-max': 'The maximum of the mount does not limit the ttl of root/generate.',
    'root-default-ttl-above-max':
      'root/generate without ttl makes a root that is valid for ten years, even if the maximum of the mount is shorter.',
    'sign-intermediate-ttl-ignored': 'sign-intermediate ignores ttl and uses the default lifetime.',
    'sign-intermediate-bound-by-ca-expiry':
      'sign-intermediate limits the lifetime of the certificate to that of the signing CA.',
    'sign-intermediate-refuses-beyond-ca-expiry':
      'sign-intermediate refuses a ttl beyond the expiry of the signing CA.',
    'sign-intermediate-ttl-above-max': 'The maximum of the mount does not limit the ttl of sign-intermediate.',
    'issue-ttl-minutes-misread': 'A ttl of an issue request with the suffix m is read as seconds.',
    'issue-ttl-is-a-minute-at-least': 'A ttl of an issue request below one minute is raised to one minute.',
    'sign-intermediate-ttl-minutes-misread': 'A ttl of sign-intermediate with the suffix m is read as seconds.',
    'sign-intermediate-default-ttl-above-max':
      'sign-intermediate without ttl returns a certificate for ten years, even if the maximum of the mount is shorter.',
    'role-max-ttl-minutes-misread': 'A max_ttl of a role with the suffix m is read as hours.',
    'role-max-ttl-seconds-misread': 'A max_ttl of a role with the suffix s is read as hours.',
    'role-takes-any-ttl': 'A role with a ttl that is not a duration is accepted and uses the default of the mount.',
    'issue-takes-any-ttl':
      'An issue request with a ttl that is not a duration is accepted and uses the ttl of the role.',
    'role-ttl-is-596-hours-at-most':
      'A ttl of a role above 596 hours, which is 32 bits of milliseconds, is cut to 596 hours.',
    'issue-ttl-is-596-hours-at-most':
      'A ttl of an issue request above 596 hours, which is 32 bits of milliseconds, is cut to 596 hours.',
    'role-ttl-is-a-minute-at-least': 'A ttl of a role below one minute is raised to one minute.',
    'role-not-before-duration-zero-is-the-default': 'A not_before_duration of 0 is treated as 30 seconds.',
    'role-not-before-duration-at-least-the-default': 'A not_before_duration below 30 seconds is raised to 30 seconds.',
  }).by({
    'issue-ttl-that-is-the-longest-ignored': notTheLongest('leaf'),
    'root-ttl-that-is-the-longest-ignored': notTheLongest('root'),
    'sign-intermediate-ttl-that-is-the-longest-ignored': notTheLongest('intermediate'),
    'leaf-lifetime-counts-from-not-before': drafting(['leaf'], (draft, { context }) => {
      const backdating = Math.floor(context.clock.now() / 1000) * 1000 - draft.notBefore
      return { ...draft, notAfter: draft.notAfter - backdating }
    }),
    'role-ttl-ignored': [roleField('ttl', { used: () => 0 }), lifetime('leaf', { beyondCa: 'capped' })],
    'role-ttl-seconds-misread': roleField('ttl', suffix('s', 'm')),
    'role-ttl-minutes-misread': roleField('ttl', suffix('m', 's')),
    'role-ttl-hours-misread': roleField('ttl', suffix('h', 'm')),
    'role-ttl-default-ignores-max-ttl': lifetime('leaf', {
      unasked: (terms: Terms) => (terms.roleTtl > 0 ? leaf.unasked(terms) : terms.systemDefault),
    }),
    'role-ttl-default-is-max-ttl': lifetime('leaf', {
      unasked: (terms: Terms) => (terms.roleTtl === 0 && terms.roleMax > 0 ? terms.roleMax : leaf.unasked(terms)),
    }),
    'role-ttl-default-is-system-max': lifetime('leaf', {
      unasked: (terms: Terms) => (terms.roleTtl === 0 && terms.roleMax === 0 ? terms.systemMax : leaf.unasked(terms)),
    }),
    'role-max-ttl-ignored': lifetime('leaf', {
      asked: (ttl: number, { systemMax }: Terms) => Math.min(ttl, systemMax),
    }),
    'role-ttl-above-max-ttl': [
      on(['POST roles/:name'], isAboveMax, async (call, next, here) => {
        const reply = await next(withBody(call, { max_ttl: 0 }))
        const role = roleAt(call, here)
        if (role)
          here.context.store.roles.set(nameIn(call), { ...role, max_ttl: parseDuration(call.body.max_ttl) ?? 0 })
        return reply
      }),
      lifetime('leaf', {
        unasked: (terms: Terms) => (terms.roleTtl > 0 ? Math.min(terms.roleTtl, terms.systemMax) : leaf.unasked(terms)),
      }),
    ],
    'role-max-ttl-default-unbounded': lifetime('leaf', {
      asked: (ttl: number, { roleMax }: Terms) => Math.min(ttl, roleMax || ttl),
    }),
    'issue-ttl-ignored': requestField('issue', 'ttl', { used: () => 0 }),
    'issue-ttl-default-is-max-ttl': lifetime('leaf', {
      unasked: (terms: Terms) => (terms.roleTtl > 0 && terms.roleMax > 0 ? terms.roleMax : leaf.unasked(terms)),
    }),
    'root-ttl-ignored': requestField('root', 'ttl', { used: () => 0 }),
    'root-ttl-above-max': lifetime('root', { asked: (ttl: number) => ttl }),
    'root-default-ttl-above-max': lifetime('root', { unasked: () => tenYears }),
    'sign-intermediate-ttl-ignored': requestField('signIntermediate', 'ttl', { used: () => 0 }),
    'sign-intermediate-bound-by-ca-expiry': lifetime('intermediate', { beyondCa: 'capped' }),
    'sign-intermediate-refuses-beyond-ca-expiry': lifetime('intermediate', { beyondCa: 'refused' }),
    'sign-intermediate-ttl-above-max': lifetime('intermediate', { asked: (ttl: number) => ttl }),
    'issue-ttl-minutes-misread': requestField('issue', 'ttl', suffix('m', 's')),
    'issue-ttl-is-a-minute-at-least': requestField('issue', 'ttl', {
      used: (seconds) => (seconds > 0 ? Math.max(seconds, 60) : seconds),
    }),
    'sign-intermediate-ttl-minutes-misread': requestField('signIntermediate', 'ttl', suffix('m', 's')),
    'sign-intermediate-default-ttl-above-max': lifetime('intermediate', { unasked: () => tenYears }),
    'role-max-ttl-minutes-misread': roleField('max_ttl', suffix('m', 'h')),
    'role-max-ttl-seconds-misread': roleField('max_ttl', suffix('s', 'h')),
    'role-takes-any-ttl': roleField('ttl', anyDuration),
    'issue-takes-any-ttl': requestField('issue', 'ttl', anyDuration),
    'role-ttl-is-596-hours-at-most': roleField('ttl', { used: (ttl: number) => Math.min(ttl, 596 * 3600) }),
    'issue-ttl-is-596-hours-at-most': requestField('issue', 'ttl', {
      used: (ttl: number) => Math.min(ttl, 596 * 3600),
    }),
    'role-ttl-is-a-minute-at-least': roleField('ttl', {
      used: (seconds) => (seconds > 0 ? Math.max(seconds, 60) : seconds),
    }),
    'role-not-before-duration-zero-is-the-default': roleField('not_before_duration', {
      used: (seconds) => seconds || 30,
    }),
    'role-not-before-duration-at-least-the-default': roleField('not_before_duration', {
      used: (seconds) => Math.max(seconds, 30),
    }),
  }),
  ...(
    [
      ['seconds', 's'],
      ['minutes', 'm'],
    ] as const
  ).map(([words, unit]) =>
    fault(
      `role-max-ttl-ignored-for-${words}`,
      `A ttl of issue in ${words} is not limited by the max_ttl of the role.`,
      unboundedIn(unit),
    ),
  ),
]
