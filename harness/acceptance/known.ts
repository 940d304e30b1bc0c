/** Finds the lists of known deviations that ship with the project: `reports/published/<product>/known.yaml`. They
 * have the form of a list of accepted findings, but without `owner`, `issue` and `until`, because a release never
 * changes. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readYaml } from '../profile/yaml-file.ts'
import { didYouMean, nearest } from '../select/nearest.ts'
import { UsageError } from '../targets/usage-error.ts'

export const knownFile = 'known.yaml'

/** Returns the products with such a list, by the names that `--known` accepts. */
export const knownProducts = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => existsSync(join(folder, name, knownFile)))
        .toSorted()
    : []

/** Throws `UsageError` if the project has no list of this name. */
export function knownFileOf(folder: string, name: string): string {
  const names = knownProducts(folder)
  if (names.includes(name)) return join(folder, name, knownFile)
  const near = didYouMean(nearest(name, names))
  throw new UsageError(`no known deviations of "${name}" are published${near || `; choose one of ${names.join(', ')}`}`)
}

interface Entry {
  readonly check: string | readonly string[]
  readonly reason: string
}

/** Returns the reasons of the entries in a list of known deviations, by the address of the check. */
export function reasonsIn(file: string): ReadonlyMap<string, string> {
  const { value } = readYaml(file, {})
  const entries = Array.isArray(value) ? (value as readonly Entry[]) : []
  return new Map(entries.flatMap(({ check, reason }) => [check].flat().map((id) => [id as string, reason] as const)))
}
