import type { Capability } from '../contracts.ts'
import { findBreach, mergeValues, type ParameterRules } from './parameters.ts'
import { findPattern, inOrder, type Pattern } from './pattern.ts'
import type { AclPolicy, PathRule } from './policy.ts'
import { aclRules as rules } from './tables.ts'

export interface AclRequest {
  /** The path below `/v1/`. A trailing slash counts. */
  readonly path: string
  readonly capability: Capability
  /** True for a LIST, which treats `a` and `a/` as the same path. */
  readonly list?: boolean
  /** The fields of the body, if the request can have one. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** The TTL of response wrapping that the request asks for, in seconds. */
  readonly wrapTtl?: number
}

export interface AclDecision {
  readonly allowed: boolean
  /** True if the token may use endpoints at this path that need sudo. */
  readonly sudo: boolean
  /** The names of the MFA methods that the policies require in addition to the capability. */
  readonly secondFactors?: readonly string[]
  /** Why the request is refused. */
  readonly reason?: string
}

export interface Acl {
  check(request: AclRequest): AclDecision
  /** Returns the capabilities in alphabetical order: `['deny']` if nothing is granted, `['root']` for the root
   * policy. */
  capabilities(path: string): readonly (Capability | 'root')[]
  /** Returns whether anything is granted below the prefix, which ends with a slash. */
  reaches(prefix: string): boolean
}

/** The root policy grants every capability on every path. */
export const rootAcl: Acl = { check: () => allowed.withSudo, capabilities: () => ['root'], reaches: () => true }

const allowed = { withSudo: { allowed: true, sudo: true }, plain: { allowed: true, sudo: false } } as const

/** What all policies of a token together say about one path. */
interface Permissions {
  readonly words: ReadonlySet<Capability>
  readonly parameters: ParameterRules | undefined
  /** In seconds; 0 means that there is no bound. */
  readonly minWrapping: number
  readonly maxWrapping: number
  readonly secondFactors: readonly string[]
}

/** Merges the policies into one ACL, so that a request needs only one lookup in a map, or a search through the patterns
 * in order of preference. */
export function compileAcl(policies: readonly AclPolicy[]): Acl {
  const exact = new Map<string, Permissions>()
  const patterns: { readonly pattern: Pattern; readonly permissions: Permissions }[] = []
  const merged = new Map<string, Permissions>()
  for (const rule of policies.flatMap((policy) => policy.rules)) {
    const known = merged.get(rule.path)
    merged.set(rule.path, known ? merge(known, permissionsOf(rule)) : permissionsOf(rule))
  }
  for (const [path, permissions] of merged) {
    const pattern = findPattern(path, rules)
    if (pattern) patterns.push({ pattern, permissions })
    else exact.set(path, permissions)
  }
  const order = inOrder(rules.preferences)
  patterns.sort((a, b) => order(a.pattern, b.pattern))

  const byPattern = (path: string, other: string): Permissions | undefined =>
    patterns.find(({ pattern }) => pattern.matches(path) || (other !== path && pattern.matches(other)))?.permissions

  const find = (path: string, list: boolean): Permissions | undefined => {
    const bare = list && path.endsWith('/') ? path.slice(0, -1) : path
    const slashed = list ? `${bare}/` : path
    const written = exact.get(slashed) ?? (list ? exact.get(bare) : undefined)
    return written ?? byPattern(slashed, list ? bare : slashed)
  }

  return {
    check: (request) => {
      const found = find(request.path, request.list ?? false)
      if (!found) return refused(false, `no policy covers ${request.path}`)
      const sudo = found.words.has('sudo')
      if (!rules.grants[request.capability].some((word) => found.words.has(word))) {
        return refused(sudo, `no policy grants ${request.capability} on ${request.path}`)
      }
      const breach = breachOf(found, request)
      if (breach !== undefined) return refused(sudo, breach)
      if (found.secondFactors.length > 0) return { allowed: true, sudo, secondFactors: found.secondFactors }
      return sudo ? allowed.withSudo : allowed.plain
    },
    capabilities: (path) => {
      const words = find(path, true)?.words
      return words && words.size > 0 ? [...words].sort() : ['deny']
    },
    reaches: (prefix) =>
      [...exact].some(([path, permissions]) => grants(permissions) && path.startsWith(prefix)) ||
      patterns.some(({ pattern, permissions }) => grants(permissions) && meets(pattern, prefix)),
  }
}

const grants = ({ words }: Permissions): boolean => words.size > 0 && !words.has('deny')

/** Returns whether the pattern may match something below the prefix. */
function meets({ stem, firstWildcard }: Pattern, prefix: string): boolean {
  const written = stem.slice(0, firstWildcard)
  return written.startsWith(prefix) || prefix.startsWith(written)
}

const refused = (sudo: boolean, reason: string): AclDecision => ({ allowed: false, sudo, reason })

function permissionsOf(rule: PathRule): Permissions {
  const { requiredParameters: required, deniedParameters: denied, allowedParameters: allowed } = rule
  const words = new Set(rule.capabilities)
  const parameters = { ...(required && { required }), ...(denied && { denied }), ...(allowed && { allowed }) }
  return {
    words: settle(words),
    parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
    minWrapping: rule.minWrappingTtl ?? 0,
    maxWrapping: rule.maxWrappingTtl ?? 0,
    secondFactors: rule.secondFactors ?? [],
  }
}

function merge(a: Permissions, b: Permissions): Permissions {
  const denied = mergeValues(a.parameters?.denied, b.parameters?.denied)
  const allowed = mergeValues(a.parameters?.allowed, b.parameters?.allowed)
  const required = [...(a.parameters?.required ?? []), ...(b.parameters?.required ?? [])]
  return {
    words: settle(new Set([...a.words, ...b.words])),
    parameters:
      a.parameters || b.parameters
        ? { ...(denied && { denied }), ...(allowed && { allowed }), required: [...new Set(required)] }
        : undefined,
    minWrapping: least(a.minWrapping, b.minWrapping),
    maxWrapping: least(a.maxWrapping, b.maxWrapping),
    secondFactors: [...new Set([...a.secondFactors, ...b.secondFactors])],
  }
}

const least = (a: number, b: number): number => (a === 0 || b === 0 ? Math.max(a, b) : Math.min(a, b))

/** `deny` removes all other capabilities, also those that other policies grant on the same path. */
const settle = (words: ReadonlySet<Capability>): ReadonlySet<Capability> =>
  words.has('deny') ? new Set(['deny']) : words

/** Returns how a request breaks the rules for wrapping and parameters, or undefined if it does not. */
function breachOf(found: Permissions, request: AclRequest): string | undefined {
  const wrapping = wrappingBreach(found, request.wrapTtl ?? 0)
  if (wrapping !== undefined) return wrapping
  if (!found.parameters || !request.parameters || !rules.parametersOf.includes(request.capability)) return undefined
  return findBreach(request.parameters, found.parameters, rules.parameterRules)
}

function wrappingBreach({ minWrapping, maxWrapping }: Permissions, asked: number): string | undefined {
  if (minWrapping > 0 && asked < minWrapping) return `the response must be wrapped for ${minWrapping} s or more`
  if (maxWrapping > 0 && (asked === 0 || asked > maxWrapping)) {
    return `the response must be wrapped for ${maxWrapping} s or less`
  }
  return undefined
}
