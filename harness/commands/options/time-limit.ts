import { limitTime, type TimeLimit } from '../../run/time-limit.ts'
import { bounds } from '../../wire/bounds.ts'
import type { Terminal } from '../output/terminal.ts'

/** Limits the time of a command, here and in its supervisor. The hints are for a user whose run was ended by force. */
export function limitCommand(
  seconds: number | undefined,
  { signal, bounded }: Terminal,
  hints: readonly string[],
): TimeLimit {
  const most = seconds ?? bounds.run.value
  bounded?.({ seconds: most, hints })
  const limit = limitTime(most, signal)
  return {
    signal: limit.signal,
    close() {
      limit.close()
      bounded?.({ seconds: undefined, hints: [] })
    },
  }
}
