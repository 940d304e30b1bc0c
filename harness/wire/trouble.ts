/** What can go wrong before a complete reply has arrived, and what follows from each kind. */
import { sizeBounds } from '../vocabulary/index.ts'

/** - `unsent`: no connection was made, so the target has received nothing.
 * - `broken`: the connection ended after the request began to leave, so the target may have acted on it.
 * - `not-taken`: the server that replied did not carry the request out, and no other one did: redirects led in a circle,
 *   or to a host that the operator has not named, or a node knew no active node. It may be taken a moment later.
 * - `cut`: the run ended before the reply arrived. This says nothing about the target.
 * - `late`, `too-large`, `garbled`, `untrusted`, `unsendable`: a retry would end in the same way. */
export type TroubleKind =
  | 'unsent'
  | 'broken'
  | 'not-taken'
  | 'late'
  | 'too-large'
  | 'garbled'
  | 'untrusted'
  | 'unsendable'
  | 'cut'

export interface Trouble {
  readonly kind: TroubleKind
  /** One sentence. */
  readonly words: string
}

const troubleByCode: Readonly<Record<string, (host: string, message: string) => Trouble>> = {
  ECONNREFUSED: (host) => ({ kind: 'unsent', words: `nothing listens at ${host}` }),
  ENOTFOUND: (host) => ({ kind: 'unsent', words: `the name of ${host} is not known` }),
  EAI_AGAIN: (host) => ({ kind: 'unsent', words: `the name of ${host} could not be looked up` }),
  EHOSTUNREACH: (host) => ({ kind: 'unsent', words: `there is no route to ${host}` }),
  ENETUNREACH: (host) => ({ kind: 'unsent', words: `there is no network route to ${host}` }),
  UND_ERR_CONNECT_TIMEOUT: (host) => ({ kind: 'unsent', words: `no connection to ${host} within the time limit` }),
  UND_ERR_HEADERS_OVERFLOW: () => ({
    kind: 'too-large',
    words: `the reply headers are larger than ${sizeBounds.headerBytes.value / 1024} KiB`,
  }),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: () => ({
    kind: 'garbled',
    words: 'the reply body is not as long as its Content-Length says',
  }),
  UND_ERR_INVALID_ARG: (_host, message) => ({ kind: 'unsendable', words: `the request cannot be sent: ${message}` }),
}

export interface Way {
  readonly host: string
  /** Host and port, without user and password. */
  readonly proxy: string | undefined
}

/** Returns the trouble for an error of the HTTP client. `sent`: the request had begun to leave. */
export function troubleOf(error: unknown, way: Way, sent: boolean): Trouble {
  const { code = '', message } = describe(error)
  const { host, proxy } = way
  // The connection goes to the proxy; if the proxy cannot reach the target, it reports that in a reply of its own.
  const peer = proxy === undefined ? host : `the proxy ${proxy} on the way to ${host}`
  const trouble = troubleByCode[code]
  if (trouble) return trouble(peer, message)
  if (error instanceof Error && error.name === 'HTTPParserError')
    return { kind: 'garbled', words: `the reply is not HTTP/1.1: ${message}` }
  if (/CERT|^UNABLE_TO|SELF_SIGNED|^ERR_(TLS|SSL)/.test(code))
    return { kind: 'untrusted', words: `TLS with ${host} failed: ${plain(message)}` }
  const details = code && !message.includes(code) ? `${message} (${code})` : message
  return sent
    ? { kind: 'broken', words: `the connection to ${peer} ended before the reply was complete: ${details}` }
    : { kind: 'unsent', words: `no connection to ${peer}: ${details}` }
}

/** Reduces an OpenSSL message to its text, without the thread number before it and the source location after it. */
function plain(message: string): string {
  const alert = /\balert ([a-z ]+):.*SSL alert number/s.exec(message)?.[1]
  if (alert) return `it answered with the alert "${alert}"`
  return /:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message
}

function describe(error: unknown): { code?: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0])
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === 'UND_ERR_SOCKET' && error.cause instanceof Error) return describe(error.cause)
  return { ...(code === undefined ? {} : { code }), message: error.message || error.name }
}
