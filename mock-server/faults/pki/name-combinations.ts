/** Faults of how roles match names in combination: among the alternative names, by several options together, and
 * without a common name. */

import { globMatches } from '../../engines/pki/judging/name-glob.ts'
import { type Asked, anyName, hostName, localNames, nameWays } from '../../engines/pki/rules/names.ts'
import { cell, part, roleField } from './cells.ts'
import { allowing, asRole, fault, isHost, issue, namesOf, type PkiFault, refusing, roleAt } from './pki-operations.ts'

const { allow_bare_domains: bare, allow_subdomains: sub, allow_glob_domains: glob } = nameWays
const bareWay = (way: typeof bare) => cell('names', 'ways', { allow_bare_domains: way })
const subWay = (way: typeof sub) => cell('names', 'ways', { allow_subdomains: way })
const globWay = (way: typeof glob) => cell('names', 'ways', { allow_glob_domains: way })

/** The star of an entry is literal if `isLiteral` returns true for the entry. */
const literalStar = (isLiteral: (domain: string) => boolean) =>
  globWay((asked, domain, role) => (isLiteral(domain) ? false : glob(asked, domain, role)))

const isCommonName = ({ kind }: Asked): boolean => kind === 'commonName'

const amongAltNames: readonly PkiFault[] = [
  fault(
    'names-alt-names-exclude-bare-domains',
    'allow_bare_domains on does not allow a host name in alt_names that equals an allowed domain.',
    bareWay((asked, domain, role) => asked.kind !== 'dns' && bare(asked, domain, role)),
  ),
  fault(
    'names-alt-names-exclude-subdomains',
    'allow_subdomains on does not allow host names in alt_names that are subdomains.',
    subWay((asked, domain, role) => asked.kind !== 'dns' && sub(asked, domain, role)),
  ),
  fault(
    'names-alt-names-exclude-globs',
    'allow_glob_domains on does not allow host names in alt_names that match a glob.',
    globWay((asked, domain, role) => asked.kind !== 'dns' && glob(asked, domain, role)),
  ),
  fault(
    'localhost-excludes-alt-names',
    'allow_localhost on allows localhost and localdomain as common name, but not in alt_names.',
    cell('names', 'local', {
      matches: (asked, local, role) => asked.kind === 'commonName' && localNames.matches(asked, local, role),
    }),
  ),
  fault(
    'names-any-name-binds-alt-names',
    'With allow_any_name on, names in alt_names must match allowed_domains, unless it is empty.',
    part('names', {
      anyName: (role, asked) =>
        anyName(role, asked) && (asked.kind === 'commonName' || role.allowed_domains.length === 0),
    }),
  ),
  fault(
    'names-without-a-common-name-not-matched',
    'Alternative names are not matched against the role if the request has no common name.',
    asRole(issue, (role, { body }) =>
      body.common_name
        ? role
        : {
            ...role,
            ...{ allow_any_name: true, allow_wildcard_certificates: true, enforce_hostnames: false },
            ...{ allow_ip_sans: true, allowed_uri_sans: ['*'], allowed_other_sans: ['*'] },
          },
    ),
  ),
  fault(
    'common-name-beside-alt-names-not-matched',
    'The common name is not matched against the role if the request has host names in alt_names.',
    allowing(issue, isCommonName, ({ body }) => namesOf(body.alt_names, isHost).length > 0),
  ),
  fault(
    'email-common-names-not-matched',
    'A common name that is an email address is not matched against the allowed names of the role.',
    part('names', {
      anyName: (role, asked) => anyName(role, asked) || (asked.email && asked.kind === 'commonName'),
    }),
  ),
]

const together: readonly PkiFault[] = [
  fault(
    'names-bare-not-beside-subdomains',
    'allow_bare_domains has no effect if allow_subdomains is on.',
    bareWay((asked, domain, role) => !role.allow_subdomains && bare(asked, domain, role)),
  ),
  fault(
    'names-bare-not-beside-globs',
    'allow_bare_domains has no effect if allow_glob_domains is on.',
    bareWay((asked, domain, role) => !role.allow_glob_domains && bare(asked, domain, role)),
  ),
  fault(
    'names-subdomains-not-beside-bare',
    'allow_subdomains has no effect if allow_bare_domains is on.',
    subWay((asked, domain, role) => !role.allow_bare_domains && sub(asked, domain, role)),
  ),
  fault(
    'names-subdomains-not-beside-globs',
    'allow_subdomains has no effect if allow_glob_domains is on.',
    subWay((asked, domain, role) => !role.allow_glob_domains && sub(asked, domain, role)),
  ),
  fault(
    'names-globs-not-beside-others',
    'allow_glob_domains has no effect if allow_bare_domains or allow_subdomains is on.',
    globWay((asked, domain, role) => !role.allow_bare_domains && !role.allow_subdomains && glob(asked, domain, role)),
  ),
  fault(
    'names-middle-allowed-domains-lost',
    'Of three or more entries of allowed_domains, only the first and the last are used.',
    roleField('allowed_domains', {
      used: (domains: readonly string[]) => (domains.length > 2 ? [domains[0], domains.at(-1)] : domains),
    }),
  ),
]

