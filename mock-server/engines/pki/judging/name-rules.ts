/** Decides which names a role allows, by the rules in the rules. */
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

/** A name is not allowed because of its syntax, because it is not a host name, or because nothing in the role allows
 * it. */
type Problem = 'syntax' | 'host' | 'relation'

function problemOf(name: string, kind: NameKind, role: Role, rules: Rules, identity: Identity): Problem | undefined {
  const asked = takeApart(name, rules, kind)
  if (!asked) return 'syntax'
  const any = rules.anyName(role, asked)
  if (isForbiddenWildcard(asked, kind, role, rules, any)) return 'syntax'
  const { local, checks } = rules
  const isHost = isHostName(asked, rules) || checks.laxHosts(kind, asked.host)
  if (mustBeHost(asked, kind, role, rules, any) && !isHost) return 'host'
  if (any || !checks.related[kind] || (kind === 'dns' && checks.freeDnsSans(asked, role))) return undefined
  if (local.offForbids && !role.allow_localhost && local.names.includes(asked.host)) return 'relation'
  return isLocal(asked, role, rules) || isRelated(asked, role, rules, identity) ? undefined : 'relation'
}

function isForbiddenWildcard(asked: Asked, kind: NameKind, role: Role, { checks }: Rules, any: boolean): boolean {
  const label = asked.name.split('.', 1)[0] ?? ''
  if (!label.includes('*') || (any && !checks.anyNameForbidsWildcards)) return false
  if (role.allow_wildcard_certificates) return !checks.permittedWildcards[kind].test(label)
  return any || !checks.permitWildcards.some((way) => role[way])
}

function mustBeHost(asked: Asked, kind: NameKind, role: Role, { checks }: Rules, any: boolean): boolean {
  if (asked.email && kind === 'commonName' && checks.emailCommonNames === 'free') return false
  const by = asked.email ? 'email' : kind
  const rule = checks.enforced[by]
  if (rule !== 'by-role') return rule === 'always'
  return role.enforce_hostnames && (!any || checks.anyNameEnforces[by])
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
    if (role.allowed_domains_template && !rules.checks.plainBesideTemplates && !entry.includes('{{')) return false
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

/** Returns the allowed names. A name that is not allowed denies the request, unless the rules drop it. */
export function allowedNames(
  names: readonly string[],
  kind: NameKind,
  role: Role,
  rules: Rules,
  identity: Identity,
): readonly string[] {
  const held = new Set(rules.checks.held(names, kind))
  return names.filter((name) => {
    if (!held.has(name)) return true
    const problem = problemOf(name, kind, role, rules, identity)
    if (!problem) return true
    if (problem === 'relation' && kind !== 'commonName' && !rules.checks.oneDeniesAll) return false
    if (problem === 'host' && kind === 'dns' && rules.checks.badDnsNames === 'dropped') return false
    throw badRequest(`${words[kind]} ${name} not allowed by this role`)
  })
}
