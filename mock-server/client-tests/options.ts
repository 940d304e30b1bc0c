/** Refuses unknown names with a message that suggests similar names and lists the known ones. */
import { closest, distance } from 'fastest-levenshtein'

/** Returns `; did you mean "x"?` with the known names that are similar, or an empty string if none is. */
export function suggestion(names: readonly string[], known: readonly string[]): string {
  const near = names
    .map((name) => ({ name, near: closest(name, known) }))
    .filter(({ name, near }) => distance(name, near) <= Math.max(2, name.length / 3))
  return near.length === 0 ? '' : `; did you mean ${near.map((found) => `"${found.near}"`).join(', ')}?`
}

/** Throws a RangeError on an unknown name. `what` says what has the name: `option`, `field of a mount`. */
export function assertName(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const near = suggestion([name], known)
  throw new RangeError(`unknown ${what} "${name}"${near ? `${near} Known` : '; known'} are ${known.join(', ')}`)
}

export function assertNames(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) assertName(what, name, known)
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
