/** Shows how many sentences of each section of the documents hold or do not: a line for each area, which unfolds to its
 * sections, and a column for each verdict. */
import type { ResultDocument } from '../../../harness/vocabulary/index.ts'
import { type Filter, sentencesWith } from '../links.ts'
import { type Judged, judgeRequirements } from '../tally.ts'
import { documentWords, number, plural, verdictLabels } from '../wording.ts'
import { type Heat, type Look, type MatrixCell, type MatrixRow, matrixTable } from './matrix.ts'

type Column = Exclude<Look, 'all'>

/** What is wrong comes first, and what was not part of the run comes last. */
const columnOrder = [
  'fail',
  'warn',
  'error',
  'not-verified',
  'accepted',
  'pass',
  'not-applicable',
  'silent',
  'open',
] as const satisfies readonly Column[]

const columnWords: Readonly<Record<Column, string>> = {
  ...(Object.fromEntries(Object.entries(verdictLabels).map(([verdict, { word }]) => [verdict, word])) as Record<
    keyof typeof verdictLabels,
    string
  >),
  silent: 'No check in this run',
  open: 'Left open by the documents',
}

const columnOf = ({ verdict, requirement }: Judged): Column =>
  requirement.level === 'info' ? 'open' : (verdict ?? 'silent')

/** The filters of the list that shows what a column counts. */
const filterOf = (column: Column): Filter =>
  column === 'silent'
    ? { coverage: 'no check in this run' }
    : column === 'open'
      ? { coverage: 'open' }
      : { verdict: column }

export function sectionsMap(document: ResultDocument): string {
  const rows = judgeRequirements(document)
  if (rows.length === 0) return ''
  const columns = columnOrder.filter((column) => rows.some((one) => columnOf(one) === column))
  const areas = [...Map.groupBy(rows, ({ requirement }) => requirement.area)]
  const groups = areas.map(([area, own]) => {
    const sections = [...Map.groupBy(own, ({ requirement }) => requirement.source.section)]
    const source = own[0]?.requirement.source
    return {
      head: {
        ...line(area, { area }, own, columns),
        ...(source ? { note: documentWords(source, document.register.documents) } : {}),
      },
      rows: sections.map(([section, of]) => line(section, { area, section }, of, columns)),
      isOpen: areas.length === 1,
    }
  })
  return `<section class="sections" aria-labelledby="sections-title"><h2 id="sections-title">Section by section</h2>
<p class="note">How many sentences of the documents hold, by area; an area unfolds to the sections of its document. The fuller the colour, the larger the part of the line. <span class="scripted">A number leads to its sentences.</span></p>
${matrixTable({
  label: 'Sentences by section and verdict',
  corner: 'area, section',
  columns: [...columns.map((look) => ({ title: columnWords[look], look })), { title: 'All' }],
  groups,
  ...(areas.length > 1 ? { total: line('all areas', {}, rows, columns) } : {}),
})}</section>`
}

function line(name: string, filter: Filter, rows: readonly Judged[], columns: readonly Column[]): MatrixRow {
  const counts = columns.map((column) => rows.filter((one) => columnOf(one) === column).length)
  const cells = columns.map((column, at) =>
    amountCell(counts[at] ?? 0, rows.length, column, { name, filter: { ...filter, ...filterOf(column) } }),
  )
  const href = sentencesWith(filter)
  const words = `${name}: ${plural(rows.length, 'sentence')}`
  return { name, href, cells: [...cells, { text: number(rows.length), look: 'all', href, words }] }
}

function amountCell(
  amount: number,
  of: number,
  look: Column,
  { name, filter }: { readonly name: string; readonly filter: Filter },
): MatrixCell | undefined {
  if (amount === 0) return undefined
  const words = `${name}: ${number(amount)} of ${number(of)}, ${columnWords[look].toLowerCase()}`
  return { text: number(amount), look, heat: heatOf(amount / of, look), href: sentencesWith(filter), words }
}

/** One finding among many sentences has to be seen, so a finding never has the palest colour. */
function heatOf(share: number, look: Column): Heat {
  if (look === 'silent' || look === 'open' || look === 'not-applicable') return share > 0.5 ? 1 : 0
  const strength = share > 0.75 ? 3 : share > 0.3 ? 2 : 1
  return look === 'pass' ? (Math.min(strength, 2) as 1 | 2) : ((strength + 1) as 2 | 3 | 4)
}
