/** The first screen: everything a release manager needs, as plain markup that works without the script. */
import type { ResultDocument, RunWord, Verdict } from '../../harness/vocabulary/index.ts'
import { markup, prose, shorten } from './escape.ts'
import { historySection } from './html-history.ts'
import { icon } from './html-icons.ts'
import { overview } from './html-overview.ts'
import { targetSection } from './html-target.ts'
import { count, unasked } from './tally.ts'
import { duration, moment, number, plural, runTitle, verdictLabels, verdictOrder } from './wording.ts'

const iconOfRun: Readonly<Record<RunWord, Verdict>> = {
  conformant: 'pass',
  'non-conformant': 'fail',
  outdated: 'accepted',
  incomplete: 'not-verified',
  regressed: 'fail',
  defective: 'error',
  'left-behind': 'fail',
  interrupted: 'not-verified',
}

export const runIcon = (document: ResultDocument): Verdict => iconOfRun[document.verdict.word]

export function summary(document: ResultDocument): string {
  return [
    hero(document),
    amounts(document),
    overview(document),
    historySection(document),
    targetSection(document),
  ].join('\n')
}

function hero(document: ResultDocument): string {
  const { run, suite, target, verdict } = document
  const version = target.facts.version ?? 'unknown'
  const edition = target.facts.edition ?? 'unknown'
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
      `${run.safety}, seed ${run.seed}, ${plural(run.jobs, 'job')}${run.shard ? `, shard ${run.shard.index}/${run.shard.of}` : ''}`,
    ],
  ]
  const left = unasked(document)
  const narrowed = left ? `<p class="note">${left}</p>` : ''
  const mends = verdict.reasons.map(({ mend }) => `<li>${prose(mend)}</li>`)
  const notes = verdict.notes.map((note) => `<p class="note">${markup(shorten(note, 1000))}</p>`)
  const insecure = target.insecure
    ? `<p class="note">${icon('warn')} The certificate of the target was not verified: whoever answered may not have been the target.</p>`
    : ''
  return `<section class="hero ${runIcon(document)}" aria-labelledby="verdict">
<div class="verdict">${icon(runIcon(document))}<div><h1 id="verdict">${markup(runTitle(document))}</h1><p class="headline">${prose(shorten(verdict.headline, 2000))}</p>${mends.length > 0 ? `<ul class="mends">${mends.join('')}</ul>` : ''}${notes.join('')}${narrowed}${insecure}</div></div>
<dl class="facts">${facts
    .map(
      ([name, value, more]) =>
        `<div><dt>${name}</dt><dd><b>${markup(shorten(value, 300))}</b>${more ? `<span>${markup(shorten(more, 300))}</span>` : ''}</dd></div>`,
    )
    .join('')}</dl>
</section>`
}

function amounts(document: ResultDocument): string {
  const counts = count(document.checks)
  const all = document.checks.length
  let at = 0
  const bars = (['pass', 'accepted', 'warn', 'not-verified', 'error', 'fail', 'not-applicable'] as const).map(
    (verdict) => {
      const width = all === 0 ? 0 : (counts[verdict] / all) * 1000
      at += width
      return width === 0
        ? ''
        : `<rect class="${verdict}" x="${(at - width).toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`
    },
  )
  return `<section class="amounts" aria-label="Checks by verdict">
<svg class="bar" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">${bars.join('')}</svg>
<ul>${verdictOrder
    .map(
      (verdict) =>
        `<li class="${counts[verdict] === 0 ? 'zero' : ''}"><a href="#verdict=${verdict}" title="${markup(verdictLabels[verdict].means)}">${icon(verdict)}<b>${number(counts[verdict])}</b> <span>${verdictLabels[verdict].word}</span></a></li>`,
    )
    .join(
      '',
    )}<li><a href="#" title="All checks of the run"><b>${number(all)}</b> <span>${all === 1 ? 'Check' : 'Checks'}</span></a></li></ul>
</section>`
}
