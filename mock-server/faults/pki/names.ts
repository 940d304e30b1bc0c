/** Mutants of how names are matched against roles. */
import { globMatches } from '../../engines/pki/judging/name-glob.ts'
import {
  hostName,
  localNames,
  type NameKind,
  nameChecks,
  nameWays,
  wildcardPatterns,
} from '../../engines/pki/rules/names.ts'
import { cell, mutant, type PkiMutant, part, roleField } from './cells.ts'

const { allow_bare_domains: bare, allow_subdomains: sub, allow_glob_domains: glob } = nameWays
const everywhere = <T>(value: T) => ({ commonName: value, dns: value, email: value })

const bareWay = (way: typeof bare) => cell('names', 'ways', { allow_bare_domains: way })
const subWay = (way: typeof sub) => cell('names', 'ways', { allow_subdomains: way })
const globWay = (way: typeof glob) => cell('names', 'ways', { allow_glob_domains: way })
const check = (change: Partial<typeof nameChecks>) => cell('names', 'checks', change)

const holdsOnly = (of: NameKind, held: (names: readonly string[]) => readonly string[]) =>
  check({ held: (names, kind) => (kind === of ? held(names) : names) })

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

export const nameMutants: readonly PkiMutant[] = [
  mutant(
    'role-allowed-domains-array-refused',
    'allowed_domains is accepted only as a comma-separated string.',
    roleField('allowed_domains', { read: (given) => (Array.isArray(given) ? {} : given) }),
  ),
  mutant(
    'role-allow-bare-domains-default-on',
    'A role written without allow_bare_domains has it on.',
    roleField('allow_bare_domains', { fallback: true }),
  ),
  mutant(
    'role-allow-subdomains-default-on',
    'A role written without allow_subdomains has it on.',
    roleField('allow_subdomains', { fallback: true }),
  ),
  mutant(
    'role-allow-glob-domains-default-on',
    'A role written without allow_glob_domains has it on.',
    roleField('allow_glob_domains', { fallback: true }),
  ),
  mutant(
    'role-allow-any-name-default-on',
    'A role written without allow_any_name has it on.',
    roleField('allow_any_name', { fallback: true }),
  ),
  mutant(
    'names-bare-never-matches',
    'allow_bare_domains on does not allow a name that equals an allowed domain, except localhost and localdomain.',
    bareWay((asked, domain, role) => localNames.names.includes(domain) && bare(asked, domain, role)),
  ),
  mutant(
    'names-bare-matches-subdomains',
    'allow_bare_domains on also allows subdomains of an allowed domain.',
    bareWay((asked, domain, role) => bare(asked, domain, role) || asked.host.endsWith(`.${domain}`)),
  ),
  mutant(
    'names-bare-matches-prefix',
    'allow_bare_domains on also allows names that begin with an allowed domain: example.com.au for example.com.',
    bareWay((asked, domain) => asked.host.startsWith(domain)),
  ),
  mutant(
    'names-bare-matches-suffix',
    'allow_bare_domains on also allows names that end with an allowed domain without a dot before it: myexample.com.',
    bareWay(({ host }, domain) => host.endsWith(domain) && !host.endsWith(`.${domain}`)),
  ),
  mutant(
    'names-subdomains-never-match',
    'allow_subdomains on does not allow subdomains, not even wildcards.',
    subWay(() => false),
  ),
  mutant(
    'names-subdomains-one-level-only',
    'allow_subdomains on allows only one label before the domain: a.b.example.com is refused.',
    subWay((asked, domain, role) => sub(asked, domain, role) && !asked.host.slice(0, -domain.length - 1).includes('.')),
  ),
  mutant(
    'names-subdomains-exclude-wildcards',
    'allow_subdomains on does not allow *.example.com.',
    subWay((asked, domain, role) => asked.wildcard?.label !== '*' && sub(asked, domain, role)),
  ),
  mutant(
    'names-subdomains-match-bare',
    'allow_subdomains on also allows the allowed domain itself.',
    subWay((asked, domain, role) => sub(asked, domain, role) || asked.host === domain),
  ),
  mutant(
    'names-subdomains-without-dot',
    'allow_subdomains on also allows names that end with the domain without a dot before it, such as badexample.com.',
    subWay((asked, domain, role) => sub(asked, domain, role) || (asked.host !== domain && asked.host.endsWith(domain))),
  ),
  mutant(
    'names-subdomains-match-anywhere',
    'allow_subdomains on also allows names that contain the domain between dots, such as a.example.com.evil.test.',
    subWay((asked, domain, role) => sub(asked, domain, role) || asked.host.includes(`.${domain}.`)),
  ),
  mutant(
    'names-glob-never-matches',
    'allow_glob_domains on has no effect on entries with a star, except the single entry "*".',
    globWay((asked, domain, role) => domain === '*' && glob(asked, domain, role)),
  ),
  mutant(
    'names-glob-one-label-only',
    'A star in a glob does not match a dot, except in the single entry "*".',
    globWay(
      (asked, domain, role) => glob(asked, domain, role) && (domain === '*' || oneLabelGlob(domain).test(asked.name)),
    ),
  ),
  mutant(
    'names-glob-dots-match-any-letter',
    'A dot in a glob matches any character: web*.example.com also allows web1-example.com.',
    globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') && new RegExp(`^${domain.replaceAll('*', '.*')}$`).test(asked.name)),
    ),
  ),
  mutant(
    'role-allowed-domains-end-after-255-characters',
    'Only the first 255 characters of allowed_domains, joined by commas, are used.',
    roleField('allowed_domains', {
      used: (domains: readonly string[]) => domains.join(',').slice(0, 255).split(',').filter(Boolean),
    }),
  ),
  mutant(
    'names-glob-unanchored-start',
    'A glob may match only the end of the first label and the rest: web*.example.com also allows xweb1.example.com.',
    globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') &&
          cuts(asked.name).some(([before, rest]) => !before.includes('.') && globMatches(domain, rest))),
    ),
  ),
  mutant(
    'names-glob-unanchored-end',
    'A glob may match only the beginning of a name: web*.example.com also allows web1.example.com.evil.test.',
    globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') && cuts(asked.name).some(([start]) => globMatches(domain, start))),
    ),
  ),
  mutant(
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
  mutant(
    'names-first-allowed-domain-only',
    'Only the first entry of allowed_domains is used.',
    roleField('allowed_domains', { used: (domains: string[]) => domains.slice(0, 1) }),
  ),
  mutant(
    'names-last-allowed-domain-only',
    'Only the last entry of allowed_domains is used.',
    roleField('allowed_domains', { used: (domains: string[]) => domains.slice(-1) }),
  ),
  mutant(
    'names-any-name-needs-a-dot',
    'allow_any_name does not allow names without a dot.',
    part('names', { anyName: (role, { name }) => role.allow_any_name && name.includes('.') }),
  ),
  mutant(
    'names-any-name-bound-by-allowed-domains',
    'allow_any_name has no effect unless allowed_domains is empty.',
    part('names', { anyName: (role) => role.allow_any_name && role.allowed_domains.length === 0 }),
  ),
  mutant(
    'names-any-name-skips-hostname-check',
    'With allow_any_name on, enforce_hostnames has no effect on the common name.',
    check({ anyNameEnforces: { ...everywhere(true), commonName: false } }),
  ),
  mutant(
    'names-any-name-skips-wildcard-check',
    'With allow_any_name on, allow_wildcard_certificates has no effect.',
    check({ anyNameForbidsWildcards: false }),
  ),
  mutant(
    'alt-names-not-matched',
    'Entries of alt_names are not matched against the allowed names of the role; the common name still is.',
    check({ related: { ...everywhere(false), commonName: true } }),
  ),
  mutant(
    'alt-names-drop-what-does-not-match',
    'Entries of alt_names that do not match the role are silently left out, and the request is not refused.',
    check({ oneDeniesAll: false }),
  ),
  mutant(
    'alt-names-first-alone-matched',
    'Only the first of several host names in alt_names is matched against the role.',
    holdsOnly('dns', (names) => names.slice(0, 1)),
  ),
  mutant(
    'alt-names-last-alone-matched',
    'Only the last of several host names in alt_names is matched against the role.',
    holdsOnly('dns', (names) => names.slice(-1)),
  ),
  mutant(
    'emails-first-alone-matched',
    'Only the first of several email addresses in alt_names is matched against the role.',
    holdsOnly('email', (names) => names.slice(0, 1)),
  ),
  mutant(
    'emails-last-alone-matched',
    'Only the last of several email addresses in alt_names is matched against the role.',
    holdsOnly('email', (names) => names.slice(-1)),
  ),
  mutant(
    'role-enforce-hostnames-default-off',
    'A role written without enforce_hostnames has it off.',
    roleField('enforce_hostnames', { fallback: false }),
  ),
  mutant(
    'hostnames-not-enforced-in-cn',
    'enforce_hostnames on has no effect on the common name.',
    check({ enforced: { ...nameChecks.enforced, commonName: 'never' } }),
  ),
  mutant(
    'hostnames-not-enforced-in-dns-sans',
    'enforce_hostnames on has no effect on DNS SANs.',
    check({ enforced: { ...nameChecks.enforced, dns: 'never' } }),
  ),
  mutant(
    'hostnames-not-enforced-in-emails',
    'enforce_hostnames on has no effect on the host part of email addresses.',
    check({ enforced: { ...nameChecks.enforced, email: 'never' } }),
  ),
  mutant(
    'hostnames-always-enforced',
    'The common name must be a host name even if enforce_hostnames is off.',
    check({ enforced: { ...nameChecks.enforced, commonName: 'always' } }),
  ),
  mutant(
    'hostnames-always-enforced-in-dns-sans',
    'DNS SANs must be host names even if enforce_hostnames is off.',
    check({ enforced: { ...nameChecks.enforced, dns: 'always' } }),
  ),
  mutant(
    'hostnames-always-enforced-in-emails',
    'The host part of email addresses must be a host name even if enforce_hostnames is off.',
    check({ enforced: { ...nameChecks.enforced, email: 'always' } }),
  ),
  mutant(
    'role-allow-localhost-default-off',
    'A role written without allow_localhost has it off.',
    roleField('allow_localhost', { fallback: false }),
  ),
  mutant(
    'localhost-excludes-localdomain',
    'allow_localhost on allows localhost but not localdomain.',
    cell('names', 'local', { names: ['localhost'] }),
  ),
  mutant(
    'localhost-cannot-be-switched-off',
    'localhost and localdomain are allowed even if allow_localhost is off.',
    roleField('allow_localhost', { used: () => true }),
  ),
  mutant(
    'localhost-off-overrides-allowed-domains',
    'allow_localhost off refuses localhost and localdomain even if allowed_domains allows them.',
    cell('names', 'local', { offForbids: true }),
  ),
  mutant(
    'localhost-includes-subdomains',
    'allow_localhost on also allows subdomains of localhost and localdomain, such as foo.localhost.',
    cell('names', 'local', { matches: ({ host }, name) => host === name || host.endsWith(`.${name}`) }),
  ),
  mutant(
    'localhost-includes-names-around-it',
    'allow_localhost on also allows names whose first label is localhost or localdomain: localhost.example.com.',
    cell('names', 'local', { matches: ({ host }, name) => host === name || host.startsWith(`${name}.`) }),
  ),
  mutant(
    'hostnames-hold-stars-anywhere',
    'A star is accepted as a label of a host name at any position but the last, such as in a.*.example.com.',
    part('names', { hostName: /^(?:(?:\*|[A-Za-z0-9-]{1,63})\.)*[A-Za-z0-9-]{1,63}$/ }),
  ),
  mutant(
    'allowed-domains-template-allows-any',
    'allowed_domains_template on allows any name.',
    part('names', { anyName: (role) => role.allow_any_name || role.allowed_domains_template }),
  ),
  mutant(
    'role-allowed-domains-ends-after-ten',
    'Only the first ten entries of allowed_domains are used.',
    roleField('allowed_domains', { used: (domains: string[]) => domains.slice(0, 10) }),
  ),
  mutant(
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
  mutant(
    'localhost-includes-look-alikes',
    'allow_localhost on also allows names that end in localhost or localdomain without a dot before it: mylocalhost.',
    cell('names', 'local', { matches: ({ host }, name) => host.endsWith(name) && !host.endsWith(`.${name}`) }),
  ),
  mutant(
    'role-allow-wildcard-certificates-default-off',
    'A role written without allow_wildcard_certificates has it off.',
    roleField('allow_wildcard_certificates', { fallback: false }),
  ),
  mutant(
    'wildcards-entire-label-only',
    'In the common name, wildcards are refused unless the first label is a single star: w*.example.com is refused.',
    check({ permittedWildcards: { ...everywhere(/\*/), commonName: /^\*$/ } }),
  ),
  mutant(
    'wildcards-hold-several-stars',
    'A first label with several stars is accepted as a wildcard, such as in w*w*.example.com.',
    part('names', { wildcardPatterns: { ...wildcardPatterns, several: /^[a-z0-9-]*(\*[a-z0-9-]*){2,}$/ } }),
  ),
  mutant(
    'wildcards-off-lets-subdomains-pass',
    'allow_wildcard_certificates off does not refuse wildcards that allow_subdomains allows.',
    check({ permitWildcards: ['allow_subdomains'] }),
  ),
  mutant(
    'wildcards-off-lets-globs-pass',
    'allow_wildcard_certificates off does not refuse wildcards that allow_glob_domains allows.',
    check({ permitWildcards: ['allow_glob_domains'] }),
  ),
  mutant(
    'wildcards-off-lets-bare-domains-pass',
    'allow_wildcard_certificates off does not refuse wildcards that allow_bare_domains allows.',
    check({ permitWildcards: ['allow_bare_domains'] }),
  ),
  mutant(
    'allowed-domains-template-ignored',
    'allowed_domains_template on has no effect: templates in allowed_domains stay literal.',
    roleField('allowed_domains_template', { used: () => false }),
  ),
  mutant(
    'role-allowed-domains-template-default-on',
    'A role written without allowed_domains_template has it on.',
    roleField('allowed_domains_template', { fallback: true }),
  ),
  mutant(
    'names-no-allowed-domains-means-any',
    'A role without allowed_domains allows every name if allow_bare_domains or allow_subdomains is on.',
    part('names', {
      anyName: (role) =>
        role.allow_any_name ||
        (role.allowed_domains.length === 0 && (role.allow_bare_domains || role.allow_subdomains)),
    }),
  ),
  mutant(
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
  mutant(
    'hostnames-drop-bad-dns-sans',
    'With enforce_hostnames on, entries of alt_names that are not host names are silently left out.',
    check({ badDnsNames: 'dropped' }),
  ),
  // The text `by default` is truthy, but it differs from an explicit true.
  mutant(
    'localhost-excludes-localhost',
    'An explicit allow_localhost on allows localdomain but not localhost; the default allows both.',
    roleField('allow_localhost', { fallback: 'by default' }),
    cell('names', 'local', {
      matches: ({ host }, name, role) => host === name && (name !== 'localhost' || role.allow_localhost !== true),
    }),
  ),
  mutant(
    'names-glob-with-one-star-only',
    'An allowed domain with more than one star matches nothing.',
    globWay((asked, domain, role) => domain.split('*').length === 2 && glob(asked, domain, role)),
  ),
  mutant(
    'localhost-needs-a-role-without-domains',
    'allow_localhost on has no effect if the role has allowed_domains.',
    cell('names', 'local', {
      matches: (asked, local, role) => role.allowed_domains.length === 0 && localNames.matches(asked, local, role),
    }),
  ),
  mutant(
    'names-bare-matches-wildcards',
    'allow_bare_domains on also allows wildcards directly below an allowed domain.',
    bareWay((asked, domain, role) => asked.wildcard?.rest === domain || bare(asked, domain, role)),
  ),
  mutant(
    'names-bare-matches-emails-below',
    'allow_bare_domains on also allows email addresses at subdomains of an allowed domain.',
    bareWay((asked, domain, role) => (asked.email && asked.host.endsWith(`.${domain}`)) || bare(asked, domain, role)),
  ),
  mutant(
    'names-subdomains-match-globs',
    'allow_subdomains on also allows names that match a glob, although allow_glob_domains is off.',
    subWay(
      (asked, domain, role) =>
        (!role.allow_glob_domains && domain.includes('*') && globMatches(domain, asked.host)) ||
        sub(asked, domain, role),
    ),
  ),
  mutant(
    'names-glob-star-in-the-first-label-only',
    'A glob matches nothing if its first label has no star.',
    globWay((asked, domain, role) => (domain.split('.', 1)[0] ?? '').includes('*') && glob(asked, domain, role)),
  ),
  mutant(
    'hostnames-not-enforced-in-email-common-names',
    'enforce_hostnames on has no effect on the host part of a common name that is an email address.',
    check({ emailCommonNames: 'free' }),
  ),
  mutant(
    'excluded-common-name-not-matched',
    'The common name is not matched against the role if exclude_cn_from_sans is on.',
    check({ excludedCommonNames: 'free' }),
  ),
  mutant(
    'allowed-domains-template-takes-templates-only',
    'With allowed_domains_template on, allowed domains without a template allow nothing.',
    check({ plainBesideTemplates: false }),
  ),
  mutant(
    'localhost-off-spares-alt-names',
    'localhost and localdomain are allowed in alt_names even if allow_localhost is off.',
    check({ freeDnsSans: ({ host }) => localNames.names.includes(host) }),
  ),
  mutant(
    'names-alt-names-match-below-any-domain',
    'Host names in alt_names may be subdomains of an allowed domain even if allow_subdomains is off.',
    check({ freeDnsSans: ({ host }, { allowed_domains }) => allowed_domains.some((one) => host.endsWith(`.${one}`)) }),
  ),
  ...(
    [
      ['dns-sans', 'dns', 'A DNS SAN'],
      ['emails', 'email', 'The host part of an email address in alt_names'],
    ] as const
  ).map(([id, of, what]) =>
    mutant(
      `hostnames-in-${id}-hold-empty-labels`,
      `${what} may have an empty label.`,
      check({ laxHosts: (kind, host) => kind === of && /^[a-z0-9.-]+$/.test(host) }),
    ),
  ),
  mutant(
    'hostnames-hold-long-labels',
    'A label of a host name may have more than 63 characters.',
    part('names', { hostName: new RegExp(hostName.source.replaceAll('{0,61}', '*')) }),
  ),
  mutant(
    'hostnames-are-any-letters',
    'A host name is any text of letters, digits, hyphens and dots.',
    part('names', { hostName: /^[a-z0-9.-]+$/i }),
  ),
]
