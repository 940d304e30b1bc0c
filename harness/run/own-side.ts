/** Measures what this machine spoiled, which is not the fault of a target (readings of the documents, 86): while a thread
 * stands still, because the machine is starved or the thread is busy, nothing that it sends or serves is on time. */
import type { ObstacleFacts } from '../vocabulary/index.ts'
import { boundMs } from '../wire/bounds.ts'

export type OwnSide = ObstacleFacts['own-side']

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
    const { statusCode, body } = await request(`${control}/troubles/${elapsed()}`, {
      signal: AbortSignal.timeout(askingMs),
    })
    const text = await body.text()
    return statusCode === 200 ? (JSON.parse(text) as Troubles) : none
  } catch {
    return { ...none, lateMs: elapsed() }
  }
}

const askingMs = 10_000

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
