import type { AclRules, Preference } from './tables.ts'

/** A path with wildcards: `*` at the end matches any text, and `+` matches one whole segment. */
export interface Pattern {
  /** The path without the trailing `*`. */
  readonly stem: string
  readonly glob: boolean
  /** The number of segments that are `+`. */
  readonly wildcards: number
  /** The offset of the first wildcard. */
  readonly firstWildcard: number
  matches(path: string): boolean
}

/** Returns the pattern that a path of a policy describes, or undefined if the path has no wildcard. */
export function findPattern(path: string, rules: Pick<AclRules, 'glob' | 'segmentWildcard'>): Pattern | undefined {
  const glob = path.endsWith(rules.glob)
  const stem = glob ? path.slice(0, -1) : path
  const segments = stem.split('/')
  const wildcards = segments.filter((segment) => segment === rules.segmentWildcard).length
  if (wildcards === 0 && !glob) return undefined
  const before = segments.slice(0, segments.indexOf(rules.segmentWildcard))
  return {
    stem,
    glob,
    wildcards,
    firstWildcard: wildcards === 0 ? stem.length : before.join('/').length + Math.min(before.length, 1),
    matches:
      wildcards === 0
        ? (asked) => asked.startsWith(stem)
        : (asked) => matchesSegments(segments, glob, rules.segmentWildcard, asked.split('/')),
  }
}

function matchesSegments(
  pattern: readonly string[],
  glob: boolean,
  wildcard: string,
  asked: readonly string[],
): boolean {
  if (glob ? asked.length < pattern.length : asked.length !== pattern.length) return false
  const last = pattern.length - 1
  return pattern.every((segment, index) => {
    const other = asked[index] ?? ''
    if (segment === wildcard || segment === other) return true
    return glob && index === last && other.startsWith(segment)
  })
}

/** A negative result means that the first pattern wins. */
const comparisons: Readonly<Record<Preference, (a: Pattern, b: Pattern) => number>> = {
  'later-wildcard': (a, b) => b.firstWildcard - a.firstWildcard,
  'no-glob': (a, b) => Number(a.glob) - Number(b.glob),
  'fewer-segment-wildcards': (a, b) => a.wildcards - b.wildcards,
  longer: (a, b) => b.stem.length - a.stem.length,
  'later-in-alphabet': (a, b) => (a.stem < b.stem ? 1 : a.stem > b.stem ? -1 : 0),
}

/** Returns a comparison for sorting. No preference depends on the requested path, so patterns are sorted once, and the
 * first one that matches decides. */
export const inOrder =
  (preferences: readonly Preference[]) =>
  (a: Pattern, b: Pattern): number => {
    for (const preference of preferences) {
      const difference = comparisons[preference](a, b)
      if (difference !== 0) return difference
    }
    return 0
  }
