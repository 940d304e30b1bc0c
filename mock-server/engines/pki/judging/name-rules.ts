/** Decides which names a role allows. */
import { domainToASCII } from 'node:url'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { PkiRules } from '../rules/index.ts'
import type { Asked, NameKind } from '../rules/names.ts'
import type { Role } from '../store.ts'

type Identity = Readonly<Record<string, string>>
type Rules = PkiRules['names']

const words: Readonly<Record<NameKind, string>> = {
  commonName: 'common name',
  dns: 'subject alternate name',
  email: 'email address',
}

const ways = ['allow_bare_domains', 'allow_subdomains', 'allow_glob_domains'] as const

/** Encodes the name in ASCII, as in the DNS. */
export const asciiName = (name: string): string => (/^[\x20-\x7e]*$/.test(name) ? name : domainToASCII(name))

/** Splits a name into its parts. Returns undefined for a text that cannot be a name. */
export function takeApart(name: string, rules: Rules, kind: NameKind = 'commonName'): Asked | undefined {
  const lower = name.toLowerCase()
  const [local = '', domain, ...more] = lower.split('@')
  if (more.length > 0) return undefined
  if (domain !== undefined)
    return domain.includes('*') ? undefined : { kind, name: lower, host: domain, email: true, wildcard: undefined }
  const dot = local.indexOf('.')
  const [label, rest] = [local.slice(0, dot), local.slice(dot + 1)]
  const isWildcard =
    dot > 0 && !rest.includes('*') && Object.values(rules.wildcardPatterns).some((pattern) => pattern.test(label))
  return { kind, name: lower, host: local, email: false, wildcard: isWildcard ? { label, rest } : undefined }
}

/** Returns whether the name, without its wildcard label, is a host name. */
export const isHostName = (asked: Asked, rules: Rules): boolean =>
  rules.hostName.test(asciiName(asked.wildcard?.rest ?? asked.host))

/** Returns whether the role allows a name: as a wildcard, as a host name, and by its domain. */
function isAllowed(name: string, kind: NameKind, role: Role, rules: Rules, identity: Identity): boolean {
  const asked = takeApart(name, rules, kind)
  if (!asked) return false
  const [first = ''] = asked.name.split('.', 1)
  if (first.includes('*') && !role.allow_wildcard_certificates) return false
  if (role.enforce_hostnames && !isHostName(asked, rules)) return false
  return rules.anyName(role, asked) || isLocal(asked, role, rules) || isRelated(asked, role, rules, identity)
}

function isLocal(asked: Asked, role: Role, { local, ways: relation }: Rules): boolean {
  if (!role.allow_localhost) return false
  return local.names.some(
    (name) =>
      local.matches(asked, name, role) || (role.allow_subdomains && relation.allow_subdomains(asked, name, role)),
  )
}

function isRelated(asked: Asked, role: Role, rules: Rules, identity: Identity): boolean {
  return role.allowed_domains.some((entry) => {
    const domain = role.allowed_domains_template ? filled(entry, identity) : entry
    return domain !== undefined && ways.some((way) => role[way] && rules.ways[way](asked, domain.toLowerCase(), role))
  })
}

/** Fills in a template. Returns undefined if a name in it has no value, so that the entry allows no names. */
function filled(entry: string, identity: Identity): string | undefined {
  let known = true
  const domain = entry.replace(/\{\{([^{}]*)\}\}/g, (_whole, inside: string) => {
    const name = inside.trim()
    const value = Object.hasOwn(identity, name) ? identity[name] : undefined
    if (!value) known = false
    return value ?? ''
  })
  return known ? domain : undefined
}

/** Refuses the request if it has a name that the role does not allow. */
export function assertAllowed(
  names: readonly string[],
  kind: NameKind,
  role: Role,
  rules: Rules,
  identity: Identity,
): void {
  const other = names.find((name) => !isAllowed(name, kind, role, rules, identity))
  if (other !== undefined) throw badRequest(`${words[kind]} ${other} not allowed by this role`)
}
