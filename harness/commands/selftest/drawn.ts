/** `assay selftest --drawn n`: small wrong servers that nobody has thought of, drawn by seed. */
import { randomInt } from 'node:crypto'
import { drawnExcuses, drawnFaults } from '../../../suites/faults.ts'
import { arePlayed, countsOf, drawnLines, isEnough } from '../../faults/drawn.ts'
import { type ProofOptions, prove } from '../../faults/proof.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { areas, exitCodes, type WireFault } from '../../vocabulary/index.ts'
import type { Terminal } from '../output/terminal.ts'
import { showTexts } from '../progress.ts'
import type { SelftestFlags } from './flags.ts'
import { withProviderStub } from './provider-stub.ts'

function drawn(...given: Parameters<typeof drawnFaults>): readonly WireFault[] {
  try {
    return drawnFaults(...given)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(`--drawn: ${error.message}`) : error
  }
}

export async function selftestDrawn(
  { drawn: count = 0, seed = randomInt(1, 1_000_000), area: chosen = areas, json }: SelftestFlags,
  material: Pick<ProofOptions, 'topics' | 'requirements' | 'lists' | 'spellings'>,
  terminal: Terminal,
): Promise<number> {
  const musts = new Set(material.requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])))
  const isMust = (id: string): boolean => musts.has(id)
  const faults = drawn(chosen, { count, seed })
  return withProviderStub(async (provides) => {
    const proof = await prove({
      ...material,
      ...{ faults, excuses: drawnExcuses, isUntilFail: true },
      topics: material.topics.filter(({ area }) => chosen.includes(area)),
      provides,
      onProgress: showTexts(terminal),
      signal: terminal.signal,
    })
    if (json) terminal.json({ seed, ...proof }, 2)
    else for (const line of drawnLines(proof, seed, isMust)) terminal.out(line)
    if (terminal.signal.aborted) return exitCodes.interrupted
    return arePlayed(proof) && isEnough(countsOf(proof.rows, isMust)) ? exitCodes.conformant : exitCodes.defect
  })
}
