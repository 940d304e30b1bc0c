/** The log of the requests that a server received, for assertions of tests. It shows no secrets: no tokens, no values
 * of fields for secrets, and no values in engines for secrets. */
import { type IncomingRequest, presentedToken } from '../kernel/http/request-context.ts'
import { pathIn, wholePathOf } from '../kernel/namespaces/enter.ts'
import { isObject } from './options.ts'

export interface LoggedRequest {
  /** The method as it was sent, such as `LIST` or `PUT`. */
  readonly method: string
  /** The path below `/v1/`, decoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The headers that describe the request; never a token. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON of the body, with secrets replaced by `[redacted]`. Undefined if there was no body, or if it was not
   * JSON. */
  readonly body: unknown
  /** The accessor of the token, if it was valid. */
  readonly accessor: string | undefined
  /** Undefined until the request is answered, and if the connection was cut. */
  readonly status: number | undefined
  /** The name of the fault that was played, if any. */
  readonly fault: string | undefined
  /** Milliseconds since the epoch, by the clock of the server. */
  readonly at: number
}

/** What the log needs from the server. */
export interface Facts {
  now(): number
  mountTypeAt(path: string): string | undefined
  accessorOf(token: string): string | undefined
}

export interface RequestLog {
  /** The caller writes status and fault into the returned entry when it knows them. */
  begin(incoming: IncomingRequest): { fault: string | undefined; status: number | undefined }
  readonly entries: readonly LoggedRequest[]
  clear(): void
}

export const redacted = '[redacted]'

/** The log keeps this many of the latest requests, and bodies up to this many bytes. */
const most = { requests: 1000, bytes: 65_536 } as const

const shownHeaders = ['content-type', 'user-agent', 'x-vault-namespace', 'x-vault-request', 'x-vault-wrap-ttl'] as const

/** The engines whose fields are known. In all other engines, every value may be a secret. */
const openTypes: ReadonlySet<string | undefined> = new Set([
  ...['system', 'identity', 'token', 'userpass', 'approle', 'pki', 'cloud', 'aws'],
])

const secretName =
  /(^|_)(password|passwords|passcode|passcodes|secret|secret_id|token|tokens|key|keys|otp|code|nonce|pem_bundle|bundle|payload|env|credential|credentials|share|shares)$/i

type IsSecret = (name: string, value: unknown) => boolean

function withoutSecrets(value: unknown, isSecret: IsSecret, name = ''): unknown {
  if (isSecret(name, value)) return redacted
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, isSecret))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, isSecret, key)]))
}

function jsonOf(body: Buffer | undefined): unknown {
  if (!body || body.length === 0) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Decides which values of a request are secrets. */
function secretsOf(path: string, type: string | undefined, isToken: (text: string) => boolean): IsSecret {
  const isClosed = !openTypes.has(type) || path.startsWith('sys/wrapping/')
  return (name, value) => {
    if (typeof value === 'string' && (isToken(value) || value.includes('PRIVATE KEY'))) return true
    if (isClosed) return !isObject(value) && !Array.isArray(value)
    // The `id` in a request to create a token is the token itself.
    return secretName.test(name) || (type === 'token' && name === 'id')
  }
}

/** A request as it was received. It is redacted only when the log is read, because most servers never read their
 * log. */
interface RawEntry {
  readonly incoming: IncomingRequest
  readonly type: string | undefined
  readonly accessor: string | undefined
  readonly at: number
  status: number | undefined
  fault: string | undefined
}

/** The shapes of tokens that this server makes. */
const tokenShape = /^(s\.[A-Za-z0-9]{24}|hvs?\.[A-Za-z0-9]{24,})$/

function entryOf({ incoming, type, ...rest }: RawEntry, isToken: (text: string) => boolean): LoggedRequest {
  const { method, url, headers, body } = incoming
  const path = pathIn(url)
  const isSecret = secretsOf(path, type, isToken)
  const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  const json = jsonOf(body)
  const query = withoutSecrets(Object.fromEntries(new URLSearchParams(search)), (name, value) =>
    name === '' ? false : secretName.test(name) || isToken(String(value)),
  )
  return {
    method,
    path: path
      .split('/')
      .map((segment) => (isToken(segment) ? redacted : segment))
      .join('/'),
    query: query as Record<string, string>,
    headers: Object.fromEntries(shownHeaders.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []))),
    body: json === undefined ? undefined : withoutSecrets(json, isSecret),
    ...rest,
  }
}

export function createRequestLog({ now, mountTypeAt, accessorOf }: Facts): RequestLog {
  let rawEntries: RawEntry[] = []
  return {
    begin(incoming) {
      const token = presentedToken(incoming)
      const isTooLong = (incoming.body?.length ?? 0) > most.bytes
      const entry: RawEntry = {
        incoming: isTooLong ? { ...incoming, body: undefined } : incoming,
        type: mountTypeAt(wholePathOf(incoming)),
        accessor: token === undefined ? undefined : accessorOf(token),
        at: now(),
        status: undefined,
        fault: undefined,
      }
      rawEntries.push(entry)
      if (rawEntries.length > most.requests) rawEntries.shift()
      return entry
    },
    get entries() {
      // Tokens that were sent must be redacted even if they are no longer valid.
      const sent = new Set(rawEntries.map(({ incoming }) => presentedToken(incoming)))
      const isToken = (text: string): boolean =>
        sent.has(text) || tokenShape.test(text) || accessorOf(text) !== undefined
      return rawEntries.map((entry) => entryOf(entry, isToken))
    },
    clear() {
      rawEntries = []
    },
  }
}
