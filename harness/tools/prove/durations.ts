/** Stores how long the last proof of all areas took, for the table of `npm run bench`. The file is local and not
 * committed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot, suiteCommit } from '../../commands/version.ts'
import { areas } from '../../vocabulary/index.ts'
import { partNames } from './part-names.ts'
import type { Proven } from './prove.ts'

const file = join(packageRoot, 'node_modules/.cache/assay-proof.json')

export interface Durations {
  readonly commit: string
  /** Seconds that the kill matrix of all areas took, with every lane busy. */
  readonly mutants?: number
  /** Seconds that all parts of all areas took. */
  readonly all?: number
}

/** Returns the durations that a proof measured. A duration is absent if one of its parts was left out or is not
 * clean. */
export function durationsOf(
  proven: readonly Proven[],
  { lanes, seconds }: { readonly lanes: number; readonly seconds: number },
): Omit<Durations, 'commit'> {
  const clean = proven.filter(({ isClean }) => isClean)
  const mutants = clean.filter(({ part }) => part === 'mutants')
  const sum = mutants.reduce((all, one) => all + one.seconds, 0)
  return {
    ...(mutants.length === areas.length ? { mutants: mutants.length === proven.length ? seconds : sum / lanes } : {}),
    ...(clean.length === areas.length * partNames.length ? { all: seconds } : {}),
  }
}

export function readDurations(): Durations | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Durations
  } catch {
    return undefined
  }
}

/** Stores durations. Durations that are absent here keep their earlier values if those are from the same commit. */
export function keepDurations(now: Omit<Durations, 'commit'>): void {
  if (Object.keys(now).length === 0) return
  const commit = suiteCommit() ?? 'unknown'
  const earlier = readDurations()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...(earlier?.commit === commit ? earlier : {}), ...now, commit }))
}
