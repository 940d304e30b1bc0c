/** Fills in the parts of an opened check that come from the packed data of the page. */
import type { RecordedExchange, Verdict } from '../../../../harness/vocabulary/index.ts'
import { visible } from '../../escape.ts'
import type { PageCheck } from '../page-data.ts'
import { bodyBlock } from './body.ts'
import { el } from './element.ts'
import { evidence } from './evidence.ts'
import { exchangeCard, pathOf } from './exchange.ts'
import { named } from './names.ts'
import type { Page } from './page.ts'
import { sequence } from './sequence.ts'

/** The elements of an opened check that are filled in once the exchanges are unpacked. */
export interface Slots {
  readonly judged: HTMLElement
  readonly trace: HTMLElement
  readonly proof: HTMLElement
}

/** Fills in the exchanges, the request that is judged, and the faults that the check has noticed. */
export function showPacked(page: Page, check: PageCheck, at: number, { judged, trace, proof }: Slots): void {
  const note = (text: string): HTMLElement => el('p', { class: 'note' }, text)
  trace.append(note(check.exchanges === 0 ? 'Nothing was sent.' : 'Unpacking the exchanges…'))
  page.exchanges().then(
    ({ checks, faults }) => {
      proof.replaceChildren(...evidence(check, faults))
      const exchanges = checks[at] ?? []
      if (exchanges.length === 0) return
      const { blocker, mismatches, names } = check
      const wrong = [...mismatches, ...(blocker ? [blocker] : [])].map((one) => one.exchange)
      const isAnyWrong = wrong.some((index) => index !== undefined && index in exchanges)
      // If no request is known to have gone wrong, the judged request is opened.
      const isDecisive = ({ phase }: RecordedExchange, index: number): boolean =>
        isAnyWrong ? wrong.includes(index) : phase === 'when'
      const cards = exchanges.map((exchange, index) =>
        exchangeCard(page, exchange, { isOpen: isDecisive(exchange, index), isWrong: wrong.includes(index), names }),
      )
      const picture = sequence(page, exchanges, {
        names,
        wrong: new Set(wrong.flatMap((index) => index ?? [])),
        open: (index) => showExchange(trace, index),
      })
      trace.replaceChildren(
        ...(check.onShared && check.onShared !== 'pass' ? [note(judgedAgain(page, check.onShared))] : []),
        ...(picture ? [picture] : []),
        ...othersFolded(
          cards,
          exchanges.map(({ phase }, index) => phase === 'when' || wrong.includes(index)),
        ),
      )
      const when = exchanges.findLast(({ phase }) => phase === 'when')
      if (when) judged.replaceChildren(...judgedRequest(page, when, names))
    },
    () => {
      proof.replaceChildren(...evidence(check))
      trace.replaceChildren(
        note('This browser cannot unpack the exchanges (no DecompressionStream). They are in result.json.'),
      )
    },
  )
}

const judgedAgain = ({ data: { words } }: Page, verdict: Verdict): string =>
  `On ground that it shared with other checks, it ended as “${words[verdict]}”. So it was judged again, on ground of its own, and only that counts.`

/** Opens an exchange, and moves the focus to it. */
export function showExchange(trace: HTMLElement, index: number): void {
  const card = trace.querySelectorAll('.exchange')[index]
  card?.closest('.others')?.setAttribute('open', '')
  card?.setAttribute('open', '')
  card?.scrollIntoView({ block: 'nearest' })
  card?.querySelector('summary')?.focus({ preventScroll: true })
}

/** The minimum number of consecutive undecisive exchanges that are folded into one line. */
const fewestOthers = 6

function othersFolded(cards: readonly HTMLElement[], isShown: readonly boolean[]): readonly HTMLElement[] {
  const rows: HTMLElement[] = []
  let others: HTMLElement[] = []
  const end = (): void => {
    if (others.length < fewestOthers) rows.push(...others)
    else rows.push(el('details', { class: 'others' }, el('summary', {}, othersWords(others)), ...others))
    others = []
  }
  for (const [index, card] of cards.entries()) {
    if (!isShown[index]) others.push(card)
    else {
      end()
      rows.push(card)
    }
  }
  end()
  return rows
}

/** Returns words such as `22 exchanges: given, before`. */
function othersWords(cards: readonly HTMLElement[]): string {
  const phases = new Set(cards.map((card) => card.querySelector('.phase')?.textContent ?? ''))
  return `${cards.length} exchanges: ${[...phases].join(', ')}`
}

/** The maximum length of a body that is shown unfolded. */
const shownBody = 700

/** Shows the judged request as it was sent in this run, and the status of its reply. */
function judgedRequest(page: Page, exchange: RecordedExchange, names: PageCheck['names']): readonly HTMLElement[] {
  const { method, requestBody, attempts } = exchange
  const status = attempts.at(-1)?.status
  const line = el(
    'p',
    { class: 'note' },
    el('code', {}, visible(method), ' ', ...named(pathOf(page, exchange), names)),
    status === undefined ? ' got no reply' : ' returned ',
    status !== undefined && el('b', {}, String(status)),
  )
  if (!requestBody) return [line]
  const body = bodyBlock('Body of the request', requestBody, names)
  return requestBody.length <= shownBody
    ? [line, body]
    : [line, el('details', { class: 'fold' }, el('summary', {}, 'Body of the request'), body)]
}
