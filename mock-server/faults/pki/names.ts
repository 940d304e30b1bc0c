/** Faults of how names are matched against roles. */

import { globMatches } from '../../engines/pki/judging/name-glob.ts'
import { assertAllowed, isHostName, takeApart } from '../../engines/pki/judging/name-rules.ts'
import type { PkiRules } from '../../engines/pki/rules/index.ts'
import { type Asked, anyName, hostName, localNames, nameWays, wildcardPatterns } from '../../engines/pki/rules/names.ts'
import type { Role } from '../../engines/pki/store.ts'
import type { Call } from '../../kernel/contracts.ts'
import { during, withMethods } from '../with-methods.ts'
import { cell, part, roleField } from './cells.ts'
import { renaming } from './drafts.ts'
import {
  allowing,
  asRole,
  byRules,
  fault,
  type Here,
  isEmail,
  isHost,
  issue,
  namesOf,
  on,
  type PkiFault,
  refusing,
  roleAt,
  saysYes,
  sending,
  sign,
} from './pki-operations.ts'

const { allow_bare_domains: bare, allow_subdomains: sub, allow_glob_domains: glob } = nameWays

const bareWay = (way: typeof bare) => cell('names', 'ways', { allow_bare_domains: way })
const subWay = (way: typeof sub) => cell('names', 'ways', { allow_subdomains: way })
const globWay = (way: typeof glob) => cell('names', 'ways', { allow_glob_domains: way })

/** Matches only some of several names in alt_names against the role. */
const matchingOnly = (isMeant: (name: string) => boolean, held: (names: readonly string[]) => readonly string[]) => {
  const unmatched = ({ body }: Call): readonly string[] => {
    const names = namesOf(body.alt_names, isMeant)
    return names.filter((name) => !held(names).includes(name))
  }
  return byRules(
    issue,
    (call) => unmatched(call).length > 0,
    ({ names }, call) => ({
      names: {
        ...names,
        anyName: (role, asked) =>
          (asked.kind !== 'commonName' && unmatched(call).some((name) => name.toLowerCase() === asked.name)) ||
          names.anyName(role, asked),
      },
    }),
  )
}
/** Allows names besides those that the role allows. */
const allowingAlso = (isAllowed: (asked: Asked, role: Role) => boolean) =>
  part('names', { anyName: (role, asked) => isAllowed(asked, role) || anyName(role, asked) })

/** Leaves names out of alt_names. */
const leavingOut = (isLeftOut: (name: string, role: Role, rules: PkiRules) => boolean) =>
  sending(issue, ({ alt_names }, call, here) => {
    const role = roleAt(call, here)
    const names = namesOf(alt_names)
    const kept = names.filter((name) => !role || !isLeftOut(name, role, here.context.rules))
    return kept.length < names.length ? { alt_names: kept.join(',') } : {}
  })
/** Returns whether only the domains of the role do not allow a name in alt_names. */
function isUnmatched(name: string, role: Role, rules: PkiRules): boolean {
  const isRefused = (by: Role): boolean => {
    try {
      assertAllowed([name], isHost(name) ? 'dns' : 'email', by, rules.names, {})
      return false
    } catch {
      return true
    }
  }
  return isRefused(role) && !isRefused({ ...role, allow_any_name: true })
}
const isBadHost = (name: string, role: Role, rules: PkiRules): boolean => {
  const asked = takeApart(name, rules.names, 'dns')
  return role.enforce_hostnames && isHost(name) && asked !== undefined && !isHostName(asked, rules.names)
}
/** Leaves the names of a CSR out of the certificate that only the domains of the role do not allow. */
const leavingOutOfCsrs = on(
  sign,
  (call, here) => roleAt(call, here) !== undefined,
  (call, next, here) => {
    const { context } = here
    const { rules, signing } = context
    const role = roleAt(call, here)
    const kept = (names: readonly string[]) => names.filter((name) => !role || !isUnmatched(name, role, rules))
    const change = renaming((names) => ({ ...names, dns: kept(names.dns), email: kept(names.email) }))
    const leaf: typeof signing.leaf = (draft, by) => signing.leaf(change(draft), by)
    const anyName: typeof rules.names.anyName = (by, asked) =>
      asked.kind !== 'commonName' || rules.names.anyName(by, asked)
    const changed = { rules: { ...rules, names: { ...rules.names, anyName } }, signing: withMethods(signing, { leaf }) }
    return during(context, changed, () => next(call))
  },
)
const hostIn = (name: string): string => name.split('@').at(-1) ?? ''

