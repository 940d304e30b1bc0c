/** Finds the checks of the last run that have to be looked at again. */
import { existsSync } from 'node:fs'
import { globTest } from '../../select/glob.ts'
import { UsageError } from '../../targets/usage-error.ts'
import type { Verdict } from '../../vocabulary/index.ts'
import { readRun } from '../output/cut-off-result.ts'
import type { RunFlags } from './flags.ts'

const again: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'error'])

/** Returns the addresses, also of a run that was cut off, as far as the flags select them. Throws `UsageError` if there
 * are none: a run of nothing would look as if everything had been mended. */
export async function lastFailed({ out, area, check = [] }: RunFlags): Promise<readonly string[]> {
  if (!existsSync(out))
    throw new UsageError(`--last-failed: there is no earlier run in ${out}: name its folder with --out`)
  const { checks } = await readRun(out)
  const failed = checks.filter(({ verdict }) => again.has(verdict))
  if (failed.length === 0)
    throw new UsageError(`no check failed in the last run, whose result is in ${out}: leave --last-failed out`)
  const [excluding, including] = [
    check.filter((glob) => glob.startsWith('!')),
    check.filter((glob) => !glob.startsWith('!')),
  ]
  const matches = (globs: readonly string[], id: string) => globs.some((glob) => globTest(glob.replace(/^!/, ''))(id))
  const chosen = failed.filter(
    (one) =>
      (area === undefined || area.includes(one.area)) &&
      (including.length === 0 || matches(including, one.id)) &&
      !matches(excluding, one.id),
  )
  if (chosen.length > 0) return chosen.map(({ id }) => id)
  throw new UsageError(
    `--area and --check select none of the ${failed.length} checks that failed in the last run: widen them`,
  )
}
