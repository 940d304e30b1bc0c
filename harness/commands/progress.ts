/** Live progress on stderr: one moving line on a terminal, a line every so often elsewhere. */
import { duration } from '../../reports/render/wording.ts'
import type { CheckResult, Verdict } from '../vocabulary/index.ts'
import { realTimer, type Timer, type Waiting } from '../wire/timer.ts'
import type { Terminal } from './terminal.ts'

/** Where the output is a log, one line is written for each tenth of the checks. */
const steps = 10

/** Checks with these verdicts get a line of their own at once. */
const shownAtOnce: ReadonlySet<Verdict> = new Set(['fail', 'error'])

export interface Progress {
  saw(result: CheckResult): void
  end(): void
}

export function showProgress(
  terminal: Pick<Terminal, 'isLive' | 'say' | 'live'>,
  total: number,
  { now }: Pick<Timer, 'now'> = realTimer,
): Progress {
  const startedAt = now()
  let seen = 0
  let failed = 0
  let step = 0
  /** `13/26 checks (50 %) after 12.0 s, 1 failed`. */
  const state = (): string => {
    const percent = Math.floor((seen * 100) / total)
    const failures = failed > 0 ? `, ${failed} failed` : ''
    return `${seen}/${total} checks (${percent} %) after ${duration(now() - startedAt)}${failures}`
  }
  return {
    saw(result) {
      seen += 1
      if (result.verdict === 'fail') failed += 1
      if (shownAtOnce.has(result.verdict)) terminal.say(`${result.verdict}  ${result.id}`)
      terminal.live(`${state()}  ${result.id}`)
      const reached = Math.floor((seen * steps) / total)
      if (reached > step && !terminal.isLive) terminal.say(state())
      step = reached
    },
    end: () => terminal.live(''),
  }
}

/** Shows what a run waits for: each second on a terminal, every ten seconds in a log. */
export const tellWaiting =
  (terminal: Terminal): Waiting =>
  (asked, seconds, longest) => {
    const text = `waiting for ${asked} (${seconds} s of ${longest} s)`
    if (terminal.isLive) terminal.live(text)
    else if (seconds === 5 || seconds % 10 === 0) terminal.say(text)
  }
