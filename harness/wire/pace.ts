import type { Timer } from './timer.ts'

/** Spaces requests so that no more than `perSecond` start in any second; 0 is unlimited. Answers undefined where the
 * caller may go on at once, so that the unlimited case costs nothing. */
export function createPace(perSecond: number, timer: Timer): () => Promise<void> | undefined {
  if (perSecond <= 0) return () => undefined
  const gap = 1000 / perSecond
  let free = 0
  return () => {
    const now = timer.now()
    const start = Math.max(now, free)
    free = start + gap
    return start > now ? timer.wait(start - now) : undefined
  }
}
