/** The parts of the whole proof, each for one area. They do what the variants of `assay selftest` do. */
import { randomInt } from 'node:crypto'
import { proveDenials } from '../../denials/proof.ts'
import { type LegalOptions, exitCodeOf as legalExitCode, proveLegal } from '../../differences/proof.ts'
import { linesOf as legalLines } from '../../differences/table.ts'
import { arePlayed, countsOf, type DrawnTally, drawnLines } from '../../faults/drawn.ts'
import type { Excuse } from '../../faults/excuses.ts'
import { exitCodeOf as faultsExitCode, linesOf as faultsLines, type ProofOptions, prove } from '../../faults/proof.ts'
import { staleMutants } from '../../faults/proof-record.ts'
import { type SelftestOptions, selftest } from '../../mutation/selftest.ts'
import type { SelftestReport } from '../../mutation/selftest-report.ts'
import { knownMutants } from '../../targets/mock.ts'
import { type Area, addressOf, exitCodes, type WireFault } from '../../vocabulary/index.ts'
import { killedRuns } from './killed-runs.ts'
import type { PartName } from './part-names.ts'

export interface Outcome {
  /** How much was judged and found, in words. */
  readonly counts: string
  readonly isClean: boolean
  /** The details, for a reader who has to fix a part that is not clean. */
  readonly lines: readonly string[]
  /** Of all areas together so many have to be noticed: in one of them, chance would decide. */
  readonly drawn?: DrawnTally
}

export interface Material extends Omit<ProofOptions, 'onProgress' | 'signal'>, Pick<LegalOptions, 'differences'> {
  /** Draws faults that show on occasion only. */
  readonly draw: (
    areas: readonly Area[],
    drawing: { readonly count: number; readonly seed: number },
  ) => readonly WireFault[]
  readonly drawnExcuses: readonly Excuse[]
}
export type Say = (text: string) => void
export type Part = (area: Area, signal: AbortSignal, say: Say) => Promise<Outcome>

/** In all eight areas together more than a hundred. */
const killsPerArea = 13

/** In all eight areas together more than 500. */
const drawnPerArea = 63

/** Of so many faults on the wire, one is played to all checks that meet it. */
const rowsOfEach = 10
/** The first and the last seed, both inclusive. */
const variations = [1, 3] as const

const ofReport = ({ text, exitCode }: SelftestReport, counts: string): Outcome => ({
  counts,
  isClean: exitCode === exitCodes.conformant,
  lines: text.split('\n'),
})

export function partsOf(material: Material): Readonly<Record<PartName, Part>> {
  const { topics, requirements, provides = {} } = material
  const { wide = [], differences } = material
  const musts = new Set(requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])))
  const selftestOf = (more: Pick<SelftestOptions, 'mutants' | 'vary' | 'isPlainProven'>) => {
    return (area: Area, signal: AbortSignal, onProgress: Say): Promise<SelftestReport> =>
      selftest({ topics, requirements, provides, wide, differences, areas: [area], signal, onProgress, ...more })
  }
  const isOf =
    (area: Area) =>
    (one: { readonly area: Area }): boolean =>
      one.area === area
  return {
    async plain(...given) {
      const report = await selftestOf({})(...given)
      const { judged, baseline } = report.json
      return ofReport(report, `${judged} judgements, ${baseline.length} not conformant`)
    },
    async mutants(...given) {
      const report = await selftestOf({ mutants: true, isPlainProven: true })(...given)
      const { matrix, killed = 0, named = 0, problems = [], pairs, widths } = report.json.mutants ?? {}
      const mutants = matrix?.mutants.length ?? 0
      const counts = `${mutants} mutants, ${killed} of ${named} pairs killed, ${problems.length} problems, ${pairs?.met ?? 0} other pairs in groups, ${pairs?.unmet ?? 0} unmet, ${pairs?.judgements ?? 0} judgements, rows red per fault: median ${widths?.median ?? 0}, p95 ${widths?.p95 ?? 0}`
      const stale = material.record ? staleMutants(material.record, await knownMutants()) : []
      const { isClean, lines } = ofReport(report, counts)
      return { counts, isClean: isClean && stale.length === 0, lines: [...lines, ...stale] }
    },
    async faults(area, signal, onProgress) {
      const faults = material.faults.filter(isOf(area))
      const proof = await prove({
        ...material,
        rowsOfEach,
        faults,
        topics: topics.filter(isOf(area)),
        signal,
        onProgress,
      })
      const count = (state: string): number => proof.rows.filter((row) => row.state === state).length
      return {
        counts: `${faults.length} faults, ${count('noticed')} noticed, ${count('excused')} excused, ${count('not-noticed')} not noticed, rows red per fault: median ${proof.widths.median}, p95 ${proof.widths.p95}, of ${proof.widths.faults}`,
        isClean: faultsExitCode(proof) === exitCodes.conformant,
        lines: faultsLines(proof),
      }
    },
    async legal(area, signal, onProgress) {
      const others = topics.filter((topic) => !isOf(area)(topic))
      const leftOut = others.flatMap((topic) => topic.checks.map((check) => addressOf(topic, check)))
      const proof = await proveLegal({ ...material, topics: topics.filter(isOf(area)), leftOut, signal, onProgress })
      const judged = proof.cells.reduce((sum, cell) => sum + cell.judged, 0)
      const open = proof.changes.filter(({ stated }) => stated === undefined)
      return {
        counts: `${judged} judgements, ${open.length} changed, ${proof.changes.length - open.length} as stated`,
        isClean: legalExitCode(proof) === exitCodes.conformant,
        lines: legalLines(proof),
      }
    },
    async denials(area, signal, onProgress) {
      const { denials, judged, lost, troubles } = await proveDenials({ ...material, area, signal, onProgress })
      return {
        counts: `${denials} denials, ${judged} judgements, ${lost} not verified, ${troubles.length} wrong`,
        isClean: troubles.length === 0,
        lines: troubles,
      }
    },
    async drawn(area, signal, onProgress) {
      const seed = material.spellingSeed ?? randomInt(1, 1_000_000)
      const { record: _, draw, drawnExcuses: excuses, ...rest } = material
      const faults = draw([area], { count: drawnPerArea, seed })
      const options = { ...rest, topics: topics.filter(isOf(area)), signal, onProgress }
      const proof = await prove({ ...options, faults, excuses, isUntilFail: true })
      const drawn = countsOf(proof.rows, (id) => musts.has(id))
      return {
        counts: `${drawn.due} faults, ${drawn.noticed} noticed; ${drawn.must} of a must, ${drawn.failed} as fail; drawn with --seed ${seed}`,
        isClean: arePlayed(proof),
        lines: drawnLines(proof, seed, (id) => musts.has(id)),
        drawn,
      }
    },
    async variations(...given) {
      const report = await selftestOf({ vary: variations, isPlainProven: true })(...given)
      const { judged = 0, troubles = [] } = report.json.variations ?? {}
      return ofReport(report, `${judged} judgements, ${troubles.length} not conformant`)
    },
    async kills(area, signal) {
      const killed = await killedRuns({ times: killsPerArea, selection: ['--area', area], signal })
      const bad = killed.filter(({ left, code }) => left.length > 0 || code !== 0)
      return {
        counts: `${killed.length} runs killed, ${bad.length} with something left after a clean-up`,
        isClean: bad.length === 0,
        lines: bad.map(({ atMs, left, code }) => `killed after ${atMs} ms, clean ${code}, left: ${left.join(', ')}`),
      }
    },
  }
}
