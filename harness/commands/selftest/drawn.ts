/** `assay selftest --drawn n`: small wrong servers that nobody has thought of, drawn by seed. */
import { randomInt } from 'node:crypto'
import { drawnExcuses } from '../../../suites/faults.ts'
import { arePlayed, countsOf, drawnLines, isEnough, proveDrawn } from '../../faults/drawn.ts'
import type { ProofOptions } from '../../faults/proof.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { areas, exitCodes } from '../../vocabulary/index.ts'
import type { Terminal } from '../output/terminal.ts'
import { showTexts } from '../progress.ts'
import type { SelftestFlags } from './flags.ts'
import { withProviderStub } from './provider-stub.ts'

export async function selftestDrawn(
  { drawn: count = 0, seed = randomInt(1, 1_000_000), area = areas, json }: SelftestFlags,
  material: Pick<ProofOptions, 'topics' | 'requirements' | 'lists' | 'spellings'>,
  terminal: Terminal,
): Promise<number> {
  const musts = new Set(material.requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])))
  const isMust = (id: string): boolean => musts.has(id)
  return withProviderStub(async (provides) => {
    const options = { ...material, excuses: drawnExcuses, provides, signal: terminal.signal }
    const proof = await proveDrawn({ count, seed, areas: area }, { ...options, onProgress: showTexts(terminal) }).catch(
      (error: unknown) => {
        throw error instanceof RangeError ? new UsageError(`--drawn: ${error.message}`) : error
      },
    )
    if (json) terminal.json({ seed, ...proof }, 2)
    else for (const line of drawnLines(proof, seed, isMust)) terminal.out(line)
    if (terminal.signal.aborted) return exitCodes.interrupted
    return arePlayed(proof) && isEnough(countsOf(proof.rows, isMust)) ? exitCodes.conformant : exitCodes.defect
  })
}
