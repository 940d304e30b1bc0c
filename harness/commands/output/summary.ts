/** The summary that a run prints at its end: verdict, counts, what failed, what was not verified and why. */
import { basename } from 'node:path'
import { slowest, spentOn, spentWords, stepsOf } from '../../../reports/render/longest.ts'
import {
  blockerWords,
  causesCounted,
  duration,
  number,
  sectionTitles,
  sourceWords,
  wantedSaw,
} from '../../../reports/render/wording.ts'
import { referenceName } from '../../targets/mock.ts'
import type { Cause, CheckResult, ResultDocument, RunWord, Timing, Verdict } from '../../vocabulary/index.ts'
import { inOneLine, oneLine } from './one-line.ts'
import type { Terminal } from './terminal.ts'
import { columns, counted } from './wording.ts'

type Paint = Terminal['paint']

const columnsShown = [
  'pass',
  'fail',
  'warn',
  'accepted',
  'not-verified',
  'not-applicable',
  'error',
] as const satisfies readonly Verdict[]

const verdictStyle = {
  conformant: 'green',
  'non-conformant': 'red',
  outdated: 'red',
  incomplete: 'yellow',
  regressed: 'red',
  'not-served': 'yellow',
  defective: 'yellow',
  'left-behind': 'red',
  interrupted: 'yellow',
} as const satisfies Record<RunWord, string>

/** The maximum length of a list; the report has the full lists. */
const mostShown = 20

