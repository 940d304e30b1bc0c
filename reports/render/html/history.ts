/** Shows what changed since earlier runs, with a small chart that has one bar for each run. */
import type { History, HistoryEntry, ResultDocument, Verdict } from '../../../harness/vocabulary/index.ts'
import { markup } from '../escape.ts'
import { moment, number, plural, runLooks } from '../wording.ts'
import { icon } from './icons.ts'

const height = 60
const width = 24
/** The height for the numbers above the bars, and for the marks below. */
const head = 14
const foot = 16
/** The verdicts from the bottom of a bar to its top. */
const stacked = ['pass', 'accepted', 'warn', 'not-verified', 'error', 'fail'] as const satisfies readonly Verdict[]

export function historySection({ history }: ResultDocument): string {
  if (!history || history.entries.length < 2) return ''
  const before = history.entries.at(-2)
  return `<section class="findings" aria-labelledby="history"><h2 id="history">Since earlier runs</h2>
${chart(history.entries)}
<p class="note">${plural(history.entries.length, 'run')} of this target; the run before was at ${markup(`${moment(before?.startedAt ?? '')}${targetWords(history)}`)}.</p>
<ul>${lists(history)
    .map(([sign, title, ids]) => list(sign, title, ids))
    .join('')}</ul>${runsTable(history.entries)}</section>`
}

/** The number of runs in the line of verdicts. */
const inLine = 12

/** Returns the verdicts of the last runs, the newest at the end, as one line for the first screen. */
export function historyLine({ history }: ResultDocument): string {
  if (!history || history.entries.length < 2) return ''
  const runs = history.entries.slice(-inLine).map((entry) => {
    const words = `${moment(entry.startedAt)}: ${entry.word}, ${number(entry.counts.fail)} failed`
    return `<li title="${markup(words)}">${icon(runLooks[entry.word])}<span class="vh">${markup(words)}</span></li>`
  })
  return `<div class="past"><a href="#history">Last ${plural(runs.length, 'run')}</a><ol>${runs.join('')}</ol></div>`
}

/** Returns the sign, the title and the addresses of checks for each list of changes. */
export const lists = ({ newSince, fixedSince, flaky, redefined }: History) =>
  [
    ['fail', 'Fails since the run before', newSince],
    ['pass', 'Fixed since the run before', fixedSince],
    ['error', 'Both passed and failed on one version of the target', flaky],
    ['not-applicable', 'The verdict differs, but so does the definition of the check: the suite changed', redefined],
  ] as const

/** Describes what else changed between the last two runs. */
export function targetWords({ entries }: History): string {
  const [before, now] = entries.slice(-2)
  return changesBetween(before, now)
    .map(({ says }) => `; ${says}`)
    .join('')
}

function changesBetween(before: HistoryEntry | undefined, now: HistoryEntry | undefined) {
  if (!before || !now) return []
  const target = `the target changed from ${before.targetVersion ?? 'unknown'} to ${now.targetVersion ?? 'unknown'}`
  return [
    ...(before.targetVersion === now.targetVersion ? [] : [{ mark: 'T', says: target }]),
    ...(before.suite === now.suite
      ? []
      : [{ mark: 'S', says: `the suite changed from ${before.suite} to ${now.suite}` }]),
  ]
}

function list(sign: string, title: string, ids: readonly string[]): string {
  if (ids.length === 0) return ''
  const items = ids.slice(0, 200).map((id) => `<li><a href="#open=${markup(encodeURI(id))}">${markup(id)}</a></li>`)
  return `<li>${icon(sign)}<div><details><summary>${title}: ${plural(ids.length, 'check')}</summary><ul class="plain">${items.join('')}</ul></details></div></li>`
}

/** Draws the chart. The number above a bar counts failed checks; the letter below it marks what changed since the run
 * before. */
function chart(entries: readonly HistoryEntry[]): string {
  const bars = entries.map((entry, at) => {
    const all = totalOf(entry)
    let top = head + height
    const parts = stacked.map((verdict) => {
      const count = entry.counts[verdict]
      // One finding among a thousand must be visible.
      const size = all === 0 || count === 0 ? 0 : Math.max(2, (count / all) * height)
      top -= size
      return size === 0
        ? ''
        : `<rect class="${verdict}" x="${at * width + 2}" y="${Math.max(head, top).toFixed(1)}" width="${width - 4}" height="${size.toFixed(1)}"/>`
    })
    const middle = at * width + width / 2
    const failed =
      entry.counts.fail > 0 ? `<text x="${middle}" y="${head - 4}">${number(entry.counts.fail)}</text>` : ''
    const changes = changesBetween(entries[at - 1], entry).map(({ mark }) => mark)
    const below = changes.length > 0 ? `<text x="${middle}" y="${head + height + 12}">${changes.join('')}</text>` : ''
    return `<g><title>${markup(`${moment(entry.startedAt)}: ${entry.word}, ${number(entry.counts.pass)} of ${number(all)} passed, ${number(entry.counts.fail)} failed`)}</title>${parts.join('')}${failed}${below}</g>`
  })
  const last = entries.at(-1)
  const label = `Verdicts of ${plural(entries.length, 'run')}; in the last one ${number(last?.counts.fail ?? 0)} failed`
  const size = `${entries.length * width} ${head + height + foot}`
  return `<svg class="bar history" role="img" aria-label="${label}" width="${entries.length * width}" height="${head + height + foot}" viewBox="0 0 ${size}">${bars.join('')}</svg>
<p class="note">Each bar is a run; the number above it counts failed checks. T: the version of the target changed since the run before. S: the version of the suite changed.</p>`
}

const totalOf = ({ counts }: HistoryEntry): number => stacked.reduce((sum, verdict) => sum + counts[verdict], 0)

/** Returns the same data as a table, for readers who cannot see the chart or want the numbers. */
function runsTable(entries: readonly HistoryEntry[]): string {
  const rows = entries
    .toReversed()
    .map(
      (entry) =>
        `<tr><th scope="row">${markup(moment(entry.startedAt))}</th><td>${markup(entry.word)}</td><td>${number(entry.counts.pass)} of ${number(totalOf(entry))}</td><td>${number(entry.counts.fail)}</td><td>${markup(entry.targetVersion ?? 'unknown')}</td><td>${markup(entry.suite)}</td></tr>`,
    )
  const head = ['run', 'verdict', 'passed', 'failed', 'version of the target', 'suite']
  return `<details><summary>All runs</summary><div class="scroll" role="region" aria-label="All runs" tabindex="0"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`
}
