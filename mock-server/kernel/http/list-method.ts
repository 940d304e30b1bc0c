import type { RequestListener, Server, ServerOptions } from 'node:http'
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** How the method LIST is rewritten before Node's parser reads it. `in-place` changes the bytes in the buffer, which
 * relies on Node passing the same buffer to all listeners in order. `duplex` puts a stream in between: it relies on
 * documented behavior only, but is slower. */
export type ListForm = 'in-place' | 'duplex'

export interface TlsFiles {
  /** The certificate and the key are PEM text. */
  readonly cert: string
  readonly key: string
}

export interface ListServer {
  /** Emits the HTTP events, such as `clientError` and `request`. */
  readonly http: Server
  /** The server to call `listen` and `close` on. */
  readonly socket: NetServer
}

const handshakeTimeout = 20_000

/** The method that request handlers see instead of LIST. */
export const listStandIn = 'LINK'

// An import would also run a getter that loads Node's WebSocket client, which takes longer than everything else here.
const { createServer } = process.getBuiltinModule('node:http')
const tlsModule = () => process.getBuiltinModule('node:tls')
const httpsModule = () => process.getBuiltinModule('node:https')

/** Creates an HTTP server that accepts the method LIST. */
export function createListServer(
  handler: RequestListener,
  { form = 'in-place', tls, ...options }: ServerOptions & { form?: ListForm; tls?: TlsFiles | undefined } = {},
): ListServer {
  if (form === 'duplex') {
    const http = createServer(options, handler)
    const pass = (socket: Socket): void => {
      http.emit('connection', rewritten(socket))
    }
    const listener = tls ? tlsModule().createServer({ ...tls, handshakeTimeout }, pass) : createNetServer(pass)
    // The HTTP server has no socket of its own. After this event it checks the timeouts of its connections.
    listener.on('listening', () => http.emit('listening'))
    listener.on('close', () => http.close())
    return { http, socket: listener }
  }
  const http = tls
    ? httpsModule().createServer({ ...options, ...tls, handshakeTimeout }, handler)
    : createServer(options, handler)
  const event = tls ? 'secureConnection' : 'connection'
  http.prependListener(event, (socket: Socket) => {
    const rewriter = new ListRewriter()
    socket.on('data', (bytes) => rewriter.push(bytes as Buffer))
  })
  // A further listener makes Node read the socket in JavaScript instead of passing it to the native parser.
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
  // The HTTP server uses this method to close idle connections, but only sockets have it.
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

/** Node's HTTP parser refuses the method LIST. It accepts LINK, which has the same length and the same first letters
 * and is not used in this API. So LIST is changed to LINK in place before the parser sees it: no other bytes move, and
 * a method that is split over several segments needs no buffering. A LINK that a client sends becomes a method that is
 * refused. Only the parser decides whether a message is valid: rewriting stops for good at an unusual message (`raw`),
 * so that the worst outcome is a refused request and never a changed body. */

type State = 'start' | 'method' | 'head' | 'body' | 'chunk-size' | 'chunk-data' | 'trailer' | 'raw'

const [CR, LF] = [13, 10]
const letter = (text: string): number => text.charCodeAt(0)
const [C, I, K, L, N] = [letter('C'), letter('I'), letter('K'), letter('L'), letter('N')]
const [O, S, T, X] = [letter('O'), letter('S'), letter('T'), letter('X')]
const beginning = [L, I, S]
/** What the last letters of LINK and LIST become, once LIST has become LINK. */
const lastLetters = new Map([
  [T, K],
  [K, X],
])
/** The longest head that is rewritten. The parser refuses longer ones. */
const longestHead = 128 * 1024
/** Node's parser drops the data after a request that asks for an upgrade if both arrive in one segment. This server
 * grants no upgrades, so it renames the header, and the parser does not recognize it. */
const upgrade = /\r\nupgrade/gi
const framing = /\r\n(?:content-length|transfer-encoding)[ \t]*:|\r\n[ \t]/i
/** Matches a head that needs further inspection. One test for all of them is twice as fast as several, and most
 * heads contain none of them. */
const special = /\r\n(?:upgrade|content-length|transfer-encoding|[ \t])/i

export class ListRewriter {
  #state: State = 'start'
  /** The number of letters of the method so far. */
  #seen = 0
  /** True if the second letter of the method arrived in an earlier segment and can no longer be changed. */
  #far = false
  #list = false
  /** The part of a head, or of the first line of a chunk, that arrived in earlier segments. */
  #held = ''
  /** The number of remaining bytes of a body or a chunk. */
  #left = 0
  /** The number of letters in the current line of a trailer. */
  #line = 0

  /** Changes the next bytes of the connection in place. */
  push(bytes: Buffer): void {
    this.#far = true
    let at = 0
    while (at < bytes.length) at = this.#step(bytes, at)
  }

  /** Handles bytes from `at` on, and returns the offset at which the next step begins. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'start':
        return this.#start(bytes, at)
      case 'method':
        return this.#method(bytes, at)
      case 'head':
        return this.#head(bytes, at)
      case 'body':
        return this.#skip(bytes, at, 'start')
      case 'chunk-size':
        return this.#chunkSize(bytes, at)
      case 'chunk-data':
        return this.#skip(bytes, at, 'chunk-size')
      case 'trailer':
        return this.#trailer(bytes, at)
      case 'raw':
        return bytes.length
    }
  }

  #start(bytes: Buffer, at: number): number {
    if (bytes[at] === CR || bytes[at] === LF) return at + 1
    this.#seen = 0
    this.#list = false
    this.#held = ''
    this.#state = 'method'
    return at
  }

  /** Handles one letter of the method. */
  #method(bytes: Buffer, at: number): number {
    const byte = bytes[at] ?? 0
    const seen = this.#seen++
    if (byte === beginning[seen]) {
      if (seen === 1) this.#far = false
      if (seen === 2) {
        bytes[at] = N
        this.#list = true
      }
      return at + 1
    }
    if (seen === 2 && byte === N) this.#spoilLink(bytes, at)
    if (seen === 3 && this.#list) bytes[at] = lastLetters.get(byte) ?? byte
    this.#state = 'head'
    return at + 1
  }

  /** Changes a LINK that the client sent to LOCK. If its second letter can no longer be changed, the result is not a
   * valid method. */
  #spoilLink(bytes: Buffer, at: number): void {
    bytes[at] = this.#far ? X : C
    if (!this.#far) bytes[at - 1] = O
  }

  #head(bytes: Buffer, at: number): number {
    const held = this.#held
    if (held === '') {
      const end = bytes.indexOf('\r\n\r\n', at, 'latin1')
      if (end !== -1) {
        const text = bytes.toString('latin1', at, end + 2)
        if (special.test(text)) {
          hideUpgrade(text, bytes, at)
          this.#frame(text)
        } else this.#state = 'start'
        return end + 4
      }
    }
    const text = held + bytes.toString('latin1', at)
    hideUpgrade(text, bytes, at - held.length)
    const end = text.indexOf('\r\n\r\n', Math.max(held.length - 3, 0))
    if (end === -1) {
      this.#held = text
      if (text.length > longestHead) this.#state = 'raw'
      return bytes.length
    }
    this.#frame(text.slice(0, end + 2))
    return at + (end + 4 - held.length)
  }

  /** Finds out from the head whether a body follows, and how long it is. */
  #frame(head: string): void {
    this.#state = 'start'
    if (!framing.test(head)) return
    const headers = framingHeaders(head)
    this.#state = headers ? this.#bodyAfter(headers.get('content-length'), headers.get('transfer-encoding')) : 'raw'
  }

  #bodyAfter(length: string | undefined, coding: string | undefined): State {
    if (coding !== undefined) {
      this.#held = ''
      return coding.toLowerCase() === 'chunked' && length === undefined ? 'chunk-size' : 'raw'
    }
    if (length === undefined) return 'start'
    if (!/^\d{1,15}$/.test(length)) return 'raw'
    this.#left = Number(length)
    return this.#left === 0 ? 'start' : 'body'
  }

  /** Skips bytes of a body or a chunk. */
  #skip(bytes: Buffer, at: number, after: State): number {
    const taken = Math.min(this.#left, bytes.length - at)
    this.#left -= taken
    if (this.#left === 0) this.#state = after
    return at + taken
  }

  #chunkSize(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at)
    this.#held += bytes.toString('latin1', at, end === -1 ? bytes.length : end)
    if (this.#held.length > longestHead) this.#state = 'raw'
    if (end === -1) return bytes.length
    const size = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?\r$/is.exec(this.#held)?.[1]
    this.#held = ''
    this.#line = 0
    // An empty line follows each chunk.
    this.#left = size === undefined ? 0 : Number.parseInt(size, 16) + 2
    this.#state = size === undefined ? 'raw' : this.#left === 2 ? 'trailer' : 'chunk-data'
    return end + 1
  }

  /** Skips lines up to and including an empty line. */
  #trailer(bytes: Buffer, at: number): number {
    const byte = bytes[at]
    if (byte === LF) {
      if (this.#line === 0) this.#state = 'start'
      this.#line = 0
    } else if (byte !== CR) this.#line++
    return at + 1
  }
}

/** Returns the headers that determine where the body ends, or undefined if the head contains one of them twice or an
 * unusual line. */
function framingHeaders(head: string): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>()
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    const isOdd = /^[ \t]|[ \t]$/.test(name) || /^[ \t]/.test(line)
    if (isOdd || headers.has(name)) return undefined
    if (name === 'content-length' || name === 'transfer-encoding') headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

/** Renames `Upgrade` headers. `from` is the offset of `text` in the bytes; it is negative if the text begins in an
 * earlier segment. */
function hideUpgrade(text: string, bytes: Buffer, from: number): void {
  for (const { 0: found, index } of text.matchAll(upgrade)) {
    const last = from + index + found.length - 1
    if (last >= 0) bytes[last] = X
  }
}
