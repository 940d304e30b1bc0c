import type { Stopping } from './stop-signals.ts'
import type { Timer } from './timer.ts'

/** Spaces requests so that no more than `perSecond` start in any second; 0 is unlimited. Answers undefined where the
 * caller may go on at once, so that the unlimited case costs nothing. When a run stops, whoever waits goes on at once,
 * and the queue starts anew: what is taken back then must not stand behind checks that send nothing any more. */
export function createPace(perSecond: number, timer: Timer, { stop, end }: Stopping): () => Promise<void> | undefined {
  if (perSecond <= 0) return () => undefined
  const gap = 1000 / perSecond
  let free = 0
  let isStopped = false
  return () => {
    const now = timer.now()
    if (stop.aborted && !isStopped) {
      isStopped = true
      free = now
    }
    const start = Math.max(now, free)
    free = start + gap
    return start > now ? timer.wait(start - now, isStopped ? end : stop) : undefined
  }
}
