/** Reads the health reply: the API forms of a reference server, and the clock of the target. */
import type { Finding, Json, Reply } from '../vocabulary/index.ts'
import { fieldOf, isObject } from '../vocabulary/reply.ts'
import type { WireOutcome } from '../wire/client.ts'

/** The part of a reference server's description of itself that is read. Nothing else may be read from it: a reply
 * must not decide which address is called, which file is used, or what a check gets. */
export interface Described {
  readonly forms: Readonly<Record<string, string>>
}

const textsOf = (value: Json | undefined): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
      )
    : {}

/** Returns no forms for other servers, or if the description is not an object. */
export function describedIn(health: Reply | undefined): Described {
  const described = health ? fieldOf(health, '/reference') : undefined
  return { forms: isObject(described) ? textsOf(described.forms) : {} }
}

export const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')

export interface Skew {
  /** The clock of the target minus that of this machine, in milliseconds. It is 0 if the difference is within the
   * precision of a Date header. */
  readonly ms: number
  readonly evidence: string
  readonly finding?: Finding
}

/** From this difference on, certificates and short leases look wrong to people who compare both clocks. */
const notableMs = 5_000

/** Returns undefined if the reply has no valid Date header. */
export function skewOf({ attempts }: WireOutcome): Skew | undefined {
  const last = attempts.at(-1)
  const date = Date.parse(last?.headers?.date ?? '')
  if (!last || Number.isNaN(date)) return undefined
  // The header is truncated to whole seconds, so the middle of its second is compared with the middle of the exchange.
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
