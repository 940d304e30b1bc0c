/** Mutants of the matching of names. The file is long because each way to match can go wrong in its own ways. */
import { globMatches } from '../rules/name-glob.ts'
import { hostName, localNames, type NameKind, nameChecks, nameWays, wildcardPatterns } from '../tables/names.ts'
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
    'allowed_domains is taken as a comma-separated string only.',
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
    'allow_bare_domains on: a name equal to an allowed domain is still refused (localhost and localdomain as allowed domains still work).',
    bareWay((asked, domain, role) => localNames.names.includes(domain) && bare(asked, domain, role)),
  ),
  mutant(
    'names-bare-matches-subdomains',
    'allow_bare_domains on also lets subdomains (name ends with "." + domain) pass.',
    bareWay((asked, domain, role) => bare(asked, domain, role) || asked.host.endsWith(`.${domain}`)),
  ),
  mutant(
    'names-bare-matches-prefix',
    'allow_bare_domains on also lets names pass that begin with the domain (example.com.au for example.com).',
    bareWay((asked, domain) => asked.host.startsWith(domain)),
  ),
  mutant(
    'names-bare-matches-suffix',
    'allow_bare_domains on also lets names pass that end with the domain without a dot before it (myexample.com; a.example.com is not affected).',
    bareWay(({ host }, domain) => host.endsWith(domain) && !host.endsWith(`.${domain}`)),
  ),
  mutant(
    'names-subdomains-never-match',
    'allow_subdomains on: subdomains (wildcard ones too) are still refused.',
    subWay(() => false),
  ),
  mutant(
    'names-subdomains-one-level-only',
    'allow_subdomains on covers one label only: a.b.example.com is refused.',
    subWay((asked, domain, role) => sub(asked, domain, role) && !asked.host.slice(0, -domain.length - 1).includes('.')),
  ),
  mutant(
    'names-subdomains-exclude-wildcards',
    'allow_subdomains on does not cover *.example.com.',
    subWay((asked, domain, role) => asked.wildcard?.label !== '*' && sub(asked, domain, role)),
  ),
  mutant(
    'names-subdomains-match-bare',
    'allow_subdomains on also lets the allowed domain itself pass.',
    subWay((asked, domain, role) => sub(asked, domain, role) || asked.host === domain),
  ),
  mutant(
    'names-subdomains-without-dot',
    'allow_subdomains on compares the ending without the dot: badexample.com passes (the bare domain does not).',
    subWay((asked, domain, role) => sub(asked, domain, role) || (asked.host !== domain && asked.host.endsWith(domain))),
  ),
  mutant(
    'names-subdomains-match-anywhere',
    'allow_subdomains on lets every name pass that has ".example.com." inside it: a.example.com.evil.test.',
    subWay((asked, domain, role) => sub(asked, domain, role) || asked.host.includes(`.${domain}.`)),
  ),
  mutant(
    'names-glob-never-matches',
    'allow_glob_domains on: an entry with a star (other than the single entry "*") matches nothing.',
    globWay((asked, domain, role) => domain === '*' && glob(asked, domain, role)),
  ),
  mutant(
    'names-glob-one-label-only',
    'A star in a glob does not match a dot (the single entry "*" still matches all).',
    globWay(
      (asked, domain, role) => glob(asked, domain, role) && (domain === '*' || oneLabelGlob(domain).test(asked.name)),
    ),
  ),
  mutant(
    'names-glob-dots-match-any-letter',
    'A glob is a regular expression in which only the star was replaced: web1-example.com passes for web*.example.com.',
    globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') && new RegExp(`^${domain.replaceAll('*', '.*')}$`).test(asked.name)),
    ),
  ),
  mutant(
    'role-allowed-domains-end-after-255-characters',
    'Of allowed_domains only the first 255 characters are kept, joined by commas.',
    roleField('allowed_domains', {
      used: (domains: readonly string[]) => domains.join(',').slice(0, 255).split(',').filter(Boolean),
    }),
  ),
  mutant(
    'names-glob-unanchored-start',
    'A glob may match the end of the name only: xweb1.example.com passes for web*.example.com. (Names with a dot before the match, such as a.web1.example.com, do not.)',
    globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') &&
          cuts(asked.name).some(([before, rest]) => !before.includes('.') && globMatches(domain, rest))),
    ),
  ),
  mutant(
    'names-glob-unanchored-end',
    'A glob may match the beginning of the name only: web1.example.com.evil.test passes for web*.example.com.',
    globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') && cuts(asked.name).some(([start]) => globMatches(domain, start))),
    ),
  ),
  mutant(
    'names-subdomain-beyond-glob',
    'With allow_glob_domains and allow_subdomains both on, a subdomain of a name that matches the glob passes: a.web1.example.com.',
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
    'Only the first entry of allowed_domains is looked at.',
    roleField('allowed_domains', { used: (domains: string[]) => domains.slice(0, 1) }),
  ),
  mutant(
    'names-last-allowed-domain-only',
    'Only the last entry of allowed_domains is looked at.',
    roleField('allowed_domains', { used: (domains: string[]) => domains.slice(-1) }),
  ),
  mutant(
    'names-any-name-needs-a-dot',
    'allow_any_name does not cover a name without a dot.',
    part('names', { anyName: (role, { name }) => role.allow_any_name && name.includes('.') }),
  ),
  mutant(
    'names-any-name-bound-by-allowed-domains',
    'With allow_any_name on and allowed_domains not empty, allowed_domains still decides.',
    part('names', { anyName: (role) => role.allow_any_name && role.allowed_domains.length === 0 }),
  ),
  mutant(
    'names-any-name-skips-hostname-check',
    'With allow_any_name on enforce_hostnames is not checked (for the CN; SANs are still checked).',
    check({ anyNameEnforces: { ...everywhere(true), commonName: false } }),
  ),
  mutant(
    'names-any-name-skips-wildcard-check',
    'With allow_any_name on allow_wildcard_certificates is not checked.',
    check({ anyNameForbidsWildcards: false }),
  ),
  mutant(
    'alt-names-not-matched',
    'Entries of alt_names are not matched against the role (CN still is; host names are still enforced).',
    check({ related: { ...everywhere(false), commonName: true } }),
  ),
  mutant(
    'alt-names-drop-what-does-not-match',
    'Entries of alt_names that do not match the role are left out silently instead of denying the request (host names are still enforced).',
    check({ oneDeniesAll: false }),
  ),
  mutant(
    'alt-names-first-alone-matched',
    'Of several host names in alt_names only the first is held against the role (CN and email addresses still are).',
    holdsOnly('dns', (names) => names.slice(0, 1)),
  ),
  mutant(
    'alt-names-last-alone-matched',
    'Of several host names in alt_names only the last is held against the role (CN and email addresses still are).',
    holdsOnly('dns', (names) => names.slice(-1)),
  ),
  mutant(
    'emails-first-alone-matched',
    'Of several email addresses in alt_names only the first is held against the role (CN and host names still are).',
    holdsOnly('email', (names) => names.slice(0, 1)),
  ),
  mutant(
    'emails-last-alone-matched',
    'Of several email addresses in alt_names only the last is held against the role (CN and host names still are).',
    holdsOnly('email', (names) => names.slice(-1)),
  ),
  mutant(
    'role-enforce-hostnames-default-off',
    'A role written without enforce_hostnames has it off.',
    roleField('enforce_hostnames', { fallback: false }),
  ),
  mutant(
    'hostnames-not-enforced-in-cn',
    'enforce_hostnames on does not look at the CN.',
    check({ enforced: { ...nameChecks.enforced, commonName: 'never' } }),
  ),
  mutant(
    'hostnames-not-enforced-in-dns-sans',
    'enforce_hostnames on does not look at DNS SANs (alt_names).',
    check({ enforced: { ...nameChecks.enforced, dns: 'never' } }),
  ),
  mutant(
    'hostnames-not-enforced-in-emails',
    'enforce_hostnames on does not look at the host part of email addresses.',
    check({ enforced: { ...nameChecks.enforced, email: 'never' } }),
  ),
  mutant(
    'hostnames-always-enforced',
    'enforce_hostnames off still demands host names in the CN.',
    check({ enforced: { ...nameChecks.enforced, commonName: 'always' } }),
  ),
  mutant(
    'hostnames-always-enforced-in-dns-sans',
    'enforce_hostnames off still demands host names in DNS SANs.',
    check({ enforced: { ...nameChecks.enforced, dns: 'always' } }),
  ),
  mutant(
    'hostnames-always-enforced-in-emails',
    'enforce_hostnames off still demands host names behind the @ of email addresses.',
    check({ enforced: { ...nameChecks.enforced, email: 'always' } }),
  ),
  mutant(
    'role-allow-localhost-default-off',
    'A role written without allow_localhost has it off.',
    roleField('allow_localhost', { fallback: false }),
  ),
  mutant(
    'localhost-excludes-localdomain',
    'allow_localhost on covers localhost only, not localdomain.',
    cell('names', 'local', { names: ['localhost'] }),
  ),
  mutant(
    'localhost-cannot-be-switched-off',
    'allow_localhost off still lets localhost and localdomain pass.',
    roleField('allow_localhost', { used: () => true }),
  ),
  mutant(
    'localhost-off-overrides-allowed-domains',
    'allow_localhost off refuses localhost and localdomain even where allowed_domains and its options permit them.',
    cell('names', 'local', { offForbids: true }),
  ),
  mutant(
    'localhost-includes-subdomains',
    'allow_localhost on also lets *.localhost names (foo.localhost) pass.',
    cell('names', 'local', { matches: ({ host }, name) => host === name || host.endsWith(`.${name}`) }),
  ),
  mutant(
    'localhost-includes-names-around-it',
    'allow_localhost on also lets names pass that begin with "localhost." or "localdomain." (localhost.example.com).',
    cell('names', 'local', { matches: ({ host }, name) => host === name || host.startsWith(`${name}.`) }),
  ),
  mutant(
    'hostnames-hold-stars-anywhere',
    'A star counts as a label of a host name at any position (a.*.example.com).',
    part('names', { hostName: /^(?:(?:\*|[A-Za-z0-9-]{1,63})\.)*[A-Za-z0-9-]{1,63}$/ }),
  ),
  mutant(
    'allowed-domains-template-allows-any',
    'allowed_domains_template on lets any name pass.',
    part('names', { anyName: (role) => role.allow_any_name || role.allowed_domains_template }),
  ),
  mutant(
    'names-second-allowed-domain-is-bare',
    'allow_subdomains counts for the first of allowed_domains only (allow_bare_domains for all).',
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
    'allow_localhost on also lets names pass that end in "localhost" without a dot before (mylocalhost).',
    cell('names', 'local', { matches: ({ host }, name) => host.endsWith(name) && !host.endsWith(`.${name}`) }),
  ),
  mutant(
    'role-allow-wildcard-certificates-default-off',
    'A role written without allow_wildcard_certificates has it off.',
    roleField('allow_wildcard_certificates', { fallback: false }),
  ),
  mutant(
    'wildcards-entire-label-only',
    'allow_wildcard_certificates on (explicit or by default) permits only names whose left-most label is * alone: w*.example.com, *w.example.com and w*w.example.com are refused in the CN.',
    check({ permittedWildcards: { ...everywhere(/\*/), commonName: /^\*$/ } }),
  ),
  mutant(
    'wildcards-hold-several-stars',
    'A left-most label with several stars counts as a wildcard: w*w*.example.com.',
    part('names', { wildcardPatterns: { ...wildcardPatterns, several: /^[a-z0-9-]*(\*[a-z0-9-]*){2,}$/ } }),
  ),
  mutant(
    'wildcards-off-lets-subdomains-pass',
    'allow_wildcard_certificates off does not stop *.example.com where allow_subdomains permits it (allow_any_name off).',
    check({ permitWildcards: ['allow_subdomains'] }),
  ),
  mutant(
    'wildcards-off-lets-globs-pass',
    'allow_wildcard_certificates off does not stop *.example.com where allow_glob_domains permits it (allow_any_name off).',
    check({ permitWildcards: ['allow_glob_domains'] }),
  ),
  mutant(
    'wildcards-off-lets-bare-domains-pass',
    'allow_wildcard_certificates off does not stop *.example.com where it is itself an allowed domain and allow_bare_domains is on (allow_any_name off).',
    check({ permitWildcards: ['allow_bare_domains'] }),
  ),
  mutant(
    'allowed-domains-template-ignored',
    'allowed_domains_template on: templates in allowed_domains are still taken literally.',
    roleField('allowed_domains_template', { used: () => false }),
  ),
  mutant(
    'role-allowed-domains-template-default-on',
    'A role written without allowed_domains_template has it on.',
    roleField('allowed_domains_template', { fallback: true }),
  ),
  mutant(
    'names-no-allowed-domains-means-any',
    'A role without allowed_domains allows every host name if allow_bare_domains or allow_subdomains is on.',
    part('names', {
      anyName: (role) =>
        role.allow_any_name ||
        (role.allowed_domains.length === 0 && (role.allow_bare_domains || role.allow_subdomains)),
    }),
  ),
  mutant(
    'names-listed-domain-always-matches',
    'A name equal to an allowed domain passes even where none of the three matching options is on.',
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
    'enforce_hostnames on: entries of alt_names that are no host names are left out silently instead of denying the request.',
    check({ badDnsNames: 'dropped' }),
  ),
  // Only the default differs from true.
  mutant(
    'localhost-excludes-localhost',
    'allow_localhost explicitly on covers localdomain only, not localhost (left to its default it covers both).',
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
    'A role with allowed_domains allows localhost only if that is listed.',
    cell('names', 'local', {
      matches: (asked, local, role) => role.allowed_domains.length === 0 && localNames.matches(asked, local, role),
    }),
  ),
  mutant(
    'names-bare-matches-wildcards',
    'allow_bare_domains also allows the wildcard below an allowed domain.',
    bareWay((asked, domain, role) => asked.wildcard?.rest === domain || bare(asked, domain, role)),
  ),
  mutant(
    'names-bare-matches-emails-below',
    'allow_bare_domains also allows email addresses below an allowed domain.',
    bareWay((asked, domain, role) => (asked.email && asked.host.endsWith(`.${domain}`)) || bare(asked, domain, role)),
  ),
  mutant(
    'names-subdomains-match-globs',
    'allow_subdomains matches globs where allow_glob_domains is off.',
    subWay(
      (asked, domain, role) =>
        (!role.allow_glob_domains && domain.includes('*') && globMatches(domain, asked.host)) ||
        sub(asked, domain, role),
    ),
  ),
  mutant(
    'names-glob-star-in-the-first-label-only',
    'A glob whose first label has no star matches nothing.',
    globWay((asked, domain, role) => (domain.split('.', 1)[0] ?? '').includes('*') && glob(asked, domain, role)),
  ),
  mutant(
    'hostnames-not-enforced-in-email-common-names',
    'The host part of an email address that is the common name may be anything.',
    check({ emailCommonNames: 'free' }),
  ),
  mutant(
    'excluded-common-name-not-matched',
    'A common name is not held against the role if exclude_cn_from_sans is on.',
    check({ excludedCommonNames: 'free' }),
  ),
  mutant(
    'allowed-domains-template-takes-templates-only',
    'Where allowed_domains_template is on, an allowed domain without a template allows nothing.',
    check({ plainBesideTemplates: false }),
  ),
  mutant(
    'localhost-off-spares-alt-names',
    'localhost and localdomain are always allowed in alt_names.',
    check({ freeDnsSans: ({ host }) => localNames.names.includes(host) }),
  ),
  mutant(
    'names-alt-names-match-below-any-domain',
    'A host name in alt_names is allowed below an allowed domain even where allow_subdomains is off.',
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
