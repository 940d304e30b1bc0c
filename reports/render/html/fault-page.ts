/** Renders "How do we know that a check can fail?": one page with every fault that was played, and the check that
 * noticed it. The page has no script, so that it opens anywhere; the filter by area uses CSS only. */
import { markup, prose, shorten } from '../escape.ts'
import { number, plural, sentence } from '../wording.ts'
import { icon } from './icons.ts'
import { htmlPage } from './shell.ts'
import { style } from './style.ts'
import { verdictColour } from './verdict-colour.ts'

export interface FaultRow {
  readonly fault: {
    readonly id: string
    readonly area: string
    readonly operator: string
    readonly says: string
    readonly rows: readonly string[]
  }
  readonly state: 'noticed' | 'not-noticed' | 'excused'
  readonly noticedBy?: string
  readonly reason?: string
}

interface Widths {
  readonly areas: readonly {
    readonly area: string
    readonly faults: number
    readonly median: number
    readonly p95: number
    readonly most: number
  }[]
  readonly worst: readonly { readonly fault: string; readonly rows: readonly string[] }[]
}

export interface FaultProof {
  readonly rows: readonly FaultRow[]
  /** How many rows the faults make red for which this was counted, by kind of fault. */
  readonly widths?: Readonly<Record<string, Widths>>
  /** The name of the server on which the faults were played. */
  readonly server: string
  /** The name and version of the suite. */
  readonly suite: string
}

type State = FaultRow['state']
const states: Readonly<Record<State, { readonly icon: string; readonly word: string }>> = {
  'not-noticed': { icon: 'fail', word: 'Not noticed' },
  excused: { icon: 'accepted', word: 'Excused' },
  noticed: { icon: 'pass', word: 'Noticed' },
}
const order = Object.keys(states) as readonly State[]

const count = (rows: readonly FaultRow[], state: State): number => rows.filter((row) => row.state === state).length
const worst = (rows: readonly FaultRow[]): State => order.find((state) => count(rows, state) > 0) ?? 'noticed'
const areasIn = (rows: readonly FaultRow[]): readonly string[] => [...new Set(rows.map(({ fault }) => fault.area))]
/** Makes an anchor of an id. Our ids contain letters, digits, hyphens, dots and slashes; any other character must not
 * get into a URL. */
const anchor = (kind: 'fault' | 'check' | 'area' | 'at', id: string): string =>
  `${kind}-${id.replaceAll(/[^\w.-]+/g, '_')}`

const extra = `
h1{margin:1.5rem 0 .5rem}.failures{margin:1rem 0}
.pick{display:flex;flex-wrap:wrap;gap:.35rem .9rem;margin:1rem 0;border:0;padding:0}.pick legend{font-weight:600;padding:0}.pick label{display:inline-flex;gap:.35rem;align-items:center;font-size:.875rem;min-height:1.75rem}.pick input{min-height:0}
.faults td:first-child{width:1.5rem;padding-right:.25rem}.faults p{margin:0}.faults .note{font-family:var(--mono);font-size:.75rem}.faults tr:target{background:var(--sheet);outline:2px solid var(--focus)}
section.area{display:block;margin-top:2.5rem;padding:0;border:0}section.area h3{margin:1.25rem 0 .25rem}.checks li{padding:.35rem 0;border-bottom:1px solid var(--rule)}.checks li:target{background:var(--sheet);outline:2px solid var(--focus)}.checks ul{padding-left:1rem}.checks ul li{border:0;padding:.1rem 0;font-size:.8125rem}
.amount{font-variant-numeric:tabular-nums;white-space:nowrap}.icon.fail{color:var(--fail)}.icon.pass{color:var(--pass)}.icon.accepted{color:var(--accepted)}
`

/** Returns CSS that hides everything about areas other than the selected one. */
const filterStyle = (areas: readonly string[]): string =>
  areas
    .map((area) => `body:has(#${anchor('at', area)}:checked) .of:not(.${anchor('area', area)}){display:none}`)
    .join('\n')

