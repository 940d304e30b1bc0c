import parse from 'semver/functions/parse.js'

/** The library also reads versions with white space around them, which are invalid here. */
const parsed = (text: string) => (/\s/.test(text) ? null : parse(text))

/** Reads semantic versions 2.0.0, with or without a leading `v`. */
export const isSemantic = (text: string): boolean => parsed(text) !== null

/** Adds the leading `v` with which versions are stored: `1.2.3` and `v1.2.3` are the same. */
export const canonical = (version: string): string =>
  version === '' || version.startsWith('v') ? version : `v${version}`

/** Returns the tag of an image, which has no leading `v`. */
export const tagOf = (version: string): string => version.replace(/^v/, '')

/** Compares two versions by ascending precedence. Invalid versions come first. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parsed(a), parsed(b)]
  return left && right ? left.compare(right) : Number(left !== null) - Number(right !== null)
}
