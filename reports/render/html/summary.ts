/** Renders the first screen: everything that a release manager needs, as plain markup that works without the script. */
import type { ResultDocument, Verdict } from '../../../harness/vocabulary/index.ts'
import { markup, prose, shorten } from '../escape.ts'
import { unasked } from '../tally.ts'
import { atOnce, betweenWords, duration, editionWords, moment, plural, runLooks, runWords } from '../wording.ts'
import { countsSection } from './counts.ts'
import { historyLine, historySection } from './history.ts'
import { icon } from './icons.ts'
import { overview } from './overview.ts'
import { sectionsMap } from './sections.ts'
import { targetSection } from './target.ts'

export const runIcon = (document: ResultDocument): Verdict => runLooks[document.verdict.word]

export function summary(document: ResultDocument): string {
  return [
    hero(document),
    countsSection(document),
    sectionsMap(document),
    overview(document),
    historySection(document),
    targetSection(document),
  ].join('\n')
}

function hero(document: ResultDocument): string {
  const { run, suite, target, verdict } = document
  const version = target.facts.version ?? 'unknown'
  const edition = editionWords(target.facts)
  const facts: [string, string, string?][] = [
    ['Target', target.name === target.url ? target.url : target.name, target.name === target.url ? '' : target.url],
    ['Version', version, target.facts.product ?? ''],
    ['Edition', edition, `dialect ${target.dialect}`],
    ['When', moment(run.startedAt).replace(/:\d\d UTC$/, ''), `UTC, took ${duration(run.durationMs)}`],
    [
      'Suite',
      `${suite.name} ${suite.version}`,
      suite.commit ? `commit ${suite.commit.slice(0, 10)}` : 'no commit known',
    ],
    [
      'Run',
      run.id,
      `${run.safety}, seed ${run.seed}, ${atOnce(run)} ${run.jobs === 1 ? 'job' : 'jobs'}${run.shard ? `, shard ${run.shard.index}/${run.shard.of}` : ''}`,
    ],
  ]
  const through = betweenWords(target.facts)
  const left = unasked(document)
  const lines = (verdict.lines ?? [verdict.headline]).map((line) => `<li>${prose(shorten(line, 400))}</li>`)
  const mends = verdict.reasons.map(({ mend }) => `<li>${prose(mend)}</li>`)
  const notes = [...verdict.notes, ...(left ? [left] : [])]
  const way = through ? `<p class="note">Judged through ${markup(through)}.</p>` : ''
  const insecure = target.insecure
    ? `<p class="note">${icon('warn')} The certificate of the target was not verified: the replies may come from another server.</p>`
    : ''
  return `<section class="hero ${runIcon(document)}" aria-labelledby="verdict">
<div class="verdict">${icon(runIcon(document))}<div><h1 id="verdict">${markup(runWords(document))}</h1><ul class="lines">${lines.join('')}</ul>${mends.length > 0 ? `<ul class="mends">${mends.join('')}</ul>` : ''}${way}${narrowing(notes)}${insecure}</div>${historyLine(document)}</div>
<dl class="facts">${facts
    .map(
      ([name, value, more]) =>
        `<div><dt>${name}</dt><dd><b>${markup(shorten(value, 300))}</b>${more ? `<span>${markup(shorten(more, 300))}</span>` : ''}</dd></div>`,
    )
    .join('')}</dl>
</section>`
}

/** Shows the notes on what the verdict does not cover. They are folded, because the lines count what was left out. */
function narrowing(notes: readonly string[]): string {
  if (notes.length === 0) return ''
  const lines = notes.map((note) => `<p class="note">${markup(shorten(note, 1000))}</p>`).join('')
  return `<details><summary>${plural(notes.length, 'note')} on what this verdict does not cover</summary>${lines}</details>`
}
