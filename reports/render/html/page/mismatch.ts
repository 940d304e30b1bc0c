import type { FoundMismatch, Verdict } from '../../../../harness/vocabulary/index.ts'
import { visible } from '../../escape.ts'
import { textsOf } from '../../names-in-words.ts'
import { type Difference, differenceOf, type Line } from './difference.ts'
import { el, icon } from './element.ts'
import { type Names, named } from './names.ts'
import { textLines } from './text-lines.ts'

interface Shown {
  readonly verdict: Verdict
  readonly names?: Names | undefined
  readonly words?: HTMLElement | undefined
  /** Buttons that are shown beside the request. */
  readonly tools?: readonly HTMLElement[]
}

/** Shows what was wanted and what was seen, and marks the parts that differ. */
export function mismatchBlock(mismatch: FoundMismatch, { verdict, names = {}, words, tools = [] }: Shown): HTMLElement {
  const difference: Difference = differenceOf(textsOf(mismatch, names))
  const side = (word: string, lines: readonly Line[]): HTMLElement =>
    el(
      'div',
      { class: 'side' },
      el('h4', {}, word),
      el(
        'div',
        { class: 'body value', tabindex: '0', role: 'region', 'aria-label': `${word}: ${visible(mismatch.at)}` },
        ...textLines(lines, names),
      ),
    )
  return el(
    'div',
    { class: `mismatch ${verdict}` },
    el(
      'p',
      { class: 'request' },
      icon(verdict),
      el('span', {}, el('strong', {}, visible(mismatch.at)), ' of ', el('code', {}, ...named(mismatch.asked, names))),
      ...tools,
    ),
    words ?? false,
    el('div', { class: 'sides' }, side('Wanted', difference.wanted), side('Saw', difference.saw)),
  )
}
