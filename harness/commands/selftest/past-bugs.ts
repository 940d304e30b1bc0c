/** Runs `assay selftest --history`: plays public bugs of such servers between the checks and the reference server. */
import { pastBugs } from '../../../suites/history/index.ts'
import { exitCodeOfBugs, linesOfBugs, provePastBugs } from '../../differences/past-bugs.ts'
import { exitCodes } from '../../vocabulary/index.ts'
import type { Terminal } from '../output/terminal.ts'
import { showTexts } from '../progress.ts'
import { chosenTopics } from './chosen-topics.ts'
import type { SelftestFlags } from './flags.ts'
import { withProviderStub } from './provider-stub.ts'

export async function proveByHistory(flags: SelftestFlags, terminal: Terminal): Promise<number> {
  const { topics, requirements, lists, spellings } = await chosenTopics(flags)
  const areas = new Set(topics.map(({ area }) => area))
  return withProviderStub(async (provides) => {
    const proof = await provePastBugs({
      ...{ bugs: pastBugs.filter(({ area }) => areas.has(area)), topics, requirements, lists, spellings },
      provides,
      onProgress: showTexts(terminal),
      signal: terminal.signal,
    })
    if (flags.json) terminal.json(proof, 2)
    else for (const line of linesOfBugs(proof)) terminal.out(line)
    return terminal.signal.aborted ? exitCodes.interrupted : exitCodeOfBugs(proof)
  })
}