export function renderFaultPage(proof: FaultProof): string {
  const { rows } = proof
  const areas = areasIn(rows)
  const sheet = style + extra + filterStyle(areas)
  const [open, excused, noticed] = order.map((state) => count(rows, state)) as [number, number, number]
  const sign = states[worst(rows)].icon
  const title = open === 0 ? 'Every fault is noticed or excused' : `${plural(open, 'fault')} not noticed`
  return htmlPage({
    title,
    icon: sign,
    colour: verdictColour[open === 0 ? 'pass' : 'fail'][0],
    style: sheet,
    generator: proof.suite,
    skip: '<a class="skip" href="#faults">Skip to the faults</a>',
    body: `<header class="top"><p class="brand"><b>Assay</b> <span>How do we know that a check can fail?</span></p></header>
<main>
<section aria-labelledby="title"><h1 id="title">${title}</h1>
<p>${number(rows.length)} faults were derived from the rows of the documents and played between the checks and ${markup(shorten(proof.server, 200))}: ${number(noticed)} noticed by a check that passes without them, ${number(excused)} excused with a reason, ${number(open)} not noticed.</p></section>
${picker(areas, rows)}
${listed(rows, 'not-noticed')}${listed(rows, 'excused')}
${matrix(areas, rows)}${redRows(proof)}
<section id="faults" aria-labelledby="faults-title"><h2 id="faults-title">Faults</h2>${areas.map((area) => areaSection(area, rows)).join('')}</section>
${byCheck(rows)}
</main>
<footer><p>${markup(proof.suite)}</p></footer>`,
  })
}

/** Returns a table of how many rows the faults of each area make red, and one of those that make the most rows red. */
function redRows({ widths = {} }: FaultProof): string {
  const kinds = Object.entries(widths).filter(([, { areas }]) => areas.length > 0)
  if (kinds.length === 0) return ''
  const cells = (...amounts: readonly number[]): string =>
    amounts.map((amount) => `<td class="amount">${number(amount)}</td>`).join('')
  const areas = kinds.flatMap(([kind, { areas }]) =>
    areas.map(
      ({ area, faults, median, p95, most }) =>
        `<tr><th scope="row">${markup(kind)}</th><td>${markup(area)}</td>${cells(faults, median, p95, most)}</tr>`,
    ),
  )
  const widest = kinds.flatMap(([, { worst }]) =>
    worst.map(
      ({ fault, rows }) =>
        `<tr><th scope="row">${markup(fault)}</th>${cells(rows.length)}<td>${markup(rows.join(', '))}</td></tr>`,
    ),
  )
  return `<section><h2>Rows red per fault</h2><p>One flaw contradicts one sentence, or a few. Counted for faults under which all checks were judged that meet them.</p>
${table(['Kind', 'Area', 'Faults', 'Median', '95th percentile', 'Most'], areas)}
<p>The widest faults:</p>
${table(['Fault', 'Rows', 'Which'], widest)}</section>`
}

const table = (head: readonly string[], lines: readonly string[]): string =>
  `<div class="scroll"><table><thead><tr>${head.map((word) => `<th scope="col">${word}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`

function listed(rows: readonly FaultRow[], state: State): string {
  const own = rows.filter((row) => row.state === state)
  if (own.length === 0) return ''
  const items = own.map(
    ({ fault, reason }) =>
      `<li class="of ${anchor('area', fault.area)}">${icon(states[state].icon)}<div><a href="#${anchor('fault', fault.id)}">${markup(fault.id)}</a><p>${prose(reason === undefined ? fault.says : sentence(shorten(reason, 600)))}</p></div></li>`,
  )
  return `<section class="failures"><h2>${states[state].word}</h2><ul>${items.join('')}</ul></section>`
}

function picker(areas: readonly string[], rows: readonly FaultRow[]): string {
  const choice = (id: string, word: string, some: readonly FaultRow[], isFirst: boolean) =>
    `<label><input type="radio" name="area" id="${id}"${isFirst ? ' checked' : ''}> ${markup(word)} <span class="nothing">${number(some.length)}</span></label>`
  const each = areas.map((area) =>
    choice(
      anchor('at', area),
      area,
      rows.filter(({ fault }) => fault.area === area),
      false,
    ),
  )
  return `<fieldset class="pick"><legend>Area</legend>${choice('at-all', 'all', rows, true)}${each.join('')}</fieldset>`
}

/** Returns a table of operators and areas, in which each cell links to its faults. */
function matrix(areas: readonly string[], rows: readonly FaultRow[]): string {
  const operators = [...Map.groupBy(rows, ({ fault }) => fault.operator)]
  const cell = (area: string | undefined, some: readonly FaultRow[]): string => {
    const own = area === undefined ? some : some.filter(({ fault }) => fault.area === area)
    const label = `<td role="cell" data-label="${markup(area ?? 'all')}"${area === undefined ? '' : ` class="of ${anchor('area', area)}"`}>`
    const [first] = own
    if (!first) return `${label}<span class="nothing">·</span></td>`
    const due = own.length - count(own, 'excused')
    const text = count(own, 'noticed') === due ? number(due) : `${number(count(own, 'noticed'))}/${number(due)}`
    const words = order.map((state) => `${count(own, state)} ${states[state].word.toLowerCase()}`).join(', ')
    const to = area === undefined ? 'faults' : anchor('area', `${area}/${first.fault.operator}`)
    return `${label}<a class="${states[worst(own)].icon}" href="#${to}" title="${words}" aria-label="${text}: ${markup(first.fault.operator)}, ${markup(area ?? 'all areas')}: ${words}">${icon(states[worst(own)].icon)}${text}</a></td>`
  }
  const head = [...areas, undefined]
    .map(
      (area) =>
        `<th scope="col" role="columnheader"${area === undefined ? '' : ` class="of ${anchor('area', area)}"`}>${markup(area ?? 'all')}</th>`,
    )
    .join('')
  const lines = operators.map(
    ([operator, some]) =>
      `<tr role="row"><th scope="row" role="rowheader">${markup(operator)}</th>${[...areas, undefined].map((area) => cell(area, some)).join('')}</tr>`,
  )
  return `<section><h2>By operator and area</h2><p class="note">How many faults are noticed, of those that are not excused.</p>
