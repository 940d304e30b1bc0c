/** How names that are asked for relate to what a role allows (document 2, Role and Matching options). */
import { globMatches } from '../name-glob.ts'
import type { Role } from '../store.ts'

export type NameKind = 'commonName' | 'dns' | 'email'

/** A name as asked, taken apart. All parts are in lower case. */
export interface Asked {
  readonly name: string
  /** What is behind the `@` of an email address; else the name. */
  readonly host: string
  readonly email: boolean
  /** A left-most label with one `*`, and what follows its dot. */
  readonly wildcard: { readonly label: string; readonly rest: string } | undefined
}

type Way = (asked: Asked, domain: string, role: Role) => boolean

/** The ways in which a name may relate to a domain, each behind the role option of its name. */
export const nameWays: Readonly<Record<'allow_bare_domains' | 'allow_subdomains' | 'allow_glob_domains', Way>> = {
  allow_bare_domains: (asked, domain) => asked.name === domain || (asked.email && asked.host === domain),
  allow_subdomains: ({ host, wildcard }, domain) =>
    wildcard ? wildcard.rest === domain || wildcard.rest.endsWith(`.${domain}`) : host.endsWith(`.${domain}`),
  allow_glob_domains: ({ name, host }, domain) =>
    domain.includes('*') && (globMatches(domain, name) || globMatches(domain, host)),
}

/** What `allow_localhost` stands for; subdomains of these are the business of `allow_subdomains`. */
export const localNames = {
  names: ['localhost', 'localdomain'] as readonly string[],
  matches: (asked: Asked, local: string, _role: Role): boolean => asked.host === local,
  /** Switched off, the names may still be permitted by `allowed_domains`. */
  offForbids: false,
}

/** The wildcards of RFC 6125 in the left-most label, by form. */
export const wildcardForms: Readonly<Record<string, RegExp>> = {
  whole: /^\*$/,
  suffixed: /^[a-z0-9-]+\*$/,
  prefixed: /^\*[a-z0-9-]+$/,
  interior: /^[a-z0-9-]+\*[a-z0-9-]+$/,
}

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** A host name, behind any wildcard label. */
export const hostName = new RegExp(`^(?:${label}\\.)*${label}\\.?$`)

type ByKind<T> = Readonly<Record<NameKind, T>>

export interface NameChecks {
  /** Whether a kind of name must be a host name: as the role says, or whatever it says. An email address, wherever it
   * stands, is of the kind `email`. */
  readonly enforced: ByKind<'by-role' | 'never' | 'always'>
  /** Kinds that must relate to what the role allows. */
  readonly related: ByKind<boolean>
  /** `allow_any_name` leaves these rules in force. */
  readonly anyNameEnforces: ByKind<boolean>
  readonly anyNameForbidsWildcards: boolean
  /** Left-most labels with a star that `allow_wildcard_certificates` permits. */
  readonly permittedWildcards: ByKind<RegExp>
  /** What `allow_subdomains` permits needs no `allow_wildcard_certificates`. */
  readonly subdomainsPermitWildcards: boolean
  /** One name that does not match denies the whole request; else it is left out. */
  readonly oneDeniesAll: boolean
  /** What becomes of a DNS name that is no host name where it must be one. */
  readonly badDnsNames: 'refused' | 'dropped'
}

const everywhere = <T>(value: T): ByKind<T> => ({ commonName: value, dns: value, email: value })

export const nameChecks: NameChecks = {
  enforced: everywhere('by-role'),
  related: everywhere(true),
  anyNameEnforces: everywhere(true),
  anyNameForbidsWildcards: true,
  permittedWildcards: everywhere(/\*/),
  subdomainsPermitWildcards: false,
  oneDeniesAll: true,
  badDnsNames: 'refused',
}

/** Whether every name is allowed. */
export const anyName = (role: Role, _asked: Asked): boolean => role.allow_any_name
