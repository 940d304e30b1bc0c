/** These rules decide which requested names a role allows (document 2, Role and Matching options). */

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
export const localNames: { readonly names: readonly string[]; readonly matches: Way } = {
  names: ['localhost', 'localdomain'],
  matches: (asked, local) => asked.host === local,
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

/** Returns whether the role allows a name whatever its domain is. */
export const anyName: (role: Role, asked: Asked) => boolean = ({ allow_any_name }) => allow_any_name
