import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { createServer as createSecureServer } from 'node:tls'
import { ListRewriter } from './list-rewriter.ts'

/** `in-place` changes the bytes in the buffer that the parser is about to read, which rests on Node handing one buffer to
 * every listener in order. `duplex` puts a stream in between and rests on documented behaviour only, at some cost. */
export type ListForm = 'in-place' | 'duplex'

export interface TlsFiles {
  /** PEM text. */
  readonly cert: string
  readonly key: string
}

export interface ListServer {
  /** Has the HTTP events: `clientError`, `request`. */
  readonly http: Server
  /** Listens and closes. */
  readonly socket: NetServer
}

const handshakeTimeout = 20_000

/** The method a handler of such a server sees in place of LIST. */
export const listStandIn = 'LINK'

/** An HTTP server that takes the method LIST. */
export function createListServer(
  handler: RequestListener,
  { form = 'in-place', tls, ...options }: ServerOptions & { form?: ListForm; tls?: TlsFiles | undefined } = {},
): ListServer {
  if (form === 'duplex') {
    const http = createServer(options, handler)
    const pass = (socket: Socket): void => {
      http.emit('connection', rewritten(socket))
    }
    const listener = tls ? createSecureServer({ ...tls, handshakeTimeout }, pass) : createNetServer(pass)
    // The HTTP server has no socket of its own; it watches over the times of its connections from this event on.
    listener.on('listening', () => http.emit('listening'))
    listener.on('close', () => http.close())
    return { http, socket: listener }
  }
  const http = tls ? createTlsServer({ ...options, ...tls, handshakeTimeout }, handler) : createServer(options, handler)
  const event = tls ? 'secureConnection' : 'connection'
  http.prependListener(event, (socket: Socket) => {
    const rewriter = new ListRewriter()
    socket.on('data', (bytes) => rewriter.push(bytes as Buffer))
  })
  // A listener of its own makes Node read the socket in JavaScript instead of handing it to the parser natively.
  http.on(event, (socket: Socket) => socket.on('data', () => {}))
  return { http, socket: http }
}

function rewritten(socket: Socket): Duplex {
  const rewriter = new ListRewriter()
  const duplex = new Duplex({
    allowHalfOpen: true,
    read: () => {
      socket.resume()
    },
    write: (chunk, encoding, done) => {
      socket.write(chunk, encoding, done)
    },
    final: (done) => {
      socket.end(done)
    },
    destroy: (error, done) => {
      socket.destroy(error ?? undefined)
      done(error)
    },
  })
  // The HTTP server closes idle connections by this method, which only sockets have.
  Object.assign(duplex, { setTimeout: (ms: number, listener?: () => void) => socket.setTimeout(ms, listener) })
  socket.on('timeout', () => duplex.emit('timeout'))
  socket.on('data', (bytes: Buffer) => {
    rewriter.push(bytes)
    if (!duplex.push(bytes)) socket.pause()
  })
  socket.on('end', () => duplex.push(null))
  socket.on('error', (error) => duplex.destroy(error))
  socket.on('close', () => duplex.destroy())
  return duplex
}
