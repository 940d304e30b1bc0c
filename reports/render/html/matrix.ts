/** A table of verdicts that one server and many share: rows below headings that fold without a script, and columns for
 * verdicts or for servers. A colour never stands alone, because each cell also has a number or a sign. */
import type { Verdict } from '../../../harness/vocabulary/index.ts'
import { markup, prose } from '../escape.ts'
import { icon } from './icons.ts'

/** What a cell is about: a verdict, or a statement without one. */
export type Look = Verdict | 'silent' | 'open' | 'all'

/** How much of its colour fills a cell; 0 for nothing. */
export type Heat = 0 | 1 | 2 | 3 | 4

export interface MatrixCell {
  /** A number, a share or nothing, as text. */
  readonly text: string
  readonly look: Look
  readonly heat?: Heat
  /** True if the sign of the verdict is shown before the text. */
  readonly sign?: boolean
  readonly href?: string
  /** What the cell says, in words, for readers who do not see colours. */
  readonly words: string
}

export interface MatrixRow {
  readonly name: string
  readonly href?: string
  /** A second line below the name. */
  readonly note?: string
  readonly cells: readonly (MatrixCell | undefined)[]
}

export interface MatrixGroup {
  readonly head: MatrixRow
  readonly rows: readonly MatrixRow[]
  /** True if the rows are shown at first. */
  readonly isOpen: boolean
}

export interface Matrix {
  readonly label: string
  /** The word above the names of the rows. */
  readonly corner: string
  readonly columns: readonly { readonly title: string; readonly look?: Look }[]
  readonly groups: readonly MatrixGroup[]
  readonly total?: MatrixRow
}

/** Renders a matrix. A narrow screen scrolls it sideways, with the names of the rows in place and a shadow at the edge
 * behind which there is more. */
export function matrixTable({ label, corner, columns, groups, total }: Matrix): string {
  const head = columns.map(
    ({ title, look }) =>
      `<th scope="col"${look === undefined ? ' class="wide"' : ''}>${look === undefined || look === 'all' ? '' : icon(look)}<span>${markup(title)}</span></th>`,
  )
  const bodies = groups.map((group) => `<tbody>${headRow(group)}${group.rows.map(row).join('')}</tbody>`)
  const foot = total === undefined ? '' : `<tfoot>${row(total)}</tfoot>`
  return `<div class="scroll map-scroll" tabindex="0" role="region" aria-label="${markup(label)}"><table class="map"><thead><tr><th scope="col">${markup(corner)}</th>${head.join('')}</tr></thead>${bodies.join('')}${foot}</table></div>`
}

function headRow({ head, rows, isOpen }: MatrixGroup): string {
  if (rows.length === 0) return row(head)
  const fold = `<input type="checkbox" class="unfold" aria-label="${markup(head.name)}: show its rows"${isOpen ? ' checked' : ''}>`
  return `<tr class="head"><th scope="rowgroup">${fold}${nameOf(head)}</th>${head.cells.map(cell).join('')}</tr>`
}

const row = (one: MatrixRow): string => `<tr><th scope="row">${nameOf(one)}</th>${one.cells.map(cell).join('')}</tr>`

function nameOf({ name, href, note }: MatrixRow): string {
  const shown = href === undefined ? prose(name) : `<a href="${markup(href)}">${prose(name)}</a>`
  return note === undefined ? shown : `${shown}<span class="place">${prose(note)}</span>`
}

function cell(one: MatrixCell | undefined): string {
  if (one === undefined) return '<td></td>'
  const { text, look, heat = 0, sign = false, href, words } = one
  const inner = `${sign && look !== 'all' ? icon(look) : ''}${markup(text)}`
  const shown =
    href === undefined
      ? `<span title="${markup(words)}">${inner}<span class="vh"> ${markup(words)}</span></span>`
      : `<a href="${markup(href)}" aria-label="${markup(words)}">${inner}</a>`
  return `<td class="${look}${heat === 0 ? '' : ` heat${heat}`}">${shown}</td>`
}

export const matrixStyle = `
.map-scroll{position:relative;overflow-x:auto;background:linear-gradient(to right,var(--paper) 30%,transparent) left/3rem 100%,linear-gradient(to left,var(--paper) 30%,transparent) right/3rem 100%,linear-gradient(to right,var(--edge),transparent) left/.6rem 100%,linear-gradient(to left,var(--edge),transparent) right/.6rem 100%;background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}
.map{font-variant-numeric:tabular-nums}.map th,.map td{padding:0;border-bottom:1px solid var(--rule);vertical-align:middle}
.map thead th{padding:.3rem .5rem;text-align:center;vertical-align:bottom;font-size:.75rem;line-height:1.25}.map thead th .icon{display:block;margin:0 auto .15rem}.map thead th:first-child{text-align:left;padding-left:0}
.map tbody th,.map tfoot th{padding:.28rem .75rem .28rem 1.6rem;font-weight:400;white-space:normal;font-size:.8125rem;line-height:1.35}.map th a{color:var(--ink)}.map .head th,.map tfoot th{position:relative;font-weight:600}.map tfoot th{padding-left:0}
.map .place{display:block;color:var(--soft);font-size:.75rem;font-weight:400}.map .head .place{display:inline;margin-left:.6rem}
.map td{text-align:center;white-space:nowrap;width:5.25rem;min-width:2.4rem;border-left:2px solid var(--paper);font-size:.8125rem}.map td>a,.map td>span{display:flex;gap:.3rem;align-items:center;justify-content:center;min-height:1.7rem;padding:0 .3rem;color:var(--ink);text-decoration:none}.map td>a:hover{text-decoration:underline}
.map .head td,.map tfoot td{font-weight:600}.map tfoot tr>*{border-bottom:0}
.map tbody:not(:has(.unfold:checked)) .head~tr{display:none}
.unfold{position:absolute;left:0;top:.05rem;width:1.5rem;height:1.5rem;min-height:0;padding:0;margin:0;border:0;background:none;appearance:none;cursor:pointer;border-radius:4px;display:grid;place-items:center;color:var(--soft)}.unfold::before{content:"";width:.45rem;height:.45rem;border:solid;border-width:0 1.5px 1.5px 0;transform:rotate(-45deg)}.unfold:checked::before{transform:rotate(45deg)}.unfold:hover{background:var(--sheet)}
${(['fail', 'error', 'not-verified', 'warn', 'accepted', 'pass', 'not-applicable'] as const)
  .map((verdict) => `.map td.${verdict}{--heat:var(--${verdict})}`)
  .join('')}.map td.silent,.map td.open{--heat:var(--not-applicable)}
${[10, 20, 32, 46].map((share, at) => `.map .heat${at + 1}{background:color-mix(in srgb,var(--heat) ${share}%,var(--paper))}`).join('')}
@media(max-width:44rem){.map .head .place{display:block;margin:0}.map tbody th,.map tfoot th,.map thead th:first-child{position:sticky;left:0;background:var(--paper);min-width:8.5rem;z-index:1}.map .head th{position:sticky}.map tbody tr:not(.head)>th .place{display:none}.map thead th:not(:first-child):not(.wide) span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.map td{width:auto}.map td>a,.map td>span{white-space:nowrap}}
@media print{.map td{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`
