/** Renders the list of checks and requirements: its controls as markup. The script adds the rows. */
import type { ResultDocument } from '../../../harness/vocabulary/index.ts'
import { fates } from '../coverage.ts'
import { count } from '../tally.ts'
import { blockerWords, number, verdictLabels, verdictOrder } from '../wording.ts'
import { icon } from './icons.ts'

export function controls(document: ResultDocument): string {
  const { checks } = document
  const counts = count(checks)
  const toggles = verdictOrder
    .filter((verdict) => counts[verdict] > 0)
    .map(
      (verdict) =>
        `<button type="button" data-verdict="${verdict}" aria-pressed="false">${icon(verdict)}${verdictLabels[verdict].word} <span>${number(counts[verdict])}</span></button>`,
    )
  const areas = [...new Set(checks.map((check) => check.area))]
  const kinds = [...new Set(checks.map((check) => check.kind))]
  const levels = [...new Set(document.register.requirements.map((requirement) => requirement.level))]
  const obstacles = [...new Set(checks.flatMap((check) => check.blocker?.kind ?? []))]
  return `<section id="results" aria-labelledby="results-title">
<h2 id="results-title">Evidence</h2>
<noscript><p class="callout">The list of checks with their exchanges needs JavaScript; everything above does not. All of it is in result.json too.</p></noscript>
<div class="scripted">
<div class="controls" role="search">
<div class="line"><div class="tabs"><button type="button" data-list="checks">Checks</button><button type="button" data-list="requirements">Requirements</button></div>
<label class="search"><span class="vh">Search</span><input id="text" type="search" placeholder="Search  ( / )" autocomplete="off" spellcheck="false"></label>
<div class="selects">${select('area', 'Area', areas)}${select('kind', 'Kind', kinds)}${select('level', 'Level', levels)}${select('blocker', 'Obstacle', obstacles, blockerWords)}${select('coverage', 'Coverage', fates)}</div></div>
<div class="line"><div class="verdicts" role="group" aria-label="Verdicts">${toggles.join('')}</div>
<p class="found"><button type="button" class="small" id="clear" hidden>Clear filters</button> <span id="found" role="status"></span></p></div>
</div>
<div id="list"></div>
</div>
</section>`
}

function select(
  id: string,
  word: string,
  values: readonly string[],
  words: Readonly<Record<string, string>> = {},
): string {
  const options = values.map((value) => `<option value="${value}">${words[value] ?? value}</option>`).join('')
  return `<select id="${id}" aria-label="${word}"${values.length === 0 ? ' hidden' : ''}><option value="">${word}: any</option>${options}</select>`
}
