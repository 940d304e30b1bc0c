import type { Source } from '../profile/sources.ts'
import type { Facts } from '../vocabulary/index.ts'

export interface TlsSettings {
  /** PEM text, already read. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly insecure: boolean
}

/** The address of a server and how to connect to it, with all files read and all variables substituted. It is plain
 * data, because it is sent to the worker. */
export interface Endpoint {
  /** Origin and optional base path, without trailing slash and user info, such as `https://vault.example:8200`. */
  readonly url: string
  /** The operator's token. If absent, only unauthenticated exchanges are possible. */
  readonly token?: string
  /** Headers that are sent with every request, such as a namespace. */
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsSettings
  /** `host:port` values that redirects may lead to, besides that of `url`. */
  readonly allowedHosts: readonly string[]
}

export interface ResolvedTarget extends Endpoint {
  readonly name: string
  readonly note?: string
  readonly dialect: string
  readonly declared: Facts
  /** The timeout of one request, in milliseconds. */
  readonly timeoutMs: number
  /** The most requests per second over all checks; 0 means unlimited. */
  readonly maxRps: number
  /** The longest time in seconds that a check may wait for time to pass on the target, such as for the end of a
   * lease. */
  readonly maxWaitSeconds: number
  /** The longest duration of the whole run, in seconds. */
  readonly maxDurationSeconds?: number
  /** How long a check waits for a cluster to settle after it changed its role, in seconds. */
  readonly patienceSeconds: number
  /** How soon a change that the documents call immediate has to happen, in seconds. It is at most the patience. */
  readonly immediateSeconds?: number
  /** How long checks wait for a cluster that went away, in seconds; by default as the table of bounds says. */
  readonly outageSeconds?: number
  /** The URL of the control listener of a reference server, by which checks move its clock. */
  readonly control?: string
  /** What the profile provides beyond URL and token, by need: `{ clusters: [...], 'key-shares': [...] }`. */
  readonly provides: Readonly<Record<string, unknown>>
  /** Every secret value of the configuration, for redaction. */
  readonly secrets: readonly string[]
  /** Where these values come from. */
  readonly sources?: readonly Source[]
  /** Environment variables that could have been meant for the target, and why they are not read. */
  readonly unusedVariables?: string
}