export function summary(document: ResultDocument, paint: Paint, width = Number.POSITIVE_INFINITY): string {
  const parts = [
    verdictLines(document, paint),
    table(document.checks, width).join('\n'),
    ...causes('fail', document, paint),
    ...causes('error', document, paint),
    ...causes('warn', document, paint),
    ...section(sectionTitles.accepted, cut(document.checks.flatMap(acceptance)), paint),
    ...causes('not-verified', document, paint),
    ...notApplicable(document, paint),
    ...section(
      'Findings',
      // Objects that were left behind have a list of their own.
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

/** The headline states all reasons, beginning with the causes of the fails. Remedies follow, then restrictions of the
 * verdict. */
function verdictLines({ verdict, target, run }: ResultDocument, paint: Paint): string {
  const { version, edition, editions } = target.facts
  const facts = [
    version ? `version ${version}` : 'version unknown',
    edition ?? editions?.join(' or ') ?? 'edition unknown',
  ].join(', ')
  const word = paint(verdictStyle[verdict.word], paint('bold', verdict.title))
  const name = URL.parse(target.url)?.host === target.name ? target.url : `${target.name} at ${target.url}`
  const shard = run.shard ? `; shard ${run.shard.index} of ${run.shard.of}` : ''
  const insecure = target.insecure ? '; certificate not verified' : ''
  const mends = verdict.reasons.map(({ mend }) => mend)
  return [
    `${word}  ${verdict.headline}`,
    `${name} (${facts}${shard}${insecure}), ${duration(run.durationMs)}`,
    ...[...mends, ...verdict.notes].map((line) => `- ${line}`),
  ].join('\n')
}

/** Makes the table of counts. If it would be too wide, each area gets a line without the zeros. */
function table(checks: readonly CheckResult[], width: number): string[] {
  const areas = [...new Set(checks.map(({ area }) => area))]
  const rowOf = (name: string, rows: readonly CheckResult[]) => [
    name,
    ...columnsShown.map((verdict) => String(rows.filter((row) => row.verdict === verdict).length)),
  ]
  const rows = areas.map((area) =>
    rowOf(
      area,
      checks.filter((check) => check.area === area),
    ),
  )
  const total = areas.length > 1 ? [rowOf('all', checks)] : []
  const head = ['area', ...columnsShown.map((verdict) => verdict.replace('-', ' '))]
  const lines = columns([head, ...rows, ...total])
  if (lines.every((line) => line.length <= width)) return lines
  return [...rows, ...total].map(
    ([name, ...counts]) =>
      `${name}: ${counts.flatMap((count, at) => (count === '0' ? [] : [`${count} ${head[at + 1]}`])).join(', ')}`,
  )
}

/** Only one line, because on a fully conformant server a list would be most of the output. */
function notApplicable({ checks }: ResultDocument, paint: Paint): string[] {
  const outside = checks.filter(({ verdict }) => verdict === 'not-applicable')
  if (outside.length === 0) return []
  const kinds = Map.groupBy(outside, ({ blocker }) => blocker?.kind ?? 'optional')
  const words = [...kinds]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(
      ([kind, some]) => `${number(some.length)} ${blockerWords[kind].replace(/^./, (letter) => letter.toLowerCase())}`,
    )
  return [
    `${paint('bold', `${sectionTitles['not-applicable']}: ${counted(outside.length, 'check')}`)} (${words.join('; ')})`,
  ]
}

/** A run on a named target that took this long shows where its time went, even without `--timings`. */
const longMs = 10_000
const longestShown = 5

export function longest(document: ResultDocument, paint: Paint): string[] {
  const { run, target } = document
  const isLong = target.name !== referenceName && run.judgingMs >= longMs
  if (!isLong && run.timings === undefined) return []
  const checks = slowest(document, longestShown).map(
    (check) => `${duration(check.durationMs)}  ${oneLine(check.id)} (${spentWords(spentOn([check]))})`,
  )
  return section('What took longest', [...stepsOf(document).filter(isShown).map(stepLine), ...checks], paint)
}

const isShown = ({ durationMs }: Timing): boolean => durationMs >= 1

const stepLine = ({ name, durationMs }: Timing): string => `${duration(durationMs)}  ${oneLine(name)}`

const section = (title: string, lines: readonly string[], paint: Paint): string[] =>
  lines.length === 0 ? [] : [[paint('bold', title), ...lines.map((line) => indented(line))].join('\n')]

const cut = (lines: readonly string[]): readonly string[] =>
  lines.length > mostShown
    ? [...lines.slice(0, mostShown), `… and ${lines.length - mostShown} more, see the report`]
    : lines

const indented = (text: string): string => text.replace(/^/gm, '  ')

/** Returns the first item of each list, then the second of each, and so on. */
const inTurns = <Item>(lists: readonly (readonly Item[])[]): Item[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat()

const acceptance = ({ id, accepted }: CheckResult): string[] =>
  accepted
    ? [`${id} (${accepted.was}, until ${accepted.until}, ${accepted.owner ?? accepted.issue}): ${accepted.reason}`]
    : []

/** Lists the causes whose worst verdict is this one, those with the most checks first, with some of their checks. Areas
 * take turns, so that no area hides the others if not all causes are shown. */
function causes(
  verdict: Exclude<Verdict, 'pass' | 'not-applicable'>,
  document: ResultDocument,
  paint: Paint,
): string[] {
  const { causes, checks } = document
  const own = causes.filter((cause) => cause.verdict === verdict)
  const byId = new Map(checks.map((check) => [check.id, check]))
  const areas = Map.groupBy(own, (cause) => byId.get(cause.checks[0] ?? '')?.area)
  const shown = new Set(inTurns([...areas.values()]).slice(0, mostShown))
  const left = own.length - shown.size
  const below = Math.max(fewest, Math.floor(mostShown / Math.max(1, shown.size)))
  const lines = own.filter((cause) => shown.has(cause)).map((cause) => causeLines(cause, document, byId, below))
  const more = left > 0 ? [`… and ${counted(left, 'more cause')}, see the report`] : []
  return section(`${sectionTitles[verdict]}: ${causesCounted(own)}`, [...lines, ...more], paint)
}

/** The minimum number of checks shown below each cause, even if there are many causes. */
const fewest = 2

function causeLines(cause: Cause, { register }: ResultDocument, byId: ReadonlyMap<string, CheckResult>, most: number) {
  const { says, mend, checks, sentence, source, requirements = [] } = cause
  const own = checks.flatMap((id) => byId.get(id) ?? [])
  const shown = own.slice(0, own.length > most ? most : own.length)
  const rest = own.length - shown.length
  return [
    `${counted(own.length, 'check')}: ${sentence ?? says}${mend === undefined ? '' : ` (${mend})`}`,
    ...(sentence === undefined || source === undefined
      ? []
      : [
          `  ${sourceWords(source, register)}: \`${requirements[0]}\`${requirements.length > 1 ? `, and ${counted(requirements.length - 1, 'more sentence')}` : ''}`,
          `  seen: ${says}`,
        ]),
    ...(own.some(({ mismatches }) => mismatches.length > 0)
      ? [...shown.map((check) => indented(finding(check))), ...(rest > 0 ? [`  … and ${rest} more`] : [])]
      : [`  ${named(checks)}`]),
  ].join('\n')
}

const named = (ids: readonly string[]): string =>
  ids.length > 3 ? `${ids.slice(0, 2).join(', ')} and ${ids.length - 2} more` : ids.join(', ')

/** Returns a check with its file and line, and its mismatches. */
const finding = ({ id, definedAt, mismatches }: CheckResult): string =>
  [
    definedAt === undefined ? id : `${id} (${definedAt})`,
    ...mismatches.map((mismatch) => `  ${mismatch.asked}: ${wantedSaw(mismatch)}`),
  ].join('\n')

/** Prints the outcome of a run or a merge to stdout. */
export function printOutcome(
  document: ResultDocument,
  paths: readonly string[],
  asJson: boolean,
  terminal: Terminal,
  writtenIn?: string,
): void {
  if (asJson) {
    printJson(document, paths, terminal)
    return
  }
  printSummary(document, terminal)
  printReport(paths, terminal, writtenIn)
}

export function printJson(document: ResultDocument, paths: readonly string[], terminal: Terminal): void {
  const { counts, leftBehind } = document
  const { word: verdict, ...more } = document.verdict
  terminal.json({ verdict, ...more, counts, leftBehind, reports: paths })
}

export function printSummary(document: ResultDocument, terminal: Terminal): void {
  const shown = { ...document, checks: document.checks.map((check) => ({ ...check, exchanges: [] })) }
  const one = inOneLine(shown)
  const parts =
    terminal.verbosity === 'quiet'
      ? [verdictLines(one, terminal.paint)]
      : [summary(one, terminal.paint, terminal.width), ...longest(document, terminal.paint)]
  for (const line of parts.join('\n\n').split('\n')) terminal.painted(line)
}

/** Prints the path of the report that a reader opens first, and the names of the others. */
export function printReport(paths: readonly string[], terminal: Terminal, writtenIn?: string): void {
  const path = paths.find((path) => path.endsWith('.html')) ?? paths[0]
  if (!path) return
  const others = paths.filter((other) => other !== path).map((other) => basename(other))
  const more = [
    ...(writtenIn === undefined ? [] : [`written in ${writtenIn}`]),
    ...(others.length > 0 ? [`with ${others.join(', ')}`] : []),
  ].join(', ')
  terminal.out('')
  terminal.out(`Report: ${path}${more === '' ? '' : ` (${more})`}`)
}
