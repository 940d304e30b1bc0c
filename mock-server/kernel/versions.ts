import semver, { type SemVer } from 'semver'
import type { Edition, ServerFacts } from './contracts.ts'

/** The version that a server speaks by default. */
export const newestVersion = '1.14.0'

/** When the server was built, as some clients show it. It is the same for every version. */
export const buildDate = '2023-06-01T00:00:00Z'

/** Caches parsed versions, because versions are compared on every request. */
const known = new Map<string, SemVer>()

/** Reads `1.3` as 1.3.0, and drops what follows `-` or `+`. */
function parsed(version: string): SemVer {
  const found = known.get(version) ?? semver.coerce(version) ?? new semver.SemVer('0.0.0')
  known.set(version, found)
  return found
}

/** Tells whether `version` is the same as or newer than `floor`. What follows `-` or `+` does not count. */
export const isSince = (version: string, floor: string): boolean => parsed(version).compare(parsed(floor)) >= 0

/** Servers of this family mark their edition by this suffix in the version that they report. */
export const editionMarks: Readonly<Record<Edition, string>> = { community: '', enterprise: '+ent', premium: '+prem' }

export const reportedVersion = ({ version, edition }: ServerFacts): string => `${version}${editionMarks[edition]}`
