/** Lists what was not decided on the target, grouped by the step that would help. What does not apply is folded. */
import type { Cause, CheckResult, ResultDocument } from '../../../harness/vocabulary/index.ts'
import { markup, prose, shorten } from '../escape.ts'
import { causesWith, worst } from '../tally.ts'
import { blockerWords, causesCounted, levelsCounted, plural, sectionTitles, sentence } from '../wording.ts'
import { icon } from './icons.ts'

const shownReasons = 15

interface Missing {
  readonly cause: Cause
  readonly checks: readonly CheckResult[]
}

/** Lists the steps that a reader can take, each with the checks that it would let the suite decide. */
export function notVerified(document: ResultDocument): string {
  const missing = causesWith(document, ['not-verified', 'error'])
  if (missing.length === 0) return ''
  const mends = [...Map.groupBy(missing, ({ cause }) => cause.mend ?? '')]
    .map(([mend, own]) => ({ mend, own, checks: own.flatMap(({ checks }) => checks) }))
    .toSorted((one, other) => other.checks.length - one.checks.length)
  const rest = mends.length - shownReasons
  const all = missing.flatMap(({ checks }) => checks)
  return `<section class="blockers"><h2>${sectionTitles['not-verified']}: ${levelsCounted(all)}</h2><p class="note">Nothing is known about these statements on this target. Each line is one step that lets the suite decide them.</p><ul>${mends
    .slice(0, shownReasons)
    .map(({ mend, own, checks }) => mendItem(mend, own, checks))
    .join(
      '',
    )}</ul>${rest > 0 ? `<p><a href="#verdict=not-verified,error">${plural(rest, 'more step')}</a></p>` : ''}</section>`
}

function mendItem(mend: string, own: readonly Missing[], checks: readonly CheckResult[]): string {
  const verdict = worst(checks.map((check) => check.verdict)) ?? 'not-verified'
  const areas = [...new Set(checks.map(({ area }) => area))]
  const kinds = [...new Set(own.map(({ cause }) => cause.obstacle ?? 'suite'))]
  const query = [
    `verdict=${[...new Set(checks.map((check) => check.verdict))].join(',')}`,
    ...(areas.length === 1 ? [`area=${areas[0]}`] : []),
    ...(kinds.length === 1 ? [`blocker=${kinds[0]}`] : []),
  ].join('&amp;')
  const reasons = own.map(({ cause: { obstacle = 'suite', says } }) => {
    const words = blockerWords[obstacle] ?? obstacle
    return `<p class="why">${markup(words)}: ${prose(shorten(says, 500))}</p>`
  })
  const step = mend === '' ? 'The reader of this report can do nothing about this' : prose(shorten(sentence(mend), 500))
  return `<li>${icon(verdict)}<div><p><b>${step}</b></p><p><a href="#${query}">${levelsCounted(checks)}</a> of ${areas.join(', ')}</p>${reasons.slice(0, shownReasons).join('')}</div></li>`
}

/** Lists what does not apply, folded into one line because nobody has to act on it. */
export function notApplicable(document: ResultDocument): string {
  const outside = causesWith(document, ['not-applicable'])
  if (outside.length === 0) return ''
  const items = outside.slice(0, shownReasons).map(({ cause: { obstacle = 'suite', says }, checks }) => {
    const words = blockerWords[obstacle] ?? obstacle
    return `<li>${icon('not-applicable')}<div><p><a href="#verdict=not-applicable&amp;blocker=${obstacle}">${plural(checks.length, 'check')}</a> · <b>${markup(words)}</b></p><p>${prose(shorten(sentence(says), 500))}</p></div></li>`
  })
  const rest = outside.length - shownReasons
  const more = rest > 0 ? `<p><a href="#verdict=not-applicable">${plural(rest, 'more cause')}</a></p>` : ''
  const counted = causesCounted(outside.map(({ cause }) => cause))
  return `<section class="blockers"><details><summary><h2>${sectionTitles['not-applicable']}: ${counted}</h2></summary><p class="note">These statements do not hold for the edition, version or optional parts of this target.</p><ul>${items.join('')}</ul>${more}</details></section>`
}
