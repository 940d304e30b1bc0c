/** Mutants of how long certificates live. */
import { parseDuration } from '../../../kernel/http/duration.ts'
import { type Lifetime, lifetimes, type Terms } from '../tables/lifetimes.ts'
import { fresh, mutant, type PkiMutant, part, requestField, roleField } from './cells.ts'

const rule = (kind: keyof typeof lifetimes, change: Partial<Lifetime>) =>
  part('lifetimes', { [kind]: { ...lifetimes[kind], ...change } })
const { leaf } = lifetimes
const tenYears = 315_360_000
const suffix = (from: string, to: string) => ({
  read: (given: unknown) => (typeof given === 'string' ? given.replace(new RegExp(`(\\d)${from}$`), `$1${to}`) : given),
})
const anyDuration = { read: (given: unknown) => (parseDuration(given) === undefined ? '' : given) }

/** A ttl of issue in this unit is not bounded by the max_ttl of the role. */
const unboundedIn = (unit: 's' | 'm') =>
  fresh(() => {
    let isInUnit = false
    return (tables) =>
      rule('leaf', {
        asked: (ttl, terms) => leaf.asked(ttl, isInUnit ? { ...terms, roleMax: 0 } : terms),
      })(
        requestField('issue', 'ttl', {
          read(given) {
            isInUnit = typeof given === 'string' && given.endsWith(unit)
            return given
          },
        })(tables),
      )
  })

/** A ttl that equals the longest one counts as if it were above it, and brings an hour. */
const notTheLongest = (kind: keyof typeof lifetimes) =>
  rule(kind, {
    asked: (ttl, terms) =>
      ttl === lifetimes[kind].asked(Number.POSITIVE_INFINITY, terms) ? 3600 : lifetimes[kind].asked(ttl, terms),
  })

