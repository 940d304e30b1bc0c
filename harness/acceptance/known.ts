/** Finds the lists of known deviations that ship with the project: `reports/published/<product>/known.yaml`. Their
 * entries are those of a list of accepted findings, but without `owner`, `issue` and `until`, because a release never
 * changes. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import coerce from 'semver/functions/coerce.js'
import compare from 'semver/functions/compare.js'
import satisfies from 'semver/functions/satisfies.js'
import minVersion from 'semver/ranges/min-version.js'
import { readYaml } from '../profile/yaml-file.ts'
import { didYouMean, nearest } from '../select/nearest.ts'
import { UsageError } from '../targets/usage-error.ts'
import type { Facts } from '../vocabulary/index.ts'

export const knownFile = 'known.yaml'

/** The list of a product begins with this. */
interface Head {
  readonly product: string
  /** The range of versions that the list is for, such as `2.6.x`. */
  readonly versions: string
}

export interface KnownList extends Head {
  /** The name of its folder, such as `openbao-2.6`. */
  readonly name: string
  readonly file: string
}

/** Returns the names of the published products with such a list, with their versions. */
export const knownProducts = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => existsSync(join(folder, name, knownFile)))
        .toSorted()
    : []

const withoutVersion = (name: string): string => name.replace(/-[\d.]+$/, '')

/** Returns the names that `--known` accepts: each list, and each product. */
export const knownNames = (folder: string): readonly string[] =>
  [...new Set(knownProducts(folder).flatMap((name) => [withoutVersion(name), name]))].toSorted()

/** Returns the list of this name, or, for a product without a version, its lists by their versions. Throws `UsageError`
 * if there is none. */
export function knownListsOf(folder: string, name: string): readonly [KnownList, ...KnownList[]] {
  const lists = knownProducts(folder)
    .filter((one) => one === name || withoutVersion(one) === name)
    .map((one): KnownList => {
      const file = join(folder, one, knownFile)
      const { product, versions } = readYaml(file, {}).value as Head
      return { name: one, file, product, versions }
    })
    .toSorted((one, other) => compare(leastOf(one), leastOf(other)))
  const [first, ...others] = lists
  if (first) return [first, ...others]
  const names = knownNames(folder)
  const near = didYouMean(nearest(name, names))
  throw new UsageError(`no known deviations of "${name}" are published${near || `; choose one of ${names.join(', ')}`}`)
}

const leastOf = ({ versions }: KnownList) => minVersion(versions) ?? '0.0.0'

/** Chooses from the lists of a product the one for the version of the target: that whose range contains it, or else the
 * newest for an earlier version, or else the oldest. Of a target of another or unknown version it is the newest. */
export function nearestKnown(
  lists: readonly [KnownList, ...KnownList[]],
  { product, version }: Pick<Facts, 'product' | 'version'>,
): { readonly list: KnownList; readonly why: string; readonly isOfOther?: true } {
  const newest = lists.at(-1) ?? lists[0]
  const told = coerce(version)
  if (product !== undefined && product.toLowerCase() !== newest.product.toLowerCase())
    return { list: newest, why: `for another product: the target says that it is ${product}`, isOfOther: true }
  if (told === null || product === undefined)
    return { list: newest, why: `the newest, since the target does not say which version of ${newest.product} it is` }
  const own = lists.find(({ versions }) => satisfies(told, versions))
  if (own) return { list: own, why: `which is for ${own.product} ${own.versions}, as the target is ${version}` }
  const list = lists.findLast((one) => compare(leastOf(one), told) < 0) ?? lists[0]
  return { list, why: `the nearest, for ${list.product} ${list.versions}: the target is ${version}` }
}

interface Entry {
  readonly check: string | readonly string[]
  readonly reason: string
}

/** Returns the reasons of the entries in a list of known deviations, by the address of the check. */
export function reasonsIn(file: string): ReadonlyMap<string, string> {
  const { deviations = [] } = readYaml(file, {}).value as { readonly deviations?: readonly Entry[] }
  return new Map(deviations.flatMap(({ check, reason }) => [check].flat().map((id) => [id as string, reason] as const)))
}
