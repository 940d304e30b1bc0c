/** Shows an opened check: what must hold, what was found, its steps with the values of this run, and the exchanges. */
import type { FoundMismatch } from '../../../../harness/vocabulary/index.ts'
import { visible } from '../../escape.ts'
import type { PageCheck } from '../page-data.ts'
import { copyText } from './copy.ts'
import { curlOf } from './curl.ts'
import { linesOf } from './difference.ts'
import { el, icon, prose } from './element.ts'
import { mismatchBlock } from './mismatch.ts'
import { filled, namesIn } from './names.ts'
import type { Page } from './page.ts'
import { requirementLine } from './requirement-detail.ts'
import { textLines } from './text-lines.ts'
import { showExchange, showPacked } from './trace.ts'

/** Shows everything about a check. The exchanges, and the request that is judged, are filled in once they are
 * unpacked. */
export function checkDetail(page: Page, check: PageCheck, at: number): HTMLElement {
  // A check that contradicts a requirement leads with that one.
  const ids = new Set([...(check.breaks ?? []), ...check.requirements])
  const requirements = [...ids].flatMap((id) => page.data.requirements.find((one) => one.id === id) ?? [])
  const judged = el('div', { class: 'judged' })
  const trace = el('div', { class: 'trace' })
  const proof = el('div', { class: 'proof' })
  showPacked(page, check, at, { judged, trace, proof })
  return el(
    'div',
    { class: 'detail' },
    el('div', { class: 'lead' }, ...requirements.map((one) => requirementLine(one))),
    el(
      'p',
      { class: 'outcome' },
      icon(check.verdict),
      el('span', {}, el('strong', {}, page.data.words[check.verdict]), foundWords(check)),
    ),
    acceptance(check),
    obstacle(page, check),
    ...check.mismatches.map((mismatch) =>
      mismatchBlock(mismatch, {
        verdict: check.verdict,
        names: check.names,
        words: unmetWords(check, mismatch),
        tools: mismatchTools(page, at, mismatch, trace),
      }),
    ),
    story(check, judged),
    el('h4', {}, 'Exchanges'),
    trace,
    el('h4', {}, 'How do we know that this check can fail?'),
    proof,
    about(check),
  )
}

const isJudged = ({ verdict }: PageCheck): boolean =>
  verdict !== 'not-verified' && verdict !== 'error' && verdict !== 'not-applicable'

function foundWords({ then, mismatches, verdict }: PageCheck): string {
  if (verdict === 'pass')
    return then.length === 1 ? ': the expectation was met' : `: all ${then.length} expectations were met`
  const unmet = new Set(mismatches.flatMap(({ expectation }) => expectation ?? [])).size
  // What contradicts another requirement belongs to no expectation.
  return unmet === 0 || then.length === 1 ? '' : `: ${unmet} of ${then.length} expectations not met`
}

/** Names the expectation that was not met, if the check has several. */
const unmetWords = ({ then, names }: PageCheck, { expectation }: FoundMismatch): HTMLElement | undefined => {
  const words = expectation === undefined ? undefined : then[expectation]
  return words === undefined || then.length === 1
    ? undefined
    : el('p', { class: 'note' }, 'Expected: ', ...filled(words, names))
}

function mismatchTools(
  page: Page,
  at: number,
  { exchange }: FoundMismatch,
  trace: HTMLElement,
): readonly HTMLElement[] {
  if (exchange === undefined) return []
  const copy: HTMLButtonElement = el(
    'button',
    {
      type: 'button',
      class: 'small',
      onclick: () => {
        page.exchanges().then(
          ({ checks }) => {
            const recorded = checks[at]?.[exchange]
            if (recorded) copyText(curlOf(recorded, page.data.insecure), copy)
          },
          () => undefined,
        )
      },
    },
    'Copy as curl',
  )
  const show = (): void => showExchange(trace, exchange)
  return [copy, el('button', { type: 'button', class: 'small', onclick: show }, 'Show the exchange')]
}

