/** Counts by area and kind, what failed, what was not verified and why, and the findings. */
import type { Area, Cause, CheckResult, Kind, ResultDocument, Verdict } from '../../harness/vocabulary/index.ts'
import { coverageSection } from './coverage.ts'
import { excerpt, markup, prose, shorten } from './escape.ts'
import { icon } from './html-icons.ts'
import { type Counts, causesWith, findingsOf, tabulate, total, worst } from './tally.ts'
import { withoutThrowAway } from './throw-away.ts'
import {
  blockerWords,
  causesCounted,
  cleanCommandsIn,
  number,
  plural,
  sectionTitles,
  sentence,
  verdictLabels,
  verdictOrder,
} from './wording.ts'

/** What the findings come down to, and the table, and beside them what a reader must know before trusting its numbers. */
export function overview(document: ResultDocument): string {
  const { missing, outside } = blockers(document)
  const beside = missing + alarms(document) + outside
  const found = differences(document, 'fail', sectionTitles.fail) + differences(document, 'warn', sectionTitles.warn)
  const main = found + table(document) + coverageSection(document) + acceptances(document)
  // Two columns need a left one that is as long as the right one.
  const double = beside && (document.counts.fail > 0 || new Set(document.checks.map(({ area }) => area)).size > 3)
  return `<div class="overview${double ? ' double' : ''}"><div>${main}</div>${beside ? `<div>${beside}</div>` : ''}</div>`
}

/** Causes at once, and checks at once below a cause; the rest of these can be opened. */
const shownCauses = 10
const shownChecks = 3
const foldedChecks = 200

function differences(document: ResultDocument, verdict: 'fail' | 'warn', title: string): string {
  const failed = causesWith(document, [verdict])
  if (failed.length === 0) return ''
  const items = failed.slice(0, shownCauses).map(({ cause, checks }) => {
    const findings = checks.slice(0, shownChecks).map(finding)
    const rest = checks
      .slice(shownChecks, foldedChecks)
      .map(({ id, verdict }) => `<li>${icon(verdict)} ${link(id)}</li>`)
    const more =
      rest.length === 0
        ? ''
        : `<details><summary>${number(checks.length - shownChecks)} more</summary><ul>${rest.join('')}</ul></details>`
    return `<li>${icon(cause.verdict)}<div><p class="cause">${prose(shorten(cause.says, 400))} <span class="note">${plural(checks.length, 'finding')}</span></p><ul class="plain">${findings.join('')}</ul>${more}</div></li>`
  })
  const rest = failed.length - shownCauses
  return `<section class="failures"><h2>${title}: ${causesCounted(failed.map(({ cause }) => cause))}</h2><ul>${items.join('')}</ul>${
    rest > 0 ? `<p><a href="#verdict=${verdict}">${plural(rest, 'more cause')}</a></p>` : ''
  }</section>`
}

function finding({ id, verdict, mismatches }: CheckResult): string {
  const [first] = mismatches
  const more = mismatches.length > 1 ? ` and ${plural(mismatches.length - 1, 'more difference')}` : ''
  const difference = first
    ? `<p><code>${markup(shorten(withoutThrowAway(first.asked), 150))}</code>: wanted <b>${markup(shorten(first.at, 80))}</b> <code>${markup(excerpt(first).wanted)}</code>, saw <code>${markup(excerpt(first).saw)}</code>${more}</p>`
    : ''
  return `<li>${icon(verdict)}<div>${link(id)}${difference}</div></li>`
}

const link = (id: string): string => `<a href="#open=${markup(encodeURI(id))}">${markup(id)}</a>`

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

/** This many of one sort are shown at first; the reader can open the rest. */
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
    const commands = cleanCommandsIn(document).map((command) => `<code>${markup(command)}</code>`)
    const tryAgain = commands.length > 0 ? `; ${commands.join(', ')} tries again` : ''
    const names = left.map((one) => `<li><code>${markup(shorten(one, 200))}</code></li>`)
    items.unshift(
      `<li>${icon('fail')}<div>${plural(left.length, 'object')} could not be taken back and ${left.length === 1 ? 'is' : 'are'} left on the target${tryAgain}.<ul class="plain">${folded(names, (rest) => `<li>${rest}</li>`)}</ul></div></li>`,
    )
  }
  return `<section class="findings"><h2>Findings</h2><ul>${items.join('')}</ul></section>`
}

