import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../contracts.ts'
import { answerBrokenConnections, destroySoon, type Exchange } from './broken-connections.ts'
import { createListServer, type ListForm, listStandIn, type TlsFiles } from './list-method.ts'
import { Refusal, type RefusalRow, refusals } from './refusal.ts'
import type { Answer, IncomingRequest } from './request-context.ts'
import { wroteWhole } from './whole-answer.ts'

export interface ListenerOptions {
  readonly host: string
  readonly port: number
  readonly tls?: TlsFiles | undefined
  readonly form?: ListForm
  /** If true, answers have only the headers that HTTP needs, and refusals have no body. */
  readonly literal?: boolean
  /** The longest accepted body, in bytes. */
  readonly bodyLimit: number
  readonly limits?: Partial<Limits> | undefined
  /** Gives the time for the `Date` header. */
  readonly clock: Pick<Clock, 'now'>
  serve(incoming: IncomingRequest): Answer | Promise<Answer>
  /** Returns by how many milliseconds the next answer is delayed. */
  delay(): number
}

export interface Listener {
  readonly url: string
  close(): Promise<void>
}

/** Limits the time and the connections that clients may use. Times are in milliseconds. */
export interface Limits {
  readonly headersMs: number
  readonly requestMs: number
  readonly idleMs: number
  /** The interval between checks of the timeouts. */
  readonly checkMs: number
  readonly connections: number
}

const usualLimits: Limits = {
  headersMs: 20_000,
  requestMs: 120_000,
  idleMs: 65_000,
  checkMs: 2000,
  connections: 10_000,
}

interface Writer {
  /** Returns names and values, one after the other. */
  headersOf(contentType: string): string[]
  send(response: ServerResponse, answer: Answer): void
}

function createWriter({ clock, delay, literal = false, form }: ListenerOptions, idleMs: number): Writer {
  let dateAt = 0
  let date = ''
  /** The header lines of all answers of a content type. They are cached until the date changes. */
  const lines = new Map<string, string>()

  function today(): string {
    const second = Math.floor(clock.now() / 1000)
    if (second !== dateAt) {
      dateAt = second
      date = new Date(second * 1000).toUTCString()
      lines.clear()
    }
    return date
  }

  const headersOf = (contentType: string): string[] =>
    literal ? [] : ['Cache-Control', 'no-store', 'Content-Type', contentType, 'Date', today()]

  function linesOf(contentType: string): string {
    today()
    let text = lines.get(contentType)
    if (text === undefined) {
      text = linesIn(headersOf(contentType))
      lines.set(contentType, text)
    }
    return text
  }

  /** Writes the answer directly to the socket if it can, and returns whether it did. The form `duplex` relies on
   * documented behavior only, so it always lets Node write. */
  function wroteAtOnce(response: ServerResponse, { status, contentType, body = '', headers }: Answer): boolean {
    if (form === 'duplex' || headers || typeof body !== 'string' || Buffer.byteLength(body) !== body.length)
      return false
    const length = status === 204 ? '' : `Content-Length: ${body.length}\r\n`
    return wroteWhole(response, { status, headers: linesOf(contentType) + length, body }, idleMs)
  }

  function write(response: ServerResponse, answer: Answer): void {
    if (wroteAtOnce(response, answer)) return
    const { status, contentType, body, headers: further = [] } = answer
    response.sendDate = !literal
    const headers = [...headersOf(contentType), ...further]
    if (body === undefined) {
      if (status !== 204) headers.push('Content-Length', '0')
      response.writeHead(status, headers).end()
      return
    }
    headers.push('Content-Length', String(Buffer.byteLength(body)))
    response.writeHead(status, headers).end(body)
  }

  function send(response: ServerResponse, answer: Answer): void {
    const ms = delay()
    if (ms > 0) setTimeout(write, ms, response, answer)
    else write(response, answer)
  }

  return { headersOf, send }
}

const linesIn = (headers: readonly string[]): string =>
  headers.map((text, at) => text + (at % 2 === 0 ? ': ' : '\r\n')).join('')

export async function listen(options: ListenerOptions): Promise<Listener> {
  const { host, port, tls, form = 'in-place', bodyLimit, literal = false } = options
  const latest = new WeakMap<Socket, Exchange>()
  const { headersMs, requestMs, idleMs, checkMs, connections: mostConnections } = { ...usualLimits, ...options.limits }
  const { headersOf, send } = createWriter(options, idleMs)

  function take(request: IncomingMessage, response: ServerResponse, body: Buffer | undefined): void {
    const method = request.method === listStandIn ? 'LIST' : (request.method ?? '')
    const peer = request.socket.remoteAddress ?? ''
    const answer = options.serve({ method, url: request.url ?? '', headers: request.headers, body, peer })
    if (answer instanceof Promise) {
      answer.then(
        (result) => send(response, result),
        (error: Error) => response.destroy(error),
      )
    } else send(response, answer)
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request
    latest.set(request.socket, { request, response })
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    if (hasBody) collect(request, response)
    else take(request, response, undefined)
  }

  /** Reads the body. A body that is too long is refused at once, and the connection is closed. */
  function collect(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    let length = 0
    const tooLarge = (): void => {
      chunks.length = 0
      length = Number.POSITIVE_INFINITY
      refuseBody(request, response)
    }
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) tooLarge()
    request.on('data', (chunk: Buffer) => {
      if (length === Number.POSITIVE_INFINITY) return
      length += chunk.length
      if (length > bodyLimit) tooLarge()
      else chunks.push(chunk)
    })
    request.on('end', () => {
      if (length < Number.POSITIVE_INFINITY)
        take(request, response, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    })
  }

  /** Writes the whole answer at once, but ends the response only when the request ends: if the connection closed
   * earlier, a client that is still sending would lose the answer. */
  function refuseBody(request: IncomingMessage, response: ServerResponse): void {
    // A body with a protocol error has already been answered.
    if (response.headersSent) return
    const { status, contentType, body: cause = '' } = plainAnswer(new Refusal('too-large'))
    const body = literal ? '' : cause
    response.sendDate = !literal
    response.writeHead(status, [
      ...headersOf(contentType),
      ...['Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close'],
    ])
    response.write(body)
    request.on('end', () => response.end())
    destroySoon(request.socket)
  }

  const { http, socket } = createListServer(receive, {
    ...{ form, tls, keepAliveTimeout: idleMs, headersTimeout: headersMs, requestTimeout: requestMs },
    connectionsCheckingInterval: checkMs,
  })
  socket.maxConnections = mostConnections
  answerBrokenConnections(http, { latest, headersOf, silent: literal })

  const connections = new Set<Socket>()
  socket.on('connection', (connection: Socket) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.listen(port, host, () => resolve())
  })
  const address = socket.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address

  return {
    url: `${tls ? 'https' : 'http'}://${name}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        socket.close(() => resolve())
        for (const connection of connections) connection.destroy()
      }),
  }
}

const plainAnswer = (refusal: Refusal): Answer => {
  const row: RefusalRow = refusals[refusal.code]
  return {
    status: row.status,
    contentType: 'application/json',
    body: `${JSON.stringify({ errors: row.errors(refusal.facts) })}\n`,
  }
}
