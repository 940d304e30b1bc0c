/** Shows what took longest. */
import type { ResultDocument } from '../../../harness/vocabulary/index.ts'
import { markup, shorten } from '../escape.ts'
import { areasByTime, type Spent, slowest, spentOn, stepsOf } from '../longest.ts'
import { duration, number } from '../wording.ts'

const shown = 10

/** Returns an empty text if no check has taken time. */
export function timesSection(document: ResultDocument): string {
  const checks = slowest(document, shown)
  if (checks.length === 0) return ''
  const { durationMs, judgingMs } = document.run
  const areas = areasByTime(document)
  return `<details id="timeline" class="timeline scripted"><summary><h2>Timeline of the run</h2></summary><div id="lanes"></div></details><details class="times"><summary><h2>What took longest</h2></summary>
<p class="note">Judging took ${duration(judgingMs)} of ${duration(durationMs)}. Checks that were judged at the same time each count in full. A request that was repeated until its reply was as expected counts once; the pauses in between do not count as waiting for replies.</p>
${table(
  'Slowest checks',
  'check',
  checks.map((check) => [
    `<a href="#open=${markup(encodeURI(check.id))}">${markup(shorten(check.id, 200))}</a>`,
    spentOn([check]),
  ]),
)}${areas.length > 1 ? table('Areas', 'area', areas) : ''}${stepsTable(document)}</details>`
}

const table = (title: string, what: string, rows: readonly (readonly [string, Spent])[]): string =>
  scrolling(
    title,
    [what, 'took', 'requests', 'waiting for replies'],
    rows.map(([name, { tookMs, requests, repliesMs }]) => [
      name,
      duration(tookMs),
      ...(requests === 0 ? ['–', '–'] : [number(requests), duration(repliesMs)]),
    ]),
  )

/** Returns an empty text unless the run recorded timings. */
function stepsTable(document: ResultDocument): string {
  const rows = stepsOf(document).map(({ name, startMs, durationMs }) => [
    markup(shorten(name, 200)),
    startMs < 0 ? 'before' : duration(startMs),
    duration(durationMs),
  ])
  return rows.length === 0 ? '' : scrolling('Steps of the run', ['step', 'began after', 'took'], rows)
}

const scrolling = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<h3>${title}</h3><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${rows
    .map(
      ([name, ...cells]) => `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
    )
    .join('')}</tbody></table></div>`
