/** Checks of `allow_any_name`. */
import { check, type Expectation, isRefusal, mismatch } from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import { issue, leafName, role, rooted } from './given/given.ts'
import { allows, denies, strict } from './names.ts'
import { findCertificate } from './then/then.ts'
import { sansAre } from './then/whole.ts'
import { topic } from './topic.ts'

const any = { allow_any_name: true }
const free = { ...any, enforce_hostnames: false }

/** The request is refused, or the certificate is issued without that name among the SANs. */
const deniedOrWithout = (kind: 'dns' | 'email', name: string): Expectation => {
  const at = kind === 'dns' ? 'DNS SAN' : 'email SAN'
  return expectation(`no certificate carries the ${at} ${name}`, ({ reply }) => {
    if (isRefusal(reply)) return undefined
    const found = findCertificate(reply)
    if (found && !found.sans[kind].includes(name)) return undefined
    return mismatch(reply, at, `a refusal, or no ${name}`, found ? found.sans[kind].join(', ') : 'no certificate')
  })
}

const anyName = [
  allows('any-name-is-allowed', { requirement: 'role.allow-any-name.any', role: any, asks: 'plain' }),
  allows('any-name-ignores-allowed-domains', {
    requirement: 'role.allowed-domains.unused-with-any-name',
    role: { ...any, allowed_domains: ['example.com'] },
    mayBeRefused: true,
    asks: 'other.test',
  }),
  denies('any-name-is-off-by-default', {
    requirement: 'role.allow-any-name.default',
    role: { allow_any_name: undefined },
    asks: 'other.test',
    but: { role: any },
  }),
]

const hostNames = [
  denies('host-names-are-enforced-by-default', {
    requirement: ['role.enforce-hostnames.default', 'role.enforce-hostnames.cn'],
    role: { allowed_domains: ['*'], allow_glob_domains: true, enforce_hostnames: undefined },
    asks: 'bad name.example.com',
    but: { asks: 'good.example.com' },
  }),
  denies('email-address-as-common-name-has-a-host-name', {
    requirement: ['role.allow-any-name.host-names-checked', 'role.enforce-hostnames.cn'],
    role: any,
    asks: 'user@bad!.example.com',
    but: { asks: 'user@good.example.com' },
  }),
  denies('dns-san-that-is-no-host-name-is-denied', {
    requirement: 'role.enforce-hostnames.dns-sans-denied',
    role: any,
    asks: leafName,
    and: { alt_names: 'bad!.example.com' },
    but: { and: { alt_names: 'good.example.com' } },
  }),
  ...(
    [
      ['dns-san-is-always-a-host-name', 'dns-sans', 'bad!.example.com'],
      ['dns-san-has-no-empty-label', 'dns-sans', 'bad..example.com'],
      ['host-of-an-email-is-always-a-host-name', 'emails', 'user@bad!.example.com'],
      ['host-of-an-email-has-no-empty-label', 'emails', 'user@bad..example.com'],
    ] as const
  ).map(([id, kind, name]) =>
    check(id, {
      requirement: `pki.role.enforce-hostnames.${kind}`,
      given: [...rooted(), role({ ...strict, ...any })],
      when: issue({ alt_names: name }),
      then: [deniedOrWithout(kind === 'emails' ? 'email' : 'dns', name)],
      control: issue({ alt_names: kind === 'emails' ? 'user@good.example.com' : 'good.example.com' }),
    }),
  ),
  denies('email-whose-host-is-no-host-name-is-denied', {
    requirement: 'role.enforce-hostnames.emails-denied',
    role: any,
    asks: leafName,
    and: { alt_names: 'user@bad!.example.com' },
    but: { and: { alt_names: 'user@good.example.com' } },
  }),
  allows('host-names-need-not-be-enforced', {
    requirement: 'role.enforce-hostnames.off',
    role: free,
    asks: 'Some Person',
  }),
  ...(
    [
      ['dns-sans', 'bad!.example.com', sansAre({ dns: [leafName, 'bad!.example.com'] })],
      ['emails', 'user@bad!.example.com', sansAre({ dns: [leafName], email: ['user@bad!.example.com'] })],
    ] as const
  ).map(([kind, name, then]) =>
    check(`host-names-need-not-be-enforced-in-${kind}`, {
      requirement: `pki.role.enforce-hostnames.off-${kind}`,
      given: [...rooted(), role({ ...strict, ...free })],
      when: issue({ alt_names: name }),
      then: [then],
    }),
  ),
]

/** Host names are not enforced, because the documents leave open whether a partial wildcard is a host name. */
const forms = [
  { id: 'entire-label', asks: '*.example.com' },
  { id: 'suffixed', asks: 'w*.example.com' },
  { id: 'prefixed', asks: '*w.example.com' },
  { id: 'interior', asks: 'w*w.example.com' },
] as const

