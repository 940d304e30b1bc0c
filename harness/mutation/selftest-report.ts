/** Words the findings of a selftest, as JSON and as text. */
import type { ExitCode } from '../vocabulary/index.ts'
import type { Pairs } from './cells.ts'
import type { Matrix, Problem } from './kill-matrix.ts'
import { lineOfWidths, type Widths } from './red-rows.ts'

export interface SelftestReport {
  readonly text: string
  readonly json: {
    /** True if the selftest was stopped before its end. Then it proves nothing: pairs that were not judged are missing
     * in the matrix, and no problems are reported. */
    readonly interrupted: boolean
    readonly judged: number
    readonly baseline: readonly Trouble[]
    readonly mutants?: {
      readonly matrix: Matrix
      readonly problems: readonly Problem[]
      readonly killed: number
      readonly named: number
      readonly pairs: Pairs
      readonly widths?: Widths
    }
    readonly variations?: {
      readonly seeds: readonly [number, number]
      readonly judged: number
      readonly troubles: readonly Trouble[]
    }
  }
  readonly exitCode: ExitCode
}

/** A check that did not pass on a correct server. */
export interface Trouble {
  readonly setting: string
  readonly seed?: number
  readonly check: string
  readonly verdict: string
  readonly why: string
}

/** Returns a line about the pairs in which the check does not name the mutant, and how they were judged. */
const pairsIn = ({ met, unmet, judgements }: Pairs): string =>
  `pairs in which the check does not name the mutant: ${met} judged in groups; ${unmet} in which the server reads nothing that the mutant changes, judged all at once for each check; ${judgements} judgements under mutants in all`

export function textOf({ interrupted, judged, baseline, mutants, variations }: SelftestReport['json']): string {
  const lines = (title: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [title, ...rows.map((row) => `  ${row}`)]
  const lineOf = ({ setting, seed, check, verdict, why }: Trouble): string =>
    `${check}: ${verdict} on ${setting}${seed === undefined ? '' : `, variation ${seed}`}: ${why}`
  return [
    ...(interrupted
      ? ['interrupted: not everything was judged, so this proves nothing; start the selftest again']
      : []),
    `${judged} judgements on the unchanged reference server; ${baseline.length} not conformant`,
    ...lines('Checks that do not pass on the unchanged reference server:', baseline.map(lineOf)),
    ...(mutants
      ? [
          ...lines(
            'Problems:',
            mutants.problems.map(({ text }) => text),
          ),
          `mutants: ${mutants.matrix.mutants.length}; killed ${mutants.killed} of ${mutants.named} mutant–check pairs; ${interrupted ? 'problems unknown' : `${mutants.problems.length} problems`}`,
          pairsIn(mutants.pairs),
          ...(mutants.widths
            ? [...lines('Faults that make too many rows red:', mutants.widths.problems), lineOfWidths(mutants.widths)]
            : []),
        ]
      : []),
    ...(variations
      ? [
          ...lines('Checks that do not pass under legal differences:', variations.troubles.map(lineOf)),
          `variations ${variations.seeds[0]}..${variations.seeds[1]}: ${variations.judged} judgements; ${variations.troubles.length} not conformant`,
        ]
      : []),
  ].join('\n')
}
