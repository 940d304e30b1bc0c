/** Shows progress on stderr: one line that is rewritten on a terminal, and occasional lines in a log. */
import { duration } from '../../reports/render/wording.ts'
import type { Verdict } from '../vocabulary/index.ts'
import { realTimer, type Timer, type Waiting } from '../wire/timer.ts'
import type { Terminal } from './terminal.ts'
import { counted } from './wording.ts'

/** A log gets one line per fifth of the checks. */
const steps = 5

/** Checks with these verdicts get a line of their own immediately. */
const shownAtOnce: ReadonlySet<Verdict> = new Set(['fail', 'error'])
/** Further ones are only counted, and named in the report: a target that fails everywhere would fill the log. */
const mostShown = 20

export interface Progress {
  saw(judged: { readonly id: string; readonly verdict: Verdict }): void
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
  let broken = 0
  let step = 0
  /** `13/26 checks (50 %) after 12.0 s, 1 failed, 2 errors`. */
  const state = (): string => {
    const percent = Math.floor((seen * 100) / total)
    const failures = failed > 0 ? `, ${failed} failed` : ''
    const errors = broken > 0 ? `, ${counted(broken, 'error')}` : ''
    return `${seen}/${total} checks (${percent} %) after ${duration(now() - startedAt)}${failures}${errors}`
  }
  const show = ({ verdict, id }: { readonly id: string; readonly verdict: Verdict }): void => {
    if (failed + broken <= mostShown) terminal.say(`${verdict}  ${id}`)
    if (failed + broken === mostShown) terminal.say('further failures are counted here, and named in the report')
  }
  return {
    saw(result) {
      seen += 1
      if (result.verdict === 'fail') failed += 1
      if (result.verdict === 'error') broken += 1
      if (shownAtOnce.has(result.verdict)) show(result)
      terminal.live(`${state()}  ${result.id}`)
      const reached = Math.floor((seen * steps) / total)
      if (reached > step && !terminal.isLive) terminal.say(state())
      step = reached
    },
    end: () => terminal.live(''),
  }
}

/** Shows that the reports are being written, which takes seconds after a long run, because every text from the target
 * is searched for secrets. Returns a function that returns the time taken so far, in words. */
export function showWriting(
  terminal: Pick<Terminal, 'isLive' | 'say' | 'live'>,
  formats: readonly string[],
  { now }: Pick<Timer, 'now'> = realTimer,
): () => string {
  const startedAt = now()
  const text = `removing secrets, and writing reports: ${[...new Set(['json', ...formats])].join(', ')}`
  if (terminal.isLive) terminal.live(text)
  else terminal.say(text)
  return () => duration(now() - startedAt)
}

/** Shows what a run waits for: every second on a terminal, every ten seconds in a log. */
export const showWaiting =
  (terminal: Terminal): Waiting =>
  (asked, seconds, longest) => {
    const text = `waiting for ${asked} (${seconds} s of ${longest} s)`
    if (terminal.isLive) terminal.live(text)
    else if (seconds === 5 || seconds % 10 === 0) terminal.say(text)
  }
