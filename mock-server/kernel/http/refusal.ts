/** Handlers refuse a request by throwing a refusal with a code and facts. The table below has the status and text of
 * each code. */

export type Facts = Readonly<Record<string, unknown>>

export interface RefusalRow {
  readonly status: number
  /** Returns the texts of the member `errors`. The list is empty for codes that are answered without a cause. */
  errors(facts: Facts): readonly string[]
}

const message = (facts: Facts): readonly string[] => [String(facts.message)]
const explained =
  (text: string) =>
  (facts: Facts): readonly string[] => [facts.message === undefined ? text : `${text}: ${facts.message}`]

export const refusals = {
  /** A field is missing, or its type or value is wrong. Facts: `message`. */
  'bad-request': { status: 400, errors: message },
  /** The path is valid, but the resource does not exist. */
  'not-found': { status: 404, errors: () => [] },
  /** No engine or endpoint of this version and edition has that path. Facts: `message`, which says what exists
   * instead. */
  'unsupported-path': { status: 404, errors: explained('unsupported path') },
  /** The request must use another path. Facts: `message`. */
  'wrong-path': { status: 404, errors: message },
  /** The path does not support the method. Facts: `message`, which names the methods that it supports. */
  'unsupported-operation': { status: 405, errors: explained('unsupported operation') },
  /** This API does not use the method at all. */
  'unknown-method': { status: 405, errors: () => [] },
  'permission-denied': { status: 403, errors: () => ['permission denied'] },
  /** The token has no access to the mount of the path. Facts: `message`. */
  'unseen-mount': { status: 403, errors: message },
  /** A governing policy denies the request. Facts: `policy`, `level`, and optionally `why`, which is appended. */
  'policy-denied': {
    status: 403,
    errors: ({ policy, level, why }) => [
      `permission denied: policy "${policy}" (${level}) evaluates to false${why ?? ''}`,
    ],
  },
  /** A code of an MFA method is missing or wrong. Facts: `message`. */
  'second-factor': { status: 403, errors: message },
  'missing-token': { status: 400, errors: () => ['missing client token'] },
  /** The server failed. Facts: `message`. */
  internal: { status: 500, errors: (facts) => ['internal error', ...message(facts)] },
  /** A package that only this request needs is not installed. Facts: `message`. */
  'not-installed': { status: 500, errors: message },
  /** A provider behind the server throttles its requests. Facts: `message`. */
  'upstream-throttled': { status: 502, errors: message },
  /** A provider behind the server refused, failed or could not be reached. Facts: `message`. */
  'upstream-failed': { status: 400, errors: message },
  /** The primary of this secondary cannot be reached. Facts: `message`. */
  'primary-out-of-reach': { status: 502, errors: message },
  /** The method does not accept a body of this media type. Facts: `message`. */
  'wrong-media-type': { status: 415, errors: message },
  'too-large': { status: 413, errors: () => ['http: request body too large'] },
  'no-active-node': { status: 500, errors: () => ['local node not active but active cluster node not found'] },
  sealed: { status: 503, errors: () => ['server is sealed'] },
} satisfies Record<string, RefusalRow>

export type RefusalCode = keyof typeof refusals

/** Thrown by handlers and stages. The pipeline answers with the status and text of its code. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly facts: Facts
  constructor(code: RefusalCode, facts: Facts = {}) {
    const row: RefusalRow = refusals[code]
    super(`${code}: ${row.errors(facts).join('; ') || 'no cause given'}`)
    this.code = code
    this.facts = facts
  }
}

/** Makes a refusal with status 400, for a field that is missing or has the wrong type or value. */
export const badRequest = (message: string): Refusal => new Refusal('bad-request', { message })

export function refuse(message: string): never {
  throw badRequest(message)
}
