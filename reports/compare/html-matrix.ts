/** The matrix of statements and servers: what differs, by area, and folded what is the same everywhere. */
import type { ComparedCell, ComparedRow, ComparedServer, Comparison, Verdict } from '../../harness/vocabulary/index.ts'
import { markup, prose, shorten } from '../render/escape.ts'
import { icon } from '../render/html/icons.ts'
import { type Heat, type MatrixCell, type MatrixGroup, type MatrixRow, matrixTable } from '../render/html/matrix.ts'
import { number, plural, verdictLabels } from '../render/wording.ts'
import {
  type AreaCount,
  apartWords,
  areasOf,
  causeName,
  countArea,
  countWords,
  isDiffering,
  isTelling,
  nothingWords,
} from './tables.ts'

/** A longer list of statements is folded, so that every area is seen at once. */
const mostOpen = 30

export function matrixSection(comparison: Comparison): string {
  const { rows, servers } = comparison
  const differing = rows.filter(isDiffering)
  const areas = areasOf(comparison)
  const table = matrixTable({
    label: 'Statements by server',
    corner: 'area, statement',
    columns: servers.map(({ target }) => ({ title: shorten(target.name, 80) })),
    groups: areas.flatMap((area) => groupsOf(comparison, area)),
    ...(areas.length > 1 ? { total: countsRow(comparison, 'all areas') } : {}),
  })
  const apart = apartWords(comparison)
  return `<section class="sections" aria-labelledby="matrix-title"><h2 id="matrix-title">What differs: ${number(differing.length)} of ${plural(rows.length, 'statement')}</h2>
<p class="note">An area shows how many of the statements that apply to a server hold there, and unfolds to those that differ. A statement holds where every check of it passed. C1 and so on lead to the causes below.</p>
${table}
${apart === '' ? '' : `<p class="note apart">${markup(apart)}</p>`}
${sameEverywhere(comparison)}</section>`
}

function groupsOf(comparison: Comparison, area: string): readonly MatrixGroup[] {
  const telling = comparison.rows.filter((row) => row.area === area && isTelling(row))
  const differing = telling.filter(isDiffering)
  const found = differing.filter(isContradicted).toSorted((one, two) => findingsIn(two) - findingsIn(one))
  const others = differing.filter((row) => !isContradicted(row))
  const nowhere = telling.filter((row) => !isDiffering(row))
  const group = (head: MatrixRow, rows: readonly ComparedRow[], isOpen: boolean): MatrixGroup => ({
    head,
    rows: rows.map((row) => statementRow(row, comparison)),
    isOpen: isOpen && rows.length <= mostOpen,
  })
  return [
    group(countsRow(comparison, area, area, found.length), found, true),
    ...(others.length === 0 ? [] : [group(otherRow(comparison, area, others), others, false)]),
    ...(nowhere.length === 0 ? [] : [group(nowhereRow(comparison, area, nowhere), nowhere, false)]),
  ]
}

const isContradicted = ({ cells }: ComparedRow): boolean =>
  cells.some((one) => one !== null && isOpenVerdict(one.verdict))
const isOpenVerdict = (verdict: Verdict): boolean =>
  verdict !== 'pass' && verdict !== 'not-applicable' && verdict !== 'accepted'
const shortPlaceOf = ({ source }: ComparedRow): string =>
  source ? `document ${source.document}, ${source.section}, ${source.row}` : ''
const findingsIn = ({ cells }: ComparedRow): number => cells.filter((one) => one?.verdict === 'fail').length

function countsRow(comparison: Comparison, name: string, area?: string, differing?: number): MatrixRow {
  return {
    name,
    ...(differing === undefined
      ? {}
      : { note: differing === 0 ? 'no difference in what holds' : `${number(differing)} differ` }),
    cells: comparison.servers.map(({ target }, at) => {
      const count = countArea(comparison, at, area)
      return {
        text: count.apply === 0 ? nothingWords(count.compared) : `${number(count.pass)} of ${number(count.apply)}`,
        ...lookOf(count),
        words: `${target.name}, ${name}: ${countWords(count)}`,
      }
    }),
  }
}

