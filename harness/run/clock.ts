import { fieldOf, type Reply, StepFailed } from '../vocabulary/index.ts'
import { whyStopped } from '../way/interruptions.ts'
import type { Session } from './session.ts'

export interface TargetClock {
  /** Counts how often this clock was moved. Waiting for real time does not count. */
  readonly moves: number
  now(): Promise<number>
  pass(seconds: number, why: string): Promise<void>
  /** Returns the reply with `at` in the target's time. Without a `Date` header, `at` is the time of this machine, which
   * is wrong if the target's clock was moved. */
  dated(reply: Reply): Promise<Reply>
}

/** Returns the target's clock. A reference server's clock is moved through its control listener; for other targets, the
 * time is waited for. `onPass` is called before time passes, and told whether it is waited for. */
export function targetClock(session: Session, onPass: (isWaited: boolean) => void = () => {}): TargetClock {
  const { target } = session.plan
  const { timer } = session
  // How far the target's clock is ahead of this machine's, in ms, as of the last reply.
  let ahead = 0
  let moves = 0
  const control = target.control === undefined ? undefined : session.control
  async function now(): Promise<number> {
    if (!control) return timer.now() + ahead
    const { reply, trouble } = await control('GET', '/clock')
    const time = reply && fieldOf(reply, 'now')
    if (typeof time !== 'number')
      throw new StepFailed('control-listener', { operation: 'tell the time', answer: String(trouble ?? reply?.status) })
    return time
  }
  return {
    get moves() {
      return moves
    },
    now,
    async dated(reply) {
      ahead = reply.at - timer.now()
      if (!control || reply.headers.date !== undefined) return reply
      const at = { ...Object.getOwnPropertyDescriptor(reply, 'at'), value: await now() }
      // Spreading would evaluate the getter `text`, and decode a large body for nothing.
      return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(reply), at }) as Reply
    },
    async pass(seconds, why) {
      onPass(control === undefined)
      if (control) {
        const { reply, trouble } = await control('POST', '/clock/advance', JSON.stringify({ seconds }))
        if (!reply || reply.status >= 300)
          throw new StepFailed('control-listener', {
            operation: 'move the clock',
            answer: String(trouble ?? reply?.status),
          })
        moves += 1
        session.clockMoves.count += 1
        return
      }
      if (seconds > target.maxWaitSeconds)
        throw new StepFailed('wait-too-long', { why, seconds, most: target.maxWaitSeconds })
      await session.aside(() => timer.wait(seconds * 1000, session.signal))
      if (session.signal.aborted) throw whyStopped(session.signal)
    },
  }
}
