/** Counts the sentences of the documents and the checks of a run, apart. Each line adds up: what was decided, what was not,
 * and what was not part of the run. Each number leads to what it counts. */
import type { CheckResult, Level, ResultDocument } from '../../../harness/vocabulary/index.ts'
import { fateOf } from '../coverage.ts'
import { markup } from '../escape.ts'
import { type Judged, judgeRequirements } from '../tally.ts'
import { number } from '../wording.ts'
import { term } from './help.ts'

/** What became of a sentence or a check. Each has exactly one of these. */
const columns = ['decided', 'not verified', 'error', 'accepted undecided', 'does not apply', 'no check'] as const
type Column = (typeof columns)[number]

const heads: Readonly<Record<Column, string>> = {
  decided: term('decided'),
  'not verified': term('not verified'),
  error: term('error'),
  'accepted undecided': 'accepted as not verified',
  'does not apply': term('not applicable', 'does not apply'),
  'no check': term('no check in this run'),
}

/** A part of a column that is worth a number of its own. */
const parts = ['contradicted', 'failed', 'warned', 'accepted', 'rests'] as const
type Part = (typeof parts)[number]

const partWords: Readonly<Record<Part, string>> = {
  contradicted: 'contradicted',
  failed: 'failed',
  warned: 'with a warning',
  accepted: 'accepted',
  rests: 'rest on another finding',
}

interface Counted {
  readonly column: Column
  readonly part?: Part
}

const ofVerdict: Readonly<Record<CheckResult['verdict'], Counted>> = {
  pass: { column: 'decided' },
  fail: { column: 'decided', part: 'failed' },
  warn: { column: 'decided', part: 'warned' },
  accepted: { column: 'decided', part: 'accepted' },
  error: { column: 'error' },
  'not-verified': { column: 'not verified' },
  'not-applicable': { column: 'does not apply' },
}

const rests = ({ blocker }: CheckResult): boolean => blocker?.kind === 'rests-on'

function ofCheck(check: CheckResult): Counted {
  if (check.accepted?.was === 'not-verified') return { column: 'accepted undecided' }
  const counted = ofVerdict[check.verdict]
  return counted.column === 'not verified' && rests(check) ? { ...counted, part: 'rests' } : counted
}

function ofSentence(judged: Judged): Counted {
  const { verdict, checks } = judged
  if (verdict === undefined) return { column: 'no check' }
  if (verdict === 'accepted' && fateOf(judged) !== 'decided') return { column: 'accepted undecided' }
  if (verdict === 'fail' || verdict === 'warn') return { column: 'decided', part: 'contradicted' }
  const counted = ofVerdict[verdict]
  return counted.column === 'not verified' && checks.some(rests) ? { ...counted, part: 'rests' } : counted
}

const filters: Readonly<Record<Column | Part, string>> = {
  decided: 'verdict=fail,warn,accepted,pass',
  'not verified': 'verdict=not-verified',
  error: 'verdict=error',
  'accepted undecided': 'verdict=accepted',
  'does not apply': 'verdict=not-applicable',
  'no check': 'coverage=no%20check%20in%20this%20run',
  contradicted: 'verdict=fail,warn',
  failed: 'verdict=fail',
  warned: 'verdict=warn',
  accepted: 'verdict=accepted',
  rests: 'verdict=not-verified&blocker=rests-on',
}

interface Line {
  readonly name: string
  readonly level: Level
  readonly list: '' | 'list=requirements'
  readonly counted: readonly Counted[]
}

export function countsSection(document: ResultDocument): string {
  const judged = judgeRequirements(document)
  const lines = (['must', 'should'] as const).flatMap((level): Line[] => [
    {
      ...{ name: `${level} sentences`, level, list: 'list=requirements' },
      counted: judged.filter(({ requirement }) => requirement.level === level).map(ofSentence),
    },
    {
      ...{ name: `${level} checks`, level, list: '' },
      counted: document.checks.filter((check) => check.level === level).map(ofCheck),
    },
  ])
  // Sentences come before checks: the verdict is about sentences.
  const ordered = lines.filter(({ counted }) => counted.length > 0).toSorted((a, b) => b.list.localeCompare(a.list))
  const used = columns.filter((column) => ordered.some(({ counted }) => counted.some((one) => one.column === column)))
  const head = [...used.map((column) => heads[column]), 'all']
    .map((word) => `<th scope="col" role="columnheader">${word}</th>`)
    .join('')
  const open = judged.filter(({ requirement }) => requirement.level === 'info').length
  const left =
    open === 0
      ? ''
      : `<p class="note"><a href="#list=requirements&amp;coverage=open">${number(open)} more</a> ${open === 1 ? 'sentence is' : 'sentences are'} ${term('open', 'left open')} by the documents, so no check asserts ${open === 1 ? 'it' : 'them'}.</p>`
  return `<section class="amounts" aria-label="Sentences and checks">
<table class="matrix counts" role="table"><thead role="rowgroup"><tr role="row"><td role="cell"></td>${head}</tr></thead>
<tbody role="rowgroup">${ordered.map((line) => row(line, used)).join('')}</tbody></table>
${left}</section>`
}

function row(line: Line, used: readonly Column[]): string {
  const { name, level, list, counted } = line
  const link = (amount: number, filter: string, words = ''): string =>
    `<a href="#${markup([list, filter, `level=${level}`].filter(Boolean).join('&'))}">${number(amount)}${words}</a>`
  const cells = used.map((column) => {
    const own = counted.filter((one) => one.column === column)
    const shown = own.length === 0 ? '<span class="nothing">0</span>' : link(own.length, filters[column])
    return `<td role="cell" data-label="${column}">${shown}${partsOf(own, link)}</td>`
  })
  return `<tr role="row"${list === '' ? ' class="checks"' : ''}><th scope="row" role="rowheader">${name}</th>${cells.join('')}<td role="cell" data-label="all">${link(counted.length, '')}</td></tr>`
}

function partsOf(own: readonly Counted[], link: (amount: number, filter: string, words: string) => string): string {
  const shown = parts.flatMap((part) => {
    const amount = own.filter((one) => one.part === part).length
    return amount === 0
      ? []
      : [`<span class="part ${part}">${link(amount, filters[part], ` ${partWords[part]}`)}</span>`]
  })
  return shown.join('')
}
