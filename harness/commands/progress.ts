/** Shows on stderr what a command is doing: one line that is rewritten on a terminal, and lines at a distance in a log. */
import { duration } from '../../reports/render/wording.ts'
import type { LiveEvent } from '../run/event-stream.ts'
import type { Verdict } from '../vocabulary/index.ts'
import { realTimer, type Timer, type Waiting } from '../wire/timer.ts'
import type { Terminal } from './output/terminal.ts'
import { ChecksSoFar } from './progress/checks-so-far.ts'

/** A log is silent for at most this long, and a step that takes longer is named. */
const silentMs = 10_000
const tickMs = 1000
/** A terminal is not written to more often than this. */
const rewriteMs = 100

/** Names of written reports are collected for this time. */
const collectedMs = 2000

/** Checks with these verdicts get a line of their own immediately. */
const shownAtOnce: ReadonlySet<Verdict> = new Set(['fail', 'error'])
/** Further ones are only counted, and named in the report: a target that fails everywhere would fill the log. */
const mostShown = 20

type Shown = Pick<Terminal, 'isLive' | 'say' | 'live' | 'verbosity'>

/** Shows the steps of a command, and how many of its checks are judged. Whoever opens it ends it. */
export class Progress {
  readonly #terminal: Shown
  readonly #timer: Timer
  readonly #written: string[] = []
  readonly #done = new AbortController()
  #step: { readonly says: string; readonly since: number } | undefined
  #checks: ChecksSoFar | undefined
  #waiting: { readonly says: string; readonly at: number } | undefined
  #away: string | undefined
  #shown = 0
  #saidAt: number
  #rewrittenAt = Number.NEGATIVE_INFINITY

  constructor(terminal: Shown, timer: Timer = realTimer) {
    const isQuiet = terminal.verbosity === 'quiet'
    this.#terminal = isQuiet ? { isLive: false, say: () => {}, live: () => {} } : terminal
    this.#timer = timer
    this.#saidAt = timer.now()
    void this.#tick()
  }

  /** Names what is done from now on, such as `asking what the target is`. */
  step(says: string): void {
    this.#step = { says, since: this.#timer.now() }
    this.#rewrite()
  }

  /** Says something that is no warning. */
  say(line: string): void {
    this.#say(line)
    this.#rewrite()
  }

  /** Begins to count checks. A shard does not know its share of them. */
  judging(total: number | undefined): void {
    this.#checks = new ChecksSoFar(total, this.#timer.now())
    this.#rewrite()
  }

  readonly saw = (event: LiveEvent): void => {
    const now = this.#timer.now()
    if (event.event === 'away') this.#away = event.why
    else if (event.event === 'began') this.#checks?.began(event.id, now)
    else {
      this.#checks?.judged(event, now)
      const line = `${event.verdict}  ${event.id}`
      if (this.#terminal.verbosity === 'verbose') this.#terminal.say(line)
      else if (shownAtOnce.has(event.verdict)) this.#show(line)
      if (now - this.#rewrittenAt >= rewriteMs) this.#rewrite()
      this.#sayIfDue()
    }
  }

  /** Call this once a second while a reply is awaited. */
  readonly waiting: Waiting = (asked, seconds, longest) => {
    this.#waiting = { says: `${asked} (${seconds} s of ${longest} s)`, at: this.#timer.now() }
  }

  /** Ends the count of the checks. */
  judged(): void {
    this.#checks = undefined
    this.#away = undefined
  }

  /** Names the reports that are going to be written, which takes seconds after a long run, because every text from the
   * target is searched for secrets. Returns a function that returns the time taken so far, in words. */
  writing(formats: readonly string[]): () => string {
    const startedAt = this.#timer.now()
    const says = `removing secrets, and writing reports: ${[...new Set(['json', ...formats])].join(', ')}`
    this.step(says)
    if (!this.#terminal.isLive) this.#say(says)
    return () => duration(this.#timer.now() - startedAt)
  }

  /** Names formats that take long, and what is written so far. */
  readonly slowBegins = (formats: readonly string[]): void => {
    const done = this.#written.splice(0)
    this.step(`writing ${formats.join(', ')}, which takes longest`)
    if (this.#terminal.isLive) return
    this.#say([...(done.length > 0 ? [`written: ${done.join(', ')}`] : []), this.#words()].join('; '))
  }

  /** Names a report that is written, at once if nothing was said for a while. */
  readonly wrote = (file: string): void => {
    this.#written.push(file)
    if (this.#timer.now() - this.#saidAt >= collectedMs) this.#say(`written: ${this.#written.splice(0).join(', ')}`)
    this.#rewrite()
  }

  end(): void {
    this.#done.abort()
    this.#terminal.live('')
  }

  async #tick(): Promise<void> {
    const { signal } = this.#done
    for (;;) {
      await this.#timer.wait(tickMs, signal)
      if (signal.aborted) return
      this.#rewrite()
      this.#sayIfDue()
    }
  }

  #show(line: string): void {
    this.#shown += 1
    if (this.#shown <= mostShown) this.#terminal.say(line)
    if (this.#shown === mostShown) this.#terminal.say('further failures are counted here, and named in the report')
    this.#rewrittenAt = Number.NEGATIVE_INFINITY
  }

  #rewrite(): void {
    const { isLive } = this.#terminal
    if (!isLive || this.#done.signal.aborted) return
    this.#rewrittenAt = this.#timer.now()
    this.#terminal.live(this.#words())
  }

  #sayIfDue(): void {
    if (!this.#terminal.isLive && this.#timer.now() - this.#saidAt >= silentMs) this.#say(this.#words())
  }

  #say(line: string): void {
    this.#saidAt = this.#timer.now()
    if (line !== '') this.#terminal.say(line)
  }

  #words(): string {
    const now = this.#timer.now()
    const waits = this.#waitsFor(now)
    return [this.#checks ? this.#checksWords(this.#checks, now) : this.#stepWords(now), waits]
      .filter(Boolean)
      .join('; ')
  }

  #checksWords(checks: ChecksSoFar, now: number): string {
    return this.#terminal.isLive ? checks.bar(now) : checks.words(now)
  }

  #stepWords(now: number): string {
    if (!this.#step) return ''
    const { says, since } = this.#step
    return now - since < tickMs ? says : `${says} (${duration(now - since)})`
  }

  #waitsFor(now: number): string | undefined {
    if (this.#away !== undefined) return `waiting for the target: ${this.#away}`
    const { says, at } = this.#waiting ?? { says: '', at: Number.NEGATIVE_INFINITY }
    if (now - at < 2 * tickMs) return `waiting for ${says}`
    return this.#checks?.waitsFor(now)
  }
}

/** Shows the progress of a command that words it itself: each text on a terminal, one in ten seconds in a log. */
export function showTexts(terminal: Shown, { now }: Pick<Timer, 'now'> = realTimer): (text: string) => void {
  let saidAt = now()
  return (text) => {
    if (terminal.isLive) return terminal.live(text)
    if (text === '' || now() - saidAt < silentMs) return
    saidAt = now()
    terminal.say(text)
  }
}