export const lifetimeMutants: readonly PkiMutant[] = [
  mutant(
    'issue-ttl-that-is-the-longest-ignored',
    'issue with a ttl that equals the max_ttl of the role: the certificate lives for an hour.',
    notTheLongest('leaf'),
  ),
  mutant(
    'root-ttl-that-is-the-longest-ignored',
    'root/generate with a ttl that equals the maximum of the engine: the root lives for an hour.',
    notTheLongest('root'),
  ),
  mutant(
    'sign-intermediate-ttl-that-is-the-longest-ignored',
    'sign-intermediate with a ttl that equals the maximum of the engine: the certificate lives for an hour.',
    notTheLongest('intermediate'),
  ),
  ...(
    [
      ['seconds', 's'],
      ['minutes', 'm'],
    ] as const
  ).map(([words, unit]) =>
    mutant(
      `role-max-ttl-ignored-for-${words}`,
      `A ttl of issue in ${words} may be longer than the max_ttl of the role.`,
      unboundedIn(unit),
    ),
  ),
  mutant(
    'leaf-lifetime-counts-from-not-before',
    'The lifetime of an issued certificate is counted from its NotBefore, however far back that lies.',
    rule('leaf', { from: 'not-before' }),
  ),
  mutant(
    'role-ttl-ignored',
    'ttl of a role is ignored: the system default (mount) or max_ttl, whichever is shorter, is used instead.',
    roleField('ttl', { used: () => 0 }),
    rule('leaf', { beyondCa: 'capped' }),
  ),
  mutant(
    'role-ttl-seconds-misread',
    'ttl of a role with the suffix s is read as minutes.',
    roleField('ttl', suffix('s', 'm')),
  ),
  mutant(
    'role-ttl-minutes-misread',
    'ttl of a role with the suffix m is read as seconds.',
    roleField('ttl', suffix('m', 's')),
  ),
  mutant(
    'role-ttl-hours-misread',
    'ttl of a role with the suffix h is read as minutes.',
    roleField('ttl', suffix('h', 'm')),
  ),
  mutant(
    'role-ttl-default-ignores-max-ttl',
    'Without ttl (role and request) the system default is used even where the max_ttl of the role is shorter (no cap applies).',
    rule('leaf', { unasked: (terms: Terms) => (terms.roleTtl > 0 ? leaf.unasked(terms) : terms.systemDefault) }),
  ),
  mutant(
    'role-ttl-default-is-max-ttl',
    'Without ttl (role and request) a role with max_ttl issues for max_ttl even where the system default is shorter.',
    rule('leaf', {
      unasked: (terms: Terms) => (terms.roleTtl === 0 && terms.roleMax > 0 ? terms.roleMax : leaf.unasked(terms)),
    }),
  ),
  mutant(
    'role-ttl-default-is-system-max',
    'Without ttl (role and request) and max_ttl the system maximum (mount) is used instead of the system default.',
    rule('leaf', {
      unasked: (terms: Terms) => (terms.roleTtl === 0 && terms.roleMax === 0 ? terms.systemMax : leaf.unasked(terms)),
    }),
  ),
  mutant(
    'role-max-ttl-ignored',
    'max_ttl of a role does not bound the ttl of a request.',
    rule('leaf', { asked: (ttl: number, { systemMax }: Terms) => Math.min(ttl, systemMax) }),
  ),
  mutant(
    'role-ttl-above-max-ttl',
    'A role with a ttl above its max_ttl is accepted, and its certificates live for that ttl.',
    (tables) => ({ ...tables, roleTtlAboveMax: 'taken' }),
    rule('leaf', {
      unasked: (terms: Terms) => (terms.roleTtl > 0 ? Math.min(terms.roleTtl, terms.systemMax) : leaf.unasked(terms)),
    }),
  ),
  mutant(
    'role-max-ttl-default-unbounded',
    'Without max_ttl the system maximum (mount) does not bound the ttl of an issue request.',
    rule('leaf', { asked: (ttl: number, { roleMax }: Terms) => Math.min(ttl, roleMax || ttl) }),
  ),
  mutant(
    'issue-ttl-ignored',
    'ttl of an issue request is ignored: the ttl of the role is used.',
    requestField('issue', 'ttl', { used: () => 0 }),
  ),
  mutant(
    'issue-ttl-default-is-max-ttl',
    'Without ttl in the request a role with both ttl and max_ttl issues for max_ttl.',
    rule('leaf', {
      unasked: (terms: Terms) => (terms.roleTtl > 0 && terms.roleMax > 0 ? terms.roleMax : leaf.unasked(terms)),
    }),
  ),
  mutant(
    'root-ttl-ignored',
    'root/generate: ttl is ignored, the default lifetime is used.',
    requestField('root', 'ttl', { used: () => 0 }),
  ),
  mutant(
    'root-ttl-above-max',
    'root/generate: ttl is not bounded by the maximum of the mount.',
    rule('root', { asked: (ttl: number) => ttl }),
  ),
  mutant(
    'root-default-ttl-above-max',
    'root/generate without ttl: ten years, not bounded by the maximum of the mount.',
    rule('root', { unasked: () => tenYears }),
  ),
  mutant(
    'sign-intermediate-ttl-ignored',
    'sign-intermediate: ttl is ignored, the default lifetime is used.',
    requestField('signIntermediate', 'ttl', { used: () => 0 }),
  ),
  mutant(
    'sign-intermediate-bound-by-ca-expiry',
    'sign-intermediate: the certificate never outlives the signing CA (capped).',
    rule('intermediate', { beyondCa: 'capped' }),
  ),
  mutant(
    'sign-intermediate-refuses-beyond-ca-expiry',
    'sign-intermediate: a ttl beyond the expiry of the signing CA is refused.',
    rule('intermediate', { beyondCa: 'refused' }),
  ),
  mutant(
    'sign-intermediate-ttl-above-max',
    'sign-intermediate: ttl is not bounded by the maximum of the mount.',
    rule('intermediate', { asked: (ttl: number) => ttl }),
  ),
  mutant(
    'issue-ttl-minutes-misread',
    'ttl of an issue request with the suffix m is read as seconds.',
    requestField('issue', 'ttl', suffix('m', 's')),
  ),
  mutant(
    'issue-ttl-is-a-minute-at-least',
    'A ttl of an issue request below a minute counts as a minute.',
    requestField('issue', 'ttl', { used: (seconds) => (seconds > 0 ? Math.max(seconds, 60) : seconds) }),
  ),
  mutant(
    'sign-intermediate-ttl-minutes-misread',
    'sign-intermediate: ttl with the suffix m is read as seconds.',
    requestField('signIntermediate', 'ttl', suffix('m', 's')),
  ),
  mutant(
    'sign-intermediate-default-ttl-above-max',
    'sign-intermediate without ttl: ten years, not bounded by the maximum of the mount.',
    rule('intermediate', { unasked: () => tenYears }),
  ),
  mutant(
    'role-max-ttl-minutes-misread',
    'max_ttl of a role with the suffix m is read as hours.',
    roleField('max_ttl', suffix('m', 'h')),
  ),
  mutant(
    'role-max-ttl-seconds-misread',
    'max_ttl of a role with the suffix s is read as hours.',
    roleField('max_ttl', suffix('s', 'h')),
  ),
  mutant(
    'role-takes-any-ttl',
    'A role with a ttl that is not a duration is accepted, with the system default.',
    roleField('ttl', anyDuration),
  ),
  mutant(
    'issue-takes-any-ttl',
    'An issue request with a ttl that is not a duration is served with the ttl of the role.',
    requestField('issue', 'ttl', anyDuration),
  ),
  mutant(
    'role-ttl-is-a-minute-at-least',
    'A ttl of a role below a minute counts as a minute.',
    roleField('ttl', { used: (seconds) => (seconds > 0 ? Math.max(seconds, 60) : seconds) }),
  ),
  mutant(
    'role-not-before-duration-zero-is-the-default',
    'A not_before_duration of 0 counts as 30 seconds.',
    roleField('not_before_duration', { used: (seconds) => seconds || 30 }),
  ),
  mutant(
    'role-not-before-duration-at-least-the-default',
    'A not_before_duration below 30 seconds counts as 30 seconds.',
    roleField('not_before_duration', { used: (seconds) => Math.max(seconds, 30) }),
  ),
]
