/** Faults of how roles match names in combination: among the alternative names, by several options together, and
 * without a common name. */

import { globMatches } from '../../engines/pki/judging/name-glob.ts'
import { type Asked, anyName, hostName, localNames, nameWays } from '../../engines/pki/rules/names.ts'
import { cell, part, roleField } from './cells.ts'
import { allowing, asRole, faults, isHost, issue, namesOf, type PkiFault, refusing, roleAt } from './pki-operations.ts'

const { allow_bare_domains: bare, allow_subdomains: sub, allow_glob_domains: glob } = nameWays
const bareWay = (way: typeof bare) => cell('names', 'ways', { allow_bare_domains: way })
const subWay = (way: typeof sub) => cell('names', 'ways', { allow_subdomains: way })
const globWay = (way: typeof glob) => cell('names', 'ways', { allow_glob_domains: way })

/** The star of an entry is literal if `isLiteral` returns true for the entry. */
const literalStar = (isLiteral: (domain: string) => boolean) =>
  globWay((asked, domain, role) => (isLiteral(domain) ? false : glob(asked, domain, role)))

const isCommonName = ({ kind }: Asked): boolean => kind === 'commonName'

const amongAltNames: readonly PkiFault[] = faults({
  'names-alt-names-exclude-bare-domains':
    'allow_bare_domains on does not allow a host name in alt_names that equals an allowed domain.',
  'names-alt-names-exclude-subdomains':
    'allow_subdomains on does not allow host names in alt_names that are subdomains.',
  'names-alt-names-exclude-globs': 'allow_glob_domains on does not allow host names in alt_names that match a glob.',
  'localhost-excludes-alt-names':
    'allow_localhost on allows localhost and localdomain as common name, but not in alt_names.',
  'names-any-name-binds-alt-names':
    'With allow_any_name on, names in alt_names must match allowed_domains, unless it is empty.',
  'names-without-a-common-name-not-matched':
    'Alternative names are not matched against the role if the request has no common name.',
  'common-name-beside-alt-names-not-matched':
    'The common name is not matched against the role if the request has host names in alt_names.',
  'email-common-names-not-matched':
    'A common name that is an email address is not matched against the allowed names of the role.',
}).by({
  'names-alt-names-exclude-bare-domains': bareWay(
    (asked, domain, role) => asked.kind !== 'dns' && bare(asked, domain, role),
  ),
  'names-alt-names-exclude-subdomains': subWay(
    (asked, domain, role) => asked.kind !== 'dns' && sub(asked, domain, role),
  ),
  'names-alt-names-exclude-globs': globWay((asked, domain, role) => asked.kind !== 'dns' && glob(asked, domain, role)),
  'localhost-excludes-alt-names': cell('names', 'local', {
    matches: (asked, local, role) => asked.kind === 'commonName' && localNames.matches(asked, local, role),
  }),
  'names-any-name-binds-alt-names': part('names', {
    anyName: (role, asked) =>
      anyName(role, asked) && (asked.kind === 'commonName' || role.allowed_domains.length === 0),
  }),
  'names-without-a-common-name-not-matched': asRole(issue, (role, { body }) =>
    body.common_name
      ? role
      : {
          ...role,
          ...{ allow_any_name: true, allow_wildcard_certificates: true, enforce_hostnames: false },
          ...{ allow_ip_sans: true, allowed_uri_sans: ['*'], allowed_other_sans: ['*'] },
        },
  ),
  'common-name-beside-alt-names-not-matched': allowing(
    issue,
    isCommonName,
    ({ body }) => namesOf(body.alt_names, isHost).length > 0,
  ),
  'email-common-names-not-matched': part('names', {
    anyName: (role, asked) => anyName(role, asked) || (asked.email && asked.kind === 'commonName'),
  }),
})

const together: readonly PkiFault[] = faults({
  'names-bare-not-beside-subdomains': 'allow_bare_domains has no effect if allow_subdomains is on.',
  'names-bare-not-beside-globs': 'allow_bare_domains has no effect if allow_glob_domains is on.',
  'names-subdomains-not-beside-bare': 'allow_subdomains has no effect if allow_bare_domains is on.',
  'names-subdomains-not-beside-globs': 'allow_subdomains has no effect if allow_glob_domains is on.',
  'names-globs-not-beside-others': 'allow_glob_domains has no effect if allow_bare_domains or allow_subdomains is on.',
  'names-middle-allowed-domains-lost':
    'Of three or more entries of allowed_domains, only the first and the last are used.',
}).by({
  'names-bare-not-beside-subdomains': bareWay(
    (asked, domain, role) => !role.allow_subdomains && bare(asked, domain, role),
  ),
  'names-bare-not-beside-globs': bareWay(
    (asked, domain, role) => !role.allow_glob_domains && bare(asked, domain, role),
  ),
  'names-subdomains-not-beside-bare': subWay(
    (asked, domain, role) => !role.allow_bare_domains && sub(asked, domain, role),
  ),
  'names-subdomains-not-beside-globs': subWay(
    (asked, domain, role) => !role.allow_glob_domains && sub(asked, domain, role),
  ),
  'names-globs-not-beside-others': globWay(
    (asked, domain, role) => !role.allow_bare_domains && !role.allow_subdomains && glob(asked, domain, role),
  ),
  'names-middle-allowed-domains-lost': roleField('allowed_domains', {
    used: (domains: readonly string[]) => (domains.length > 2 ? [domains[0], domains.at(-1)] : domains),
  }),
})