/** Returns every way to cut the name into two parts that are not empty. */
const cuts = (name: string): (readonly [string, string])[] =>
  Array.from({ length: Math.max(name.length - 1, 0) }, (_, at) => [name.slice(0, at + 1), name.slice(at + 1)] as const)

const oneLabelGlob = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^.]*')}$`,
  )

interface Named {
  readonly name: string
  readonly isCommonName: boolean
}
const namesIn = ({ alt_names, common_name }: Call['body']): readonly Named[] => [
  ...(common_name ? [{ name: String(common_name), isCommonName: true }] : []),
  ...namesOf(alt_names).map((name) => ({ name, isCommonName: false })),
]
/** Returns the names of a request that are not host names. */
const notHosts = ({ body }: Call, { context: { rules } }: Here): readonly Named[] =>
  namesIn(body).filter(({ name }) => {
    const asked = takeApart(name, rules.names)
    return asked !== undefined && !isHostName(asked, rules.names)
  })
/** Does not enforce that some names are host names. */
const sparing = (isMeant: (named: Named, role: Role) => boolean) =>
  asRole(issue, (role, call, here) => {
    const others = notHosts(call, here)
    const isSpared = others.length > 0 && others.every((one) => isMeant(one, role))
    return role.enforce_hostnames && isSpared ? { ...role, enforce_hostnames: false } : role
  })
/** Enforces that some names are host names, although the role does not. */
const enforcing = (isMeant: (named: Named) => boolean) =>
  refusing(issue, (call, here) => roleAt(call, here)?.enforce_hostnames === false && notHosts(call, here).some(isMeant))
const isPlainCommonName = ({ name, isCommonName }: Named): boolean => isCommonName && isHost(name)
const isDnsSan = ({ name, isCommonName }: Named): boolean => !isCommonName && isHost(name)
const hasEmptyLabel = (name: string): boolean => /^[a-z0-9.-]+$/.test(hostIn(name)) && `.${hostIn(name)}`.includes('..')
/** Allows wildcards under some roles, although they are off. */
const lettingWildcardsPass = (isMeant: (role: Role) => boolean) =>
  asRole(issue, (role, { body }) =>
    !role.allow_wildcard_certificates && isMeant(role) && namesIn(body).some(({ name }) => name.includes('*'))
      ? { ...role, allow_wildcard_certificates: true }
      : role,
  )