<div class="scroll"><table class="matrix" role="table"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">operator</th>${head}</tr></thead><tbody role="rowgroup">${lines.join('')}</tbody></table></div></section>`
}

function areaSection(area: string, rows: readonly FaultRow[]): string {
  const own = rows.filter((row) => row.fault.area === area)
  const groups = [...Map.groupBy(own, ({ fault }) => fault.operator)].map(([operator, some]) => {
    const lines = some
      .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
      .map(faultLine)
      .join('')
    return `<h4 id="${anchor('area', `${area}/${operator}`)}">${markup(operator)}</h4>
<table class="faults"><thead class="vh"><tr><th scope="col">Outcome</th><th scope="col">Fault, and who noticed it</th></tr></thead><tbody>${lines}</tbody></table>`
  })
  return `<section class="area of ${anchor('area', area)}" aria-labelledby="${anchor('area', area)}"><h3 id="${anchor('area', area)}">${markup(area)} <span class="nothing">${plural(own.length, 'fault')}</span></h3>${groups.join('')}</section>`
}

function faultLine({ fault, state, noticedBy, reason }: FaultRow): string {
  const outcome =
    noticedBy !== undefined
      ? `noticed by <a href="#${anchor('check', noticedBy)}">${markup(noticedBy)}</a>`
      : state === 'excused'
        ? `excused: ${prose(sentence(shorten(reason ?? '', 600)))}`
        : '<b>noticed by no check</b>'
  const rows = fault.rows.length === 0 ? '' : ` · ${markup(shorten(fault.rows.join(', '), 300))}`
  return `<tr id="${anchor('fault', fault.id)}"><td>${icon(states[state].icon)}<span class="vh">${states[state].word}</span></td><td><p>${prose(fault.says)}</p><p>${outcome}</p><p class="note">${markup(fault.id)}${rows}</p></td></tr>`
}

/** Lists the faults that each check was the first to notice. */
function byCheck(rows: readonly FaultRow[]): string {
  const noticed = Map.groupBy(
    rows.filter(({ noticedBy }) => noticedBy !== undefined),
    ({ noticedBy }) => noticedBy ?? '',
  )
  const items = [...noticed]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([check, some]) => {
      const links = some.map(({ fault }) => `<li><a href="#${anchor('fault', fault.id)}">${markup(fault.id)}</a></li>`)
      return `<li id="${anchor('check', check)}" class="of ${anchor('area', some[0]?.fault.area ?? '')}"><details><summary>${markup(check)} <span class="nothing amount">${plural(some.length, 'fault')}</span></summary><ul>${links.join('')}</ul></details></li>`
    })
  return `<section aria-labelledby="checks-title"><h2 id="checks-title">Checks</h2><p class="note">Each check with the faults that it was the first to notice. A fault is played until one check notices it.</p><ul class="checks">${items.join('')}</ul></section>`
}