const forms: readonly PkiFault[] = faults({
  'names-subdomain-wildcards-directly-below-only':
    'allow_subdomains on allows wildcards only directly below an allowed domain: *.a.example.com is refused.',
  'names-glob-star-at-the-end-is-literal': 'A star at the end of a glob is literal, except in the single entry "*".',
  'names-glob-star-at-the-beginning-is-literal':
    'A star at the beginning of a glob is literal, except in the single entry "*" and before a dot.',
  'names-glob-star-needs-a-character':
    'A star in a glob matches at least one character: web*.example.com does not allow web.example.com.',
  'localhost-default-excludes-localdomain':
    'A role written without allow_localhost allows localhost but not localdomain.',
  'hostnames-begin-with-letters': 'A label of a host name must begin with a letter: 3com.example.com is refused.',
  'hostnames-hold-no-hyphens': 'A label of a host name must not have a hyphen.',
  'hostnames-hold-no-labels-of-63-characters': 'A label of a host name must have fewer than 63 characters.',
  'common-name-needs-another-host-name':
    'A request without common_name is refused if it has no name in alt_names, even if require_cn is false.',
}).by({
  'names-subdomain-wildcards-directly-below-only': subWay((asked, domain, role) =>
    asked.wildcard ? asked.wildcard.rest === domain : sub(asked, domain, role),
  ),
  'names-glob-star-at-the-end-is-literal': literalStar((domain) => domain !== '*' && domain.endsWith('*')),
  'names-glob-star-at-the-beginning-is-literal': literalStar(
    (domain) => domain !== '*' && domain.startsWith('*') && !domain.startsWith('*.'),
  ),
  'names-glob-star-needs-a-character': globWay((asked, domain, role) => {
    const parts = domain.split('*').map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    return glob(asked, domain, role) && new RegExp(`^${parts.join('.+')}$`).test(asked.host)
  }),
  'localhost-default-excludes-localdomain': [
    roleField('allow_localhost', { fallback: 'localhost alone' }),
    cell('names', 'local', {
      matches: (asked, local, role) =>
        localNames.matches(asked, local, role) && (local === 'localhost' || role.allow_localhost === true),
    }),
  ],
  'hostnames-begin-with-letters': part('names', {
    hostName: new RegExp(hostName.source.replaceAll('[A-Za-z0-9](?:', '[A-Za-z](?:')),
  }),
  'hostnames-hold-no-hyphens': part('names', {
    hostName: new RegExp(hostName.source.replaceAll('[A-Za-z0-9-]', '[A-Za-z0-9]')),
  }),
  'hostnames-hold-no-labels-of-63-characters': part('names', {
    hostName: new RegExp(hostName.source.replaceAll('{0,61}', '{0,60}')),
  }),
  'common-name-needs-another-host-name': refusing(issue, (call, here) => {
    const { alt_names, common_name } = call.body
    return !common_name && roleAt(call, here) !== undefined && namesOf(alt_names).length === 0
  }),
})

const globEntry = (uriMatches: (glob: string, uri: string) => boolean) => part('sans', { uriMatches })

const uris: readonly PkiFault[] = faults({
  'uri-sans-single-star-is-literal':
    'The single entry "*" of allowed_uri_sans is literal; stars in longer entries are not.',
  'uri-sans-star-at-the-beginning-is-literal':
    'A star at the beginning of a longer entry of allowed_uri_sans is literal.',
  'uri-sans-have-one-star': 'An entry of allowed_uri_sans with more than one star matches nothing.',
}).by({
  'uri-sans-single-star-is-literal': globEntry((pattern, uri) => pattern !== '*' && globMatches(pattern, uri)),
  'uri-sans-star-at-the-beginning-is-literal': globEntry(
    (pattern, uri) => (pattern === '*' || !pattern.startsWith('*')) && globMatches(pattern, uri),
  ),
  'uri-sans-have-one-star': globEntry((pattern, uri) => pattern.split('*').length <= 2 && globMatches(pattern, uri)),
})

export const ofNameCombinations: readonly PkiFault[] = [...amongAltNames, ...together, ...forms, ...uris]
