import { visible } from '../escape.ts'
import type { PageCheck, PageRequirement } from '../page-data.ts'
import { copyText } from './copy.ts'
import { el, icon, prose } from './element.ts'
import { exchangeCard, mismatchBlock } from './exchange.ts'
import type { Page } from './page.ts'
import { readHash, writeHash } from './view.ts'

/** A statement of the documents: what it says and where it stands. */
export function requirementLine(requirement: PageRequirement): HTMLElement {
  return el(
    'div',
    { class: 'statement' },
    el('p', {}, ...prose(requirement.says)),
    el(
      'p',
      { class: 'note' },
      el('span', { class: `level ${requirement.level}` }, requirement.level),
      ` ${visible(requirement.place)} · `,
      el(
        'a',
        { href: writeHash({ ...readHash(''), list: 'requirements', open: requirement.id }) },
        visible(requirement.id),
      ),
    ),
  )
}

/** Everything about a check. The exchanges are filled in when they are unpacked. */
export function checkDetail(page: Page, check: PageCheck, at: number): HTMLElement {
  const requirements = page.data.requirements.filter((one) => check.requirements.includes(one.id))
  const failed = new Set(check.mismatches.map((mismatch) => mismatch.expectation))
  const judged = check.verdict !== 'not-verified' && check.verdict !== 'error' && check.verdict !== 'not-applicable'
  const expectation = (words: string, index: number): HTMLElement =>
    el(
      'li',
      {},
      judged && icon(failed.has(index) ? 'fail' : 'pass'),
      judged && el('span', { class: 'vh' }, failed.has(index) ? 'Not met: ' : 'Met: '),
      ...prose(words),
    )
  const part = (word: string, ...content: (HTMLElement | false)[]): HTMLElement[] => [
    el('dt', {}, word),
    el('dd', {}, ...content),
  ]
  const list = (words: readonly string[]): HTMLElement =>
    el('ul', {}, ...words.map((one) => el('li', {}, ...prose(one))))
  const trace = el('div', { class: 'trace' })
  if (check.exchanges > 0) {
    trace.append(el('p', { class: 'note' }, 'Unpacking the exchanges…'))
    page.exchanges().then(
      ({ checks }) => {
        const exchanges = checks[at] ?? []
        const { blocker, mismatches } = check
        const wrong = [...mismatches, ...(blocker ? [blocker] : [])].map((one) => one.exchange)
        const isShown = (index: number | undefined): boolean => index !== undefined && index in exchanges
        trace.replaceChildren(
          ...mismatches.filter((one) => !isShown(one.exchange)).map((one) => mismatchBlock(one)),
          ...exchanges.map((exchange, index) =>
            exchangeCard(page, exchange, {
              mismatches: mismatches.filter((one) => one.exchange === index),
              // Where no request is known to have gone wrong, the one that is judged comes first to mind.
              isOpen: wrong.some(isShown) ? wrong.includes(index) : exchange.phase === 'when',
              isWrong: wrong.includes(index),
            }),
          ),
        )
      },
      () =>
        trace.replaceChildren(
          ...check.mismatches.map((one) => mismatchBlock(one)),
          el(
            'p',
            { class: 'note' },
            'This browser cannot unpack the exchanges (no DecompressionStream). They are in result.json.',
          ),
        ),
    )
  } else
    trace.append(el('p', { class: 'note' }, 'Nothing was sent.'), ...check.mismatches.map((one) => mismatchBlock(one)))
  const { blocker, accepted } = check
  const link = accepted?.issue && /^https?:\/\//.test(accepted.issue)
  const copy: HTMLButtonElement = el(
    'button',
    { type: 'button', class: 'small', onclick: () => copyText(check.id, copy) },
    'Copy id',
  )
  return el(
    'div',
    { class: 'detail' },
    el(
      'p',
      { class: 'note' },
      el('code', {}, visible(check.id)),
      ' ',
      copy,
      ` ${page.data.words[check.verdict]}, ${check.safety}, started ${visible(check.startedAt.slice(11, 23))}`,
      check.definedAt !== undefined && ', defined at ',
      check.definedAt !== undefined && el('code', {}, visible(check.definedAt)),
    ),
    blocker !== undefined &&
      el(
        'div',
        { class: `callout ${check.verdict}` },
        el(
          'p',
          {},
          icon(check.verdict),
          el('strong', {}, `${page.data.words[check.verdict]}: ${page.data.blockers[blocker.kind] ?? blocker.kind}`),
        ),
        el('p', {}, ...prose(blocker.reason)),
        blocker.mend !== undefined && el('p', {}, el('strong', {}, 'What helps: '), ...prose(blocker.mend)),
      ),
    accepted !== undefined &&
      el(
        'div',
        { class: 'callout accepted' },
        el(
          'p',
          {},
          icon('accepted'),
          el('strong', {}, accepted.was === 'fail' ? 'Accepted failure: ' : 'Accepted as not verified: '),
          ...prose(accepted.reason),
        ),
        el(
          'p',
          {},
          [accepted.owner, `until ${accepted.until}`]
            .filter(Boolean)
            .map((words) => visible(String(words)))
            .join(', '),
        ),
        accepted.issue !== undefined &&
          el(
            'p',
            {},
            link
              ? el('a', { href: accepted.issue, rel: 'noreferrer' }, visible(accepted.issue))
              : visible(accepted.issue),
          ),
      ),
    el(
      'dl',
      { class: 'story' },
      ...part('Requirement', ...requirements.map((one) => requirementLine(one))),
      ...(check.given.length > 0 ? part('Given', list(check.given)) : []),
      ...part('When', el('p', {}, ...prose(check.when))),
      ...part('Then', el('ul', { class: 'then' }, ...check.then.map(expectation))),
      ...(check.control ? part('Control', el('p', {}, ...prose(check.control))) : []),
    ),
    el('h4', {}, 'Exchanges'),
    trace,
  )
}

/** Everything about a requirement: what is left open, and its checks. */
export function requirementDetail(page: Page, requirement: PageRequirement): HTMLElement {
  const checks = requirement.checks.flatMap((at) => page.data.checks[at] ?? [])
  const none =
    requirement.level === 'info'
      ? 'Never asserted: the documents leave it open.'
      : 'None of its checks was part of this run.'
  return el(
    'div',
    { class: 'detail' },
    el('p', {}, ...prose(requirement.says)),
    el(
      'p',
      { class: 'note' },
      visible(requirement.place),
      requirement.scope && ` · holds for ${visible(requirement.scope)}`,
    ),
    requirement.open !== undefined &&
      el('p', { class: 'callout' }, el('strong', {}, 'Left open: '), ...prose(requirement.open)),
    checks.length === 0 && el('p', { class: 'note' }, none),
    el(
      'ul',
      { class: 'links' },
      ...checks.map((check) =>
        el(
          'li',
          {},
          icon(check.verdict),
          el('span', { class: 'vh' }, page.data.words[check.verdict]),
          el('a', { href: writeHash({ ...readHash(''), open: check.id }) }, visible(check.id)),
        ),
      ),
    ),
  )
}
