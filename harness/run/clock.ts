import { fieldOf, StepFailed } from '../vocabulary/index.ts'
import { whyStopped } from './interruptions.ts'
import type { Session } from './session.ts'

export interface TargetClock {
  now(): Promise<number>
  pass(seconds: number, why: string): Promise<void>
  /** Told after each reply: what the target's clock said then. */
  heard(at: number): void
}

/** A reference server's clock is moved through its control listener; any other is waited for. */
export function targetClock(session: Session): TargetClock {
  const { target } = session.plan
  const { timer } = session
  // How far the target's clock is ahead of this machine's, as of the last reply.
  let ahead = 0
  const control = target.control === undefined ? undefined : session.control
  return {
    heard(at) {
      ahead = at - timer.now()
    },
    async now() {
      if (!control) return timer.now() + ahead
      const { reply, trouble } = await control('GET', '/clock')
      const now = reply && fieldOf(reply, 'now')
      if (typeof now !== 'number')
        throw new StepFailed(`the control listener does not tell the time: ${trouble ?? reply?.status}`)
      return now
    },
    async pass(seconds, why) {
      if (control) {
        const { reply, trouble } = await control('POST', '/clock/advance', JSON.stringify({ seconds }))
        if (!reply || reply.status >= 300)
          throw new StepFailed(`the control listener does not move the clock: ${trouble ?? reply?.status}`)
        return
      }
      if (seconds > target.maxWaitSeconds)
        throw new StepFailed(
          `${why}: this needs ${seconds} s to pass, and the longest wait allowed is ${target.maxWaitSeconds} s`,
          undefined,
          `run with --max-wait ${Math.ceil(seconds)}`,
        )
      await timer.wait(seconds * 1000, session.signal)
      if (session.signal.aborted) throw whyStopped(session.signal)
    },
  }
}
