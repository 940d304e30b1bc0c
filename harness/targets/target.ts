import type { Facts } from '../vocabulary/index.ts'

export interface TlsSettings {
  /** PEM text, already read. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly insecure: boolean
}

/** One server under test, with everything read, substituted and checked. Plain data: it crosses into the worker. */
export interface Endpoint {
  /** Origin and optional base path, no trailing slash, no user info: `https://vault.example:8200`. */
  readonly url: string
  /** The operator's token; absent where only unauthenticated exchanges are possible. */
  readonly token?: string
  /** Sent with every request: a namespace, say. */
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsSettings
  /** `host:port` values that redirects may lead to besides the endpoint's own. */
  readonly allowedHosts: readonly string[]
}

export interface ResolvedTarget extends Endpoint {
  readonly name: string
  readonly note?: string
  readonly dialect: string
  readonly declared: Facts
  /** Per request, ms. */
  readonly timeoutMs: number
  /** Requests a second over all checks; 0 is unlimited. */
  readonly maxRps: number
  /** Longest time, in seconds, a check may wait for the target's clock. */
  readonly maxWaitSeconds: number
  /** Longest time for the whole run, s. */
  readonly maxDurationSeconds?: number
  /** A check waits this long for the target to settle after it changed a role, s. */
  readonly patienceSeconds: number
  /** Anything that the documents call immediate should have happened this soon, s; never later than the patience
   * ends. */
  readonly immediateSeconds?: number
  /** The control listener of a reference server; gives checks a clock that moves. */
  readonly control?: string
  /** Needs the profile provides beyond URL and token, by need: `{ clusters: [...], 'key-shares': [...] }`. */
  readonly provides: Readonly<Record<string, unknown>>
  /** Every secret value configured, for redaction. */
  readonly secrets: readonly string[]
}
