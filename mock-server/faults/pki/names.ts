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
  faults,
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
  ...faults({
    'role-allowed-domains-array-refused': 'allowed_domains is accepted only as a comma-separated string.',
    'role-allow-bare-domains-default-on': 'A role written without allow_bare_domains has it on.',
    'role-allow-subdomains-default-on': 'A role written without allow_subdomains has it on.',
    'role-allow-glob-domains-default-on': 'A role written without allow_glob_domains has it on.',
    'role-allow-any-name-default-on': 'A role written without allow_any_name has it on.',
    'names-bare-never-matches':
      'allow_bare_domains on does not allow a name that equals an allowed domain, except localhost and localdomain.',
    'names-bare-matches-subdomains': 'allow_bare_domains on also allows subdomains of an allowed domain.',
    'names-bare-matches-prefix':
      'allow_bare_domains on also allows names that begin with an allowed domain: example.com.au for example.com.',
    'names-bare-matches-suffix':
      'allow_bare_domains on also allows names that end with an allowed domain without a dot before it: myexample.com.',
    'names-subdomains-never-match': 'allow_subdomains on does not allow subdomains, not even wildcards.',
    'names-subdomains-one-level-only':
      'allow_subdomains on allows only one label before the domain: a.b.example.com is refused.',
    'names-subdomains-exclude-wildcards': 'allow_subdomains on does not allow *.example.com.',
    'names-subdomains-match-bare': 'allow_subdomains on also allows the allowed domain itself.',
    'names-subdomains-without-dot':
      'allow_subdomains on also allows names that end with the domain without a dot before it, such as badexample.com.',
    'names-subdomains-match-anywhere':
      'allow_subdomains on also allows names that contain the domain between dots, such as a.example.com.evil.test.',
    'names-glob-never-matches':
      'allow_glob_domains on has no effect on entries with a star, except the single entry "*".',
    'names-glob-one-label-only': 'A star in a glob does not match a dot, except in the single entry "*".',
    'names-glob-dots-match-any-letter':
      'A dot in a glob matches any character: web*.example.com also allows web1-example.com.',
    'role-allowed-domains-end-after-255-characters':
      'Only the first 255 characters of allowed_domains, joined by commas, are used.',
    'names-glob-unanchored-start':
      'A glob may match only the end of the first label and the rest: web*.example.com also allows xweb1.example.com.',
    'names-glob-unanchored-end':
      'A glob may match only the beginning of a name: web*.example.com also allows web1.example.com.evil.test.',
    'names-subdomain-beyond-glob':
      'With allow_glob_domains and allow_subdomains on, subdomains of names that match a glob are allowed.',
    'names-first-allowed-domain-only': 'Only the first entry of allowed_domains is used.',
    'names-last-allowed-domain-only': 'Only the last entry of allowed_domains is used.',
    'names-any-name-needs-a-dot': 'allow_any_name does not allow names without a dot.',
    'names-any-name-bound-by-allowed-domains': 'allow_any_name has no effect unless allowed_domains is empty.',
    'names-any-name-skips-hostname-check':
      'With allow_any_name on, enforce_hostnames has no effect on the common name.',
    'names-any-name-skips-wildcard-check': 'With allow_any_name on, allow_wildcard_certificates has no effect.',
    'alt-names-not-matched':
      'Entries of alt_names are not matched against the allowed names of the role; the common name still is.',
    'alt-names-drop-what-does-not-match':
      'Entries of alt_names that do not match the role are silently left out, and the request is not refused.',
    'alt-names-first-alone-matched': 'Only the first of several host names in alt_names is matched against the role.',
    'alt-names-last-alone-matched': 'Only the last of several host names in alt_names is matched against the role.',
    'emails-first-alone-matched': 'Only the first of several email addresses in alt_names is matched against the role.',
    'emails-last-alone-matched': 'Only the last of several email addresses in alt_names is matched against the role.',
    'role-enforce-hostnames-default-off': 'A role written without enforce_hostnames has it off.',
    'hostnames-not-enforced-in-cn': 'enforce_hostnames on has no effect on the common name.',
    'hostnames-not-enforced-in-dns-sans': 'enforce_hostnames on has no effect on DNS SANs.',
    'hostnames-not-enforced-in-emails': 'enforce_hostnames on has no effect on the host part of email addresses.',
    'hostnames-always-enforced': 'The common name must be a host name even if enforce_hostnames is off.',
    'hostnames-always-enforced-in-dns-sans': 'DNS SANs must be host names even if enforce_hostnames is off.',
    'hostnames-always-enforced-in-emails':
      'The host part of email addresses must be a host name even if enforce_hostnames is off.',
    'role-allow-localhost-default-off': 'A role written without allow_localhost has it off.',
    'localhost-excludes-localdomain': 'allow_localhost on allows localhost but not localdomain.',
    'localhost-cannot-be-switched-off': 'localhost and localdomain are allowed even if allow_localhost is off.',
    'localhost-off-overrides-allowed-domains':
      'allow_localhost off refuses localhost and localdomain even if allowed_domains allows them.',
    'localhost-includes-subdomains':
      'allow_localhost on also allows subdomains of localhost and localdomain, such as foo.localhost.',
    'localhost-includes-names-around-it':
      'allow_localhost on also allows names whose first label is localhost or localdomain: localhost.example.com.',
    'hostnames-hold-stars-anywhere':
      'A star is accepted as a label of a host name at any position but the last, such as in a.*.example.com.',
    'allowed-domains-template-allows-any': 'allowed_domains_template on allows any name.',
    'role-allowed-domains-ends-after-ten': 'Only the first ten entries of allowed_domains are used.',
    'names-second-allowed-domain-is-bare': 'allow_subdomains applies only to the first entry of allowed_domains.',
    'localhost-includes-look-alikes':
      'allow_localhost on also allows names that end in localhost or localdomain without a dot before it: mylocalhost.',
    'role-allow-wildcard-certificates-default-off': 'A role written without allow_wildcard_certificates has it off.',
    'wildcards-entire-label-only':
      'In the common name, wildcards are refused unless the first label is a single star: w*.example.com is refused.',
    'wildcards-hold-several-stars':
      'A first label with several stars is accepted as a wildcard, such as in w*w*.example.com.',
    'wildcards-off-lets-subdomains-pass':
      'allow_wildcard_certificates off does not refuse wildcards that allow_subdomains allows.',
    'wildcards-off-lets-globs-pass':
      'allow_wildcard_certificates off does not refuse wildcards that allow_glob_domains allows.',
    'wildcards-off-lets-bare-domains-pass':
      'allow_wildcard_certificates off does not refuse wildcards that allow_bare_domains allows.',
    'allowed-domains-template-ignored':
      'allowed_domains_template on has no effect: templates in allowed_domains stay literal.',
    'role-allowed-domains-template-default-on': 'A role written without allowed_domains_template has it on.',
    'names-no-allowed-domains-means-any':
      'A role without allowed_domains allows every name if allow_bare_domains or allow_subdomains is on.',
    'names-listed-domain-always-matches':
      'A name that equals an allowed domain is allowed even if none of the three matching options is on.',
    'hostnames-drop-bad-dns-sans':
      'With enforce_hostnames on, entries of alt_names that are not host names are silently left out.',
    'localhost-excludes-localhost':
      'An explicit allow_localhost on allows localdomain but not localhost; the default allows both.',
    'names-glob-with-one-star-only': 'An allowed domain with more than one star matches nothing.',
    'localhost-needs-a-role-without-domains': 'allow_localhost on has no effect if the role has allowed_domains.',
    'names-bare-matches-wildcards': 'allow_bare_domains on also allows wildcards directly below an allowed domain.',
    'names-bare-matches-emails-below':
      'allow_bare_domains on also allows email addresses at subdomains of an allowed domain.',
    'names-subdomains-match-globs':
      'allow_subdomains on also allows names that match a glob, although allow_glob_domains is off.',
    'names-glob-star-in-the-first-label-only': 'A glob matches nothing if its first label has no star.',
    'hostnames-not-enforced-in-email-common-names':
      'enforce_hostnames on has no effect on the host part of a common name that is an email address.',
    'excluded-common-name-not-matched':
      'The common name is not matched against the role if exclude_cn_from_sans is on.',
    'allowed-domains-template-takes-templates-only':
      'With allowed_domains_template on, allowed domains without a template allow nothing.',
    'localhost-off-spares-alt-names':
      'localhost and localdomain are allowed in alt_names even if allow_localhost is off.',
    'names-alt-names-match-below-any-domain':
      'Host names in alt_names may be subdomains of an allowed domain even if allow_subdomains is off.',
    'hostnames-hold-long-labels': 'A label of a host name may have more than 63 characters.',
    'hostnames-are-any-letters': 'A host name is any text of letters, digits, hyphens and dots.',
  }).by({
    'role-allowed-domains-array-refused': roleField('allowed_domains', {
      read: (given) => (Array.isArray(given) ? {} : given),
    }),
    'role-allow-bare-domains-default-on': roleField('allow_bare_domains', { fallback: true }),
    'role-allow-subdomains-default-on': roleField('allow_subdomains', { fallback: true }),
    'role-allow-glob-domains-default-on': roleField('allow_glob_domains', { fallback: true }),
    'role-allow-any-name-default-on': roleField('allow_any_name', { fallback: true }),
    'names-bare-never-matches': bareWay(
      (asked, domain, role) => localNames.names.includes(domain) && bare(asked, domain, role),
    ),
    'names-bare-matches-subdomains': bareWay(
      (asked, domain, role) => bare(asked, domain, role) || asked.host.endsWith(`.${domain}`),
    ),
    'names-bare-matches-prefix': bareWay((asked, domain) => asked.host.startsWith(domain)),
    'names-bare-matches-suffix': bareWay(({ host }, domain) => host.endsWith(domain) && !host.endsWith(`.${domain}`)),
    'names-subdomains-never-match': subWay(() => false),
    'names-subdomains-one-level-only': subWay(
      (asked, domain, role) => sub(asked, domain, role) && !asked.host.slice(0, -domain.length - 1).includes('.'),
    ),
    'names-subdomains-exclude-wildcards': subWay(
      (asked, domain, role) => asked.wildcard?.label !== '*' && sub(asked, domain, role),
    ),
    'names-subdomains-match-bare': subWay((asked, domain, role) => sub(asked, domain, role) || asked.host === domain),
    'names-subdomains-without-dot': subWay(
      (asked, domain, role) => sub(asked, domain, role) || (asked.host !== domain && asked.host.endsWith(domain)),
    ),
    'names-subdomains-match-anywhere': subWay(
      (asked, domain, role) => sub(asked, domain, role) || asked.host.includes(`.${domain}.`),
    ),
    'names-glob-never-matches': globWay((asked, domain, role) => domain === '*' && glob(asked, domain, role)),
    'names-glob-one-label-only': globWay(
      (asked, domain, role) => glob(asked, domain, role) && (domain === '*' || oneLabelGlob(domain).test(asked.name)),
    ),
    'names-glob-dots-match-any-letter': globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') && new RegExp(`^${domain.replaceAll('*', '.*')}$`).test(asked.name)),
    ),
    'role-allowed-domains-end-after-255-characters': roleField('allowed_domains', {
      used: (domains: readonly string[]) => domains.join(',').slice(0, 255).split(',').filter(Boolean),
    }),
    'names-glob-unanchored-start': globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') &&
          cuts(asked.name).some(([before, rest]) => !before.includes('.') && globMatches(domain, rest))),
    ),
    'names-glob-unanchored-end': globWay(
      (asked, domain, role) =>
        glob(asked, domain, role) ||
        (domain.includes('*') && cuts(asked.name).some(([start]) => globMatches(domain, start))),
    ),
    'names-subdomain-beyond-glob': subWay(
      (asked, domain, role) =>
        sub(asked, domain, role) ||
        (role.allow_glob_domains &&
          domain.includes('*') &&
          cuts(asked.host).some(([before, rest]) => before.endsWith('.') && globMatches(domain, rest))),
    ),
    'names-first-allowed-domain-only': roleField('allowed_domains', {
      used: (domains: string[]) => domains.slice(0, 1),
    }),
    'names-last-allowed-domain-only': roleField('allowed_domains', { used: (domains: string[]) => domains.slice(-1) }),
    'names-any-name-needs-a-dot': part('names', {
      anyName: (role, { name }) => role.allow_any_name && name.includes('.'),
    }),
    'names-any-name-bound-by-allowed-domains': part('names', {
      anyName: (role) => role.allow_any_name && role.allowed_domains.length === 0,
    }),
    'names-any-name-skips-hostname-check': sparing(
      (named, { allow_any_name }) => allow_any_name && isPlainCommonName(named),
    ),
    'names-any-name-skips-wildcard-check': lettingWildcardsPass(({ allow_any_name }) => allow_any_name),
    'alt-names-not-matched': allowingAlso(({ kind }) => kind !== 'commonName'),
    'alt-names-drop-what-does-not-match': [leavingOut(isUnmatched), leavingOutOfCsrs],
    'alt-names-first-alone-matched': matchingOnly(isHost, (names) => names.slice(0, 1)),
    'alt-names-last-alone-matched': matchingOnly(isHost, (names) => names.slice(-1)),
    'emails-first-alone-matched': matchingOnly(isEmail, (names) => names.slice(0, 1)),
    'emails-last-alone-matched': matchingOnly(isEmail, (names) => names.slice(-1)),
    'role-enforce-hostnames-default-off': roleField('enforce_hostnames', { fallback: false }),
    'hostnames-not-enforced-in-cn': sparing(isPlainCommonName),
    'hostnames-not-enforced-in-dns-sans': sparing(isDnsSan),
    'hostnames-not-enforced-in-emails': sparing(({ name }) => isEmail(name)),
    'hostnames-always-enforced': enforcing(isPlainCommonName),
    'hostnames-always-enforced-in-dns-sans': enforcing(isDnsSan),
    'hostnames-always-enforced-in-emails': enforcing(({ name }) => isEmail(name)),
    'role-allow-localhost-default-off': roleField('allow_localhost', { fallback: false }),
    'localhost-excludes-localdomain': cell('names', 'local', { names: ['localhost'] }),
    'localhost-cannot-be-switched-off': roleField('allow_localhost', { used: () => true }),
    'localhost-off-overrides-allowed-domains': refusing(issue, (call, here) => {
      const { alt_names, common_name } = call.body
      const isLocal = [common_name, ...namesOf(alt_names)].some((name) =>
        localNames.names.includes(hostIn(String(name))),
      )
      return isLocal && roleAt(call, here)?.allow_localhost === false
    }),
    'localhost-includes-subdomains': cell('names', 'local', {
      matches: ({ host }, name) => host === name || host.endsWith(`.${name}`),
    }),
    'localhost-includes-names-around-it': cell('names', 'local', {
      matches: ({ host }, name) => host === name || host.startsWith(`${name}.`),
    }),
    'hostnames-hold-stars-anywhere': part('names', {
      hostName: /^(?:(?:\*|[A-Za-z0-9-]{1,63})\.)*[A-Za-z0-9-]{1,63}$/,
    }),
    'allowed-domains-template-allows-any': part('names', {
      anyName: (role) => role.allow_any_name || role.allowed_domains_template,
    }),
    'role-allowed-domains-ends-after-ten': roleField('allowed_domains', {
      used: (domains: string[]) => domains.slice(0, 10),
    }),
    'names-second-allowed-domain-is-bare': part('names', {
      ways: {
        ...nameWays,
        allow_subdomains: (asked, domain, role) =>
          domain === role.allowed_domains[0] && nameWays.allow_subdomains(asked, domain, role),
      },
    }),
    'localhost-includes-look-alikes': cell('names', 'local', {
      matches: ({ host }, name) => host.endsWith(name) && !host.endsWith(`.${name}`),
    }),
    'role-allow-wildcard-certificates-default-off': roleField('allow_wildcard_certificates', { fallback: false }),
    'wildcards-entire-label-only': refusing(issue, ({ body }) =>
      /^(?!\*\.)[^.]*\*/.test(String(body.common_name ?? '')),
    ),
    'wildcards-hold-several-stars': part('names', {
      wildcardPatterns: { ...wildcardPatterns, several: /^[a-z0-9-]*(\*[a-z0-9-]*){2,}$/ },
    }),
    'wildcards-off-lets-subdomains-pass': lettingWildcardsPass((role) => !role.allow_any_name && role.allow_subdomains),
    'wildcards-off-lets-globs-pass': lettingWildcardsPass((role) => !role.allow_any_name && role.allow_glob_domains),
    'wildcards-off-lets-bare-domains-pass': lettingWildcardsPass(
      (role) => !role.allow_any_name && role.allow_bare_domains,
    ),
    'allowed-domains-template-ignored': roleField('allowed_domains_template', { used: () => false }),
    'role-allowed-domains-template-default-on': roleField('allowed_domains_template', { fallback: true }),
    'names-no-allowed-domains-means-any': part('names', {
      anyName: (role) =>
        role.allow_any_name ||
        (role.allowed_domains.length === 0 && (role.allow_bare_domains || role.allow_subdomains)),
    }),
    'names-listed-domain-always-matches': part('names', {
      anyName: (role, { name }) =>
        role.allow_any_name ||
        (!role.allow_bare_domains &&
          !role.allow_subdomains &&
          !role.allow_glob_domains &&
          role.allowed_domains.includes(name)),
    }),
    'hostnames-drop-bad-dns-sans': leavingOut(isBadHost),
    // The text `by default` is truthy, but it differs from an explicit true.
    'localhost-excludes-localhost': [
      roleField('allow_localhost', { fallback: 'by default' }),
      cell('names', 'local', {
        matches: ({ host }, name, role) => host === name && (name !== 'localhost' || role.allow_localhost !== true),
      }),
    ],
    'names-glob-with-one-star-only': globWay(
      (asked, domain, role) => domain.split('*').length === 2 && glob(asked, domain, role),
    ),
    'localhost-needs-a-role-without-domains': cell('names', 'local', {
      matches: (asked, local, role) => role.allowed_domains.length === 0 && localNames.matches(asked, local, role),
    }),
    'names-bare-matches-wildcards': bareWay(
      (asked, domain, role) => asked.wildcard?.rest === domain || bare(asked, domain, role),
    ),
    'names-bare-matches-emails-below': bareWay(
      (asked, domain, role) => (asked.email && asked.host.endsWith(`.${domain}`)) || bare(asked, domain, role),
    ),
    'names-subdomains-match-globs': subWay(
      (asked, domain, role) =>
        (!role.allow_glob_domains && domain.includes('*') && globMatches(domain, asked.host)) ||
        sub(asked, domain, role),
    ),
    'names-glob-star-in-the-first-label-only': globWay(
      (asked, domain, role) => (domain.split('.', 1)[0] ?? '').includes('*') && glob(asked, domain, role),
    ),
    'hostnames-not-enforced-in-email-common-names': sparing(({ name, isCommonName }) => isCommonName && isEmail(name)),
    'excluded-common-name-not-matched': allowing(
      issue,
      ({ kind }) => kind === 'commonName',
      ({ body }) => saysYes(body.exclude_cn_from_sans),
    ),
    'allowed-domains-template-takes-templates-only': asRole(issue, (role) => {
      const templates = role.allowed_domains.filter((domain) => domain.includes('{{'))
      return role.allowed_domains_template && templates.length < role.allowed_domains.length
        ? { ...role, allowed_domains: templates }
        : role
    }),
    'localhost-off-spares-alt-names': allowingAlso(
      ({ kind, host }) => kind === 'dns' && localNames.names.includes(host),
    ),
    'names-alt-names-match-below-any-domain': allowingAlso(
      ({ kind, host }, { allowed_domains }) =>
        kind === 'dns' && allowed_domains.some((one) => host.endsWith(`.${one}`)),
    ),
    'hostnames-hold-long-labels': part('names', { hostName: new RegExp(hostName.source.replaceAll('{0,61}', '*')) }),
    'hostnames-are-any-letters': part('names', { hostName: /^[a-z0-9.-]+$/i }),
  }),
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
]
