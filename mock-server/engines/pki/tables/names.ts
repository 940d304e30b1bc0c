/** These tables relate requested names to what a role allows (document 2, Role and Matching options). */

import { seam } from '../../../kernel/seam.ts'
import { globMatches } from '../rules/name-glob.ts'
import type { Role } from '../store.ts'

export type NameKind = 'commonName' | 'dns' | 'email'

/** A requested name, split into its parts. All parts are in lower case. */
export interface Asked {
  readonly name: string
  /** The part after the `@` of an email address, or else the name. */
  readonly host: string
  readonly email: boolean
  /** A left-most label with one `*`, and what follows its dot. */
  readonly wildcard: { readonly label: string; readonly rest: string } | undefined
}

type Way = (asked: Asked, domain: string, role: Role) => boolean

/** The ways in which a name may relate to a domain. The role option of the same name switches each on. */
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
  /** A kind of name must be a host name if the role says so, never, or always. An email address is of the kind `email`
   * in every field. */
  readonly enforced: ByKind<'by-role' | 'never' | 'always'>
  /** An email address as common name has to have a host name, or need not. */
  readonly emailCommonNames: 'as emails' | 'free'
  /** A common name that is kept out of the SANs is held against the role, or not. */
  readonly excludedCommonNames: 'held' | 'free'
  /** A domain without a template allows names in a role with templates, too, or does not. */
  readonly plainBesideTemplates: boolean
  /** The kinds that must relate to what the role allows. */
  readonly related: ByKind<boolean>
  /** These kinds of names follow the rules under `allow_any_name`, too. */
  readonly anyNameEnforces: ByKind<boolean>
  readonly anyNameForbidsWildcards: boolean
  /** The left-most labels with a star that `allow_wildcard_certificates` permits. */
  readonly permittedWildcards: ByKind<RegExp>
  /** Wildcards that these options permit do not need `allow_wildcard_certificates`. */
  readonly permitWildcards: readonly (keyof typeof nameWays)[]
  /** If true, one name that is not allowed denies the whole request; otherwise it is left out. */
  readonly oneDeniesAll: boolean
  /** A DNS name that must be a host name and is not is refused, or dropped. */
  readonly badDnsNames: 'refused' | 'dropped'
  /** A DNS SAN is allowed whatever the role says, if this is true. */
  readonly freeDnsSans: (asked: Asked, role: Role) => boolean
  /** A name of this kind counts as a host name, although it is none, if this is true. */
  readonly laxHosts: (kind: NameKind, host: string) => boolean
  /** Returns those names of a request that are held against the role, by the place of each. */
  readonly held: (names: readonly string[], kind: NameKind) => readonly string[]
}

const everywhere = <T>(value: T): ByKind<T> => ({ commonName: value, dns: value, email: value })

export const nameChecks: NameChecks = {
  enforced: everywhere('by-role'),
  emailCommonNames: 'as emails',
  excludedCommonNames: 'held',
  plainBesideTemplates: true,
  related: everywhere(true),
  anyNameEnforces: everywhere(true),
  anyNameForbidsWildcards: true,
  permittedWildcards: everywhere(/\*/),
  permitWildcards: [],
  oneDeniesAll: true,
  badDnsNames: 'refused',
  // Seams: a name is not allowed, or a host name, for another reason.
  freeDnsSans: seam(() => false),
  laxHosts: seam(() => false),
  // Seam: each name is held against the role.
  held: seam((names) => names),
}

/** Tells whether every name is allowed. */
export const anyName = (role: Role, _asked: Asked): boolean => role.allow_any_name
