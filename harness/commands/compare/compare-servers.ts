/** Compares servers: results as they are, and targets after judging them. */

import { join } from 'node:path'
import type { Compared } from '../../compare/comparison.ts'
import { narrowed } from '../../compare/narrowed.ts'
import { targetsIn } from '../../profile/target-list.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { defined } from '../../vocabulary/defined.ts'
import { addressOf } from '../../vocabulary/index.ts'
import { withinCeiling } from '../catalog.ts'
import { assertNoForeignComparison } from '../foreign-files.ts'
import { holdFolder } from '../output/output-folder.ts'
import type { Terminal } from '../output/terminal.ts'
import type { RunFlags } from '../run/flags.ts'
import { selectChecks } from '../selection.ts'
import type { CompareFlags } from './flags.ts'
import { judgeTarget, type LiveTarget, liveTarget } from './live.ts'
import { isLive, isProfile, readOperand } from './operands.ts'
import { quiet, writeComparisonOf } from './outcome.ts'

/** Returns the exit code. */
export async function compareServers(
  named: readonly string[],
  flags: CompareFlags,
  terminal: Terminal,
): Promise<number> {
  const given = named.flatMap((operand) => (isProfile(operand) && targetsIn(operand, terminal.env)) || [operand])
  if (given.length < 2) throw new UsageError('a single server cannot be compared: name two or more')
  const release = holdFolder(flags.out, terminal.say)
  try {
    // Everything is read before a target is judged, because judging may take an hour.
    const servers: (Compared | LiveTarget)[] = []
    const { selected, outline } = await selectChecks(flags)
    const live = withinCeiling(selected, 'scoped')
    for (const [index, operand] of given.entries())
      servers.push(isLive(operand) ? liveTarget(operand, index + 1, terminal.env, live) : await readOperand(operand))
    const judged = servers.flatMap((server) => ('result' in server ? [] : [server.number]))
    if (!flags.overwrite) await assertNoForeignComparison(flags.out, ['html'], judged)
    const compared: Compared[] = []
    for (const server of servers) {
      if ('result' in server) {
        compared.push(server)
        continue
      }
      const { code, folder } = await judgeTarget(server, servers.length, runFlagsOf(flags), quiet(terminal))
      if (folder === undefined) {
        terminal.say(`assay: ${server.name} was not judged (exit code ${code}), so nothing is compared`)
        return code
      }
      const { result, ...rest } = await readOperand(folder)
      terminal.say(`${server.name}: ${result.verdict.title}, ${join(folder, 'report.html')}`)
      compared.push({ result, ...rest })
    }
    const known = outline.topics.flatMap(({ topic }) => topic.checks.map((check) => addressOf(topic, check)))
    const isMeant = selecting(flags, new Set(selected.map(({ address }) => address)), new Set(known))
    const narrow = compared.map((one) => narrowed(one, isMeant))
    return await writeComparisonOf(narrow, flags, terminal)
  } finally {
    release()
  }
}

/** A result may be of the whole API, and what it is compared with of one area. A check that only another register has is
 * counted as such, unless it is of another area or the flags name checks. */
function selecting(
  { area, check }: CompareFlags,
  selected: ReadonlySet<string>,
  known: ReadonlySet<string>,
): (id: string) => boolean {
  const isInArea = (id: string) => area === undefined || area.some((one) => id.startsWith(`${one}/`))
  return (id) => selected.has(id) || (!known.has(id) && check === undefined && isInArea(id))
}

const runFlagsOf = ({ area, check, level, jobs, out, overwrite }: CompareFlags): RunFlags => ({
  ...defined({ area, check, overwrite }),
  ...{ level, jobs, seed: 1, out, format: ['html'] },
})
