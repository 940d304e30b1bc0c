/** Lists of known deviations that ship with the project: `reports/published/<product>/known.yaml`. They have the form of a
 * list of accepted findings, without `owner`, `issue` and `until`: a release does not change any more. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { didYouMean, nearest } from '../select/nearest.ts'
import { UsageError } from '../targets/usage-error.ts'
import { readYaml } from '../targets/yaml-file.ts'

export const knownFile = 'known.yaml'

/** The products with such a list, by the names that `--known` takes. */
export const knownProducts = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => existsSync(join(folder, name, knownFile)))
        .toSorted()
    : []

/** Throws `UsageError` where there is no list of this name. */
export function knownFileOf(folder: string, name: string): string {
  const names = knownProducts(folder)
  if (names.includes(name)) return join(folder, name, knownFile)
  const near = didYouMean(nearest(name, names))
  throw new UsageError(`nothing is known of "${name}"${near || `; known are ${names.join(', ')}`}`)
}

interface Entry {
  readonly check: string | readonly string[]
  readonly reason: string
}

/** Why each finding is known, by the address of its check. */
export function reasonsIn(file: string): ReadonlyMap<string, string> {
  const { value } = readYaml(file, {})
  const entries = Array.isArray(value) ? (value as readonly Entry[]) : []
  return new Map(entries.flatMap(({ check, reason }) => [check].flat().map((id) => [id as string, reason] as const)))
}