function obstacle(page: Page, { blocker, verdict }: PageCheck): HTMLElement | false {
  if (blocker === undefined) return false
  return el(
    'div',
    { class: `callout ${verdict}` },
    el('p', {}, el('strong', {}, visible(page.data.blockers[blocker.kind] ?? blocker.kind))),
    el('p', {}, ...prose(blocker.reason)),
    blocker.mend !== undefined && el('p', {}, el('strong', {}, 'What helps: '), ...prose(blocker.mend)),
  )
}

function acceptance({ accepted }: PageCheck): HTMLElement | false {
  if (accepted === undefined) return false
  const { was, reason, owner, until, issue } = accepted
  const isLink = issue !== undefined && /^https?:\/\//.test(issue)
  return el(
    'div',
    { class: 'callout accepted' },
    el(
      'p',
      {},
      icon('accepted'),
      el('strong', {}, was === 'fail' ? 'Accepted failure: ' : 'Accepted as not verified: '),
      ...prose(reason),
    ),
    el('p', {}, visible([owner, `until ${until}`].filter(Boolean).join(', '))),
    issue !== undefined &&
      el('p', {}, isLink ? el('a', { href: issue, rel: 'noreferrer' }, visible(issue)) : visible(issue)),
  )
}

/** Shows what the check did, with the values of this run. */
function story(check: PageCheck, judged: HTMLElement): HTMLElement {
  const { given, when, then, control, names, mismatches } = check
  const failed = new Set(mismatches.map(({ expectation }) => expectation))
  const isMarked = isJudged(check)
  const expectation = (words: string, index: number): HTMLElement => {
    const isUnmet = failed.has(index)
    return el(
      'li',
      {},
      isMarked && icon(isUnmet ? check.verdict : 'pass'),
      isMarked && el('span', { class: 'vh' }, isUnmet ? 'Not met: ' : 'Met: '),
      el('span', {}, ...filled(words, names)),
    )
  }
  const part = (word: string, ...content: (HTMLElement | false)[]): HTMLElement[] => [
    el('dt', {}, word),
    el('dd', {}, ...content),
  ]
  const shown = namesIn([...given, when, ...then, control ?? ''], names)
  return el(
    'dl',
    { class: 'story' },
    ...(given.length > 0
      ? part('Given', el('ul', {}, ...given.map((one) => el('li', {}, el('span', {}, ...filled(one, names))))))
      : []),
    ...part('When', el('p', {}, ...filled(when, names)), judged),
    ...part('Then', el('ul', { class: 'then' }, ...then.map(expectation))),
    ...(control === undefined ? [] : part('Control', el('p', {}, ...filled(control, names)))),
    ...(shown.length === 0 ? [] : part('Names', namesList(shown))),
  )
}

/** Lists the names of this run in full, for readers who cannot hover over them and for print. */
const namesList = (names: readonly (readonly [string, string])[]): HTMLElement =>
  el(
    'dl',
    { class: 'names' },
    ...names.flatMap(([name, value]) => [
      el('dt', {}, el('code', {}, visible(name))),
      el('dd', {}, value.includes('\n') ? textOf(name, value) : el('code', {}, visible(value))),
    ]),
  )

/** The maximum number of lines that are shown unfolded. The exchanges show longer texts, too. */
const shownLines = 8

function textOf(name: string, value: string): HTMLElement {
  const lines = linesOf(value)
  const text = el(
    'div',
    { class: 'body value', tabindex: '0', role: 'region', 'aria-label': visible(name) },
    ...textLines(lines),
  )
  return lines.length <= shownLines
    ? text
    : el('details', { class: 'fold' }, el('summary', {}, `a text of ${lines.length} lines`), text)
}

/** Shows what a reader needs to find the check in the suite. */
function about({ id, safety, startedAt, definedAt, durationMs }: PageCheck): HTMLElement {
  const copy: HTMLButtonElement = el(
    'button',
    { type: 'button', class: 'small', onclick: () => copyText(id, copy) },
    'Copy id',
  )
  return el(
    'p',
    { class: 'note about' },
    el('code', {}, visible(id)),
    ' ',
    copy,
    ` ${safety}, started ${visible(startedAt.slice(11, 23))}, took ${Math.round(durationMs)} ms`,
    definedAt !== undefined && ', defined at ',
    definedAt !== undefined && el('code', {}, visible(definedAt)),
  )
}
