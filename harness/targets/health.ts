/** The reply to the first question shows the forms of an API that a reference server has, and the clock of the target. */
import type { Finding, Json, Reply } from '../vocabulary/index.ts'
import { fieldOf, isObject } from '../vocabulary/reply.ts'
import type { WireOutcome } from '../wire/client.ts'

/** A reference server says in its health reply which forms of an API it has. Nothing else is read there: a reply must
 * not choose an address that is called, a file that is used, or what a check is given. */
export interface Described {
  readonly forms: Readonly<Record<string, string>>
}

const textsOf = (value: Json | undefined): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
      )
    : {}

/** Other servers say nothing of the kind, and a description that is not an object is ignored. */
export function describedIn(health: Reply | undefined): Described {
  const described = health ? fieldOf(health, '/reference') : undefined
  return { forms: isObject(described) ? textsOf(described.forms) : {} }
}

export const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')

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
