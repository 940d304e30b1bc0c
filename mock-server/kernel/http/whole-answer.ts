/** Writes an answer past Node's machinery for responses of any kind, which costs more than most answers. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** All of an answer, in text of one byte per letter. Nothing in the headers comes from a client. */
export interface WholeAnswer {
  readonly status: number
  /** Whole lines. */
  readonly headers: string
  /** Is empty if there is no body. */
  readonly body: string
}

// An import would also load Node's WebSocket client.
const { STATUS_CODES: statusTexts } = process.getBuiltinModule('node:http')

/** They hold back what is written to them. */
const held = new Set<Socket>()

/** Gathers what is written to a connection until the events that have arrived are handled: requests that came together
 * are answered together. Whatever closes the connection meanwhile writes it first. */
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

/** Tells whether it is the turn of this response, the client reads what is written, and nothing about the answer depends
 * on the request. */
function isPlain({ req, socket }: ServerResponse): boolean {
  if (!socket?.writable || socket.writableNeedDrain) return false
  const { connection } = req.headers
  return req.method !== 'HEAD' && req.httpVersion === '1.1' && (connection === undefined || connection === 'keep-alive')
}

/** Writes the answer and returns true, or returns false if Node has to write it. The connection stays open for `idleMs`
 * milliseconds. Node learns by the event `finish` that it may go on to the next response. */
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
