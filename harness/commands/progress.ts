/** Live progress on stderr: one moving line on a terminal, a line every so often elsewhere. */
import type { CheckResult, Verdict } from '../vocabulary/index.ts'
import type { Waiting } from '../wire/timer.ts'
import type { Terminal } from './terminal.ts'

/** Writes one line for each tenth of the checks where the output is a log. */
const steps = 10

/** These are told at once, by name. */
const told: ReadonlySet<Verdict> = new Set(['fail', 'error'])

export interface Progress {
  saw(result: CheckResult): void
  end(): void
}

export function showProgress(terminal: Terminal, total: number): Progress {
  let seen = 0
  let step = 0
  return {
    saw(result) {
      seen += 1
      if (told.has(result.verdict)) terminal.say(`${result.verdict}  ${result.id}`)
      terminal.live(`${seen}/${total}  ${result.id}`)
      const reached = Math.floor((seen * steps) / total)
      if (reached > step && !terminal.isLive) terminal.say(`${seen}/${total} checks`)
      step = reached
    },
    end: () => terminal.live(''),
  }
}

/** Says what is waited for: each second on a terminal, now and then elsewhere. */
export const tellWaiting =
  (terminal: Terminal): Waiting =>
  (asked, seconds, longest) => {
    const text = `waiting for ${asked} (${seconds} s of ${longest} s)`
    if (terminal.isLive) terminal.live(text)
    else if (seconds === 5 || seconds % 10 === 0) terminal.say(text)
  }
