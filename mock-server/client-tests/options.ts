/** Refuses what a caller has misspelt, in one sentence that names what there is. */
import { closest, distance } from 'fastest-levenshtein'

/** Returns `; did you mean "x"?` if known names are similar, else an empty text. */
export function suggestion(names: readonly string[], known: readonly string[]): string {
  const near = names
    .map((name) => ({ name, near: closest(name, known) }))
    .filter(({ name, near }) => distance(name, near) <= Math.max(2, name.length / 3))
  return near.length === 0 ? '' : `; did you mean ${near.map((one) => `"${one.near}"`).join(', ')}?`
}

/** Throws a RangeError on a name that is not known. `what` says whose name it is: `option`, `field of a mount`. */
export function assertName(what: string, name: string, known: readonly string[]): void {
  if (!known.includes(name))
    throw new RangeError(`unknown ${what} "${name}"${suggestion([name], known) || ';'} there are ${known.join(', ')}`)
}

export function assertNames(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) assertName(what, name, known)
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
