/** Writes the reports of a comparison, prints the verdict, and returns the exit code. */
import { type Compared, comparisonOf } from '../../compare/comparison.ts'
import { UsageError } from '../../targets/usage-error.ts'
import type { Comparison } from '../../vocabulary/index.ts'
import { loadOutline } from '../output/outline.ts'
import type { Terminal } from '../output/terminal.ts'
import { counted } from '../output/wording.ts'
import { systemWords } from '../output/written-reports.ts'
import type { CompareFlags } from './flags.ts'

/** Returns the exit code. */
export async function writeComparisonOf(
  compared: readonly Compared[],
  { title, format, out }: Pick<CompareFlags, 'title' | 'format' | 'out'>,
  terminal: Terminal,
): Promise<number> {
  const comparison = comparisonOf(compared, await loadOutline(), title)
  const { writeComparison } = await import('../../../reports/compare/write.ts')
  const paths = await writeComparison(comparison, format, out).catch((error: unknown) => {
    throw new UsageError(
      `the comparison cannot be written to ${out} (${systemWords(error)}): name another folder with --out`,
    )
  })
  for (const says of comparison.verdict.says) terminal.out(says)
  for (const says of driftLines(comparison)) terminal.out(says)
  terminal.out(`Comparison: ${paths[0] ?? out}`)
  return comparison.verdict.exitCode
}

/** Returns a sentence for each server whose replies could be compared. */
const driftLines = ({ servers: [first, ...others] }: Comparison): readonly string[] =>
  others.flatMap(({ drift, target }) => {
    if (!drift) return []
    const where = `${counted(drift.replies, 'reply', 'replies')} of ${counted(drift.checks, 'check')} that pass on both servers`
    return drift.entries.length === 0
      ? [`Drift: none; ${target.name} and ${first?.target.name} replied alike: ${where}.`]
      : [`Drift: clients can notice ${counted(drift.entries.length, 'difference')} that no check decides, in ${where}.`]
  })

/** Returns a terminal that suppresses the summary of a run, which is in the run's own report. */
export const quiet = (terminal: Terminal): Terminal => ({
  ...terminal,
  say: (line) => terminal.say(line),
  live: (line) => terminal.live(line),
  paint: (style, text) => terminal.paint(style, text),
  out: () => {},
  painted: () => {},
  outAll: () => {},
  ownText: () => {},
  json: () => {},
})
