import type { FoundMismatch, RecordedAttempt, RecordedExchange } from '../../../harness/vocabulary/index.ts'
import { visible } from '../escape.ts'
import { bodyBlock } from './body.ts'
import { copyText } from './copy.ts'
import { curlOf } from './curl.ts'
import { el, icon, prose } from './element.ts'
import type { Page } from './page.ts'

/** What was wanted and what was seen, with the part in which they differ marked. */
export function mismatchBlock(mismatch: FoundMismatch): HTMLElement {
  const { wanted, saw } = mismatch
  const shortest = Math.min(wanted.length, saw.length)
  let start = 0
  while (start < shortest && wanted[start] === saw[start]) start += 1
  let end = 0
  while (end < shortest - start && wanted[wanted.length - 1 - end] === saw[saw.length - 1 - end]) end += 1
  // Two texts with little in common are easier to read unmarked.
  const marks = start + end >= shortest / 2 && shortest > 4
  const side = (word: string, text: string): HTMLElement => {
    const middle = text.slice(start, text.length - end)
    const content = marks
      ? [
          visible(text.slice(0, start)),
          middle && el('mark', {}, visible(middle)),
          visible(text.slice(text.length - end)),
        ]
      : [visible(text)]
    return el(
      'div',
      { class: 'side' },
      el('h6', {}, word),
      el('pre', { class: 'body', tabindex: '0', role: 'region', 'aria-label': word }, ...content),
    )
  }
  return el(
    'div',
    { class: 'mismatch' },
    el(
      'p',
      {},
      icon('fail'),
      ' ',
      el('strong', {}, visible(mismatch.at)),
      ' of ',
      el('code', {}, visible(mismatch.asked)),
    ),
    el('div', { class: 'sides' }, side('Wanted', wanted), side('Saw', saw)),
  )
}

/** This state says how an exchange is shown beside the others of its check. */
export interface CardState {
  readonly mismatches: readonly FoundMismatch[]
  readonly isOpen: boolean
  /** This is the request that went wrong. */
  readonly isWrong: boolean
}

/** One exchange: a line that says it all, and behind it the request, every attempt, and what was wrong with the reply. */
export function exchangeCard(page: Page, exchange: RecordedExchange, state: CardState): HTMLElement {
  const { mismatches, isOpen, isWrong } = state
  const last = exchange.attempts.at(-1)
  const isBeside = !exchange.url.startsWith(page.data.target)
  const path = isBeside ? exchange.url : exchange.url.slice(page.data.target.length)
  const timing = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`)
  const headers = (given: Readonly<Record<string, string>> | undefined): HTMLElement | false => {
    const rows = Object.entries(given ?? {})
    if (rows.length === 0) return false
    return el(
      'details',
      { class: 'headers' },
      el('summary', {}, rows.length === 1 ? '1 header' : `${rows.length} headers`),
      el('dl', {}, ...rows.flatMap(([name, value]) => [el('dt', {}, visible(name)), el('dd', {}, visible(value))])),
    )
  }
  const attempt = (one: RecordedAttempt, at: number): HTMLElement => {
    const many = exchange.attempts.length > 1 ? `Attempt ${at + 1} of ${exchange.attempts.length}: ` : ''
    const size = one.responseBytes ? `, ${one.responseBytes.toLocaleString('en')} bytes` : ''
    return el(
      'div',
      { class: 'attempt' },
      el(
        'p',
        { class: 'note' },
        `${many}${one.status ?? 'no reply'} after ${timing(one.durationMs)}${size}, sent ${visible(one.sentAt.slice(11, 23))}`,
      ),
      one.trouble !== undefined && el('p', { class: 'trouble' }, visible(one.trouble)),
      headers(one.responseHeaders),
      one.responseEncoding === 'base64' && el('p', { class: 'note' }, 'These bytes are no text; shown as base64.'),
      one.responseBody
        ? bodyBlock('Response body', one.responseBody)
        : one.trouble === undefined && el('p', { class: 'note' }, 'No body.'),
      one.responseCut === true && el('p', { class: 'note' }, 'The body was longer; the rest was not kept.'),
    )
  }
  const copy: HTMLButtonElement = el(
    'button',
    { type: 'button', class: 'small', onclick: () => copyText(curlOf(exchange, page.data.insecure), copy) },
    'Copy as curl',
  )
  const asked =
    exchange.as === 'operator'
      ? 'with the token of the run'
      : exchange.as === 'nobody'
        ? 'without a token'
        : `as ${exchange.as}`
  return el(
    'details',
    { class: `exchange ${exchange.phase}${isWrong ? ' wrong' : ''}`, open: isOpen },
    el(
      'summary',
      {},
      el('span', { class: 'phase' }, exchange.phase),
      el(
        'span',
        { class: 'asked' },
        el('b', {}, visible(exchange.method)),
        ' ',
        visible(path),
        // Who is not the target has to be introduced.
        isBeside && exchange.words && el('span', { class: 'beside' }, ' ', ...prose(exchange.words)),
      ),
      isWrong && el('span', { class: 'vh' }, 'This request went wrong.'),
      exchange.attempts.length > 1 && el('span', { class: 'retried' }, `${exchange.attempts.length} attempts`),
      el('span', { class: 'status' }, String(last?.status ?? 'no reply')),
      el('span', { class: 'ms' }, last ? timing(last.durationMs) : ''),
    ),
    el(
      'div',
      { class: 'inside' },
      ...mismatches.map((mismatch) => mismatchBlock(mismatch)),
      el(
        'div',
        { class: 'sides' },
        el(
          'div',
          { class: 'side' },
          el('div', { class: 'heading' }, el('h5', {}, 'Request'), copy),
          el(
            'p',
            { class: 'note' },
            ...(exchange.words ? [...prose(exchange.words), '; '] : []),
            `sent ${visible(asked)}`,
          ),
          headers(exchange.requestHeaders),
          exchange.requestBody
            ? bodyBlock('Request body', exchange.requestBody)
            : el('p', { class: 'note' }, 'No body.'),
        ),
        el(
          'div',
          { class: 'side' },
          el('div', { class: 'heading' }, el('h5', {}, 'Response')),
          ...exchange.attempts.map(attempt),
        ),
      ),
    ),
  )
}
