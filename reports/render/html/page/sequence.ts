/** Draws the exchanges of a check as a sequence: who asked whom, in which order, and what came back. */
import type { RecordedExchange } from '../../../../harness/vocabulary/index.ts'
import { visible } from '../../escape.ts'
import { el } from './element.ts'
import { pathOf } from './exchange.ts'
import { type Names, named } from './names.ts'
import type { Page } from './page.ts'

/** One arrow: an exchange, or several equal ones in a row. */
export interface Step {
  readonly from: string
  readonly to: string
  readonly exchange: RecordedExchange
  /** The index of the first exchange, and how many follow that are equal to it. */
  readonly at: number
  readonly times: number
}

/** The largest number of arrows. Between the first and the last ones, the others are counted. */
const mostSteps = 24
/** The largest number of senders that have a column of their own. */
const mostSenders = 3

const senders: Readonly<Record<string, string>> = { operator: 'token of the run', nobody: 'no token' }
const target = 'target'

/** Returns the arrows of a check. `isOfTarget` says whether a URL is one of the target; it decides for results that do
 * not record who received a request. */
export function stepsOf(
  exchanges: readonly RecordedExchange[],
  isOfTarget: (url: string) => boolean = () => true,
): readonly Step[] {
  const isCrowded = new Set(exchanges.map(({ as }) => as)).size > mostSenders
  const steps: { from: string; to: string; exchange: RecordedExchange; at: number; times: number }[] = []
  for (const [at, exchange] of exchanges.entries()) {
    const { as, url, to = isOfTarget(url) ? target : partOf(url, 'host') } = exchange
    const from = isCrowded || to === 'provider' ? 'suite' : (senders[as] ?? as)
    const last = steps.at(-1)
    if (last && last.to === to && last.from === from && isSame(last.exchange, exchange)) last.times += 1
    else steps.push({ from, to, exchange, at, times: 1 })
  }
  return steps
}

/** A result that was redacted or that somebody wrote may contain an address that is not valid. */
const partOf = (url: string, part: 'host' | 'origin'): string => (URL.canParse(url) ? new URL(url)[part] : url)

const isSame = (one: RecordedExchange, other: RecordedExchange): boolean =>
  one.method === other.method && one.url === other.url && one.phase === other.phase && statusOf(one) === statusOf(other)

const statusOf = ({ attempts }: RecordedExchange): number | undefined => attempts.at(-1)?.status

interface Shown {
  readonly names: Names | undefined
  readonly wrong: ReadonlySet<number>
  /** Shows the exchange with this index. */
  open(at: number): void
}

export function sequence(page: Page, exchanges: readonly RecordedExchange[], shown: Shown): HTMLElement | false {
  const steps = stepsOf(exchanges, ofTarget(page, exchanges))
  if (steps.length < 2) return false
  const columns = [...new Set([...steps.map(({ from }) => from), target, ...steps.map(({ to }) => to)])]
  const half = mostSteps / 2
  const isCut = steps.length > mostSteps
  const drawn = isCut ? [...steps.slice(0, half), ...steps.slice(-half)] : steps
  const rows = drawn.map((step, at) => arrow(page, step, columns, { ...shown, before: drawn[at - 1] }))
  if (isCut) rows.splice(half, 0, el('li', { class: 'note' }, `… ${steps.length - mostSteps} more, below`))
  const list = el('ol', { class: 'sequence' }, heads(columns), ...rows)
  list.style.setProperty('--columns', String(columns.length))
  return list
}

/** The embedded reference server has an address for each thread, so without a recorded receiver the address that is asked
 * most is the target's. */
function ofTarget({ data }: Page, exchanges: readonly RecordedExchange[]): (url: string) => boolean {
  const origins = exchanges.filter(({ to }) => to === undefined).map(({ url }) => partOf(url, 'origin'))
  const [own] = [...Map.groupBy(origins, (origin) => origin)].toSorted(([, a], [, b]) => b.length - a.length)
  return (url) => url.startsWith(data.target) || partOf(url, 'origin') === own?.[0]
}

const heads = (columns: readonly string[]): HTMLElement =>
  el('li', { class: 'heads', 'aria-hidden': 'true' }, ...columns.map((one) => el('b', {}, visible(one))))

function arrow(
  page: Page,
  { from, to, exchange, at, times }: Step,
  columns: readonly string[],
  { names, wrong, open, before }: Shown & { readonly before: Step | undefined },
): HTMLElement {
  const { method, phase, as } = exchange
  const [start, end] = [columns.indexOf(from), columns.indexOf(to)]
  const status = statusOf(exchange)
  const isWrong = [...wrong].some((one) => one >= at && one < at + times)
  const button = el(
    'button',
    { type: 'button', class: `step${isWrong ? ' wrong' : ''}${end < start ? ' back' : ''}`, onclick: () => open(at) },
    el('span', { class: 'vh' }, visible(`${from} asks ${to}: `)),
    el('b', {}, visible(method)),
    ' ',
    ...named(pathOf(page, exchange).replace(/^https?:\/\/[^/]+/, ''), names),
    from === 'suite' && to !== 'provider' && ` as ${visible(senders[as] ?? as)}`,
    times > 1 && ` ×${times}`,
    el('span', { class: 'status' }, status === undefined ? ' no reply' : ` ${status}`),
  )
  button.style.gridColumn = `${Math.min(start, end) + 1} / ${Math.max(start, end) + 2}`
  button.style.setProperty('--span', String(Math.abs(end - start) + 1))
  return el('li', {}, el('span', { class: 'phase' }, before?.exchange.phase === phase ? '' : phase), button)
}
