import type { IncomingHttpHeaders } from 'node:http'
import type { Row } from '../../literal/documented.ts'
import type { Call, Reply, Route, Token, Verb } from '../contracts.ts'
import type { RefusalCode } from './refusal.ts'

/** A request as the socket delivers it, its body collected. */
export interface IncomingRequest {
  readonly method: string
  /** As on the request line: path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer | undefined
}

/** What goes back to the socket. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array | undefined
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

/** A request on its way through the stages of the pipeline. Handlers see it as a `Call`. */
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
  /** What the documents say of the request, on a server that keeps to them. */
  documented: Row | undefined = undefined
  /** Why there is no route. */
  lost: RefusalCode = 'unsupported-path'
  /** The token has a number of requests, of which this is one. */
  counted = false
  /** The token's last request: it is revoked afterwards. */
  lastUse = false
  reply: Reply | undefined = undefined
  /** Of the policies that were evaluated. */
  warnings: readonly string[] = []
  leaseId = ''
  leaseSeconds = 0
  wrapInfo: WrapInfo | undefined = undefined
  answer: Answer | undefined = undefined

  constructor(incoming: IncomingRequest) {
    this.incoming = incoming
  }

  get headers(): IncomingHttpHeaders {
    return this.incoming.headers
  }
}

/** A header that must stand alone. */
export function headerOf(call: Pick<Call, 'headers'>, name: string): string | undefined {
  const value = call.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The token that a request brings, in either of the two headers. */
export function presentedToken(call: Pick<Call, 'headers'>): string | undefined {
  const plain = headerOf(call, 'x-vault-token')
  if (plain !== undefined) return plain
  const bearer = headerOf(call, 'authorization')
  return bearer !== undefined && /^bearer /i.test(bearer) ? bearer.slice(7).trim() || undefined : undefined
}