/** A few statements that hold are no reason for a strong colour. */
const fewStatements = 5

function lookOf({ apply, pass, fail }: AreaCount): { readonly look: Verdict; readonly heat: Heat } {
  if (apply === 0) return { look: 'not-applicable', heat: 0 }
  const share = pass / apply
  if (fail > 0) return { look: 'fail', heat: share < 0.5 ? 4 : share < 0.9 ? 3 : 2 }
  if (pass < apply) return { look: 'not-verified', heat: 2 }
  return { look: 'pass', heat: apply < fewStatements ? 0 : 1 }
}

const otherRow = ({ servers }: Comparison, area: string, rows: readonly ComparedRow[]): MatrixRow => ({
  name: `${area}: only some have it`,
  note: plural(rows.length, 'statement'),
  cells: servers.map((server, at) => {
    const own = rows.flatMap(({ cells }) => cells[at] ?? [])
    const has = own.filter(({ verdict }) => verdict !== 'not-applicable').length
    return {
      text: has === 0 ? nothingWords(own.length) : number(has),
      look: 'not-applicable',
      words: `${server.target.name}: ${number(has)} of ${plural(rows.length, 'statement')} apply`,
    }
  }),
})

const nowhereRow = ({ servers }: Comparison, area: string, rows: readonly ComparedRow[]): MatrixRow => ({
  name: `${area}: hold nowhere, without a difference`,
  note: plural(rows.length, 'statement'),
  cells: servers.map(() => undefined),
})

const statementRow = (row: ComparedRow, comparison: Comparison): MatrixRow => ({
  name: shorten(row.says ?? row.id, 300),
  note: [row.id, row.level, shortPlaceOf(row)].filter(Boolean).join(', '),
  cells: row.cells.map((one, at) => statementCell(one, at, comparison.servers[at])),
})

const heats: { readonly [V in Verdict]?: 2 | 3 } = { fail: 3, error: 3, warn: 2, 'not-verified': 2 }

function statementCell(one: ComparedCell | null, at: number, server: ComparedServer | undefined): MatrixCell {
  const name = server?.target.name ?? ''
  if (!one) return { text: '–', look: 'silent', words: `${name}: not in this result` }
  const [cause, ...others] = one.verdict === 'fail' || one.verdict === 'warn' ? one.causes : []
  const words = `${name}: ${verdictLabels[one.verdict].word.toLowerCase()}`
  return {
    text: cause === undefined ? '' : `${causeName(cause)}${others.length > 0 ? '…' : ''}`,
    look: one.verdict,
    heat: heats[one.verdict] ?? 0,
    sign: true,
    ...(cause === undefined ? {} : { href: `#s${at}c${cause}` }),
    words: cause === undefined ? words : `${words}, ${[cause, ...others].map(causeName).join(', ')}`,
  }
}

/** Lists the statements with one verdict on all servers, each with one sign. */
function sameEverywhere(comparison: Comparison): string {
  const same = comparison.rows.filter((row) => !isTelling(row))
  if (same.length === 0) return ''
  const areas = [...Map.groupBy(same, ({ area }) => area)].map(([area, rows]) => {
    const items = rows.map(({ id, says, cells }) => {
      const verdict = cells.find((one) => one !== null)?.verdict ?? 'not-applicable'
      return `<li>${icon(verdict)}<span class="vh">${verdictLabels[verdict].word}: </span><span>${prose(says ?? id)} <code class="note">${markup(id)}</code></span></li>`
    })
    return `<details class="statements"><summary><h4>${markup(area)}: ${plural(rows.length, 'statement')}</h4></summary><ul class="same">${items.join('')}</ul></details>`
  })
  return `<details class="statements"><summary><h3>${plural(same.length, 'statement')} with the same verdict everywhere</h3></summary>${areas.join('')}</details>`
}

export const matrixSectionStyle = `
.same li{display:flex;gap:.5rem;padding:.25rem 0;font-size:.8125rem}.same .icon{margin-top:.2em}.statements h4{display:inline;font-size:.875rem;font-weight:500}.statements .statements{margin-left:1rem}.apart{margin-top:.75rem}
`
