/** What changed since earlier runs, with a small chart: a bar a run. */
import type { History, HistoryEntry, ResultDocument, Verdict } from '../../harness/vocabulary/index.ts'
import { markup } from './escape.ts'
import { icon } from './html-icons.ts'
import { moment, number, plural } from './wording.ts'

const height = 60
const width = 12
/** From the bottom of a bar to its top. */
const stacked = ['pass', 'accepted', 'warn', 'not-verified', 'error', 'fail'] as const satisfies readonly Verdict[]

export function historySection({ history }: ResultDocument): string {
  if (!history || history.entries.length < 2) return ''
  const before = history.entries.at(-2)
  return `<section class="findings" aria-labelledby="history"><h2 id="history">Since earlier runs</h2>
${chart(history.entries)}
<p class="note">${plural(history.entries.length, 'run')} of this target; the run before was at ${markup(`${moment(before?.startedAt ?? '')}${targetWords(history)}`)}.</p>
<ul>${lists(history)
    .map(([sign, title, ids]) => list(sign, title, ids))
    .join('')}</ul></section>`
}

/** Title and addresses of each list of changes. */
export const lists = ({ newSince, fixedSince, flaky, redefined }: History) =>
  [
    ['fail', 'Fails since the run before', newSince],
    ['pass', 'Fixed since the run before', fixedSince],
    ['error', 'Both passed and failed on one version of the target', flaky],
    ['not-applicable', 'Another verdict with another definition: the suite changed', redefined],
  ] as const

/** What else changed between the two runs. */
export function targetWords({ entries }: History): string {
  const [before, now] = entries.slice(-2)
  const changed = [
    ...(before?.targetVersion === now?.targetVersion
      ? []
      : [`the target changed from ${before?.targetVersion ?? 'unknown'} to ${now?.targetVersion ?? 'unknown'}`]),
    ...(before?.suite === now?.suite ? [] : [`the suite changed from ${before?.suite} to ${now?.suite}`]),
  ]
  return changed.map((words) => `; ${words}`).join('')
}

function list(sign: string, title: string, ids: readonly string[]): string {
  if (ids.length === 0) return ''
  const items = ids.slice(0, 200).map((id) => `<li><a href="#open=${markup(encodeURI(id))}">${markup(id)}</a></li>`)
  return `<li>${icon(sign)}<div><details><summary>${title}: ${plural(ids.length, 'check')}</summary><ul class="plain">${items.join('')}</ul></details></div></li>`
}

function chart(entries: readonly HistoryEntry[]): string {
  const bars = entries.map((entry, at) => {
    const all = stacked.reduce((sum, verdict) => sum + entry.counts[verdict], 0)
    let top = height
    const parts = stacked.map((verdict) => {
      const count = entry.counts[verdict]
      // One finding among a thousand has to be seen.
      const size = all === 0 || count === 0 ? 0 : Math.max(2, (count / all) * height)
      top -= size
      return size === 0
        ? ''
        : `<rect class="${verdict}" x="${at * width + 1}" y="${Math.max(0, top).toFixed(1)}" width="${width - 2}" height="${size.toFixed(1)}"/>`
    })
    return `<g><title>${markup(`${moment(entry.startedAt)}: ${entry.word}, ${number(entry.counts.pass)} of ${number(all)} passed, ${number(entry.counts.fail)} failed`)}</title>${parts.join('')}</g>`
  })
  const last = entries.at(-1)
  const label = `Verdicts of ${plural(entries.length, 'run')}; in the last one ${number(last?.counts.fail ?? 0)} failed`
  return `<svg class="bar history" role="img" aria-label="${label}" width="${entries.length * width}" height="${height}" viewBox="0 0 ${entries.length * width} ${height}">${bars.join('')}</svg>`
}
