import type { Clock } from '../contracts.ts'
import type { VirtualClock } from './clock.ts'
import type { SeededRandom } from './random.ts'
import type { StatePart } from './state-part.ts'

const isVirtual = (clock: Clock): clock is VirtualClock => 'reset' in clock && 'ahead' in clock

/** Saves how far a clock is ahead of real time. Another kind of clock, which the caller provided, has no state. */
export const clockState = (clock: Clock): StatePart => ({
  snapshot: () => (isVirtual(clock) ? clock.ahead : 0),
  restore(ahead) {
    if (isVirtual(clock)) clock.reset(Number(ahead))
  },
  reset() {
    if (isVirtual(clock)) clock.reset()
  },
})

/** Saves the position of a source of randomness. */
export const streamState = (stream: SeededRandom): StatePart => ({
  snapshot: () => stream.snapshot(),
  restore: (state) => stream.restore(state as number[]),
  reset: () => stream.reset(),
})

/** Joins parts of the state, by name. Restoring does not change a part that is missing in the saved state. */
export const together = (
  parts: Readonly<Record<string, StatePart>>,
): StatePart & { snapshot(): Record<string, unknown> } => ({
  snapshot: () => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.snapshot()])),
  restore(state) {
    const saved = state as Readonly<Record<string, unknown>>
    for (const [name, part] of Object.entries(parts)) if (Object.hasOwn(saved, name)) part.restore(saved[name])
  },
  reset() {
    for (const part of Object.values(parts)) part.reset()
  },
})
