/** Answers and closes a connection that the HTTP parser cannot read, or whose request took too long. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
}

const statuses: Readonly<Record<string, number>> = {
  HPE_INVALID_METHOD: 405,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** How long a connection stays open after its last answer, in milliseconds. If it were closed at once, a client that is
 * still sending could lose the answer. */
const lingerMs = 2000

export function destroySoon(connection: Socket): void {
  const timer = setTimeout(() => connection.destroy(), lingerMs).unref()
  connection.once('close', () => clearTimeout(timer))
}

interface Options {
  /** The latest request of each connection. An error is answered after the requests before it. */
  readonly latest: WeakMap<Socket, Exchange>
  headersOf(contentType: string): readonly string[]
  /** If true, refusals have no body. */
  readonly silent: boolean
}

export function answerBrokenConnections(server: Server, { latest, headersOf, silent }: Options): void {
  const broken = new WeakSet<Socket>()
  const headersFor = (body: string): readonly string[] => [
    ...headersOf('application/json'),
    ...['Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close'],
  ]

  /** Writes the answer directly to the socket, because Node has no response object without a request. */
  function answerConnection(connection: Socket, status: number, body: string): void {
    if (!connection.writable) {
      connection.destroy()
      return
    }
    const headers = headersFor(body)
    const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []))
    connection.end(`HTTP/1.1 ${status} ${statusTexts[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    destroySoon(connection)
  }

  function bodyOf(status: number, reason: string): string {
    if (silent) return ''
    return status === 405 ? '{"errors":[]}\n' : `${JSON.stringify({ errors: [reason] })}\n`
  }

  function onError(connection: Socket, status: number, reason: string): void {
    // The parser reports the error again for all further data.
    if (broken.has(connection)) return
    broken.add(connection)
    const body = bodyOf(status, reason)
    const exchange = latest.get(connection)
    if (!exchange || exchange.response.closed) answerConnection(connection, status, body)
    else if (exchange.request.complete)
      exchange.response.once('close', () => answerConnection(connection, status, body))
    else {
      // The request itself is broken, so nothing else will answer it.
      const { response } = exchange
      response.once('finish', () => destroySoon(connection))
      if (response.headersSent) response.end()
      else response.writeHead(status, [...headersFor(body)]).end(body)
    }
  }

  server.on('clientError', (error: NodeJS.ErrnoException, connection: Socket) =>
    onError(connection, statuses[error.code ?? ''] ?? 400, error.message),
  )
  server.on('connect', (_request: IncomingMessage, connection: Socket) =>
    onError(connection, 405, 'CONNECT is not supported'),
  )
}
