/** Differences between the replies of two servers that both keep to the documents: what clients may notice all the same. */

/** `status`: another status. `body`: a body on one side only, or of another format. `type`: a field has another JSON type.
 * `field`: a field is on one side only. `order`: a list has the same items in another order. `value`: a field has another
 * value. `text`: a message is worded otherwise. `header`: a header is on one side only, or has another value. */
export const driftKinds = ['status', 'body', 'type', 'field', 'order', 'value', 'text', 'header'] as const
export type DriftKind = (typeof driftKinds)[number]

/** One reply of one server, as it was recorded: redacted, and cut where it is long. */
export interface DriftReply {
  readonly request: string
  readonly requestBody?: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request with the names and ids that a check made up left out: `GET {pki}/roles/{role}`. */
export interface DriftRequest {
  readonly request: string
  /** Replies that differ. */
  readonly replies: number
  /** Replies that were compared. */
  readonly of: number
}

export interface DriftField {
  /** `data.keys[]`, or the name of a header. Empty for status and body. */
  readonly name: string
  /** What the first server shows, and what the other shows; absent where it shows nothing there. */
  readonly first?: string
  readonly other?: string
}

export interface DriftEntry {
  readonly kind: DriftKind
  /** The areas of the checks that met it. */
  readonly areas: readonly string[]
  /** Several where they are on one side only, in the same replies. */
  readonly fields: readonly DriftField[]
  /** Further pairs of values that are folded into this entry. */
  readonly more: number
  /** The one with most differing replies first. */
  readonly requests: readonly DriftRequest[]
  readonly example: { readonly check: string; readonly first: DriftReply; readonly other: DriftReply }
}

export interface Drift {
  /** Checks that pass on both by the same definition, and whose exchanges both results have. */
  readonly checks: number
  /** Replies of both servers that were compared. */
  readonly replies: number
  /** Requests of these checks that only one of the servers was sent. */
  readonly unpaired: number
  readonly entries: readonly DriftEntry[]
}
