/** Sits between the listeners and the server: logs requests, and plays faults on chosen ones. */
import type { Core } from '../core.ts'
import type { Clock } from '../kernel/contracts.ts'
import { createFaults, type Fault } from './faults.ts'
import { createRequestLog, type LoggedRequest } from './request-log.ts'

export interface Front {
  readonly serve: Core['serve']
  readonly requests: readonly LoggedRequest[]
  setFaults(faults: readonly Fault[]): void
  /** Sends slow answers at once, and empties the log. */
  reset(): void
}

export function createFront(
  { serve, mountTypeAt, accessorOf }: Pick<Core, 'serve' | 'mountTypeAt' | 'accessorOf'>,
  clock: Pick<Clock, 'now' | 'at'>,
): Front {
  const log = createRequestLog({ now: () => clock.now(), mountTypeAt, accessorOf })
  const faults = createFaults(clock)
  return {
    serve(incoming) {
      const entry = log.begin(incoming)
      const fault = faults.next(incoming)
      if (fault) entry.fault = fault.fault
      const answer = fault ? faults.play(fault, () => serve(incoming)) : serve(incoming)
      if (answer instanceof Promise)
        return answer.then((result) => {
          entry.status = result.status
          return result
        })
      entry.status = answer.status
      return answer
    },
    get requests() {
      return log.entries
    },
    setFaults: faults.set,
    reset() {
      faults.stop()
      log.clear()
    },
  }
}
