/** Draws when each check ran, beside which others: waits for a turn, locks and retries. It is drawn when a reader unfolds
 * it. */
import type { RecordedExchange } from '../../../../harness/vocabulary/index.ts'
import { duration, number, plural, verdictOrder } from '../../wording.ts'
import type { PageCheck } from '../page-data.ts'
import { el } from './element.ts'
import type { Page } from './page.ts'
import { readHash, writeHash } from './view.ts'

export interface Bar {
  readonly check: PageCheck
  /** In milliseconds since the epoch: when it began to wait for its turn, when it began, and when it ended. */
  readonly askedAt: number
  readonly startedAt: number
  readonly endedAt: number
  readonly lane: number
}

/** Times are recorded in whole milliseconds, so a check may seem to begin before the one before it has ended. */
const rounding = 3

/** Puts checks that ran at the same time into different lanes, as few as possible. Checks that never ran have none. */
export function barsOf(checks: readonly PageCheck[]): readonly Bar[] {
  const free: number[] = []
  return checks
    .filter(({ durationMs }) => durationMs > 0)
    .map((check) => {
      const startedAt = Date.parse(check.startedAt)
      return {
        check,
        askedAt: startedAt - (check.turn?.waitedMs ?? 0),
        startedAt,
        endedAt: startedAt + check.durationMs,
      }
    })
    .toSorted((one, other) => one.askedAt - other.askedAt)
    .map((bar) => {
      const found = free.findIndex((end) => end <= bar.askedAt + rounding)
      const lane = found < 0 ? free.length : found
      free[lane] = bar.endedAt
      return { ...bar, lane }
    })
}

/** Returns when a reply was waited for again, in milliseconds since the epoch. */
export const retriesIn = (exchanges: readonly RecordedExchange[]): readonly number[] =>
  exchanges.flatMap(({ attempts }) => attempts.slice(1).map(({ sentAt }) => Date.parse(sentAt)))

const [laneHeight, gap, axis] = [12, 3, 18]
/** In pixels. A narrower screen scrolls. */
const narrowest = 900
/** Steps of the axis, in milliseconds. */
const steps = [100, 500, 1000, 5000, 10_000, 30_000, 60_000, 300_000, 1_800_000, 7_200_000]
const mostTicks = 12

export function drawTimeline(page: Page, host: HTMLElement): void {
  const bars = barsOf(page.data.checks)
  const begin = Math.min(...bars.map(({ askedAt }) => askedAt))
  const span = Math.max(...bars.map(({ endedAt }) => endedAt)) - begin || 1
  const lanes = Math.max(...bars.map(({ lane }) => lane)) + 1
  const width = Math.max(narrowest, host.clientWidth)
  const height = axis + lanes * (laneHeight + gap)
  const x = (at: number): number => Math.round((10 * width * (at - begin)) / span) / 10
  const y = (lane: number): number => axis + lane * (laneHeight + gap)
  const box = (from: number, to: number, top: number, tall: number): string =>
    `M${x(from)} ${top}h${Math.max(0.8, x(to) - x(from))}v${tall}H${x(from)}z`
  const picture = svg('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': words(bars),
  })
  picture.append(...ticks(span).map((at) => tick(x(begin + at), at, height)))
  const draw = (look: string, parts: readonly string[]): void => {
    if (parts.length > 0) picture.append(svg('path', { class: look, d: parts.join('') }))
  }
  draw(
    'wait',
    bars
      .filter(({ askedAt, startedAt }) => startedAt > askedAt)
      .map(({ askedAt, startedAt, lane }) => box(askedAt, startedAt, y(lane) + laneHeight / 2 - 1, 2)),
  )
  for (const verdict of verdictOrder)
    draw(
      verdict,
      bars
        .filter(({ check }) => check.verdict === verdict)
        .map(({ startedAt, endedAt, lane }) => box(startedAt, endedAt, y(lane), laneHeight)),
    )
  draw(
    'lock',
    bars
      .filter(({ check }) => check.turn?.lock !== undefined)
      .map(({ startedAt, endedAt, lane }) => box(startedAt, endedAt, y(lane) + laneHeight - 3, 3)),
  )
  const at = new Map(page.data.checks.map((check, index) => [check, index]))
  page.exchanges().then(
    ({ checks }) =>
      draw(
        'retry',
        bars.flatMap(({ check, lane }) =>
          retriesIn(checks[at.get(check) ?? -1] ?? []).map((time) => box(time, time, y(lane) - 2, laneHeight + 4)),
        ),
      ),
    () => undefined,
  )
  followPointer(picture, (left, top) => {
    const time = begin + (left / width) * span
    const lane = Math.floor((top - axis) / (laneHeight + gap))
    const slack = (2 * span) / width
    const bar = bars.find((one) => one.lane === lane && one.askedAt - slack <= time && time <= one.endedAt + slack)
    return bar && { bar, left: x(bar.startedAt), width: Math.max(3, x(bar.endedAt) - x(bar.startedAt)), top: y(lane) }
  })
  const scroll = el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Timeline of the run' })
  scroll.append(picture)
  host.replaceChildren(scroll, el('p', { class: 'note' }, words(bars)))
}

