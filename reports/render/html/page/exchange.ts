import type { RecordedAttempt, RecordedExchange } from '../../../../harness/vocabulary/index.ts'
import { visible } from '../../escape.ts'
import { bodyBlock } from './body.ts'
import { copyText } from './copy.ts'
import { curlOf } from './curl.ts'
import { el } from './element.ts'
import { filled, type Names, named } from './names.ts'
import type { Page } from './page.ts'

/** How an exchange is shown among the exchanges of its check. */
export interface CardState {
  readonly isOpen: boolean
  /** Whether this is the request that went wrong. */
  readonly isWrong: boolean
  readonly names?: Names | undefined
}

/** Returns the path below the URL of the target, or the whole URL if another server was asked. */
export const pathOf = ({ data }: Page, { url }: RecordedExchange): string =>
  url.startsWith(data.target) ? url.slice(data.target.length) : url

/** Shows an exchange as one line that unfolds to the request and every attempt. */
export function exchangeCard(page: Page, exchange: RecordedExchange, state: CardState): HTMLElement {
  const { isOpen, isWrong, names } = state
  const last = exchange.attempts.at(-1)
  const isElsewhere = !exchange.url.startsWith(page.data.target)
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
      one.responseEncoding === 'base64' && el('p', { class: 'note' }, 'The body is not text; it is shown as base64.'),
      one.responseBody
        ? bodyBlock('Response body', one.responseBody, names)
        : one.trouble === undefined && el('p', { class: 'note' }, 'No body.'),
      one.responseCut === true && el('p', { class: 'note' }, 'The body was longer; the rest was not recorded.'),
    )
  }
  const copy: HTMLButtonElement = el(
    'button',
    { type: 'button', class: 'small', onclick: () => copyText(curlOf(exchange, page.data.insecure), copy) },
    'Copy as curl',
  )
  const sender =
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
        ...named(pathOf(page, exchange), names),
        // A server other than the target has to be introduced.
        isElsewhere && exchange.words && el('span', { class: 'beside' }, ' ', ...filled(exchange.words, names)),
      ),
      isWrong && el('span', { class: 'vh' }, 'This request went wrong.'),
      exchange.attempts.length > 1 && el('span', { class: 'retried' }, `${exchange.attempts.length} attempts`),
      el('span', { class: 'status' }, String(last?.status ?? 'no reply')),
      el('span', { class: 'ms' }, last ? timing(last.durationMs) : ''),
    ),
    el(
      'div',
      { class: 'inside' },
      el('p', { class: 'note url' }, visible(exchange.url)),
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
            ...(exchange.words ? [...filled(exchange.words, names), '; '] : []),
            `sent ${visible(sender)}${exchange.isShared ? ', for an earlier check on the same ground' : ''}`,
          ),
          headers(exchange.requestHeaders),
          exchange.requestBody
            ? bodyBlock('Request body', exchange.requestBody, names)
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
