/** Counts the checks of a run by verdict, and the rows of the documents. Each number links to what it counts. */
import type { Level, ResultDocument, Verdict } from '../../harness/vocabulary/index.ts'
import { coverageOf, type DocumentCoverage, type Fate, fates } from './coverage.ts'
import { term } from './html-help.ts'
import { icon } from './html-icons.ts'
import { type Counts, count, total } from './tally.ts'
import { number, verdictLabels, verdictOrder } from './wording.ts'

const barOrder = ['pass', 'accepted', 'warn', 'not-verified', 'error', 'fail', 'not-applicable'] as const

/** Returns a bar of the verdicts. It is hidden from screen readers, because the numbers are shown beside it. */
export function verdictBar(counts: Counts): string {
  const all = total(counts)
  let at = 0
  const parts = barOrder.map((verdict) => {
    // One finding among a thousand must be visible.
    const width = counts[verdict] === 0 ? 0 : Math.max(4, (counts[verdict] / all) * 1000)
    at += width
    return width === 0
      ? ''
      : `<rect class="${verdict}" x="${(at - width).toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`
  })
  return `<svg class="bar" viewBox="0 0 ${Math.max(1, at).toFixed(2)} 8" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg>`
}

export function countsSection(document: ResultDocument): string {
  const { checks } = document
  const levels = (['must', 'should'] as const).map((level) => ({
    level,
    counts: count(checks.filter((check) => check.level === level)),
  }))
  const head = verdictOrder.map(
    (verdict) => `<th scope="col" role="columnheader">${icon(verdict)} ${term(verdictLabels[verdict].word)}</th>`,
  )
  const rows = levels.map(({ level, counts }) => countsRow(term(level), counts, level))
  return `<section class="amounts" aria-label="Checks by level and verdict">
${verdictBar(count(checks))}
<table class="matrix counts" role="table"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">${term('check', 'checks')}</th>${head.join('')}<th scope="col" role="columnheader">All</th></tr></thead>
<tbody role="rowgroup">${rows.join('')}${countsRow('all', count(checks))}</tbody></table>
${rowsLine(document)}</section>`
}

function countsRow(name: string, counts: Counts, level?: Level): string {
  const cell = (amount: number, label: string, verdict?: Verdict): string => {
    const query = [verdict && `verdict=${verdict}`, level && `level=${level}`].filter(Boolean).join('&amp;')
    const shown =
      amount === 0
        ? '<span class="nothing">0</span>'
        : `<a class="${verdict ?? 'all'}" href="#${query}">${number(amount)}</a>`
    return `<td role="cell" data-label="${label}">${shown}</td>`
  }
  const cells = verdictOrder.map((verdict) => cell(counts[verdict], verdictLabels[verdict].word, verdict))
  return `<tr role="row"><th scope="row" role="rowheader">${name}</th>${cells.join('')}${cell(total(counts), 'All')}</tr>`
}

const fateWords: Readonly<Record<Fate, string>> = {
  decided: 'decided',
  'not decided': 'not decided',
  'no check in this run': 'without a check in this run',
  open: 'left open by the documents',
}

const contradictedIn = (documents: readonly DocumentCoverage[]): number =>
  documents.flatMap(({ rows }) => rows).filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').length

/** Returns how many rows of the documents the checks decide. */
function rowsLine(document: ResultDocument): string {
  const documents = coverageOf(document)
  const all = documents.reduce((sum, { rows }) => sum + rows.length, 0)
  if (all === 0) return ''
  const parts = fates.flatMap((fate) => {
    const amount = documents.reduce((sum, { counts }) => sum + counts[fate], 0)
    const broken = fate === 'decided' ? contradictedIn(documents) : 0
    return amount === 0
      ? []
      : [
          `<a href="#list=requirements&amp;coverage=${encodeURIComponent(fate)}"><b>${number(amount)}</b> ${term(fate, fateWords[fate])}</a>${broken > 0 ? ` (<b>${number(broken)}</b> contradicted)` : ''}`,
        ]
  })
  return `<p class="rows">Of <a href="#list=requirements"><b>${number(all)}</b> ${term('row', all === 1 ? 'row' : 'rows')} of the documents</a>: ${parts.join(', ')}.</p>`
}