export const ofNames: readonly PkiFault[] = [
  fault(
    'role-allowed-domains-array-refused',
    'allowed_domains is accepted only as a comma-separated string.',
    roleField('allowed_domains', { read: (given) => (Array.isArray(given) ? {} : given) }),
  ),
  fault(
    'role-allow-bare-domains-default-on',
    'A role written without allow_bare_domains has it on.',
    roleField('allow_bare_domains', { fallback: true }),
  ),
  fault(
    'role-allow-subdomains-default-on',
    'A role written without allow_subdomains has it on.',
    roleField('allow_subdomains', { fallback: true }),
  ),
  fault(
    'role-allow-glob-domains-default-on',
    'A role written without allow_glob_domains has it on.',
    roleField('allow_glob_domains', { fallback: true }),
  ),
  fault(
    'role-allow-any-name-default-on',
    'A role written without allow_any_name has it on.',
    roleField('allow_any_name', { fallback: true }),
  ),
  fault(
    'names-bare-never-matches',
    'allow_bare_domains on does not allow a name that equals an allowed domain, except localhost and localdomain.',
    bareWay((asked, domain, role) => localNames.names.includes(domain) && bare(asked, domain, role)),
  ),
  fault(
    'names-bare-matches-subdomains',
    'allow_bare_domains on also allows subdomains of an allowed domain.',
    bareWay((asked, domain, role) => bare(asked, domain, role) || asked.host.endsWith(`.${domain}`)),
  ),
  fault(
    'names-bare-matches-prefix',
    'allow_bare_domains on also allows names that begin with an allowed domain: example.com.au for example.com.',
    bareWay((asked, domain) => asked.host.startsWith(domain)),
  ),
  fault(
    'names-bare-matches-suffix',
    'allow_bare_domains on also allows names that end with an allowed domain without a dot before it: myexample.com.',
    bareWay(({ host }, domain) => host.endsWith(domain) && !host.endsWith(`.${domain}`)),
  ),
  fault(
    'names-subdomains-never-match',
    'allow_subdomains on does not allow subdomains, not even wildcards.',
    subWay(() => false),
  ),
  fault(
    'names-subdomains-one-level-only',
    'allow_subdomains on allows only one label before the domain: a.b.example.com is refused.',
    subWay((asked, domain, role) => sub(asked, domain, role) && !asked.host.slice(0, -domain.length - 1).includes('.')),
  ),
  fault(
    'names-subdomains-exclude-wildcards',
    'allow_subdomains on does not allow *.example.com.',
    subWay((asked, domain, role) => asked.wildcard?.label !== '*' && sub(asked, domain, role)),
  ),
  fault(
    'names-subdomains-match-bare',
    'allow_subdomains on also allows the allowed domain itself.',
    subWay((asked, domain, role) => sub(asked, domain, role) || asked.host === domain),
  ),
  fault(
    'names-subdomains-without-dot',
    'allow_subdomains on also allows names that end with the domain without a dot before it, such as badexample.com.',
    subWay((asked, domain, role) => sub(asked, domain, role) || (asked.host !== domain && asked.host.endsWith(domain))),
  ),
  fault(
    'names-subdomains-match-anywhere',
    'allow_subdomains on also allows names that contain the domain between dots, such as a.example.com.evil.test.',
    subWay((asked, domain, role) => sub(asked, domain, role) || asked.host.includes(`.${domain}.`)),
  ),
  fault(
    'names-glob-never-matches',
    'allow_glob_domains on has no effect on entries with a star, except the single entry "*".',
    globWay((asked, domain, role) => domain === '*' && glob(asked, domain, role)),
  ),
  fault(
    'names-glob-one-label-only',
    'A star in a glob does not match a dot, except in the single entry "*".',
    globWay(
      (asked, domain, role) => glob(asked, domain, role) && (domain === '*' || oneLabelGlob(domain).test(asked.name)),
    ),
  ),
  fault(
    'names-glob-dots-match-any-letter',
    'A dot in a glob matches any character: web*.example.com also allows web1-example.com.',
    globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') && new RegExp(`^${domain.replaceAll('*', '.*')}$`).test(asked.name)),
    ),
  ),
  fault(
    'role-allowed-domains-end-after-255-characters',
    'Only the first 255 characters of allowed_domains, joined by commas, are used.',
    roleField('allowed_domains', {
      used: (domains: readonly string[]) => domains.join(',').slice(0, 255).split(',').filter(Boolean),
    }),
  ),
  fault(
    'names-glob-unanchored-start',
    'A glob may match only the end of the first label and the rest: web*.example.com also allows xweb1.example.com.',
    globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') &&
          cuts(asked.name).some(([before, rest]) => !before.includes('.') && globMatches(domain, rest))),
    ),
  ),
  fault(
    'names-glob-unanchored-end',
    'A glob may match only the beginning of a name: web*.example.com also allows web1.example.com.evil.test.',
    globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') && cuts(asked.name).some(([start]) => globMatches(domain, start))),
    ),
  ),
  fault(
    'names-subdomain-beyond-glob',
    'With allow_glob_domains and allow_subdomains on, subdomains of names that match a glob are allowed.',
    subWay(
      (asked, domain, role) =>
        sub(asked, domain, role) ||
        (role.allow_glob_domains &&
          domain.includes('*') &&
          cuts(asked.host).some(([before, rest]) => before.endsWith('.') && globMatches(domain, rest))),
    ),
  ),
  fault(
    'names-first-allowed-domain-only',
    'Only the first entry of allowed_domains is used.',
    roleField('allowed_domains', { used: (domains: string[]) => domains.slice(0, 1) }),
  ),
  fault(
    'names-last-allowed-domain-only',
    'Only the last entry of allowed_domains is used.',
    roleField('allowed_domains', { used: (domains: string[]) => domains.slice(-1) }),
  ),
  fault(
    'names-any-name-needs-a-dot',
    'allow_any_name does not allow names without a dot.',
    part('names', { anyName: (role, { name }) => role.allow_any_name && name.includes('.') }),
  ),
  fault(
    'names-any-name-bound-by-allowed-domains',
    'allow_any_name has no effect unless allowed_domains is empty.',
    part('names', { anyName: (role) => role.allow_any_name && role.allowed_domains.length === 0 }),
  ),
  fault(
    'names-any-name-skips-hostname-check',
    'With allow_any_name on, enforce_hostnames has no effect on the common name.',
    sparing((named, { allow_any_name }) => allow_any_name && isPlainCommonName(named)),
  ),
  fault(
    'names-any-name-skips-wildcard-check',
    'With allow_any_name on, allow_wildcard_certificates has no effect.',
    lettingWildcardsPass(({ allow_any_name }) => allow_any_name),
  ),
  fault(
    'alt-names-not-matched',
    'Entries of alt_names are not matched against the allowed names of the role; the common name still is.',
    allowingAlso(({ kind }) => kind !== 'commonName'),
  ),
  fault(
    'alt-names-drop-what-does-not-match',
    'Entries of alt_names that do not match the role are silently left out, and the request is not refused.',
    leavingOut(isUnmatched),
    leavingOutOfCsrs,
  ),
  fault(
    'alt-names-first-alone-matched',
    'Only the first of several host names in alt_names is matched against the role.',
    matchingOnly(isHost, (names) => names.slice(0, 1)),
  ),
  fault(
    'alt-names-last-alone-matched',
    'Only the last of several host names in alt_names is matched against the role.',
    matchingOnly(isHost, (names) => names.slice(-1)),
  ),
  fault(
    'emails-first-alone-matched',
    'Only the first of several email addresses in alt_names is matched against the role.',
    matchingOnly(isEmail, (names) => names.slice(0, 1)),
  ),
  fault(
    'emails-last-alone-matched',
    'Only the last of several email addresses in alt_names is matched against the role.',
    matchingOnly(isEmail, (names) => names.slice(-1)),
  ),
  fault(
    'role-enforce-hostnames-default-off',
    'A role written without enforce_hostnames has it off.',
    roleField('enforce_hostnames', { fallback: false }),
  ),
  fault(
    'hostnames-not-enforced-in-cn',
    'enforce_hostnames on has no effect on the common name.',
    sparing(isPlainCommonName),
  ),
  fault('hostnames-not-enforced-in-dns-sans', 'enforce_hostnames on has no effect on DNS SANs.', sparing(isDnsSan)),
  fault(
    'hostnames-not-enforced-in-emails',
    'enforce_hostnames on has no effect on the host part of email addresses.',
    sparing(({ name }) => isEmail(name)),
  ),
  fault(
    'hostnames-always-enforced',
    'The common name must be a host name even if enforce_hostnames is off.',
    enforcing(isPlainCommonName),
  ),
  fault(
    'hostnames-always-enforced-in-dns-sans',
    'DNS SANs must be host names even if enforce_hostnames is off.',
    enforcing(isDnsSan),
  ),
  fault(
    'hostnames-always-enforced-in-emails',
    'The host part of email addresses must be a host name even if enforce_hostnames is off.',
    enforcing(({ name }) => isEmail(name)),
  ),
  fault(
    'role-allow-localhost-default-off',
    'A role written without allow_localhost has it off.',
    roleField('allow_localhost', { fallback: false }),
  ),
  fault(
    'localhost-excludes-localdomain',
    'allow_localhost on allows localhost but not localdomain.',
    cell('names', 'local', { names: ['localhost'] }),
  ),
  fault(
    'localhost-cannot-be-switched-off',
    'localhost and localdomain are allowed even if allow_localhost is off.',
    roleField('allow_localhost', { used: () => true }),
  ),
  fault(
    'localhost-off-overrides-allowed-domains',
    'allow_localhost off refuses localhost and localdomain even if allowed_domains allows them.',
    refusing(issue, (call, here) => {
      const { alt_names, common_name } = call.body
      const isLocal = [common_name, ...namesOf(alt_names)].some((name) =>
        localNames.names.includes(hostIn(String(name))),
      )
      return isLocal && roleAt(call, here)?.allow_localhost === false
    }),
  ),
  fault(
    'localhost-includes-subdomains',
    'allow_localhost on also allows subdomains of localhost and localdomain, such as foo.localhost.',
    cell('names', 'local', { matches: ({ host }, name) => host === name || host.endsWith(`.${name}`) }),
  ),
  fault(
    'localhost-includes-names-around-it',
    'allow_localhost on also allows names whose first label is localhost or localdomain: localhost.example.com.',
    cell('names', 'local', { matches: ({ host }, name) => host === name || host.startsWith(`${name}.`) }),
  ),
  fault(
    'hostnames-hold-stars-anywhere',
    'A star is accepted as a label of a host name at any position but the last, such as in a.*.example.com.',
    part('names', { hostName: /^(?:(?:\*|[A-Za-z0-9-]{1,63})\.)*[A-Za-z0-9-]{1,63}$/ }),
  ),
  fault(
    'allowed-domains-template-allows-any',
    'allowed_domains_template on allows any name.',
    part('names', { anyName: (role) => role.allow_any_name || role.allowed_domains_template }),
  ),
  fault(
    'role-allowed-domains-ends-after-ten',
    'Only the first ten entries of allowed_domains are used.',
    roleField('allowed_domains', { used: (domains: string[]) => domains.slice(0, 10) }),
  ),
  fault(
    'names-second-allowed-domain-is-bare',
    'allow_subdomains applies only to the first entry of allowed_domains.',
    part('names', {
      ways: {
        ...nameWays,
        allow_subdomains: (asked, domain, role) =>
          domain === role.allowed_domains[0] && nameWays.allow_subdomains(asked, domain, role),
      },
    }),
  ),
  fault(
    'localhost-includes-look-alikes',
    'allow_localhost on also allows names that end in localhost or localdomain without a dot before it: mylocalhost.',
    cell('names', 'local', { matches: ({ host }, name) => host.endsWith(name) && !host.endsWith(`.${name}`) }),
  ),
  fault(
    'role-allow-wildcard-certificates-default-off',
    'A role written without allow_wildcard_certificates has it off.',
    roleField('allow_wildcard_certificates', { fallback: false }),
  ),
  fault(
    'wildcards-entire-label-only',
    'In the common name, wildcards are refused unless the first label is a single star: w*.example.com is refused.',
    refusing(issue, ({ body }) => /^(?!\*\.)[^.]*\*/.test(String(body.common_name ?? ''))),
  ),
  fault(
    'wildcards-hold-several-stars',
    'A first label with several stars is accepted as a wildcard, such as in w*w*.example.com.',
    part('names', { wildcardPatterns: { ...wildcardPatterns, several: /^[a-z0-9-]*(\*[a-z0-9-]*){2,}$/ } }),
  ),
  fault(
    'wildcards-off-lets-subdomains-pass',
    'allow_wildcard_certificates off does not refuse wildcards that allow_subdomains allows.',
    lettingWildcardsPass((role) => !role.allow_any_name && role.allow_subdomains),
  ),
  fault(
    'wildcards-off-lets-globs-pass',
    'allow_wildcard_certificates off does not refuse wildcards that allow_glob_domains allows.',
    lettingWildcardsPass((role) => !role.allow_any_name && role.allow_glob_domains),
  ),
  fault(
    'wildcards-off-lets-bare-domains-pass',
    'allow_wildcard_certificates off does not refuse wildcards that allow_bare_domains allows.',
    lettingWildcardsPass((role) => !role.allow_any_name && role.allow_bare_domains),
  ),
  fault(
    'allowed-domains-template-ignored',
    'allowed_domains_template on has no effect: templates in allowed_domains stay literal.',
    roleField('allowed_domains_template', { used: () => false }),
  ),
  fault(
    'role-allowed-domains-template-default-on',
    'A role written without allowed_domains_template has it on.',
    roleField('allowed_domains_template', { fallback: true }),
  ),
  fault(
    'names-no-allowed-domains-means-any',
    'A role without allowed_domains allows every name if allow_bare_domains or allow_subdomains is on.',
    part('names', {
      anyName: (role) =>
        role.allow_any_name ||
        (role.allowed_domains.length === 0 && (role.allow_bare_domains || role.allow_subdomains)),
    }),
  ),
  fault(
    'names-listed-domain-always-matches',
    'A name that equals an allowed domain is allowed even if none of the three matching options is on.',
    part('names', {
      anyName: (role, { name }) =>
        role.allow_any_name ||
        (!role.allow_bare_domains &&
          !role.allow_subdomains &&
          !role.allow_glob_domains &&
          role.allowed_domains.includes(name)),
    }),
  ),
  fault(
    'hostnames-drop-bad-dns-sans',
    'With enforce_hostnames on, entries of alt_names that are not host names are silently left out.',
    leavingOut(isBadHost),
  ),
  // The text `by default` is truthy, but it differs from an explicit true.
  fault(
    'localhost-excludes-localhost',
    'An explicit allow_localhost on allows localdomain but not localhost; the default allows both.',
    roleField('allow_localhost', { fallback: 'by default' }),
    cell('names', 'local', {
      matches: ({ host }, name, role) => host === name && (name !== 'localhost' || role.allow_localhost !== true),
    }),
  ),
  fault(
    'names-glob-with-one-star-only',
    'An allowed domain with more than one star matches nothing.',
    globWay((asked, domain, role) => domain.split('*').length === 2 && glob(asked, domain, role)),
  ),
  fault(
    'localhost-needs-a-role-without-domains',
    'allow_localhost on has no effect if the role has allowed_domains.',
    cell('names', 'local', {
      matches: (asked, local, role) => role.allowed_domains.length === 0 && localNames.matches(asked, local, role),
    }),
  ),
  fault(
    'names-bare-matches-wildcards',
    'allow_bare_domains on also allows wildcards directly below an allowed domain.',
    bareWay((asked, domain, role) => asked.wildcard?.rest === domain || bare(asked, domain, role)),
  ),
  fault(
    'names-bare-matches-emails-below',
    'allow_bare_domains on also allows email addresses at subdomains of an allowed domain.',
    bareWay((asked, domain, role) => (asked.email && asked.host.endsWith(`.${domain}`)) || bare(asked, domain, role)),
  ),
  fault(
    'names-subdomains-match-globs',
    'allow_subdomains on also allows names that match a glob, although allow_glob_domains is off.',
    subWay(
      (asked, domain, role) =>
        (!role.allow_glob_domains && domain.includes('*') && globMatches(domain, asked.host)) ||
        sub(asked, domain, role),
    ),
  ),
  fault(
    'names-glob-star-in-the-first-label-only',
    'A glob matches nothing if its first label has no star.',
    globWay((asked, domain, role) => (domain.split('.', 1)[0] ?? '').includes('*') && glob(asked, domain, role)),
  ),
  fault(
    'hostnames-not-enforced-in-email-common-names',
    'enforce_hostnames on has no effect on the host part of a common name that is an email address.',
    sparing(({ name, isCommonName }) => isCommonName && isEmail(name)),
  ),
  fault(
    'excluded-common-name-not-matched',
    'The common name is not matched against the role if exclude_cn_from_sans is on.',
    allowing(
      issue,
      ({ kind }) => kind === 'commonName',
      ({ body }) => saysYes(body.exclude_cn_from_sans),
    ),
  ),
  fault(
    'allowed-domains-template-takes-templates-only',
    'With allowed_domains_template on, allowed domains without a template allow nothing.',
    asRole(issue, (role) => {
      const templates = role.allowed_domains.filter((domain) => domain.includes('{{'))
      return role.allowed_domains_template && templates.length < role.allowed_domains.length
        ? { ...role, allowed_domains: templates }
        : role
    }),
  ),
  fault(
    'localhost-off-spares-alt-names',
    'localhost and localdomain are allowed in alt_names even if allow_localhost is off.',
    allowingAlso(({ kind, host }) => kind === 'dns' && localNames.names.includes(host)),
  ),
  fault(
    'names-alt-names-match-below-any-domain',
    'Host names in alt_names may be subdomains of an allowed domain even if allow_subdomains is off.',
    allowingAlso(
      ({ kind, host }, { allowed_domains }) =>
        kind === 'dns' && allowed_domains.some((one) => host.endsWith(`.${one}`)),
    ),
  ),
  ...(
    [
      ['dns-sans', isHost, 'A DNS SAN'],
      ['emails', isEmail, 'The host part of an email address in alt_names'],
    ] as const
  ).map(([id, isMeant, what]) =>
    fault(
      `hostnames-in-${id}-hold-empty-labels`,
      `${what} may have an empty label.`,
      sparing(({ name, isCommonName }) => !isCommonName && isMeant(name) && hasEmptyLabel(name)),
    ),
  ),
  fault(
    'hostnames-hold-long-labels',
    'A label of a host name may have more than 63 characters.',
    part('names', { hostName: new RegExp(hostName.source.replaceAll('{0,61}', '*')) }),
  ),
  fault(
    'hostnames-are-any-letters',
    'A host name is any text of letters, digits, hyphens and dots.',
    part('names', { hostName: /^[a-z0-9.-]+$/i }),
  ),
]
