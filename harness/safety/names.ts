const longest = 60

/** Returns what every name of a run begins with: `assay-<run>`. */
export const runPrefixOf = (runId: string): string => `assay-${runId.toLowerCase()}`

/** Tells whether a name bears the mark of a run, and not of another whose id begins alike. */
export function bears(runId: string, name: string): boolean {
  const prefix = runPrefixOf(runId)
  const at = name.indexOf(prefix)
  return at >= 0 && !/[a-z0-9]/.test(name.charAt(at + prefix.length))
}

/** A name of its own for each check: `assay-<run>-<n>-<name>`, lower case (policy names are case-folded), at most 60
 * characters, made of letters, digits and hyphens. */
export function throwAwayName(runId: string, n: number, name: string): string {
  const word = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return `${runPrefixOf(runId)}-${n}-${word}`.slice(0, longest).replace(/-+$/, '')
}

/** A text with the part of its throw-away names that differs from check to check left out: `assay-*-<name>`. */
export const withoutNumbers = (runId: string, text: string): string =>
  text.replace(new RegExp(`${runPrefixOf(runId)}-\\d+`, 'g'), 'assay-*')

/** Tells whether a name is a throw-away name of some run. */
export const isThrowAway = (name: string): boolean => /^assay-[a-z0-9]+-\d+-/.test(name)

/** Tells whether a name is nothing but a throw-away name of that run. */
export const isNameOf = (runId: string, name: string): boolean =>
  new RegExp(`^${escaped(runPrefixOf(runId))}-[0-9]{1,9}-[a-z0-9][a-z0-9-]{0,79}$`).test(name)

/** The id of the run whose throw-away name this is; undefined for any other name. */
export const runIn = (name: string): string | undefined => /^assay-([a-z0-9]+)-\d+-/.exec(name)?.[1]

/** A text as a regular expression that matches it alone. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