const forms: readonly PkiFault[] = [
  fault(
    'names-subdomain-wildcards-directly-below-only',
    'allow_subdomains on allows wildcards only directly below an allowed domain: *.a.example.com is refused.',
    subWay((asked, domain, role) => (asked.wildcard ? asked.wildcard.rest === domain : sub(asked, domain, role))),
  ),
  fault(
    'names-glob-star-at-the-end-is-literal',
    'A star at the end of a glob is literal, except in the single entry "*".',
    literalStar((domain) => domain !== '*' && domain.endsWith('*')),
  ),
  fault(
    'names-glob-star-at-the-beginning-is-literal',
    'A star at the beginning of a glob is literal, except in the single entry "*" and before a dot.',
    literalStar((domain) => domain !== '*' && domain.startsWith('*') && !domain.startsWith('*.')),
  ),
  fault(
    'names-glob-star-needs-a-character',
    'A star in a glob matches at least one character: web*.example.com does not allow web.example.com.',
    globWay((asked, domain, role) => {
      const parts = domain.split('*').map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      return glob(asked, domain, role) && new RegExp(`^${parts.join('.+')}$`).test(asked.host)
    }),
  ),
  fault(
    'localhost-default-excludes-localdomain',
    'A role written without allow_localhost allows localhost but not localdomain.',
    roleField('allow_localhost', { fallback: 'localhost alone' }),
    cell('names', 'local', {
      matches: (asked, local, role) =>
        localNames.matches(asked, local, role) && (local === 'localhost' || role.allow_localhost === true),
    }),
  ),
  fault(
    'hostnames-begin-with-letters',
    'A label of a host name must begin with a letter: 3com.example.com is refused.',
    part('names', { hostName: new RegExp(hostName.source.replaceAll('[A-Za-z0-9](?:', '[A-Za-z](?:')) }),
  ),
  fault(
    'hostnames-hold-no-hyphens',
    'A label of a host name must not have a hyphen.',
    part('names', { hostName: new RegExp(hostName.source.replaceAll('[A-Za-z0-9-]', '[A-Za-z0-9]')) }),
  ),
  fault(
    'hostnames-hold-no-labels-of-63-characters',
    'A label of a host name must have fewer than 63 characters.',
    part('names', { hostName: new RegExp(hostName.source.replaceAll('{0,61}', '{0,60}')) }),
  ),
  fault(
    'common-name-needs-another-host-name',
    'A request without common_name is refused if it has no name in alt_names, even if require_cn is false.',
    refusing(issue, (call, here) => {
      const { alt_names, common_name } = call.body
      return !common_name && roleAt(call, here) !== undefined && namesOf(alt_names).length === 0
    }),
  ),
]

const globEntry = (uriMatches: (glob: string, uri: string) => boolean) => part('sans', { uriMatches })

const uris: readonly PkiFault[] = [
  fault(
    'uri-sans-single-star-is-literal',
    'The single entry "*" of allowed_uri_sans is literal; stars in longer entries are not.',
    globEntry((pattern, uri) => pattern !== '*' && globMatches(pattern, uri)),
  ),
  fault(
    'uri-sans-star-at-the-beginning-is-literal',
    'A star at the beginning of a longer entry of allowed_uri_sans is literal.',
    globEntry((pattern, uri) => (pattern === '*' || !pattern.startsWith('*')) && globMatches(pattern, uri)),
  ),
  fault(
    'uri-sans-have-one-star',
    'An entry of allowed_uri_sans with more than one star matches nothing.',
    globEntry((pattern, uri) => pattern.split('*').length <= 2 && globMatches(pattern, uri)),
  ),
]

export const ofNameCombinations: readonly PkiFault[] = [...amongAltNames, ...together, ...forms, ...uris]
