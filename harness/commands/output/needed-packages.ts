/** Some packages are not installed with assay because only some commands need them. Missing ones are reported in one
 * message before anything is sent. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import semver from 'semver'
import { UsageError } from '../../targets/usage-error.ts'
import type { Area } from '../../vocabulary/index.ts'
import { packageRoot } from '../version.ts'
import type { Format } from './formats.ts'

const judging = ['vitest'] as const
const rendering: Partial<Record<Format, readonly string[]>> = { allure: ['@allurereport/core', 'allure-vitest'] }

/** What the checks of an area need on any target, and (in `onReference`) what the reference server needs for them. */
const onAnyTarget: Partial<Record<Area, readonly string[]>> = {
  'dr-replication': ['openpgp'],
  'performance-replication': ['openpgp'],
}
const onReference: Partial<Record<Area, readonly string[]>> = {
  'mfa-legacy': ['qrcode'],
  'mfa-identity': ['qrcode'],
  cloud: ['@aws-sdk/client-iam', '@aws-sdk/client-sts'],
}

export const packagesToRender = (formats: readonly Format[]): readonly string[] =>
  formats.flatMap((format) => rendering[format] ?? [])

export const packagesToJudge = (areas: readonly Area[], isEmbedded: boolean): readonly string[] => [
  ...judging,
  ...areas.flatMap((area) => [...(onAnyTarget[area] ?? []), ...(isEmbedded ? (onReference[area] ?? []) : [])]),
]

/** Returns the version of an installed package; undefined if it is not installed. */
export type InstalledVersion = (name: string) => string | undefined

const { resolve } = createRequire(import.meta.url)

/** Reads package.json in the folders in which Node looks for packages, because not every package exports its
 * package.json. */
const installedVersion: InstalledVersion = (name) => {
  for (const folder of resolve.paths(name) ?? []) {
    try {
      return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).version
    } catch {
      // The package may be in the next folder.
    }
  }
  return undefined
}

/** Throws `UsageError` if packages are missing, too old or too new. `task` begins the message: `assay run`. */
export function assertInstalled(
  task: string,
  names: readonly string[],
  versionOf: InstalledVersion = installedVersion,
): void {
  const { devDependencies: tested = {} } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly devDependencies?: Readonly<Record<string, string>>
  }
  const isUsable = (name: string): boolean => {
    const version = versionOf(name)
    return version !== undefined && semver.satisfies(version, `^${tested[name]}`)
  }
  const unusable = [...new Set(names)].filter((name) => !isUsable(name))
  if (unusable.length === 0) return
  const found = unusable.flatMap((name) => {
    const version = versionOf(name)
    return version === undefined ? [] : [`${name} ${version}`]
  })
  const instead = found.length === 0 ? '' : ` instead of ${found.join(' and ')}`
  const wanted = unusable.map((name) => `${name}@${tested[name]}`).join(' ')
  throw new UsageError(`${task} needs packages that are not installed with assay: npm i -D ${wanted}${instead}`)
}
