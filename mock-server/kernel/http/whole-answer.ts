/** Writes an answer directly to the socket, because Node's general code for responses is slower than the rest of most
 * answers. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A whole answer as text with one byte per letter. The headers contain nothing from a client. */
export interface WholeAnswer {
  readonly status: number
  /** Lines that each end with CRLF. */
  readonly headers: string
  /** Empty if the answer has no body. */
  readonly body: string
}

// An import would also load Node's WebSocket client.
const { STATUS_CODES: statusTexts } = process.getBuiltinModule('node:http')

/** The corked connections, which buffer what is written to them. */
const held = new Set<Socket>()

/** Buffers what is written to a connection until the current events are handled, so that requests which arrived
 * together are answered together. If the connection is closed meanwhile, the buffer is written first. */
function gather(connection: Socket): void {
  if (held.has(connection)) return
  if (held.size === 0) setImmediate(release)
  held.add(connection)
  connection.cork()
}

function release(): void {
  for (const connection of held) connection.uncork()
  held.clear()
}

/** Returns whether the answer can be written directly: it is this response's turn, the client is reading, and the
 * request does not change the format of the answer. */
function isPlain({ req, socket }: ServerResponse): boolean {
  if (!socket?.writable || socket.writableNeedDrain) return false
  const { connection } = req.headers
  return req.method !== 'HEAD' && req.httpVersion === '1.1' && (connection === undefined || connection === 'keep-alive')
}

/** Writes the answer and returns true, or returns false if Node has to write it. The connection stays open for `idleMs`
 * milliseconds. The event `finish` makes Node continue with the next response. */
export function wroteWhole(response: ServerResponse, { status, headers, body }: WholeAnswer, idleMs: number): boolean {
  const { socket } = response
  if (!socket || !isPlain(response)) return false
  const keep = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(idleMs / 1000)}\r\n`
  gather(socket)
  socket.write(`HTTP/1.1 ${status} ${statusTexts[status]}\r\n${headers}${keep}\r\n${body}`, 'latin1')
  response.finished = true
  response.emit('finish')
  return true
}
