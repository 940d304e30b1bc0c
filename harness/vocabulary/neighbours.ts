/** Describes requests for other objects, which come before those of a check. */
import type { Exchange, Json, JsonObject } from './exchange.ts'
import type { Need } from './words.ts'

/** A field that requests can have besides what a check asks for, because it does the same whatever else they have. */
export interface Companion {
  /** Matches requests, as `POST {mount}/path`. */
  readonly to: RegExp
  readonly field: string
  readonly value: Json
  /** The id of the statement by which these requests have such a field. A server that refuses the field contradicts this one. */
  readonly row: string
  /** Matches the requirements of checks that look at what the field changes. */
  readonly unless: RegExp
  /** A request that has this field does not have the companion. */
  readonly notBeside?: string
  /** Only a request that has these fields has the companion. */
  readonly beside?: JsonObject
  /** Only checks have it whose other requests, which \`to\` matches, all have these fields. */
  readonly given?: { readonly to: RegExp; readonly has: JsonObject }
}

/** Requests for objects that no check judges. They are sent to the mount of a check before its own first request that
 * `before` matches, and change nothing of what the check finds on a correct server. */
export interface Neighbours {
  /** Matches requests, as `POST {mount}/path`. */
  readonly before: RegExp
  /** Matches the requests of checks that would find what these leave behind. */
  readonly unless?: RegExp
  /** If true, only before all other requests of the check to the mount. */
  readonly isFirst?: true
  /** Only checks that need this have it at hand for their neighbours. */
  readonly needs?: Need
  /** They delete what they make, or it goes with the mount. */
  readonly sends: readonly Exchange[]
  /** The request itself is sent so often before, unless it should be refused. */
  readonly repeats?: number
  /** The judged request, or its control if it should be refused, is sent so often before anything is looked at. */
  readonly ahead?: number
  /** Matches the requirements of checks to which that makes a difference. */
  readonly unlessDecided?: RegExp
}
