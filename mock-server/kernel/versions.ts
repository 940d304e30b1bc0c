import type { Edition, ServerFacts } from './contracts.ts'

/** The version that a server speaks by default. */
export const newestVersion = '1.14.0'

/** Caches parsed versions, because versions are compared on every request. */
const known = new Map<string, readonly number[]>()

function partsOf(version: string): readonly number[] {
  const parts = known.get(version) ?? (version.split(/[-+]/)[0] ?? '').split('.').map((part) => Number(part) || 0)
  known.set(version, parts)
  return parts
}

/** Tells whether `version` is the same as or newer than `floor`. What follows `-` or `+` does not count. */
export function isSince(version: string, floor: string): boolean {
  const [parts, floors] = [partsOf(version), partsOf(floor)]
  for (let index = 0; index < Math.max(parts.length, floors.length); index++) {
    const difference = (parts[index] ?? 0) - (floors[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

/** Servers of this family mark their edition by this suffix in the version that they report. */
export const editionMarks: Readonly<Record<Edition, string>> = { community: '', enterprise: '+ent', premium: '+prem' }

export const reportedVersion = ({ version, edition }: ServerFacts): string => `${version}${editionMarks[edition]}`
