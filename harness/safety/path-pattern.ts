/** Paths and sentences without what differs from check to check. */

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const serial = '[0-9a-f]{2}(?:[:-][0-9a-f]{2}){7,}'
/** The number is a star in texts from which `withoutNumbers` has taken it. */
const throwAway = /assay-(?:[a-z0-9]+-\d+|\*)-([a-z0-9]+(?:-[a-z0-9]+)*)/gi
const prefix = /assay-[a-z0-9]{8}(?![\w-])/gi
const id = new RegExp(`(?<![\\w-])(?:${uuid}|${serial})(?![\\w-])`, 'gi')

/** Longer segments of a path are ids. */
const longestName = 40

/** A text in which each throw-away name is the word that it stands for, and each id `{id}`: `{pki}/roles/{role}`. */
export const withoutNames = (text: string): string =>
  text
    .replace(throwAway, (_name, word: string) => `{${word.toLowerCase()}}`)
    .replace(prefix, '{run}')
    .replace(id, '{id}')

/** The same for a path, in which ids of any form stand alone between slashes. */
export const pathPattern = (path: string): string =>
  withoutNames(path)
    .split('/')
    .map((part) => (part.length > longestName && !part.includes('{') ? '{id}' : part))
    .join('/')

/** A pattern whatever its placeholders are called: two checks may give the same thing different names. */
export const unnamed = (pattern: string): string => pattern.replace(/\{[^{}/]*\}/g, '{}')
