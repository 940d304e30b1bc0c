/** Drift: differences between the replies of two servers that both conform to the documents. Clients may still notice
 * them. */

/** `status`: the status differs. `body`: only one side has a body, or the formats differ. `type`: a field has a
 * different JSON type. `field`: only one side has the field. `order`: a list has the same items in a different order.
 * `value`: a field has a different value. `text`: a message is worded differently. `header`: only one side has the
 * header, or its value differs. */
export const driftKinds = ['status', 'body', 'type', 'field', 'order', 'value', 'text', 'header'] as const
export type DriftKind = (typeof driftKinds)[number]

/** One reply of one server as it was recorded: redacted, and truncated if it is long. */
export interface DriftReply {
  readonly request: string
  readonly requestBody?: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request in which placeholders replace the names and ids that a check made up: `GET {pki}/roles/{role}`. */
export interface DriftRequest {
  readonly request: string
  /** The number of replies that differ. */
  readonly replies: number
  /** The number of replies that were compared. */
  readonly of: number
}

export interface DriftField {
  /** `data.keys[]`, or the name of a header. Empty for the kinds `status` and `body`. */
  readonly name: string
  /** The value at the first server (`other`: at the other server); absent if that server shows none. */
  readonly first?: string
  readonly other?: string
}

export interface DriftEntry {
  readonly kind: DriftKind
  /** The areas of the checks in which it occurred. */
  readonly areas: readonly string[]
  /** More than one if only one side has the fields, in the same replies. */
  readonly fields: readonly DriftField[]
  /** The number of further pairs of values that this entry also stands for. */
  readonly more: number
  /** The request with the most differing replies comes first. */
  readonly requests: readonly DriftRequest[]
  readonly example: { readonly check: string; readonly first: DriftReply; readonly other: DriftReply }
}

export interface Drift {
  /** The number of checks that pass on both servers by the same definition and whose exchanges are in both results. */
  readonly checks: number
  /** The number of replies that were compared between the two servers. */
  readonly replies: number
  /** The number of requests of these checks that were sent to only one of the servers. */
  readonly unpaired: number
  readonly entries: readonly DriftEntry[]
}
