/** The numbers and words of a comparison that the page and the Markdown share. */
import type { ComparedCell, ComparedRow, ComparedServer, Comparison } from '../../harness/vocabulary/index.ts'
import { documentWords, factWords, moment, number, plural } from '../render/wording.ts'

/** The areas, in the order of the documents. */
export const areasOf = ({ rows }: Comparison): readonly string[] => [...new Set(rows.map(({ area }) => area))]

export interface AreaCount {
  readonly pass: number
  readonly apply: number
  readonly fail: number
}

/** Statements of an area, or of all, that hold at a server, of those that apply there. */
export function countArea({ rows }: Comparison, server: number, area?: string): AreaCount {
  const cells = rows
    .filter((row) => area === undefined || row.area === area)
    .flatMap(({ cells }) => cells[server] ?? [])
    .filter(({ verdict }) => verdict !== 'not-applicable')
  const of = (verdict: ComparedCell['verdict']) => cells.filter((cell) => cell.verdict === verdict).length
  return { pass: of('pass'), apply: cells.length, fail: of('fail') }
}

/** `97 %`, rounded down, so that only a whole is 100 %. */
export const share = ({ pass, apply }: AreaCount): string =>
  apply === 0 ? 'not there' : `${Math.floor((pass / apply) * 100)} %`

export const countWords = (count: AreaCount): string =>
  count.apply === 0
    ? 'not there'
    : `${number(count.pass)} of ${number(count.apply)}${count.fail > 0 ? `, ${number(count.fail)} failed` : ''}`

/** A row is worth a look where somebody does not pass it, or where only some have it. */
export function isTelling({ cells }: ComparedRow): boolean {
  const verdicts = new Set(cells.map((cell) => cell?.verdict ?? 'not-applicable'))
  return verdicts.size > 1 || !(verdicts.has('pass') || verdicts.has('not-applicable'))
}

/** The document, section and row of a statement. */
export const placeOf = ({ source }: ComparedRow, { documents }: Comparison): string =>
  source ? `${documentWords(source, documents)}, ${source.section}, ${source.row}` : ''

/** When, with what and how a result was made: pairs of a name and its words. */
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

/** What a result says nothing of, and why, each in a sentence. */
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

/** Findings of a server, in the order of its causes: `C1`, `C2`, … */
export const findingCauses = ({ causes }: ComparedServer) =>
  causes.flatMap((cause, index) =>
    cause.verdict === 'fail' || cause.verdict === 'warn' ? [{ ...cause, index, name: causeName(index) }] : [],
  )

/** Failures and warnings apart: only failures make a server worse. */
export function findingsCounted(causes: ReturnType<typeof findingCauses>): string {
  const of = (verdict: string): number => causes.filter((cause) => cause.verdict === verdict).length
  const [failures, warnings] = [of('fail'), of('warn')]
  return [
    ...(failures > 0 ? [plural(failures, 'cause of failures', 'causes of failures')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ].join(', ')
}

export const causeName = (index: number): string => `C${index + 1}`
