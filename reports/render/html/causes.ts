/** Shows the causes of the findings, the worst first: the sentence that is contradicted, the request, what was wanted
 * and seen, and how to reproduce it. */
import type { Cause, CheckResult, Requirement, ResultDocument } from '../../../harness/vocabulary/index.ts'
import { excerpt, markup, prose, shorten } from '../escape.ts'
import { introduced, textsOf, withNames } from '../names-in-words.ts'
import { curlCommands, runCommand } from '../repeat.ts'
import { causesWith, leadOf } from '../tally.ts'
import { withoutThrowAway } from '../throw-away.ts'
import { levelsCounted, plural, sectionTitles, sentence, sourceWords } from '../wording.ts'
import { icon } from './icons.ts'
import { byId } from './register-index.ts'

/** The maximum number of causes that are shown; the list of checks has the rest. */
const shownCauses = 40
/** The number of causes that are open at first. If there are many causes, a reader wants an overview of their names. */
const openCauses = 3
const foldedChecks = 200

export function causesSection(document: ResultDocument, verdict: 'fail' | 'warn'): string {
  const failed = causesWith(document, [verdict])
  if (failed.length === 0) return ''
  const statements = byId(document.register.requirements)
  const items = failed.slice(0, shownCauses).map(({ cause, checks }, at) => {
    const isOpen = verdict === 'fail' && at < openCauses
    return causeItem({ document, statements }, cause, checks, isOpen)
  })
  const rest = failed.length - shownCauses
  const sentences = new Set(failed.flatMap(({ cause }) => cause.requirements ?? [])).size
  const counted = `${plural(failed.length, 'cause')}, ${sentences > 0 ? `${plural(sentences, 'sentence')}, ` : ''}${levelsCounted(failed.flatMap(({ checks }) => checks))}`
  return `<section class="causes"><h2>${sectionTitles[verdict]}: ${counted}</h2>${items.join('')}${
    rest > 0 ? `<p><a href="#verdict=${verdict}">${plural(rest, 'more cause')}</a></p>` : ''
  }</section>`
}

interface Known {
  readonly document: ResultDocument
  readonly statements: ReadonlyMap<string, Requirement>
}

function causeItem(known: Known, cause: Cause, checks: readonly CheckResult[], isOpen: boolean): string {
  const [first, ...others] = checks
  if (!first) return ''
  return `<details class="cause ${cause.verdict}"${isOpen ? ' open' : ''}><summary>${icon(cause.verdict)}<h3>${prose(sentence(shorten(cause.sentence ?? cause.says, 400)))}</h3> <span class="note">${levelsCounted(checks)}</span></summary>
<div class="contradiction">${stated(known, cause, first)}${seen(cause, first)}</div>
${repeats(known.document, first)}${more(known, others)}</details>`
}

/** The maximum number of sentences that are shown below a cause. */
const shownSentences = 6

/** Shows the sentences of the documents, each with its document, section and row. The heading of the cause is the
 * sentence already. */
function stated({ document, statements }: Known, { requirements = [], sentence }: Cause, check: CheckResult): string {
  const ids = requirements.length > 0 ? requirements : [leadOf(check)]
  const shown = ids.slice(0, shownSentences).flatMap((id) => statements.get(id) ?? [])
  const sentences = shown.map(
    ({ id, says, level, source }) =>
      `${says === sentence ? '' : `<p class="says">${prose(says)}</p>`}<p class="note"><span class="level ${level}">${level}</span> <a class="statement" href="#list=requirements&amp;open=${markup(encodeURI(id))}">${markup(sourceWords(source, document.register))}</a></p>`,
  )
  const rest = ids.length - shownSentences
  const more = rest > 0 ? `<p class="note">and ${plural(rest, 'more sentence')}</p>` : ''
  return `<div><h4>The documents say</h4>${sentences.join('')}${more}<p class="by">Found by ${link(check.id)}</p></div>`
}

function seen({ says, request }: Cause, check: CheckResult): string {
  const [first] = check.mismatches
  if (!first) return '<p class="note">The difference was not recorded.</p>'
  const { wanted, saw } = excerpt(textsOf(first, check.names), 240)
  const shown = (text: string): string => `<code>${markup(withoutThrowAway(text).replaceAll('`', ''))}</code>`
  const others = check.mismatches.length - 1
  const lines = [
    ...(check.given.length === 0
      ? []
      : [['Given', prose(shorten(withNames(check.given.join('; '), check.names), 300))] as const]),
    ['When', prose(shorten(withNames(check.when, check.names), 300))],
    ...introduced(check).map((one) => ['Where', prose(shorten(withNames(one, check.names), 300))] as const),
    // The request that looked is not the one at fault.
    ...(request === undefined || !says.startsWith('after ')
      ? []
      : [['At fault', shown(shorten(request, 200))] as const]),
    ['Request', shown(shorten(first.asked, 200))],
    ['Wanted', `<b>${markup(shorten(first.at, 100))}</b> ${shown(wanted)}`],
    ['Saw', `${shown(saw)}${others > 0 ? ` <span class="note">and ${plural(others, 'more difference')}</span>` : ''}`],
  ]
  return `<div><h4>The target does</h4><dl>${lines.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl></div>`
}

function repeats(document: ResultDocument, check: CheckResult): string {
  const curl = curlCommands(document, check)
  const again = command(markup(runCommand(document, check)))
  return `<div class="repeat">${again}${curl ? `<details><summary>The requests as curl</summary>${command(markup(curl))}</details>` : ''}</div>`
}

const command = (text: string): string =>
  `<div class="command"><pre><code>${text}</code></pre><button type="button" class="small scripted" data-copy>Copy</button></div>`

function more({ statements }: Known, others: readonly CheckResult[]): string {
  if (others.length === 0) return ''
  const items = others.slice(0, foldedChecks).map((check) => {
    const { id, verdict } = check
    const says = statements.get(leadOf(check))?.says
    return `<li>${icon(verdict)}<div>${link(id)}${says ? `<p>${prose(says)}</p>` : ''}</div></li>`
  })
  return `<details class="more"><summary>${plural(others.length, 'more check')} with this cause</summary><ul>${items.join('')}</ul></details>`
}

const link = (id: string): string => `<a class="check" href="#open=${markup(encodeURI(id))}">${markup(id)}</a>`
