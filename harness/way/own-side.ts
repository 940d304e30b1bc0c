/** Measures what this machine spoiled, which is not the fault of a target (readings of the documents, 86): while a thread
 * stands still, because the machine is starved or the thread is busy, nothing that it sends or serves is on time. */
import type { ObstacleFacts } from '../vocabulary/index.ts'
import { boundMs } from '../wire/bounds.ts'

export type OwnSide = ObstacleFacts['own-side']

/** Returns the longest stall, in milliseconds, since a moment of `performance.now()`; 0 if there was none to speak of. */
export type StallSince = (moment: number) => number

const everyMs = 100

/** `repeat` calls its function every 100 ms while this thread does not stand still. */
export function stallsOf(now: () => number, repeat: (tick: () => void) => void): StallSince {
  let stalls: { readonly endedAt: number; readonly ms: number }[] = []
  let lastTick = now()
  const sinceTick = (): number => {
    const ms = now() - lastTick - everyMs
    return ms >= boundMs('ownStall') ? ms : 0
  }
  repeat(() => {
    const ms = sinceTick()
    lastTick = now()
    if (ms > 0) stalls = [...stalls.slice(-99), { endedAt: lastTick, ms }]
  })
  // A stall that has not ended yet counts, too.
  return (moment) => Math.max(sinceTick(), ...stalls.filter(({ endedAt }) => endedAt >= moment).map(({ ms }) => ms))
}

let own: StallSince | undefined

/** Begins to measure this thread. */
export function measuredStalls(): StallSince {
  own ??= stallsOf(
    () => performance.now(),
    (tick) => void setInterval(tick, everyMs).unref(),
  )
  return own
}

/** What the control listener of the provider stub says about the stub. */
interface Troubles {
  readonly lateMs: number
  readonly cutOff: number
}

/** Asks the provider stub, which may run in another thread, how late it was and how many of its replies were cut off
 * since a moment. */
export async function providerSince(provider: unknown, moment: number): Promise<Troubles> {
  const none = { lateMs: 0, cutOff: 0 }
  const { control } = (provider ?? {}) as { readonly control?: string }
  if (control === undefined) return none
  const { request } = await import('undici')
  const elapsed = (): number => Math.ceil(performance.now() - moment)
  try {
    const { statusCode, body } = await request(`${control}/troubles/${elapsed()}/${Date.now()}`, {
      signal: AbortSignal.timeout(askingMs),
    })
    const text = await body.text()
    return statusCode === 200 ? (JSON.parse(text) as Troubles) : none
  } catch {
    return { ...none, lateMs: elapsed() }
  }
}

const askingMs = 10_000
