/** Token roles, and the policies of the tokens that are created with them. */
import { refuse } from '../../kernel/http/refusal.ts'

export interface TokenRole {
  readonly name: string
  readonly allowed: readonly string[]
  /** Patterns of policy names, in which `*` matches any text. */
  readonly allowedGlobs: readonly string[]
  readonly disallowed: readonly string[]
  readonly disallowedGlobs: readonly string[]
  readonly orphan: boolean
  readonly renewable: boolean
  readonly pathSuffix: string
  /** Seconds; 0 means that the role does not set it, as for all numbers here. */
  readonly period: number
  readonly explicitMaxTtl: number
  readonly uses: number
  readonly withoutDefaultPolicy: boolean
  readonly blocks: readonly string[]
  readonly aliases: readonly string[]
}

/** Returns whether one of the patterns matches the name. A `*` matches any text. */
export const matchesAny = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`, 's').test(name)
  })

/** Returns whether the role decides which policies its tokens may have, whatever policies the creator has. */
export const isRestricting = ({ allowed, allowedGlobs, disallowed, disallowedGlobs }: TokenRole): boolean =>
  [allowed, allowedGlobs, disallowed, disallowedGlobs].some((names) => names.length > 0)

/** Returns the policies of a token that is created with a restricting role. */
export function policiesByRole(
  asked: readonly string[],
  ofParent: readonly string[],
  withoutDefault: boolean,
  role: TokenRole,
): readonly string[] {
  const { allowed, allowedGlobs, disallowed, disallowedGlobs, name } = role
  const hasAllowed = allowed.length > 0 || allowedGlobs.length > 0
  const usual = allowed.length > 0 ? allowed : ofParent.filter((policy) => policy !== 'root')
  const wanted = asked.length > 0 ? asked : usual
  const isAllowed = (policy: string): boolean => allowed.includes(policy) || matchesAny(allowedGlobs, policy)
  if (hasAllowed && !wanted.every((policy) => policy === 'default' || isAllowed(policy)))
    refuse(`token policies (${wanted.join(', ')}) must be subset of the allowed policies of the role ${name}`)
  const refused = wanted.find((policy) => disallowed.includes(policy) || matchesAny(disallowedGlobs, policy))
  if (refused !== undefined) refuse(`token policy "${refused}" is disallowed by the role ${name}`)
  if (wanted.includes('root')) return ['root']
  const withDefault = withoutDefault || disallowed.includes('default') ? wanted : [...wanted, 'default']
  return [...new Set(withDefault)].sort()
}
