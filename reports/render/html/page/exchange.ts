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

const timing = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`)

function headersOf(given: Readonly<Record<string, string>> | undefined): HTMLElement | false {
  const rows = Object.entries(given ?? {})
  if (rows.length === 0) return false
  return el(
    'details',
    { class: 'headers' },
    el('summary', {}, rows.length === 1 ? '1 header' : `${rows.length} headers`),
    el('dl', {}, ...rows.flatMap(([name, value]) => [el('dt', {}, visible(name)), el('dd', {}, visible(value))])),
  )
}

function attemptCard(attempt: RecordedAttempt, at: number, of: number, names: Names | undefined): HTMLElement {
  const { status, responseBytes, responseBody, responseHeaders, responseEncoding, responseCut, trouble } = attempt
  const many = of > 1 ? `Attempt ${at + 1} of ${of}: ` : ''
  const size = responseBytes ? `, ${responseBytes.toLocaleString('en')} bytes` : ''
  const sent = visible(attempt.sentAt.slice(11, 23))
  return el(
    'div',
    { class: 'attempt' },
    el(
      'p',
      { class: 'note' },
      `${many}${status ?? 'no reply'} after ${timing(attempt.durationMs)}${size}, sent ${sent}`,
    ),
    trouble !== undefined && el('p', { class: 'trouble' }, visible(trouble)),
    headersOf(responseHeaders),
    responseEncoding === 'base64' && el('p', { class: 'note' }, 'The body is not text; it is shown as base64.'),
    responseBody
      ? bodyBlock('Response body', responseBody, names)
      : trouble === undefined && el('p', { class: 'note' }, 'No body.'),
    responseCut === true && el('p', { class: 'note' }, 'The body was longer; the rest was not recorded.'),
  )
}

const senders: Readonly<Record<string, string>> = { operator: 'with the token of the run', nobody: 'without a token' }

function requestSide({ data }: Page, exchange: RecordedExchange, names: Names | undefined): HTMLElement {
  const { as, words, requestBody, requestHeaders, isShared } = exchange
  const copy: HTMLButtonElement = el(
    'button',
    { type: 'button', class: 'small', onclick: () => copyText(curlOf(exchange, data.insecure), copy) },
    'Copy as curl',
  )
  const sender = visible(Object.hasOwn(senders, as) ? (senders[as] ?? '') : `as ${as}`)
  return el(
    'div',
    { class: 'side' },
    el('div', { class: 'heading' }, el('h5', {}, 'Request'), copy),
    el(
      'p',
      { class: 'note' },
      ...(words ? [...filled(words, names), '; '] : []),
      `sent ${sender}${isShared ? ', for an earlier check on the same ground' : ''}`,
    ),
    headersOf(requestHeaders),
    requestBody ? bodyBlock('Request body', requestBody, names) : el('p', { class: 'note' }, 'No body.'),
  )
}

function summaryLine(page: Page, exchange: RecordedExchange, { isWrong, names }: CardState): HTMLElement {
  const { attempts, method, phase, words } = exchange
  const last = attempts.at(-1)
  const isElsewhere = !exchange.url.startsWith(page.data.target)
  return el(
    'summary',
    {},
    el('span', { class: 'phase' }, phase),
    el(
      'span',
      { class: 'asked' },
      el('b', {}, visible(method)),
      ' ',
      ...named(pathOf(page, exchange), names),
      // A server other than the target has to be introduced.
      isElsewhere && words && el('span', { class: 'beside' }, ' ', ...filled(words, names)),
    ),
    isWrong && el('span', { class: 'vh' }, 'This request went wrong.'),
    attempts.length > 1 && el('span', { class: 'retried' }, `${attempts.length} attempts`),
    el('span', { class: 'status' }, String(last?.status ?? 'no reply')),
    el('span', { class: 'ms' }, last ? timing(last.durationMs) : ''),
  )
}

/** Shows an exchange as one line that unfolds to the request and every attempt. */
export function exchangeCard(page: Page, exchange: RecordedExchange, state: CardState): HTMLElement {
  const { isOpen, isWrong, names } = state
  const { attempts, phase, url } = exchange
  return el(
    'details',
    { class: `exchange ${phase}${isWrong ? ' wrong' : ''}`, open: isOpen },
    summaryLine(page, exchange, state),
    el(
      'div',
      { class: 'inside' },
      el('p', { class: 'note url' }, visible(url)),
      el(
        'div',
        { class: 'sides' },
        requestSide(page, exchange, names),
        el(
          'div',
          { class: 'side' },
          el('div', { class: 'heading' }, el('h5', {}, 'Response')),
          ...attempts.map((attempt, at) => attemptCard(attempt, at, attempts.length, names)),
        ),
      ),
    ),
  )
}