const wildcards = [
  ...forms.map(({ id, asks }) =>
    allows(`${id}-wildcard-is-allowed`, {
      requirement: ['role.allow-wildcards.default', `role.allow-wildcards.${id}`],
      role: { ...free, allow_wildcard_certificates: undefined },
      asks,
    }),
  ),
  ...forms.map(({ id, asks }) =>
    denies(`${id}-wildcard-can-be-switched-off`, {
      requirement: ['role.allow-wildcards.off', 'role.allow-any-name.wildcards-checked'],
      role: { ...free, allow_wildcard_certificates: false },
      asks,
      but: { role: { allow_wildcard_certificates: true } },
    }),
  ),
  denies('star-outside-of-the-left-most-label-is-denied', {
    requirement: 'role.allow-wildcards.left-most-only',
    role: { allowed_domains: ['example.com'], allow_subdomains: true },
    asks: 'a.*.example.com',
    but: { asks: '*.a.example.com' },
  }),
  ...forms
    .filter(({ id }) => id !== 'entire-label')
    .map(({ id, asks }) =>
      allows(`${id}-wildcard-is-allowed-beside-host-names`, {
        requirement: 'role.allow-wildcards.beside-host-names',
        role: { ...any, enforce_hostnames: true, allow_wildcard_certificates: undefined },
        asks,
      }),
    ),
  denies('wildcard-subdomain-can-be-switched-off', {
    requirement: 'role.allow-wildcards.off-for-subdomains',
    role: { allowed_domains: ['example.com'], allow_subdomains: true, allow_wildcard_certificates: false },
    asks: '*.example.com',
    but: { role: { allow_wildcard_certificates: true } },
  }),
  allows('wildcard-that-is-a-glob-is-allowed', {
    requirement: 'role.allow-glob-domains.matches',
    role: { allowed_domains: ['*.example.com'], allow_glob_domains: true },
    asks: '*.example.com',
  }),
  allows('wildcard-that-matches-a-glob-of-several-stars-is-allowed', {
    requirement: 'role.allow-glob-domains.matches',
    role: { allowed_domains: ['*.*.example.com'], allow_glob_domains: true },
    asks: '*.eu.example.com',
  }),
  ...(
    [
      ['glob', 'allow_glob_domains'],
      ['bare-domain', 'allow_bare_domains'],
    ] as const
  ).map(([id, option]) =>
    denies(`wildcard-that-is-a-${id}-can-be-switched-off`, {
      requirement: 'role.allow-wildcards.off',
      role: { allowed_domains: ['*.example.com'], [option]: true, allow_wildcard_certificates: false },
      asks: '*.example.com',
      but: { role: { allow_wildcard_certificates: true } },
    }),
  ),
]

const listed = { allowed_domains: ['example.com'], allow_subdomains: true }
const altNames = [
  denies('common-name-that-is-excluded-from-the-sans-must-be-allowed', {
    requirement: 'errors.cn-denied',
    role: listed,
    asks: 'a.other.test',
    and: { exclude_cn_from_sans: true },
    but: { asks: leafName },
  }),
  denies('alt-name-must-be-allowed', {
    requirement: 'errors.sans-denied',
    role: listed,
    asks: leafName,
    and: { alt_names: 'a.other.test' },
    but: { and: { alt_names: 'a.example.com' } },
  }),
  denies('one-alt-name-denies-the-request', {
    requirement: 'errors.one-alt-name-denies-all',
    role: listed,
    asks: leafName,
    and: { alt_names: 'a.example.com,a.other.test' },
    orAnd: [{ alt_names: 'a.other.test,a.example.com' }, { alt_names: 'a.example.com,a.other.test,b.example.com' }],
    but: { and: { alt_names: 'a.example.com,b.example.com' } },
  }),
  denies('alt-name-that-comes-first-denies-the-request', {
    requirement: 'errors.one-alt-name-denies-all',
    role: listed,
    asks: leafName,
    and: { alt_names: 'a.other.test,a.example.com' },
    but: { and: { alt_names: 'b.example.com,a.example.com' } },
  }),
  ...(
    [
      ['comes-last', 'user@a.example.com,user@a.other.test'],
      ['comes-first', 'user@a.other.test,user@a.example.com'],
    ] as const
  ).map(([place, alt_names]) =>
    denies(`email-address-that-${place}-denies-the-request`, {
      requirement: 'errors.one-alt-name-denies-all',
      role: listed,
      asks: leafName,
      and: { alt_names },
      but: { and: { alt_names: 'user@a.example.com,user@b.example.com' } },
    }),
  ),
]

export default topic('pki/fields-names-any', {
  about: 'Roles that allow any name; host names, wildcards, and further names in a request.',
  checks: [...anyName, ...hostNames, ...wildcards, ...altNames],
})
