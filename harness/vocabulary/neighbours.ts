/** What comes before the requests of a check, for other objects than its own. */
import type { Exchange } from './exchange.ts'

/** Requests for objects that no check judges. They are sent to the mount of a check before its own first request that
 * `before` matches, and change nothing of what the check finds on a correct server. */
export interface Neighbours {
  /** Matches requests, as `POST {mount}/path`. */
  readonly before: RegExp
  /** Matches the requests of checks that would find what these leave behind. */
  readonly unless?: RegExp
  /** If true, only before all other requests of the check to the mount. */
  readonly isFirst?: true
  /** What these make is deleted by them, or goes with the mount. */
  readonly sends: readonly Exchange[]
  /** How often the request itself is sent before, unless it should be refused. */
  readonly repeats?: number
}
