/** These rules decide which requested names a role allows (document 2, Role and Matching options). */

import { seam } from '../../../kernel/seam.ts'
import { globMatches } from '../judging/name-glob.ts'
import type { Role } from '../store.ts'

export type NameKind = 'commonName' | 'dns' | 'email'

/** A requested name, split into its parts. All parts are in lower case. */
export interface Asked {
  /** Where the request has the name: as common name, or among the alternative names. */
  readonly kind: NameKind
  readonly name: string
  /** The part after the `@` of an email address, or else the name. */
  readonly host: string
  readonly email: boolean
  /** A left-most label with one `*`, and what follows its dot. */
  readonly wildcard: { readonly label: string; readonly rest: string } | undefined
}

type Way = (asked: Asked, domain: string, role: Role) => boolean

/** The ways in which a name can match an allowed domain. Each is enabled by the role option of the same name. */
export const nameWays: Readonly<Record<'allow_bare_domains' | 'allow_subdomains' | 'allow_glob_domains', Way>> = {
  allow_bare_domains: (asked, domain) => asked.name === domain || (asked.email && asked.host === domain),
  allow_subdomains: ({ host, wildcard }, domain) =>
    wildcard ? wildcard.rest === domain || wildcard.rest.endsWith(`.${domain}`) : host.endsWith(`.${domain}`),
  allow_glob_domains: ({ name, host }, domain) =>
    domain.includes('*') && (globMatches(domain, name) || globMatches(domain, host)),
}

/** The names that `allow_localhost` allows. Their subdomains need `allow_subdomains`. */
export const localNames = {
  names: ['localhost', 'localdomain'] as readonly string[],
  matches: (asked: Asked, local: string, _role: Role): boolean => asked.host === local,
  /** If `allow_localhost` is off, `allowed_domains` may still allow the names. */
  offForbids: false,
}

/** The forms of wildcards of RFC 6125 in the left-most label. */
export const wildcardPatterns: Readonly<Record<string, RegExp>> = {
  whole: /^\*$/,
  suffixed: /^[a-z0-9-]+\*$/,
  prefixed: /^\*[a-z0-9-]+$/,
  interior: /^[a-z0-9-]+\*[a-z0-9-]+$/,
}

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** Matches a host name after an optional wildcard label. */
export const hostName = new RegExp(`^(?:${label}\\.)*${label}\\.?$`)

type ByKind<T> = Readonly<Record<NameKind, T>>

export interface NameChecks {
  /** Whether a kind of name must be a host name: if the role enforces it, never, or always. An email address has the
   * kind `email` in every field. */
  readonly enforced: ByKind<'by-role' | 'never' | 'always'>
  /** Whether an email address as common name must have a host name like other email addresses. */
  readonly emailCommonNames: 'as emails' | 'free'
  /** Whether a common name that is excluded from the SANs is checked against the role. */
  readonly excludedCommonNames: 'held' | 'free'
  /** Whether a common name is checked against the role if the request has alternative host names as well. */
  readonly commonNamesBesideOthers: 'held' | 'free'
  /** Whether alternative names are checked against the role if the request has no common name. */
  readonly namesAlone: 'held' | 'free'
  /** Whether a domain without a template also allows names in a role with `allowed_domains_template`. */
  readonly plainBesideTemplates: boolean
  /** The kinds of names that must match a domain of the role, or be a local name. */
  readonly related: ByKind<boolean>
  /** Whether a role enforces host names under `allow_any_name` as well. */
  readonly anyNameEnforces: ByKind<boolean>
  readonly anyNameForbidsWildcards: boolean
  /** The left-most labels with `*` that `allow_wildcard_certificates` permits. */
  readonly permittedWildcards: ByKind<RegExp>
  /** The role options that permit wildcards without `allow_wildcard_certificates`. */
  readonly permitWildcards: readonly (keyof typeof nameWays)[]
  /** If true, one name that is not allowed denies the whole request; otherwise it is left out. */
  readonly oneDeniesAll: boolean
  /** Whether a DNS name that must be a host name but is not one is refused, or dropped. */
  readonly badDnsNames: 'refused' | 'dropped'
  /** Returns true for a DNS SAN that is allowed whatever the role allows. */
  readonly freeDnsSans: (asked: Asked, role: Role) => boolean
  /** Returns true for a name that counts as a host name although it is not one. */
  readonly laxHosts: (kind: NameKind, host: string) => boolean
  /** Returns the names of a request that are checked against the role. */
  readonly held: (names: readonly string[], kind: NameKind) => readonly string[]
}

const everywhere = <T>(value: T): ByKind<T> => ({ commonName: value, dns: value, email: value })

export const nameChecks: NameChecks = {
  enforced: everywhere('by-role'),
  emailCommonNames: 'as emails',
  excludedCommonNames: 'held',
  commonNamesBesideOthers: 'held',
  namesAlone: 'held',
  plainBesideTemplates: true,
  related: everywhere(true),
  anyNameEnforces: everywhere(true),
  anyNameForbidsWildcards: true,
  permittedWildcards: everywhere(/\*/),
  permitWildcards: [],
  oneDeniesAll: true,
  badDnsNames: 'refused',
  // Seams: there is no other reason to allow a name, or to count it as a host name.
  freeDnsSans: seam(() => false),
  laxHosts: seam(() => false),
  // Seam: each name is checked against the role.
  held: seam((names) => names),
}

/** Returns whether the role allows every name. */
export const anyName = (role: Role, _asked: Asked): boolean => role.allow_any_name
