/** Measures how long this thread stood still, because the machine was starved or the thread was busy. Meanwhile, nothing
 * that it sends or serves is on time, which is not the fault of a target (readings of the documents, 86). */
import { boundMs } from '../wire/bounds.ts'

/** Returns the longest stall, in milliseconds, since a moment of `performance.now()`; 0 if there was none to speak of. */
export type StallSince = (moment: number) => number

const everyMs = 100
let stalls: { readonly endedAt: number; readonly ms: number }[] = []
let isWatching = false

/** Begins to measure. */
export function measuredStalls(): StallSince {
  if (!isWatching) watch()
  return stallSince
}

/** A stall that has not ended yet counts, too. */
const stallSince: StallSince = (moment) => {
  const now = performance.now()
  const open = now - lastTick - everyMs
  return Math.max(
    0,
    open >= boundMs('ownStall') ? open : 0,
    ...stalls.filter(({ endedAt }) => endedAt >= moment).map(({ ms }) => ms),
  )
}

let lastTick = performance.now()

function watch(): void {
  isWatching = true
  lastTick = performance.now()
  setInterval(() => {
    const now = performance.now()
    const ms = now - lastTick - everyMs
    lastTick = now
    if (ms >= boundMs('ownStall')) stalls = [...stalls.slice(-99), { endedAt: now, ms }]
  }, everyMs).unref()
}
