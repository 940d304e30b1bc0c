/** The first screen: everything a release manager needs, as plain markup that works without the script. */
import type { ResultDocument, RunVerdict, Verdict } from '../../harness/vocabulary/index.ts'
import { markup, shorten } from './escape.ts'
import { icon } from './html-icons.ts'
import { overview } from './html-overview.ts'
import { targetSection } from './html-target.ts'
import { count, headline, unasked } from './tally.ts'
import { duration, moment, number, plural, runLabels, verdictLabels, verdictOrder } from './wording.ts'

const iconOfRun: Readonly<Record<RunVerdict, Verdict>> = {
  conformant: 'pass',
  'non-conformant': 'fail',
  incomplete: 'not-verified',
}

export const runIcon = (document: ResultDocument): Verdict => iconOfRun[document.verdict]

export function summary(document: ResultDocument): string {
  return [hero(document), amounts(document), overview(document), targetSection(document)].join('\n')
}

function hero(document: ResultDocument): string {
  const { run, suite, target } = document
  const label = runLabels[document.verdict]
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
  const interrupted = run.interrupted ? '<p class="note">The run was interrupted before its end.</p>' : ''
  const insecure = target.insecure
    ? `<p class="note">${icon('warn')} The certificate of the target was not verified: whoever answered may not have been the target.</p>`
    : ''
  return `<section class="hero ${document.verdict}" aria-labelledby="verdict">
<div class="verdict">${icon(runIcon(document))}<div><h1 id="verdict">${label.word}</h1><p class="headline">${headline(document)}</p>${narrowed}${interrupted}${insecure}</div></div>
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
  const bars = (['pass', 'deviation', 'warn', 'not-verified', 'error', 'fail', 'not-applicable'] as const).map(
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
