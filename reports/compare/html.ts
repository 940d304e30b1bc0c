import type { ComparedServer, Comparison } from '../../harness/vocabulary/index.ts'
import { markup, prose, shorten } from '../render/escape.ts'
import { icon } from '../render/html/icons.ts'
import { htmlPage } from '../render/html/shell.ts'
import { style as reportStyle } from '../render/html/style.ts'
import { plural, sentence } from '../render/wording.ts'
import { answer, answerStyle, signOf } from './html-answer.ts'
import { driftSections, driftStyle } from './html-drift.ts'
import { matrixSection, matrixSectionStyle } from './html-matrix.ts'
import { findingCauses, findingsCounted, madeOf, notCovered } from './tables.ts'

const style = `${reportStyle}${answerStyle}${driftStyle}${matrixSectionStyle}
.lead{font-size:1.0625rem;margin:.6rem 0 0}.lead+.lead{margin-top:.35rem}
.compared{margin-top:.5rem}.compared th,.compared td{padding-right:1rem}.compared thead th{position:sticky;top:0;background:var(--paper);color:var(--ink);vertical-align:bottom}
.compared tbody th{white-space:normal;min-width:14rem;max-width:38rem}.scroll{overflow-x:auto}
.compared td{min-width:6.5rem}.made td{max-width:22rem}.causes li{padding:.45rem 0;border-top:1px solid var(--rule);font-size:.875rem}.causes .known{color:var(--soft);margin-top:.2rem}.causes b:first-of-type{font-family:var(--mono);font-size:.8125rem}
.statements summary,.server summary{cursor:pointer}.statements summary h3,.server summary h3{display:inline;font-size:.9375rem;font-weight:500}.statements,.server{border-top:1px solid var(--rule);padding:.6rem 0}
@media(max-width:44rem){.compared tbody th{min-width:11rem}}
@media print{:is(.server,.difference)::details-content{content-visibility:visible;height:auto}}
`

/** Renders a comparison as one HTML file without a script. */
export function renderComparisonHtml(comparison: Comparison): string {
  const { servers, title, verdict } = comparison
  return htmlPage({
    title,
    icon: signOf(comparison),
    colour: '#57606a',
    style,
    generator: 'assay compare',
    body: `<header class="top"><p class="brand"><b>Assay</b> <span>${servers.length === 2 ? markup(title) : 'Servers compared'}</span></p></header>
<main>
${answer(comparison)}
${matrixSection(comparison)}
${servers.some((server) => findingCauses(server).length > 0) ? `<section><h2>What they do otherwise than the documents say</h2>${servers.map(findings).join('\n')}</section>` : ''}
${driftSections(comparison)}
<section><h2>What these results do not cover</h2>${servers.map(uncovered).join('\n')}
<p class="note">The documents leave ${plural(comparison.open, 'further statement')} open; no run asserts these.</p></section>
${verdict.says.length > 1 ? `<section><h2>Compared with the first</h2>${lead(comparison)}</section>` : ''}
${madeTable(servers)}
</main>
<footer><p>Made by assay compare. Only results of the same definition of a check are compared.</p></footer>`,
  })
}

const lead = ({ verdict }: Comparison): string =>
  verdict.says.map((says) => `<p class="lead">${markup(says)}</p>`).join('\n')

const head = (first: string, servers: readonly ComparedServer[]): string =>
  `<thead><tr><th scope="col">${first}</th>${servers.map(({ target }) => `<th scope="col">${markup(shorten(target.name, 80))}</th>`).join('')}</tr></thead>`

const scroll = (label: string, table: string): string =>
  `<div class="scroll" role="region" aria-label="${markup(label)}" tabindex="0">${table}</div>`

function madeTable(servers: readonly ComparedServer[]): string {
  const made = servers.map((server) => new Map([...madeOf(server), ['verdict', server.verdict.title]]))
  const keys = [...new Set(made.flatMap((one) => [...one.keys()]))]
  const body = keys.map(
    (key) =>
      `<tr><th scope="row">${key}</th>${made.map((one) => `<td>${markup(shorten(one.get(key) ?? '', 600))}</td>`).join('')}</tr>`,
  )
  return `<section><h2>How these results were made</h2>${scroll('How these results were made', `<table class="compared made">${head('', servers).replace('<th scope="col"></th>', '<td></td>')}<tbody>${body.join('')}</tbody></table>`)}</section>`
}

function findings(server: ComparedServer, at: number): string {
  const own = findingCauses(server)
  if (own.length === 0) return ''
  const items = own.map(
    ({ name, index, verdict, says, checks, reason }) =>
      `<li id="s${at}c${index}">${icon(verdict)} <b>${name}</b> ${prose(shorten(sentence(says), 400))} <span class="note">${plural(checks.length, 'check')}</span>${
        reason === undefined ? '' : `<p class="known">Known: ${prose(reason)}</p>`
      }</li>`,
  )
  return `<details class="server"><summary><h3>${markup(server.target.name)}: ${findingsCounted(own)}</h3></summary><ul class="causes">${items.join('')}</ul></details>`
}

function uncovered(server: ComparedServer): string {
  const lines = notCovered(server)
  if (lines.length === 0) return ''
  return `<details class="server"><summary><h3>${markup(server.target.name)}: ${plural(lines.length, 'limit')}</h3></summary><ul class="causes">${lines.map((text) => `<li>${prose(shorten(text, 600))}</li>`).join('')}</ul></details>`
}
