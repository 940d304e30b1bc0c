/** Faults that are played on the wire, between a check and the target. Faults are data: they are derived from the rows
 * of the law, and the code that plays them knows no area. */
import type { Json } from './exchange.ts'
import type { Companion, Neighbours } from './neighbours.ts'
import type { Area } from './words.ts'

/** How a faulty server mishandles a request, or the reply to it. */
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
  // Requests that are spelled otherwise.
  'spelling-refused',
  'spelling-mistaken',
  // The requests that the target sends to the provider that the suite plays.
  'provider-more',
  'provider-fewer',
  'provider-other',
  'given-though-refused',
] as const
export type FaultOperator = (typeof faultOperators)[number]

/** Selects requests by method and by path below the prefix. In the path, `{mount}` stands for a throw-away mount,
 * `:name` for one segment, and `:name?` for an optional segment. */
export interface FaultSite {
  readonly method: string
  readonly path: string
  /** Paths that match the pattern but belong to other endpoints. */
  readonly except?: readonly string[]
}

/** The requests at its site in which a fault shows. A server that is wrong always is noticed by any check; one that is
 * wrong on occasion shows which inputs, orders and states the checks leave out. */
export type Occasion =
  /** It shows from this call on the same mount on, counted from 1. */
  | { readonly kind: 'later-calls'; readonly from: number; readonly everywhere?: true }
  /** Not on the path that is called first on its mount. */
  | { readonly kind: 'other-objects'; readonly everywhere?: true }
  /** An upper-case letter in a field, or in the last segment of the path. */
  | { readonly kind: 'capitals'; readonly field?: string }
  | { readonly kind: 'beside' | 'without'; readonly field: string }
  /** After a request to the same mount was served there. `everywhere`: what a server remembers is the same for all mounts. */
  | { readonly kind: 'after'; readonly site: FaultSite; readonly everywhere?: true }
  /** Callers other than the operator. */
  | { readonly kind: 'other-callers' }

/** How the requests that the target sends to a provider are wrong. */
export interface ProviderFault {
  /** An instruction to the provider stub, in the stub's own format; it is passed on unchanged. */
  readonly order: Json
  /** Requests whose body identifies the provider account that the fault affects: by a key, or by an ARN that contains
   * the account number. */
  readonly owner: { readonly at: FaultSite; readonly fields: readonly string[] }
}

export interface WireFault {
  /** `<area>/<endpoint>[.<field>]/<operator>[.<value>]`; unique. */
  readonly id: string
  readonly area: Area
  readonly operator: FaultOperator
  readonly says: string
  readonly at: FaultSite
  /** The requirements that the fault contradicts; checks that decide one of them are tried first. */
  readonly rows: readonly string[]
  readonly field?: string
  /** True if the field is in the query. */
  readonly isQuery?: boolean
  /** Where objects of the same name exist that an overreaching request changes as well. */
  readonly namesakes?: FaultSite
  /** The value that the fault concerns or that it substitutes. */
  readonly value?: Json
  /** Further values, by field: the defaults to which the fault resets neighbouring fields. */
  readonly values?: Readonly<Record<string, Json>>
  readonly provider?: ProviderFault
  /** Restricts the fault to requests in which the field has this value. */
  readonly where?: { readonly field: string; readonly value: Json }
  readonly only?: Occasion
  /** The endpoints that read or list the object of the request. */
  readonly readers?: readonly FaultSite[]
  /** The path of a call that must not happen in addition to the one at the site. */
  readonly beside?: string
}

/** The evidence that the checks notice faults. */
export interface ProofRecord {
  /** What each fault of the reference server does, by its id. */
  readonly mutants: Readonly<Record<string, string>>
  /** The address of the first check that noticed a fault on the wire, by the fault's id. */
  readonly noticedBy: Readonly<Record<string, string>>
}

/** The lists in the request bodies of one endpoint. `lists` maps a field to the requirements that allow it to be an
 * array. A check that decides one of these requirements is about the array, so its lists are sent exactly as
 * written. */
export interface ListSite extends FaultSite {
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** How a request can be spelled so that it means the same. */
export type Spelling =
  | 'no-body'
  | 'escaped-name'
  | 'blanks'
  | 'other-form'
  | 'written-default'
  | 'duration'
  | 'serial'
  | 'base64'
  | 'pem-space'
  | 'pem-crlf'
  | 'pem-text'
  | 'pem-pkcs8'
  | 'no-token'

/** The requests to one endpoint, or a field of them, that can be spelled otherwise. */
export interface SpellingSite extends FaultSite {
  readonly id: string
  readonly spelling: Spelling
  /** The requirement that makes the spelling equal. */
  readonly row: string
  /** The fields that are spelled so, if it is about fields. */
  readonly fields?: readonly string[]
  /** The defaults of these fields. */
  readonly values?: Readonly<Record<string, Json>>
}

/** What a run chooses for a check because no statement lets it matter: who sends its requests, and how it names things. */
export type Circumstance =
  /** A token of the run, which may do what the checks need and nothing else. */
  | { readonly id: 'other-caller' }
  /** These throw-away names have a capital letter. */
  | { readonly id: 'capitals'; readonly names: readonly string[] }
  /** Requests for neighbours come first on its mount. */
  | { readonly id: 'neighbours'; readonly neighbours: readonly Neighbours[] }
  /** Its requests have these fields besides. */
  | { readonly id: 'companions'; readonly companions: readonly Companion[] }

/** What a check may be judged with that makes no difference on a correct server. */
export type Varied = SpellingSite | Circumstance
