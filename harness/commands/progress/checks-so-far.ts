/** Counts the checks that are judged, and words it: how many, how fast, how long it will take, what failed. */
import { duration } from '../../../reports/render/wording.ts'
import type { CheckResult } from '../../vocabulary/index.ts'
import { counted } from '../output/wording.ts'

/** The rate is that of this time, so that it follows a target that becomes slower. */
const windowMs = 30_000
/** Before this time, a rate would say little. */
const earlyMs = 2000
/** A check that runs longer than this is named: it is what the run waits for. */
const longMs = 3000
const barWidth = 20

export class ChecksSoFar {
  readonly #total: number | undefined
  readonly #startedAt: number
  /** How many were judged at earlier moments, the oldest first. */
  readonly #moments: { readonly at: number; readonly seen: number }[]
  /** The checks that are running, in the order in which they began. */
  readonly #running = new Map<string, number>()
  #seen = 0
  #failed = 0
  #broken = 0

  constructor(total: number | undefined, now: number) {
    this.#total = total
    this.#startedAt = now
    this.#moments = [{ at: now, seen: 0 }]
  }

  began(id: string, now: number): void {
    this.#running.set(id, now)
  }

  judged({ id, verdict }: Pick<CheckResult, 'id' | 'verdict'>, now: number): void {
    this.#running.delete(id)
    this.#seen += 1
    if (verdict === 'fail') this.#failed += 1
    if (verdict === 'error') this.#broken += 1
    const [first, second] = this.#moments
    if (first && second && now - second.at >= windowMs) this.#moments.shift()
    const last = this.#moments.at(-1)
    if (last && now - last.at >= 1000) this.#moments.push({ at: now, seen: this.#seen })
  }

  /** `13/26 checks (50 %) after 12.0 s, 1.1/s, about 12 s left, 1 failed, 2 errors`. */
  words(now: number): string {
    const of = this.#total === undefined ? '' : `/${this.#total}`
    const share = this.#total === undefined ? '' : ` (${this.#percentOf(this.#total)} %)`
    const time = duration(now - this.#startedAt)
    return [`${this.#seen}${of} checks${share} after ${time}`, ...this.#more(now)].join(', ')
  }

  /** `[==========          ]  50 %  13/26 checks, 1.1/s, about 12 s left, 1 failed`. */
  bar(now: number): string {
    if (this.#total === undefined) return this.words(now)
    const percent = this.#percentOf(this.#total)
    const full = Math.floor((percent * barWidth) / 100)
    const bar = `[${'='.repeat(full)}${' '.repeat(barWidth - full)}] ${String(percent).padStart(3)} %`
    return `${bar}  ${[`${this.#seen}/${this.#total} checks`, ...this.#more(now)].join(', ')}`
  }

  /** The check that has been running for the longest time, if that is long. */
  waitsFor(now: number): string | undefined {
    const [oldest] = this.#running
    if (!oldest || now - oldest[1] < longMs) return undefined
    return `waiting for ${oldest[0]} (${duration(now - oldest[1])})`
  }

  #percentOf(total: number): number {
    return total === 0 ? 100 : Math.floor((this.#seen * 100) / total)
  }

  #more(now: number): string[] {
    return [
      ...this.#pace(now),
      ...(this.#failed > 0 ? [`${this.#failed} failed`] : []),
      ...(this.#broken > 0 ? [counted(this.#broken, 'error')] : []),
    ]
  }

  #pace(now: number): string[] {
    const [first] = this.#moments
    const left = this.#total === undefined ? 0 : this.#total - this.#seen
    if (!first || now - this.#startedAt < earlyMs || first.seen === this.#seen || left === 0) return []
    const perSecond = ((this.#seen - first.seen) * 1000) / (now - first.at)
    const rate = `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`
    const seconds = Math.ceil(left / perSecond)
    return [rate, `about ${seconds < 60 ? `${seconds} s` : duration(seconds * 1000)} left`]
  }
}
