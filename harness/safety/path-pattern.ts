/** Removes from paths and sentences what differs from check to check. */

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const serial = '[0-9a-f]{2}(?:[:-][0-9a-f]{2}){7,}'
/** The number is a star where `withoutNumbers` has replaced it. */
const throwAway = /assay-(?:[a-z0-9]+-\d+|\*)-([a-z0-9]+(?:-[a-z0-9]+)*)/gi
const prefix = /assay-[a-z0-9]{8}(?![\w-])/gi
const id = new RegExp(`(?<![\\w-])(?:${uuid}|${serial})(?![\\w-])`, 'gi')

/** Longer path segments are ids. */
const longestName = 40

/** Replaces each throw-away name by the word that it ends with, and each id by `{id}`: `{pki}/roles/{role}`. */
export const withoutNames = (text: string): string =>
  text
    .replace(throwAway, (_name, word: string) => `{${word.toLowerCase()}}`)
    .replace(prefix, '{run}')
    .replace(id, '{id}')

/** Returns the pattern of a path. In addition to `withoutNames`, a long segment is an id, and a segment that the law
 * names gets that name: `{pki}/roles/{name}`. Paths of the law are written `{pki}/roles/:name`. A literal segment of the
 * law is preferred to a name: `totp/generate` is not `totp/{id}`. */
export function pathPattern(path: string, law: readonly string[] = []): string {
  const own = withoutNames(path)
    .split('/')
    .map((part) => (part.length > longestName && !part.includes('{') ? '{id}' : part))
  const [best = []] = law
    .map((one) => one.split('/'))
    .filter((parts) => parts.every((part, at) => at >= own.length || isAt(part, own[at] ?? '')))
    .toSorted((one, other) => fitOf(other, own) - fitOf(one, own))
  return own.map((part, at) => (best[at]?.startsWith(':') ? `{${best[at].replace(/[:?]/g, '')}}` : part)).join('/')
}

/** Returns how well a path of the law fits: the same length counts most, then the length that both share, and then the
 * literal segments. */
const fitOf = (parts: readonly string[], own: readonly string[]): number =>
  (parts.length === own.length ? 1e6 : 0) +
  Math.min(parts.length, own.length) * 1e3 +
  parts.filter((part, at) => part === own[at]).length

/** A mount in the law matches only throw-away names, because mounts with other names belong to somebody else. */
const isAt = (part: string, own: string): boolean =>
  part === own || part.startsWith(':') || (part.startsWith('{') && own.startsWith('{'))

/** Drops the names of placeholders, since two checks may give the same thing different names. */
export const unnamed = (pattern: string): string => pattern.replace(/\{[^{}/]*\}/g, '{}')
