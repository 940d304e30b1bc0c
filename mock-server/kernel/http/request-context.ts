import type { IncomingHttpHeaders } from 'node:http'
import type { Row } from '../../literal/documented.ts'
import type { Call, Reply, Route, Token, Verb } from '../contracts.ts'
import { parseBoundedJson } from './body-fields.ts'
import { hasOddNumbers, parseKeepingNumbers } from './exact-numbers.ts'
import { badRequest, Refusal, type RefusalCode } from './refusal.ts'

/** What a performance secondary sends to its primary with a request. The secondary has checked the token; the primary
 * cannot check it, because it does not know the token. */
export interface Checked {
  readonly token: Token | undefined
  /** The warnings of the policies that the secondary evaluated. */
  readonly warnings: readonly string[]
}

/** A request from the socket, with its whole body. */
export interface IncomingRequest {
  readonly method: string
  /** The target of the request line: path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer | undefined
  /** The IP address of the sender. It is absent for requests that the server sends to itself. */
  readonly peer?: string
  /** True if a standby node received the request and answers it itself. */
  readonly isStandby?: boolean
  /** Set if a performance secondary received the request, checked it, and forwarded it to this cluster. */
  readonly checked?: Checked
}

/** What is written to the socket. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array | undefined
  /** Further headers: names and values, one after the other. */
  readonly headers?: readonly string[]
}

export interface WrapInfo {
  readonly token: string
  readonly accessor: string
  readonly ttl: number
  readonly creation_time: string
  readonly creation_path: string
  readonly wrapped_accessor?: string
}

const noQuery = new URLSearchParams()
const nothing: Readonly<Record<string, never>> = Object.freeze({})

/** A request, and what the stages of the pipeline find out about it. Handlers see it as a `Call`. */
export class RequestContext implements Call {
  readonly incoming: IncomingRequest
  verb: Verb = 'GET'
  path = ''
  rest = ''
  mountPath = ''
  params: Readonly<Record<string, string>> = nothing
  query: URLSearchParams = noQuery
  body: Readonly<Record<string, unknown>> = nothing
  token: Token | undefined = undefined

  route: Route | undefined = undefined
  /** The row of the documents for the request. It is set on a literal server only. */
  documented: Row | undefined = undefined
  /** Why there is no route. */
  lost: RefusalCode = 'unsupported-path'
  /** The methods that the path has, if it does not have that of the request. */
  otherMethods = ''
  /** True if the token is valid for a limited number of requests. */
  counted = false
  /** True if this is the last request that the token allows. The token is revoked afterwards. */
  lastUse = false
  reply: Reply | undefined = undefined
  /** The warnings of the policies that were evaluated. */
  warnings: readonly string[] = []
  leaseId = ''
  leaseSeconds = 0
  wrapInfo: WrapInfo | undefined = undefined
  answer: Answer | undefined = undefined

  constructor(incoming: IncomingRequest) {
    this.incoming = incoming
  }

  get method(): string {
    return this.incoming.method
  }

  get bodyToStore(): Call['body'] {
    const { body, headers } = this.incoming
    const text = body?.toString('utf8') ?? ''
    if (isForm(text, headers['content-type']) || !hasOddNumbers(text)) return this.body
    try {
      return parseKeepingNumbers(text) as Call['body']
    } catch (error) {
      throw badRequest(`failed to parse JSON input: ${(error as Error).message}`)
    }
  }

  get pathAsSent(): string {
    return this.incoming.url.replace(/\?.*$/s, '').slice(prefix.length)
  }

  get peer(): string {
    return this.incoming.peer ?? ''
  }

  get isStandby(): boolean {
    return this.incoming.isStandby ?? false
  }

  get headers(): IncomingHttpHeaders {
    return this.incoming.headers
  }
}

/** Returns the value of a header, or undefined if it is absent or empty. */
export function headerOf(call: Pick<Call, 'headers'>, name: string): string | undefined {
  const value = call.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the token in the header `X-Vault-Token`, or else the bearer token. Real servers know `Bearer` only as it is
 * written here. */
export function presentedToken(call: Pick<Call, 'headers'>): string | undefined {
  const plain = headerOf(call, 'x-vault-token')
  if (plain !== undefined) return plain
  const bearer = headerOf(call, 'authorization')
  return bearer?.startsWith('Bearer ') ? bearer.slice(7).trim() || undefined : undefined
}

const verbs: Readonly<Record<string, Verb>> = {
  GET: 'GET',
  HEAD: 'GET',
  LIST: 'LIST',
  POST: 'POST',
  PUT: 'POST',
  PATCH: 'PATCH',
  DELETE: 'DELETE',
}
const prefix = '/v1/'
/** The query values that servers of this family accept as true. */
const truths: ReadonlySet<string | null> = new Set(['1', 't', 'T', 'true', 'True', 'TRUE'])
export const isTrue = (value: string | null): boolean => truths.has(value)
const mergePatch = 'application/merge-patch+json'

/** Reads verb, path, query and body of the request. */
export function readRequest(request: RequestContext): void {
  const { method, url, body } = request.incoming
  const verb = Object.hasOwn(verbs, method) ? verbs[method] : undefined
  if (!verb) throw new Refusal('unknown-method')
  request.verb = verb

  const target = url.startsWith('/') ? url : pathOf(url)
  const mark = target.indexOf('?')
  request.path = readPath(mark === -1 ? target : target.slice(0, mark))
  if (mark !== -1) request.query = new URLSearchParams(target.slice(mark + 1))
  if (method === 'GET' && isTrue(request.query.get('list'))) request.verb = 'LIST'
  if (body !== undefined && (verb === 'POST' || verb === 'PATCH'))
    request.body = readBody(body, headerOf(request, 'content-type'))
}

/** Refuses a PATCH whose content type is not that of a JSON merge patch. */
export function assertMergePatch(request: RequestContext): void {
  if (request.verb !== 'PATCH') return
  const given = headerOf(request, 'content-type') ?? ''
  if (given.split(';')[0]?.trim().toLowerCase() !== mergePatch)
    throw new Refusal('wrong-media-type', {
      message: `PATCH requires Content-Type of ${mergePatch}, provided ${given || 'none'}`,
    })
}

/** Returns path and query of a request target that is a whole URL. */
function pathOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? parsed.pathname + parsed.search : url
}

function readPath(raw: string): string {
  if (!raw.startsWith(prefix)) throw new Refusal('unsupported-path', { message: 'the API is below /v1/' })
  let end = raw.length
  while (end > prefix.length && raw[end - 1] === '/') end--
  const path = raw.slice(prefix.length, end)
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    throw badRequest(`the path contains an invalid percent escape: ${path}`)
  }
}

const form = 'application/x-www-form-urlencoded'

/** `curl -d` declares a form whatever it sends, so what begins like a JSON object is JSON. */
const isForm = (text: string, contentType = ''): boolean =>
  contentType.toLowerCase().startsWith(form) && !/^\s*\{/.test(text)

/** Reads a form. The values of a field that is there several times are joined by commas. */
function readForm(text: string): Readonly<Record<string, string>> {
  const fields = new URLSearchParams(text)
  return Object.fromEntries([...fields.keys()].map((name) => [name, fields.getAll(name).join(',')]))
}

function readBody(bytes: Buffer, contentType?: string): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) return {}
  const text = bytes.toString('utf8')
  if (isForm(text, contentType)) return readForm(text)
  let value: unknown
  try {
    value = parseBoundedJson(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw badRequest(`failed to parse JSON input: ${reason}`)
  }
  if (value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw badRequest('failed to parse JSON input: an object is expected')
}
