/** A fault that is played on the wire, between a check and the target. Faults are data: they are derived from the rows of
 * the law, and whoever plays them knows no area. */
import type { Json } from './exchange.ts'
import type { Area } from './words.ts'

/** What a faulty server does with a request that it should serve, or refuse, or with its reply. */
export const faultOperators = [
  // Whole requests.
  'hollow',
  'refuse',
  'ghost',
  'accept',
  'open-door',
  'closed-door',
  'kept-working',
  'stale',
  'constant',
  'other-object',
  'overreach',
  'twice',
  'late',
  // One field of a request.
  'ignore-field',
  'accept-without-field',
  'accept-other-value',
  'first-of-list',
  'last-of-list',
  'list-emptied',
  'default-changed',
  'value-refused',
  'value-changed',
  'bound-shifted',
  'resets-neighbours',
  // Replies.
  'reply-without-field',
  'reply-with-other-value',
  'one-more-element',
  'one-fewer-element',
  'leak',
  // The target asks this of a provider that the suite plays.
  'provider-more',
  'provider-fewer',
  'provider-other',
  'given-though-refused',
] as const
export type FaultOperator = (typeof faultOperators)[number]

/** A site selects requests by a method and a path below the prefix, where `{mount}` means a throw-away mount and
 * `:name` for one segment, and `:name?` for one that may be missing. */
export interface FaultSite {
  readonly method: string
  readonly path: string
  /** Paths that the pattern covers and that are other endpoints. */
  readonly except?: readonly string[]
}

/** The calls that the target makes at a provider are wrong in this way. */
export interface ProviderFault {
  /** In the provider's own terms; whoever plays the fault passes it on. */
  readonly order: Json
  /** Requests whose body names what belongs to the account that is bent: a key, or an ARN that holds its number. */
  readonly owner: { readonly at: FaultSite; readonly fields: readonly string[] }
}

export interface WireFault {
  /** `<area>/<endpoint>[.<field>]/<operator>[.<value>]`: unique. */
  readonly id: string
  readonly area: Area
  readonly operator: FaultOperator
  readonly says: string
  readonly at: FaultSite
  /** The requirements that it contradicts; checks that decide one of them are tried first. */
  readonly rows: readonly string[]
  readonly field?: string
  /** The field is in the query. */
  readonly isQuery?: boolean
  /** Things of the same name stand here that an overreaching request changes as well. */
  readonly namesakes?: FaultSite
  /** The value that the fault is about, or that it puts in place. */
  readonly value?: Json
  /** Further values, by field: the defaults that neighbours are reset to. */
  readonly values?: Readonly<Record<string, Json>>
  readonly provider?: ProviderFault
  /** Only requests that have this value. */
  readonly where?: { readonly field: string; readonly value: Json }
  /** The object of the request is read and listed here. */
  readonly readers?: readonly FaultSite[]
  /** The path of a call that must not be done beside the one at the site. */
  readonly beside?: string
}

/** What the checks are proven by. */
export interface ProofRecord {
  /** What each fault of the reference server does, by its id. */
  readonly mutants: Readonly<Record<string, string>>
  /** The address of the first check that noticed it, by the id of a fault on the wire. */
  readonly noticedBy: Readonly<Record<string, string>>
}

/** The lists in the bodies of one endpoint: by field, the requirements that say that it may be an array. A check that
 * decides one of them is about the array, and its lists are sent as it has written them. */
export interface ListSite extends FaultSite {
  readonly lists: Readonly<Record<string, readonly string[]>>
}
