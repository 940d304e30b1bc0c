/** Judges the targets of a profile that lists several, and compares them. */
import type { Compared } from '../../compare/comparison.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { exitCodes } from '../../vocabulary/index.ts'
import { withinCeiling } from '../catalog.ts'
import { judgeTarget, liveTarget } from '../compare/live.ts'
import { readOperand } from '../compare/operands.ts'
import { writeComparisonOf } from '../compare/outcome.ts'
import { assertNoForeignComparison } from '../foreign-files.ts'
import { holdFolder } from '../output/output-folder.ts'
import type { Terminal } from '../output/terminal.ts'
import { selectChecks } from '../selection.ts'
import { wishedCeiling } from './ceiling.ts'
import type { RunFlags } from './flags.ts'

/** The flags that only make sense for one target. */
const ofOne = {
  target: '--target',
  shard: '--shard',
  watch: '--watch',
  baseline: '--baseline',
  record: '--record',
  control: '--control',
  allowDisruptive: '--allow-disruptive',
} as const satisfies Partial<Record<keyof RunFlags, string>>

/** Exit codes, the worst first. */
const severity: readonly number[] = [
  exitCodes.interrupted,
  exitCodes.defect,
  exitCodes.usage,
  exitCodes.unreachable,
  exitCodes.leftBehind,
  exitCodes.nonConformant,
  exitCodes.regression,
  exitCodes.incomplete,
]

/** Returns the exit code of the worst run. If a target cannot be judged, the others still are. */
export async function conductEach(profiles: readonly string[], flags: RunFlags, terminal: Terminal): Promise<number> {
  const refused = Object.entries(ofOne).find(([key]) => flags[key as keyof RunFlags] !== undefined)?.[1]
  if (refused) throw new UsageError(`${refused} applies to one target, but the profile lists several: leave it out`)
  const release = holdFolder(flags.out, terminal.say)
  try {
    const selected = withinCeiling((await selectChecks(flags)).selected, wishedCeiling(flags, false))
    const targets = profiles.map((profile, index) => liveTarget(profile, index + 1, terminal.env, selected))
    if (!flags.overwrite)
      await assertNoForeignComparison(
        flags.out,
        flags.format,
        targets.map(({ number }) => number),
      )
    const { profile: _, ...run } = flags
    const codes: number[] = []
    const compared: Compared[] = []
    for (const target of targets) {
      const { code, folder } = await judgeTarget(target, targets.length, run, terminal)
      codes.push(code)
      if (code === exitCodes.interrupted) break
      if (folder !== undefined) compared.push(await readOperand(folder))
    }
    if (compared.length > 1)
      await writeComparisonOf(
        compared,
        { title: 'Targets compared', format: ['html', 'markdown', 'json'], out: flags.out },
        terminal,
      )
    return severity.find((code) => codes.includes(code)) ?? exitCodes.conformant
  } finally {
    release()
  }
}
