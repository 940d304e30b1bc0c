/** The numbers and words of a comparison that the page and the Markdown share. */
import type { ComparedCell, ComparedRow, ComparedServer, Comparison } from '../../harness/vocabulary/index.ts'
import { documentWords, factWords, moment, number, plural } from '../render/wording.ts'

export const areasOf = ({ rows }: Comparison): readonly string[] => [...new Set(rows.map(({ area }) => area))]

export interface AreaCount {
  readonly pass: number
  readonly apply: number
  readonly fail: number
  /** Also those that do not apply; none if the result has other checks for all of them. */
  readonly compared: number
}

/** Counts the statements of an area, or of all areas, that apply to a server, and those of them that hold or fail
 * there. */
export function countArea({ rows }: Comparison, server: number, area?: string): AreaCount {
  const all = rows.filter((row) => area === undefined || row.area === area).flatMap(({ cells }) => cells[server] ?? [])
  const cells = all.filter(({ verdict }) => verdict !== 'not-applicable')
  const of = (verdict: ComparedCell['verdict']) => cells.filter((cell) => cell.verdict === verdict).length
  return { pass: of('pass'), apply: cells.length, fail: of('fail'), compared: all.length }
}

/** What stands in place of a count of nothing. */
export const nothingWords = (compared: number): string => (compared === 0 ? 'not compared' : 'not there')

export const countWords = (count: AreaCount): string =>
  count.apply === 0
    ? nothingWords(count.compared)
    : `${number(count.pass)} of ${number(count.apply)}${count.fail > 0 ? `, ${number(count.fail)} failed` : ''}`

export const isDiffering = ({ cells }: Pick<ComparedRow, 'cells'>): boolean =>
  new Set(cells.flatMap((cell) => cell?.verdict ?? [])).size > 1

/** Returns whether a row is worth a look: the servers differ in it, or none of them passes it. A server whose result
 * lacks the row does not differ. */
export function isTelling({ cells }: ComparedRow): boolean {
  const verdicts = new Set(cells.flatMap((cell) => cell?.verdict ?? []))
  return isDiffering({ cells }) || !(verdicts.has('pass') || verdicts.has('not-applicable'))
}

/** Says in one line which checks are not compared, because the results are of unlike registers or selections. Empty if
 * there are none. */
export function apartWords({ servers, apart }: Comparison): string {
  const clauses = servers.flatMap(({ target }, at) => {
    const { missing = 0, redefined = 0 } = apart[at] ?? {}
    const parts = [
      ...(missing > 0 ? [`lacks ${plural(missing, 'check')} of the others`] : []),
      ...(redefined > 0 ? [`defines ${number(redefined)} otherwise`] : []),
    ]
    return parts.length === 0 ? [] : [`the result of ${target.name} ${parts.join(' and ')}`]
  })
  if (clauses.length === 0) return ''
  const isUnlike = new Set(servers.map(({ register }) => register.hash)).size > 1
  return `Not compared${isUnlike ? ', because the results are of unlike registers' : ''}: ${clauses.join('; ')}. This says nothing about the servers.`
}

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
