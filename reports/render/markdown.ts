import type { CheckResult, ResultDocument, Verdict } from '../../harness/vocabulary/index.ts'
import { coverageTable } from './coverage.ts'
import { codeSpan, markdown, markdownProse, shorten } from './escape.ts'
import { lists, targetWords } from './html/history.ts'
import { markdownCauses } from './markdown-causes.ts'
import { causesWith, count, findingsOf, tabulate, total, unasked } from './tally.ts'
import {
  betweenWords,
  blockerWords,
  causesCounted,
  duration,
  editionWords,
  moment,
  number,
  plural,
  runLooks,
  runTitle,
  sectionTitles,
  sentence,
  takingBackIn,
  verdictLabels,
  verdictOrder,
} from './wording.ts'

/** The maximum number of items in each list. A job summary is limited to 1 MiB; since texts are cut too, every summary
 * stays below that. */
const shown = { below: 25, reasons: 40, findings: 40 }

/** Renders a summary of the run for a job page or a pull request. */
export function renderMarkdown(document: ResultDocument): string {
  const { word, headline, reasons, notes } = document.verdict
  const parts = [
    `# ${verdictLabels[runLooks[word]].sign} ${markdown(runTitle(document))}\n\n${markdownProse(shorten(headline, 2000))}`,
    reasons.map(({ mend }) => `- ${markdownProse(mend)}`).join('\n'),
    notes.map((note) => markdown(shorten(note, 1000))).join('\n\n'),
    counts(document),
    markdownCauses(document, 'fail', sectionTitles.fail),
    about(document),
    matrix(document),
    coverageTable(document),
    markdownCauses(document, 'warn', sectionTitles.warn),
    acceptances(document),
    obstacles(document, ['not-verified', 'error'], sectionTitles['not-verified']),
    obstacles(document, ['not-applicable'], sectionTitles['not-applicable']),
    findings(document),
    history(document),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function history({ history: past }: ResultDocument): string {
  if (!past || past.entries.length < 2) return ''
  const before = past.entries.at(-2)
  const changes = lists(past).flatMap(([, title, ids]) => {
    const more = ids.length > shown.below ? `, and ${number(ids.length - shown.below)} more` : ''
    return ids.length === 0 ? [] : [`- ${title}: ${ids.slice(0, shown.below).map(codeSpan).join(', ')}${more}`]
  })
  const lead = `The run before was at ${moment(before?.startedAt ?? '')}${markdown(targetWords(past))}.`
  return `## Since earlier runs\n\n${[lead, ...(changes.length === 0 ? ['Nothing has changed since.'] : [changes.join('\n')])].join('\n\n')}`
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const rule = (cells: number, numbers = 0): string =>
  row(...Array.from({ length: cells }, (_, at) => (at >= cells - numbers ? '---:' : '---')))

function about(document: ResultDocument): string {
  const { target, suite, run } = document
  const rows: [string, string][] = [
    ['Target', `${markdown(shorten(target.name, 200))} (${codeSpan(shorten(target.url, 200))})`],
    ['Version', markdown(shorten(target.facts.version ?? 'unknown', 100))],
    ['Edition', editionWords(target.facts)],
    ['When', `${moment(run.startedAt)}, took ${duration(run.durationMs)}`],
    ['Suite', markdown(`${suite.name} ${suite.version}${suite.commit ? `, commit ${suite.commit.slice(0, 10)}` : ''}`)],
    ['Run', markdown(`${run.id}, ceiling ${run.safety}, seed ${run.seed}`)],
  ]
  const through = betweenWords(target.facts)
  const warnings = [
    through && `Judged through ${through}.`,
    target.insecure && '**The certificate of the target was not verified.**',
    unasked(document),
  ].filter((line) => typeof line === 'string')
  return [
    [row('', ''), rule(2), ...rows.map(([name, value]) => row(`**${name}**`, value))].join('\n'),
    ...warnings,
  ].join('\n\n')
}

/** Returns a table of checks by level and verdict, in which each row and column adds up. */
function counts(document: ResultDocument): string {
  if (document.checks.length === 0) return ''
  const line = (name: string, checks: readonly CheckResult[]): string => {
    const own = count(checks)
    return row(name, ...verdictOrder.map((verdict) => number(own[verdict])), number(total(own)))
  }
  const head = verdictOrder.map((verdict) => `${verdictLabels[verdict].sign} ${verdictLabels[verdict].word}`)
  return [
    row('checks', ...head, 'All'),
    rule(head.length + 2, head.length + 1),
    ...(['must', 'should'] as const).map((level) =>
      line(
        level,
        document.checks.filter((check) => check.level === level),
      ),
    ),
    line('**all**', document.checks),
  ].join('\n')
}

function matrix(document: ResultDocument): string {
  const { areas, kinds, cell } = tabulate(document.checks)
  if (areas.length === 0) return ''
  const counts = count(document.checks)
  const present = verdictOrder.filter((verdict) => counts[verdict] > 0)
  const key = present.map(
    (verdict) =>
      `${verdictLabels[verdict].sign} ${number(counts[verdict])} ${verdictLabels[verdict].word.toLowerCase()}`,
  )
  const words = (area?: (typeof areas)[number], kind?: (typeof kinds)[number]): string => {
    const own = cell(area, kind)
    if (total(own) === 0) return '·'
    return verdictOrder
      .filter((verdict) => own[verdict] > 0)
      .map((verdict) => `${own[verdict]} ${verdictLabels[verdict].sign}`)
      .join(' ')
  }
  const lines = [
    row('area', ...kinds, 'all'),
    rule(kinds.length + 2, kinds.length + 1),
    ...areas.map((area) => row(area, ...kinds.map((kind) => words(area, kind)), words(area))),
    ...(areas.length > 1 ? [row('**all**', ...kinds.map((kind) => words(undefined, kind)), words())] : []),
  ]
  return `## By area and kind\n\n${key.join(', ')}\n\n${lines.join('\n')}`
}

function acceptances(document: ResultDocument): string {
  const checks = document.checks.filter((check) => check.verdict === 'accepted')
  if (checks.length === 0) return ''
  const rows = checks
    .slice(0, shown.reasons)
    .map(({ id, accepted }) =>
      row(
        codeSpan(shorten(id, 200)),
        accepted?.was ?? '',
        markdown(shorten(accepted?.reason ?? '', 200)),
        markdown(shorten([accepted?.owner, accepted?.issue].filter(Boolean).join(', '), 200)),
        accepted?.until ?? '',
      ),
    )
  const rest = checks.length - rows.length
  const more = rest > 0 ? [`\nand ${number(rest)} more.`] : []
  return [
    `## ${sectionTitles.accepted}\n`,
    row('check', 'accepted as', 'reason', 'owner or issue', 'until'),
    rule(5),
    ...rows,
    ...more,
  ].join('\n')
}

function obstacles(document: ResultDocument, verdicts: readonly Verdict[], title: string): string {
  const causes = causesWith(document, verdicts).map(({ cause }) => cause)
  if (causes.length === 0) return ''
  const rows = causes
    .slice(0, shown.reasons)
    .map(({ verdict, checks, obstacle = 'suite', says, mend = '' }) =>
      row(
        `${verdictLabels[verdict].sign} ${number(checks.length)}`,
        blockerWords[obstacle] ?? markdown(obstacle),
        markdownProse(sentence(shorten(says, 250))),
        markdownProse(sentence(shorten(mend, 250))),
      ),
    )
  const rest = causes.length - rows.length
  const more = rest > 0 ? [`\nand ${plural(rest, 'more cause')}.`] : []
  return [
    `## ${title}: ${causesCounted(causes)}\n`,
    row('checks', 'obstacle', 'reason', 'what helps'),
    rule(4),
    ...rows,
    ...more,
  ].join('\n')
}

function findings(document: ResultDocument): string {
  const { commands, lacked } = takingBackIn(document)
  const spans = (texts: readonly string[]): string => texts.map((text) => codeSpan(text)).join(', ')
  const needs = lacked.length > 0 ? ` with a token that has ${spans(lacked)}` : ''
  const tryAgain = commands.length > 0 ? ` (try ${spans(commands)}${needs})` : ''
  const lines = [
    ...document.leftBehind
      .slice(0, shown.findings)
      .map((one) => `- **Left on the target**: ${codeSpan(shorten(one, 200))}${tryAgain}`),
    ...findingsOf(document)
      .slice(0, shown.findings)
      .map(({ severity, text }) => `- **${severity}**: ${markdownProse(sentence(shorten(text, 500)))}`),
  ]
  return lines.length === 0 ? '' : `## Findings\n\n${lines.join('\n')}`
}
