import type { Finding } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'

export interface Skew {
  /** Target minus this machine; 0 where the difference is within what a Date header can tell. */
  readonly ms: number
  readonly evidence: string
  readonly finding?: Finding
}

/** From here on certificates and short leases are judged wrongly by people who look at both clocks. */
const notableMs = 5_000

/** Undefined without a Date header. */
export function skewOf({ attempts }: WireOutcome): Skew | undefined {
  const last = attempts.at(-1)
  const date = Date.parse(last?.headers?.date ?? '')
  if (!last || Number.isNaN(date)) return undefined
  // The header is cut to whole seconds: its middle against the middle of the exchange.
  const raw = date + 500 - (last.sentAt + last.durationMs / 2)
  const ms = Math.abs(raw) <= 500 + last.durationMs / 2 + 50 ? 0 : Math.round(raw)
  const words = `its Date header is ${Math.abs(ms) / 1000} s ${ms < 0 ? 'behind' : 'ahead of'} this machine`
  const evidence = ms === 0 ? 'its Date header agrees with this machine to the second' : words
  if (Math.abs(ms) < notableMs) return { ms, evidence }
  return {
    ms,
    evidence,
    finding: { severity: 'warning', code: 'clock-skew', text: `the target's clock differs: ${words}` },
  }
}
