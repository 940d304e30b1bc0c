/** A handler throws a refusal with a code and facts. Status and text are in the table below. */

export type Facts = Readonly<Record<string, unknown>>

export interface RefusalRow {
  readonly status: number
  /** Returns the texts of `errors`; none for the codes whose reply names no cause. */
  errors(facts: Facts): readonly string[]
}

const message = (facts: Facts): readonly string[] => [String(facts.message)]
const explained =
  (text: string) =>
  (facts: Facts): readonly string[] => [facts.message === undefined ? text : `${text}: ${facts.message}`]

export const refusals = {
  /** A field is missing, or its type or value is wrong. Facts: `message`. */
  'bad-request': { status: 400, errors: message },
  /** The path is known, but nothing is there (any more). */
  'not-found': { status: 404, errors: () => [] },
  /** No engine or endpoint of this version and edition has that path. Facts: `message`, which says what there is. */
  'unsupported-path': { status: 404, errors: explained('unsupported path') },
  /** The path is served in another form or at another place. Facts: `message`. */
  'wrong-path': { status: 404, errors: message },
  /** The path is known, but not with that method. Facts: `message`, which says what there is. */
  'unsupported-operation': { status: 405, errors: explained('unsupported operation') },
  /** This API does not use the method at all. */
  'unknown-method': { status: 405, errors: () => [] },
  'permission-denied': { status: 403, errors: () => ['permission denied'] },
  /** The token may not see the mount of a path. Facts: `message`. */
  'unseen-mount': { status: 403, errors: message },
  /** A governing policy denies the request. Facts: `policy`, `level`, and `why` for what is known besides. */
  'policy-denied': {
    status: 403,
    errors: ({ policy, level, why }) => [
      `permission denied: policy "${policy}" (${level}) evaluates to false${why ?? ''}`,
    ],
  },
  /** A code of an MFA method is missing or wrong. Facts: `message`. */
  'second-factor': { status: 403, errors: message },
  'missing-token': { status: 400, errors: () => ['missing client token'] },
  /** The server itself has failed. Facts: `message`. */
  internal: { status: 500, errors: (facts) => ['internal error', ...message(facts)] },
  /** A package that only this request needs is not installed. Facts: `message`. */
  'not-installed': { status: 500, errors: message },
  /** A provider behind the server throttles its requests. Facts: `message`. */
  'upstream-throttled': { status: 502, errors: message },
  /** A provider behind the server refused, failed or could not be reached. Facts: `message`. */
  'upstream-failed': { status: 400, errors: message },
  /** The primary of this secondary does not answer. Facts: `message`. */
  'primary-out-of-reach': { status: 502, errors: message },
  /** The body is of a type that the method does not take. Facts: `message`. */
  'wrong-media-type': { status: 415, errors: message },
  'too-large': { status: 413, errors: () => ['http: request body too large'] },
  'no-active-node': { status: 500, errors: () => ['local node not active but active cluster node not found'] },
  sealed: { status: 503, errors: () => ['server is sealed'] },
} satisfies Record<string, RefusalRow>

export type RefusalCode = keyof typeof refusals

/** Handlers and stages throw it; the pipeline answers with the status and text that the table has for its code. */
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

/** Makes a refusal for a field that is missing, or whose type or value is wrong. */
export const badRequest = (message: string): Refusal => new Refusal('bad-request', { message })

/** Throws such a refusal. */
export function refuse(message: string): never {
  throw badRequest(message)
}
