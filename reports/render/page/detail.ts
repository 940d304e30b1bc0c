import type { PageElement } from './browser.ts'
import type { Kit, PageCheck, PageRequirement } from './kit.ts'

/** A statement of the documents: what it says and where it stands. */
export function requirementLine(kit: Kit, requirement: PageRequirement): PageElement {
  const { el, visible } = kit
  return el(
    'div',
    { class: 'statement' },
    el('p', {}, ...kit.prose(kit, requirement.says)),
    el(
      'p',
      { class: 'note' },
      el('span', { class: `level ${requirement.level}` }, requirement.level),
      ` ${visible(requirement.place)} · `,
      el(
        'a',
        { href: kit.writeHash({ ...kit.readHash(''), list: 'requirements', open: requirement.id }) },
        visible(requirement.id),
      ),
    ),
  )
}

/** Everything about a check. The exchanges are filled in when they are unpacked. */
export function checkDetail(kit: Kit, check: PageCheck, at: number): PageElement {
  const { el, visible } = kit
  const requirements = kit.data.requirements.filter((one) => check.requirements.includes(one.id))
  const failed = new Set(check.mismatches.map((mismatch) => mismatch.expectation))
  const judged = check.verdict !== 'not-verified' && check.verdict !== 'error' && check.verdict !== 'not-applicable'
  const expectation = (words: string, index: number): PageElement =>
    el(
      'li',
      {},
      judged && kit.icon(failed.has(index) ? 'fail' : 'pass'),
      judged && el('span', { class: 'vh' }, failed.has(index) ? 'Not met: ' : 'Met: '),
      ...kit.prose(kit, words),
    )
  const part = (word: string, ...content: (PageElement | false)[]): PageElement[] => [
    el('dt', {}, word),
    el('dd', {}, ...content),
  ]
  const list = (words: readonly string[]): PageElement =>
    el('ul', {}, ...words.map((one) => el('li', {}, ...kit.prose(kit, one))))
  const trace = el('div', { class: 'trace' })
  if (check.exchanges > 0) {
    trace.append(el('p', { class: 'note' }, 'Unpacking the exchanges…'))
    kit.exchanges().then(
      ({ checks }) => {
        const exchanges = checks[at] ?? []
        const { blocker, mismatches } = check
        const wrong = [...mismatches, ...(blocker ? [blocker] : [])].map((one) => one.exchange)
        const isShown = (index: number | undefined): boolean => index !== undefined && index in exchanges
        trace.replaceChildren(
          ...mismatches.filter((one) => !isShown(one.exchange)).map((one) => kit.mismatchBlock(kit, one)),
          ...exchanges.map((exchange, index) =>
            kit.exchangeCard(kit, exchange, {
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
          ...check.mismatches.map((one) => kit.mismatchBlock(kit, one)),
          el(
            'p',
            { class: 'note' },
            'This browser cannot unpack the exchanges (no DecompressionStream). They are in result.json.',
          ),
        ),
    )
  } else
    trace.append(
      el('p', { class: 'note' }, 'Nothing was sent.'),
      ...check.mismatches.map((one) => kit.mismatchBlock(kit, one)),
    )
  const { blocker, accepted } = check
  const link = accepted?.issue && /^https?:\/\//.test(accepted.issue)
  const copy = el('button', { type: 'button', class: 'small', onclick: () => kit.copy(kit, check.id, copy) }, 'Copy id')
  return el(
    'div',
    { class: 'detail' },
    el(
      'p',
      { class: 'note' },
      el('code', {}, visible(check.id)),
      ' ',
      copy,
      ` ${kit.data.words[check.verdict]}, ${check.safety}, started ${visible(check.startedAt.slice(11, 23))}`,
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
          kit.icon(check.verdict),
          el('strong', {}, `${kit.data.words[check.verdict]}: ${kit.data.blockers[blocker.kind] ?? blocker.kind}`),
        ),
        el('p', {}, ...kit.prose(kit, blocker.reason)),
        blocker.mend !== undefined && el('p', {}, el('strong', {}, 'What helps: '), ...kit.prose(kit, blocker.mend)),
      ),
    accepted !== undefined &&
      el(
        'div',
        { class: 'callout accepted' },
        el(
          'p',
          {},
          kit.icon('accepted'),
          el('strong', {}, accepted.was === 'fail' ? 'Accepted failure: ' : 'Accepted as not verified: '),
          ...kit.prose(kit, accepted.reason),
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
      ...part('Requirement', ...requirements.map((one) => kit.requirementLine(kit, one))),
      ...(check.given.length > 0 ? part('Given', list(check.given)) : []),
      ...part('When', el('p', {}, ...kit.prose(kit, check.when))),
      ...part('Then', el('ul', { class: 'then' }, ...check.then.map(expectation))),
      ...(check.control ? part('Control', el('p', {}, ...kit.prose(kit, check.control))) : []),
    ),
    el('h4', {}, 'Exchanges'),
    trace,
  )
}

/** Everything about a requirement: what is left open, and its checks. */
export function requirementDetail(kit: Kit, requirement: PageRequirement): PageElement {
  const { el, visible } = kit
  const { applies } = requirement
  const bounds = [
    applies?.editions && `editions ${applies.editions.join(', ')}`,
    applies?.since && `since ${applies.since}`,
    applies?.before && `before ${applies.before}`,
    ...[applies?.feature ?? []].flat().map((name) => `with ${name}`),
    ...(applies?.without === undefined ? [] : [`without ${applies.without}`]),
  ].filter(Boolean)
  const checks = requirement.checks.flatMap((at) => kit.data.checks[at] ?? [])
  const none =
    requirement.level === 'info'
      ? 'Never asserted: the documents leave it open.'
      : 'None of its checks was part of this run.'
  return el(
    'div',
    { class: 'detail' },
    el('p', {}, ...kit.prose(kit, requirement.says)),
    el(
      'p',
      { class: 'note' },
      visible(requirement.place),
      bounds.length > 0 ? ` · holds for ${visible(bounds.join('; '))}` : '',
    ),
    requirement.open !== undefined &&
      el('p', { class: 'callout' }, el('strong', {}, 'Left open: '), ...kit.prose(kit, requirement.open)),
    checks.length === 0 && el('p', { class: 'note' }, none),
    el(
      'ul',
      { class: 'links' },
      ...checks.map((check) =>
        el(
          'li',
          {},
          kit.icon(check.verdict),
          el('span', { class: 'vh' }, kit.data.words[check.verdict]),
          el('a', { href: kit.writeHash({ ...kit.readHash(''), open: check.id }) }, visible(check.id)),
        ),
      ),
    ),
  )
}
