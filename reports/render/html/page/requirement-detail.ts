import { visible } from '../../escape.ts'
import type { PageRequirement } from '../page-data.ts'
import { el, icon, prose } from './element.ts'
import type { Page } from './page.ts'
import { readHash, writeHash } from './view.ts'

/** Shows a statement of the documents: its words, and its document, section and row. */
export function requirementLine(requirement: PageRequirement): HTMLElement {
  return el(
    'div',
    { class: 'statement' },
    el('p', {}, ...prose(requirement.says)),
    el(
      'p',
      { class: 'note' },
      el('span', { class: `level ${requirement.level}` }, requirement.level),
      ' ',
      ...prose(requirement.place),
      ' · ',
      el(
        'a',
        { href: writeHash({ ...readHash(''), list: 'requirements', open: requirement.id }) },
        visible(requirement.id),
      ),
    ),
  )
}

/** Shows everything about a requirement, with what the documents leave open and its checks. */
export function requirementDetail(page: Page, requirement: PageRequirement): HTMLElement {
  const checks = requirement.checks.flatMap((at) => page.data.checks[at] ?? [])
  const withoutChecks =
    requirement.level === 'info'
      ? 'No check asserts it: the documents leave it open.'
      : 'None of its checks was part of this run.'
  return el(
    'div',
    { class: 'detail' },
    el('p', {}, ...prose(requirement.says)),
    el(
      'p',
      { class: 'note' },
      ...prose(requirement.place),
      requirement.scope && ` · holds for ${visible(requirement.scope)}`,
    ),
    requirement.open !== undefined &&
      el('p', { class: 'callout' }, el('strong', {}, 'Left open: '), ...prose(requirement.open)),
    checks.length === 0 && el('p', { class: 'note' }, withoutChecks),
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
