/** Shows what a run found. */
import type { ResultDocument } from '../../../harness/vocabulary/index.ts'
import { markup, prose, shorten } from '../escape.ts'
import { findingsOf } from '../tally.ts'
import { number, plural, sectionTitles, sentence, takingBackIn } from '../wording.ts'
import { notApplicable, notVerified } from './blockers.ts'
import { causesSection } from './causes.ts'
import { endpointsSection } from './endpoints.ts'
import { icon } from './icons.ts'

/** Shows what a reader must act on, the most important first. */
export function overview(document: ResultDocument): string {
  const parts = [
    causesSection(document, 'fail'),
    notVerified(document),
    alarms(document),
    causesSection(document, 'warn'),
    acceptances(document),
    endpointsSection(document),
    notApplicable(document),
  ]
  return `<div class="overview">${parts.join('')}</div>`
}

const shownAccepted = 8

function acceptances(document: ResultDocument): string {
  const items = document.checks.flatMap(({ id, accepted }) =>
    accepted
      ? [
          `<li>${icon('accepted')}<div><a href="#open=${markup(encodeURI(id))}">${markup(id)}</a><p><b>${accepted.was}</b> until ${markup(accepted.until)}, ${markup(shorten(accepted.owner ?? accepted.issue ?? '', 100))}: ${markup(shorten(accepted.reason, 300))}</p></div></li>`,
        ]
      : [],
  )
  if (items.length === 0) return ''
  const rest = items.length - shownAccepted
  return `<section class="failures"><h2>${sectionTitles.accepted}</h2><ul>${items.slice(0, shownAccepted).join('')}</ul>${
    rest > 0 ? `<p><a href="#verdict=accepted">${number(rest)} more</a></p>` : ''
  }</section>`
}

/** The number of findings of one sort that are shown unfolded. */
const shownOfASort = 3

function alarms(document: ResultDocument): string {
  const signs = { error: 'fail', warning: 'warn', note: 'none' } as const
  const words = { error: 'Error', warning: 'Warning', note: 'Note' } as const
  const order = ['error', 'warning', 'note']
  const findings = [...findingsOf(document)].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  const left = document.leftBehind
  if (findings.length === 0 && left.length === 0) return ''
  const sorts = Map.groupBy(findings, ({ severity, code }) => `${severity} ${code}`)
  const items = [...sorts.values()].map((sort) =>
    folded(
      sort.map(
        ({ severity, text }) =>
          `<li>${icon(signs[severity])}<div><span class="vh">${words[severity]}: </span>${prose(shorten(sentence(text), 2000))}</div></li>`,
      ),
      (rest) => `<li class="rest">${rest}</li>`,
    ),
  )
  if (left.length > 0) {
    const { commands, lacked } = takingBackIn(document)
    const code = (texts: readonly string[]): string => texts.map((text) => `<code>${markup(text)}</code>`).join(', ')
    const needs = lacked.length > 0 ? `, with a token that has ${code(lacked)}` : ''
    const tryAgain = commands.length > 0 ? `; ${code(commands)} tries again${needs}` : ''
    const names = left.map((one) => `<li><code>${markup(shorten(one, 200))}</code></li>`)
    items.unshift(
      `<li>${icon('fail')}<div>${plural(left.length, 'object')} could not be taken back and ${left.length === 1 ? 'is' : 'are'} left on the target${tryAgain}.<ul class="plain">${folded(names, (rest) => `<li>${rest}</li>`)}</ul></div></li>`,
    )
  }
  return `<section class="findings"><h2>Findings</h2><ul>${items.join('')}</ul></section>`
}

/** Shows the first few items, and folds the others into one more item, which `wrap` makes. */
function folded(items: readonly string[], wrap: (rest: string) => string): string {
  const rest = items.slice(shownOfASort)
  if (rest.length === 0) return items.join('')
  const fold = `<details><summary>${number(rest.length)} more like these</summary><ul>${rest.join('')}</ul></details>`
  return items.slice(0, shownOfASort).join('') + wrap(fold)
}
