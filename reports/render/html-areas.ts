/** Shows each area as a bar of its checks, and as a map of its rows. The script draws the cells of the map. */
import type { Area, ResultDocument } from '../../harness/vocabulary/index.ts'
import { verdictBar } from './html-counts.ts'
import { icon } from './html-icons.ts'
import { type Counts, judgeRequirements, tabulate } from './tally.ts'
import { number, plural, verdictLabels, verdictOrder } from './wording.ts'

export function areasSection(document: ResultDocument): string {
  const { areas, cell } = tabulate(document.checks)
  if (areas.length === 0) return ''
  const judged = judgeRequirements(document)
  const items = areas.map((area) => {
    const rows = judged.filter(({ requirement }) => requirement.area === area).length
    return areaItem(area, cell(area), rows)
  })
  return `<section class="areas" aria-labelledby="areas-title"><h2 id="areas-title">Area by area, row by row</h2>
<p class="note">The bar shows the checks of an area. <span class="scripted">Below it each cell is a row of the documents, in their order: point at one to read it, click to open it.</span></p>
<ul class="legend scripted" id="legend" aria-label="What the cells mean"></ul>
${items.join('')}</section>`
}

function areaItem(area: Area, counts: Counts, rows: number): string {
  const present = verdictOrder.filter((verdict) => counts[verdict] > 0)
  const words = present.map(
    (verdict) =>
      `<li><a href="#verdict=${verdict}&amp;area=${area}">${icon(verdict)}${number(counts[verdict])} <span>${verdictLabels[verdict].word.toLowerCase()}</span></a></li>`,
  )
  return `<div class="area"><h3><a href="#area=${area}">${area}</a></h3><div>${verdictBar(counts)}<ul class="amount">${words.join('')}</ul>
<div class="cells scripted" role="group" data-area="${area}" aria-label="${area}: ${plural(rows, 'row')} of the documents"></div></div></div>`
}
