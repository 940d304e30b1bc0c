/** The numbers and words of a comparison that the page and the Markdown share. */
import type { ComparedCell, ComparedRow, ComparedServer, Comparison } from '../../harness/vocabulary/index.ts'
import { documentWords, factWords, moment, number, plural } from '../render/wording.ts'

export const areasOf = ({ rows }: Comparison): readonly string[] => [...new Set(rows.map(({ area }) => area))]

export interface AreaCount {
  readonly pass: number
  readonly apply: number
  readonly fail: number
}

/** Counts the statements of an area, or of all areas, that apply to a server, and those of them that hold or fail
 * there. */
export function countArea({ rows }: Comparison, server: number, area?: string): AreaCount {
  const cells = rows
    .filter((row) => area === undefined || row.area === area)
    .flatMap(({ cells }) => cells[server] ?? [])
    .filter(({ verdict }) => verdict !== 'not-applicable')
  const of = (verdict: ComparedCell['verdict']) => cells.filter((cell) => cell.verdict === verdict).length
  return { pass: of('pass'), apply: cells.length, fail: of('fail') }
}

/** Returns a share such as `97 %`, rounded down, so that only a complete one is 100 %. */
export const share = ({ pass, apply }: AreaCount): string =>
  apply === 0 ? 'not there' : `${Math.floor((pass / apply) * 100)} %`

export const countWords = (count: AreaCount): string =>
  count.apply === 0
    ? 'not there'
    : `${number(count.pass)} of ${number(count.apply)}${count.fail > 0 ? `, ${number(count.fail)} failed` : ''}`

/** Returns whether a row is worth a look: the servers differ in it, or none of them passes it. */
export function isTelling({ cells }: ComparedRow): boolean {
  const verdicts = new Set(cells.map((cell) => cell?.verdict ?? 'not-applicable'))
  return verdicts.size > 1 || !(verdicts.has('pass') || verdicts.has('not-applicable'))
}

/** Returns the document, section and row of a statement. */
export const placeOf = ({ source }: ComparedRow, { documents }: Comparison): string =>
  source ? `${documentWords(source, documents)}, ${source.section}, ${source.row}` : ''

/** Returns when, with what and how a result was made, as pairs of a label and a text. */
export function madeOf({ run, suite, target, register }: ComparedServer): readonly (readonly [string, string])[] {
  const { product, version, edition } = target.facts
  return [
    ['target', [product, version, edition].filter(Boolean).join(' ') || 'unknown'],
    ...(target.note === undefined ? [] : [['how it was made', target.note] as const]),
    ['judged at', moment(run.startedAt)],
    [
      'suite',
      `${suite.name} ${suite.version}${suite.commit ? `, commit ${suite.commit.slice(0, 10)}` : ''}, register ${register.hash.slice(0, 12)}`,
    ],
    ['run', `${run.id}, ${run.safety}, level ${run.level}, seed ${run.seed}`],
    ...factWords(target.facts).filter(([name]) => name === 'judged as' || name === 'compatible with'),
  ]
}

/** Returns a sentence for each thing that a result does not cover, with the reason. */
export function notCovered({ causes, verdict, counts, run }: ComparedServer): readonly string[] {
  const open = causes.filter((cause) => cause.verdict === 'not-verified' || cause.verdict === 'error')
  const absent = causes.filter((cause) => cause.verdict === 'not-applicable')
  const outside = absent.reduce((sum, { checks }) => sum + checks.length, 0)
  return [
    ...(run.interrupted ? ['The run was interrupted.'] : []),
    ...verdict.notes,
    ...open.map(({ says, checks }) => `${plural(checks.length, 'check')} not verified: ${says}.`),
    ...(outside > 0
      ? [`${plural(counts['not-applicable'], 'check')} do not apply to this edition, version or product.`]
      : []),
  ]
}

/** Returns the causes of findings of a server, named `C1`, `C2`, … by their place among all its causes. */
export const findingCauses = ({ causes }: ComparedServer) =>
  causes.flatMap((cause, index) =>
    cause.verdict === 'fail' || cause.verdict === 'warn' ? [{ ...cause, index, name: causeName(index) }] : [],
  )

/** Counts failures and warnings separately, because only failures make a server worse. */
export function findingsCounted(causes: ReturnType<typeof findingCauses>): string {
  const of = (verdict: string): number => causes.filter((cause) => cause.verdict === verdict).length
  const [failures, warnings] = [of('fail'), of('warn')]
  return [
    ...(failures > 0 ? [plural(failures, 'cause of failures', 'causes of failures')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ].join(', ')
}

export const causeName = (index: number): string => `C${index + 1}`
