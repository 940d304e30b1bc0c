import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createListServer, type ListForm, listStandIn, type TlsFiles } from './list-method.ts'
import { Refusal, type RefusalRow, refusals } from './refusal.ts'
import type { Answer, Arrival } from './visit.ts'

export interface ListenerOptions {
  readonly host: string
  readonly port: number
  readonly tls?: TlsFiles | undefined
  readonly form?: ListForm
  /** Longest body, in bytes. */
  readonly bodyLimit: number
  /** Milliseconds since the epoch, for the `Date` header. */
  now(): number
  serve(arrival: Arrival): Answer | Promise<Answer>
  /** Milliseconds to wait before an answer goes out. */
  delay(): number
}

export interface Listener {
  readonly url: string
  close(): Promise<void>
}

/** The answer to the latest request of a connection; what broke the connection is told after it. */
const latest = Symbol('latest answer')
type Connection = Socket & { [latest]?: ServerResponse }

const statusLines: Readonly<Record<number, string>> = {
  400: '400 Bad Request',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  431: '431 Request Header Fields Too Large',
}
const troubles: Readonly<Record<string, number>> = {
  HPE_INVALID_METHOD: 405,
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

export async function listen(options: ListenerOptions): Promise<Listener> {
  const { host, port, tls, form = 'in-place', bodyLimit } = options
  let dateAt = 0
  let date = ''

  function today(): string {
    const second = Math.floor(options.now() / 1000)
    if (second !== dateAt) {
      dateAt = second
      date = new Date(second * 1000).toUTCString()
    }
    return date
  }

  function write(response: ServerResponse, { status, contentType, body }: Answer): void {
    const headers = ['Cache-Control', 'no-store', 'Content-Type', contentType, 'Date', today()]
    if (body === undefined) {
      response.writeHead(status, headers).end()
      return
    }
    const length = Buffer.byteLength(body)
    headers.push('Content-Length', String(length))
    // Text of one byte a letter is written faster as such.
    response.writeHead(status, headers).end(body, length === body.length ? 'latin1' : 'utf8')
  }

  function send(response: ServerResponse, answer: Answer): void {
    const delay = options.delay()
    if (delay > 0) setTimeout(write, delay, response, answer)
    else write(response, answer)
  }

  function take(request: IncomingMessage, response: ServerResponse, body: Buffer | undefined): void {
    const method = request.method === listStandIn ? 'LIST' : (request.method ?? '')
    const answer = options.serve({ method, url: request.url ?? '', headers: request.headers, body })
    if (answer instanceof Promise) {
      answer.then(
        (made) => send(response, made),
        (error: Error) => response.destroy(error),
      )
    } else send(response, answer)
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { headers, socket } = request
    ;(socket as Connection)[latest] = response
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    if (hasBody) collect(request, response)
    else take(request, response, undefined)
  }

  /** Reads the body; one that is too long is answered at once, and the rest of it is read past. */
  function collect(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    let length = 0
    const tooLarge = (): void => {
      chunks.length = 0
      length = Number.POSITIVE_INFINITY
      send(response, plainAnswer(new Refusal('too-large')))
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

  const { http, socket } = createListServer(receive, { form, tls, keepAliveTimeout: 65_000 })

  // The parser gave up: the connection ends with the reason, as JSON like every other answer.
  http.on('clientError', (error: NodeJS.ErrnoException, connection: Connection) => {
    const tell = (): void => {
      if (!connection.writable) {
        connection.destroy()
        return
      }
      const status = troubles[error.code ?? ''] ?? 400
      const body = status === 405 ? '{"errors":[]}\n' : `${JSON.stringify({ errors: [error.message] })}\n`
      const head = [
        `HTTP/1.1 ${statusLines[status]}`,
        'Cache-Control: no-store',
        'Content-Type: application/json',
        `Date: ${today()}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
      ]
      connection.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    }
    const owed = connection[latest]
    if (owed && !owed.writableFinished) owed.once('close', tell)
    else tell()
  })

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