/** Returns what the picture shows, in words. */
export function words(bars: readonly Bar[]): string {
  const lanes = Math.max(...bars.map(({ lane }) => lane)) + 1
  const waits = bars.map(({ startedAt, askedAt }) => startedAt - askedAt).filter((ms) => ms > 0)
  const locks = Map.groupBy(
    bars.flatMap(({ check }) => check.turn?.lock ?? []),
    (lock) => lock,
  )
  const held = [...locks].map(([lock, of]) => `${number(of.length)} held the lock ${lock}`)
  return [
    `${plural(bars.length, 'check')}, at most ${number(lanes)} at once`,
    ...(waits.length > 0
      ? [
          `${plural(waits.length, 'check')} waited for their turn, the longest ${duration(Math.max(...waits))} (thin line)`,
        ]
      : []),
    ...(held.length > 0 ? [`${held.join(', ')} (thick edge)`] : []),
    'a stroke across a lane is a request that was repeated',
  ]
    .join('; ')
    .concat('.')
}

const ticks = (span: number): readonly number[] => {
  const step = steps.find((one) => span / one <= mostTicks) ?? span
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, at) => at * step)
}

function tick(left: number, at: number, height: number): SVGElement {
  const group = svg('g', { class: 'tick' })
  const label = svg('text', { x: left + 3, y: 11 })
  label.textContent = at === 0 ? '0' : duration(at).replace('.0 ', ' ')
  group.append(svg('path', { d: `M${left} 0V${height}` }), label)
  return group
}

interface Hit {
  readonly bar: Bar
  readonly left: number
  readonly top: number
  readonly width: number
}

/** Frames the check below the pointer, with its words as a tip. A click opens it. */
function followPointer(picture: SVGElement, hitAt: (left: number, top: number) => Hit | undefined): void {
  const frame = svg('rect', { class: 'frame', height: laneHeight })
  let id = ''
  picture.addEventListener('mousemove', ({ clientX, clientY }) => {
    const { left, top } = picture.getBoundingClientRect()
    const hit = hitAt(clientX - left, clientY - top)
    if (!hit) {
      frame.remove()
      return
    }
    const { check } = hit.bar
    id = check.id
    const waited = check.turn && check.turn.waitedMs > 0 ? `, waited ${duration(check.turn.waitedMs)}` : ''
    const lock = check.turn?.lock === undefined ? '' : `, held the lock ${check.turn.lock}`
    frame.dataset.tip = `${check.id}: ${check.verdict}, ${duration(check.durationMs)}${waited}${lock}`
    for (const [name, value] of Object.entries({ x: hit.left, y: hit.top, width: hit.width }))
      frame.setAttribute(name, String(value))
    picture.append(frame)
  })
  picture.addEventListener('click', () => {
    if (id !== '' && frame.isConnected) location.hash = writeHash({ ...readHash(''), open: id })
  })
}

function svg(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}
