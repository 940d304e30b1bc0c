/** What a run prints at its end: verdict, counts, what failed, what was not verified and why. */
import type { CheckResult, ResultDocument, RunWord, Verdict } from '../vocabulary/index.ts'
import { inOneLine } from './one-line.ts'
import type { Terminal } from './terminal.ts'
import { columns, counted } from './wording.ts'

type Paint = Terminal['paint']

const columnsShown = [
  ['pass', 'pass'],
  ['fail', 'fail'],
  ['warn', 'warn'],
  ['accepted', 'accepted'],
  ['not-verified', 'not verified'],
  ['not-applicable', 'not applicable'],
  ['error', 'error'],
] as const satisfies readonly (readonly [Verdict, string])[]

const verdictStyle = {
  conformant: 'green',
  'non-conformant': 'red',
  outdated: 'red',
  incomplete: 'yellow',
  regressed: 'red',
  defective: 'yellow',
  'left-behind': 'red',
  interrupted: 'yellow',
} as const satisfies Record<RunWord, string>

/** Longer lists are in the report. */
const mostShown = 20

export function summary(document: ResultDocument, paint: Paint, width = Number.POSITIVE_INFINITY): string {
  const parts = [
    verdictLines(document, paint),
    table(document.checks, width).join('\n'),
    ...section('Failed', failing(document.checks, 'fail'), paint),
    ...section('Errors of the suite or the transport', cut(unjudged(document.checks, 'error')), paint),
    ...section('Warnings', failing(document.checks, 'warn'), paint),
    ...section('Accepted', cut(document.checks.flatMap(acceptance)), paint),
    ...section('Not verified', cut(unjudged(document.checks, 'not-verified')), paint),
    ...section('Not applicable', cut(unjudged(document.checks, 'not-applicable')), paint),
    ...section(
      'Findings',
      // What was left behind stands below.
      cut(
        document.findings
          .filter(({ code }) => code !== 'left-behind')
          .map(({ severity, text }) => `${severity}: ${text}`),
      ),
      paint,
    ),
    ...section('Left behind', cut(document.leftBehind), paint),
  ]
  return parts.join('\n\n')
}

/** The headline says all reasons; what helps follows, and what narrows the verdict. */
function verdictLines({ verdict, target, run }: ResultDocument, paint: Paint): string {
  const { version, edition } = target.facts
  const facts = [version ? `version ${version}` : 'version unknown', edition ?? 'edition unknown'].join(', ')
  const word = paint(verdictStyle[verdict.word], paint('bold', verdict.title))
  const name = new URL(target.url).host === target.name ? target.url : `${target.name} at ${target.url}`
  const shard = run.shard ? `; shard ${run.shard.index} of ${run.shard.of}` : ''
  const insecure = target.insecure ? '; certificate not verified' : ''
  const mends = verdict.reasons.map(({ mend }) => mend)
  return [
    `${word}  ${name} (${facts}${shard}${insecure})`,
    verdict.headline,
    ...[...mends, ...verdict.notes].map((line) => `- ${line}`),
  ].join('\n')
}

/** Where it would not fit, a line an area, without the zeros. */
function table(checks: readonly CheckResult[], width: number): string[] {
  const areas = [...new Set(checks.map(({ area }) => area))]
  const rowOf = (name: string, rows: readonly CheckResult[]) => [
    name,
    ...columnsShown.map(([verdict]) => String(rows.filter((row) => row.verdict === verdict).length)),
  ]
  const rows = areas.map((area) =>
    rowOf(
      area,
      checks.filter((check) => check.area === area),
    ),
  )
  const total = areas.length > 1 ? [rowOf('all', checks)] : []
  const head = ['area', ...columnsShown.map(([, words]) => words)]
  const lines = columns([head, ...rows, ...total])
  if (lines.every((line) => line.length <= width)) return lines
  return [...rows, ...total].map(
    ([name, ...counts]) =>
      `${name}: ${counts.flatMap((count, at) => (count === '0' ? [] : [`${count} ${head[at + 1]}`])).join(', ')}`,
  )
}

const section = (title: string, lines: readonly string[], paint: Paint): string[] =>
  lines.length === 0 ? [] : [[paint('bold', title), ...lines.map((line) => indented(line))].join('\n')]

const cut = (lines: readonly string[]): readonly string[] =>
  lines.length > mostShown
    ? [...lines.slice(0, mostShown), `… and ${lines.length - mostShown} more, see the report`]
    : lines

const indented = (text: string): string => text.replace(/^/gm, '  ')

/** Area by area. Areas take turns, and their topics, so that none hides the others where not all are shown. */
function failing(checks: readonly CheckResult[], verdict: Verdict): string[] {
  const areas = Map.groupBy(
    checks.filter((check) => check.verdict === verdict),
    ({ area }) => area,
  )
  const shown = new Set(inTurns([...areas.values()].map(byTopic)).slice(0, mostShown))
  return [...areas].flatMap(([area, own]) => {
    const left = own.filter((check) => !shown.has(check)).length
    return [
      ...own.filter((check) => shown.has(check)).map(failure),
      ...(left > 0 ? [`… ${left} more in ${area}: see the report`] : []),
    ]
  })
}

const byTopic = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  inTurns([...Map.groupBy(checks, ({ topic }) => topic).values()])

/** The first of each list, then the second of each, and so on. */
const inTurns = <Item>(lists: readonly (readonly Item[])[]): Item[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat()

const failure = ({ id, mismatches }: CheckResult): string =>
  [id, ...mismatches.map(({ asked, at, wanted, saw }) => `  ${asked}: ${at} is ${wanted}; saw ${saw}`)].join('\n')

const acceptance = ({ id, accepted }: CheckResult): string[] =>
  accepted
    ? [`${id} (${accepted.was}, until ${accepted.until}, ${accepted.owner ?? accepted.issue}): ${accepted.reason}`]
    : []

/** Checks with the same cause share a line; the cause of most comes first. */
function unjudged(checks: readonly CheckResult[], verdict: Verdict): string[] {
  const byCause = new Map<string, string[]>()
  for (const { id, blocker, verdict: own } of checks) {
    if (own !== verdict) continue
    const cause = blocker ? `${blocker.reason}${blocker.mend ? ` (${blocker.mend})` : ''}` : 'no reason was recorded'
    byCause.set(cause, [...(byCause.get(cause) ?? []), id])
  }
  const causes = [...byCause].toSorted(([, some], [, others]) => others.length - some.length)
  return causes.map(([cause, ids]) => {
    const named = ids.length > 3 ? `${ids.slice(0, 2).join(', ')} and ${ids.length - 2} more` : ids.join(', ')
    return `${counted(ids.length, 'check')}: ${cause}\n  ${named}`
  })
}

/** The end of a run or a merge, on stdout. */
export function printOutcome(
  document: ResultDocument,
  paths: readonly string[],
  asJson: boolean,
  terminal: Terminal,
): void {
  const { counts, leftBehind } = document
  const { word: verdict, ...more } = document.verdict
  if (asJson) {
    terminal.json({ verdict, ...more, counts, leftBehind, reports: paths })
    return
  }
  const shown = { ...document, checks: document.checks.map((check) => ({ ...check, exchanges: [] })) }
  for (const line of summary(inOneLine(shown), terminal.paint, terminal.width).split('\n')) terminal.painted(line)
  const path = paths.find((path) => path.endsWith('.html')) ?? paths[0]
  if (!path) return
  terminal.out('')
  terminal.out(`Report: ${path}`)
}
