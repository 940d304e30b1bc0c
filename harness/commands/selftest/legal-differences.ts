/** Runs `assay selftest --legal`: plays legal differences between the checks and the reference server. */
import { matchesGlob } from 'node:path'
import { differences } from '../../../suites/differences/index.ts'
import { exitCodeOf, proveLegal } from '../../differences/proof.ts'
import { linesOf } from '../../differences/table.ts'
import { didYouMean, nearest } from '../../select/nearest.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { type Difference, exitCodes } from '../../vocabulary/index.ts'
import type { Terminal } from '../output/terminal.ts'
import { showTexts } from '../progress.ts'
import { chosenTopics } from './chosen-topics.ts'
import type { SelftestFlags } from './flags.ts'
import { withProviderStub } from './provider-stub.ts'

function chosenDifferences(globs: readonly string[] | undefined): readonly Difference[] {
  if (globs === undefined) return differences
  const ids = differences.map(({ id }) => id)
  for (const glob of globs)
    if (!ids.some((id) => matchesGlob(id, glob)))
      throw new UsageError(`unknown legal difference "${glob}"${didYouMean(nearest(glob, ids))}`)
  return differences.filter(({ id }) => globs.some((glob) => matchesGlob(id, glob)))
}

export async function proveByDifferences(flags: SelftestFlags, terminal: Terminal): Promise<number> {
  const played = chosenDifferences(flags.difference)
  const { topics, requirements, lists, spellings, leftOut } = await chosenTopics(flags)
  return withProviderStub(async (provides) => {
    const proof = await proveLegal({
      ...{ differences: played, topics, requirements, lists, spellings, leftOut },
      provides,
      onProgress: showTexts(terminal),
      signal: terminal.signal,
    })
    if (flags.json) terminal.json(proof, 2)
    else for (const line of linesOf(proof)) terminal.out(line)
    return terminal.signal.aborted ? exitCodes.interrupted : exitCodeOf(proof)
  })
}
