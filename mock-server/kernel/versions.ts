import type { SemVer } from 'semver'
import coerce from 'semver/functions/coerce.js'
import parse from 'semver/functions/parse.js'
import type { Edition, ServerFacts } from './contracts.ts'

/** The version that a server speaks by default. */
export const newestVersion = '1.14.0'

/** The build date, which some clients show. It is the same for every version. */
export const buildDate = '2023-06-01T00:00:00Z'

/** Caches parsed versions, because versions are compared on every request. */
const known = new Map<string, SemVer>()

const oldest = parse('0.0.0', { loose: false }, true)

/** Parses `1.3` as 1.3.0, and drops what follows `-` or `+`. */
function parsed(version: string): SemVer {
  const found = known.get(version) ?? coerce(version) ?? oldest
  known.set(version, found)
  return found
}

/** Returns whether `version` is `floor` or newer. What follows `-` or `+` is ignored. */
export const isSince = (version: string, floor: string): boolean => parsed(version).compare(parsed(floor)) >= 0

/** The suffix with which servers of this family mark their edition in the version that they report. */
const editionMarks: Readonly<Record<Edition, string>> = { community: '', enterprise: '+ent', premium: '+prem' }

export const reportedVersion = ({ version, edition }: ServerFacts): string => `${version}${editionMarks[edition]}`

/** The documents say nothing about earlier versions. */
const oldestVersion = '0.8.0'

/** The forms of the API, by subject. */
const knownForms: Readonly<Record<string, readonly string[]>> = {
  'plugin-catalog': ['older', 'newer'],
  cloud: ['older', 'newer'],
  'mfa-identity': ['served', 'absent'],
  'mfa-legacy': ['served', 'absent'],
}

/** Throws a RangeError unless this server supports the version, the edition and the forms. */
export function assertFacts({ version, edition, forms }: ServerFacts): void {
  if (!/^\d+\.\d+(\.\d+)?$/.test(version))
    throw new RangeError(
      `version ${JSON.stringify(version)} is invalid; expected numbers with dots, such as ${newestVersion}`,
    )
  if (!isSince(version, oldestVersion) || !isSince(newestVersion, version))
    throw new RangeError(`version ${version} is not known; the versions are from ${oldestVersion} to ${newestVersion}`)
  if (!Object.hasOwn(editionMarks, edition))
    throw new RangeError(`edition ${JSON.stringify(edition)} is not one of ${Object.keys(editionMarks).join(', ')}`)
  for (const [subject, form] of Object.entries(forms)) {
    const known = Object.hasOwn(knownForms, subject) ? knownForms[subject] : undefined
    if (!known) throw new RangeError(`forms: "${subject}" is not one of ${Object.keys(knownForms).join(', ')}`)
    if (!known.includes(form)) throw new RangeError(`forms: ${subject} is "${form}"; expected ${known.join(' or ')}`)
  }
}