/** The first few items as they are, and the others in a fold, wrapped as one more item. */
function folded(items: readonly string[], wrap: (rest: string) => string): string {
  const rest = items.slice(shownOfASort)
  if (rest.length === 0) return items.join('')
  const fold = `<details><summary>${number(rest.length)} more like these</summary><ul>${rest.join('')}</ul></details>`
  return items.slice(0, shownOfASort).join('') + wrap(fold)
}

function table(document: ResultDocument): string {
  const { areas, kinds, cell } = tabulate(document.checks)
  if (areas.length === 0) return ''
  const head = [...kinds, 'all'].map((kind) => `<th scope="col" role="columnheader">${kind}</th>`).join('')
  const row = (area: Area | undefined): string => {
    const cells = [...kinds, undefined].map(
      (kind) => `<td role="cell" data-label="${kind ?? 'all'}">${amountLink(cell(area, kind), area, kind)}</td>`,
    )
    return `<tr role="row"><th scope="row" role="rowheader">${area ?? 'all areas'}</th>${cells.join('')}</tr>`
  }
  const rows = areas.length > 1 ? [...areas.map(row), row(undefined)] : areas.map(row)
  return `<section><h2>By area and kind</h2>
<p class="note">Passed of those that apply; the sign shows the worst verdict. A number leads to its checks.</p>
<table class="matrix" role="table"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">area</th>${head}</tr></thead><tbody role="rowgroup">${rows.join('')}</tbody></table></section>`
}

function amountLink(counts: Counts, area?: Area, kind?: Kind): string {
  const all = total(counts)
  if (all === 0) return '<span class="nothing">·</span>'
  const present = verdictOrder.filter((verdict) => counts[verdict] > 0)
  const words = present.map((verdict) => `${counts[verdict]} ${verdictLabels[verdict].word.toLowerCase()}`).join(', ')
  const apply = all - counts['not-applicable']
  const sign = worst(present) ?? 'none'
  const text = apply === 0 ? 'n/a' : counts.pass === apply ? number(apply) : `${number(counts.pass)}/${number(apply)}`
  const query = [area && `area=${area}`, kind && `kind=${kind}`].filter(Boolean).join('&amp;')
  return `<a class="${sign}" href="#${query}" title="${words}" aria-label="${text}: ${area ?? 'all areas'}, ${kind ?? 'all kinds'}: ${words}">${icon(sign)}${text}</a>`
}

const shownReasons = 15

function blockers(document: ResultDocument): { missing: string; outside: string } {
  const missing = blockerList(document, ['not-verified', 'error'])
  const outside = blockerList(document, ['not-applicable'])
  return {
    missing:
      missing &&
      `<section class="blockers"><h2>${sectionTitles['not-verified']}: ${missing.counted}</h2><p class="note">Nothing is known about these statements on this target.</p>${missing.list}</section>`,
    // Nobody has to act on these, so they take one line until a reader asks.
    outside:
      outside &&
      `<section class="blockers"><details><summary><h2>${sectionTitles['not-applicable']}: ${outside.counted}</h2></summary><p class="note">These statements do not hold for the edition, version or optional parts of this target.</p>${outside.list}</details></section>`,
  }
}

function blockerList(
  document: ResultDocument,
  verdicts: readonly Verdict[],
): { readonly counted: string; readonly list: string } | '' {
  const own = causesWith(document, verdicts).map(({ cause }) => cause)
  if (own.length === 0) return ''
  const items = own.slice(0, shownReasons).map(obstacle)
  const rest = own.length - shownReasons
  const more = rest > 0 ? `<p><a href="#verdict=${verdicts.join(',')}">${plural(rest, 'more cause')}</a></p>` : ''
  return { counted: causesCounted(own, 'check'), list: `<ul>${items.join('')}</ul>${more}` }
}

function obstacle({ verdict, obstacle: kind = 'suite', says, mend, checks }: Cause): string {
  const words = blockerWords[kind] ?? kind
  const helps = mend ? `<p class="mend"><b>What helps:</b> ${prose(shorten(sentence(mend), 500))}</p>` : ''
  return `<li>${icon(verdict)}<div><p><a href="#verdict=${verdict}&amp;blocker=${kind}">${plural(checks.length, 'check')}</a> · <b>${words}</b></p><p>${prose(shorten(sentence(says), 500))}</p>${helps}</div></li>`
}
