/** Describes requests for other objects, which come before those of a check. */
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
  /** They delete what they make, or it goes with the mount. */
  readonly sends: readonly Exchange[]
  /** The request itself is sent so often before, unless it should be refused. */
  readonly repeats?: number
}
