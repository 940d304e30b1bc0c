/** A proxy for tests: it forwards requests to another server, and replies to some of them itself. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** The status and a single error text; an empty text means an empty list of errors. */
export type FrontAnswer = readonly [status: number, error: string]

/** Returns the proxy's own reply, or undefined to forward the request. `asked` is method and path: `LIST
 * /v1/sys/policies/acl`. */
export type Front = (asked: string, body: string) => FrontAnswer | undefined

/** The parser of node:http rejects the method LIST, so it is replaced by an accepted method of the same length that
 * nobody uses. */
const standIn = 'LINK'

function takeList(socket: Socket): void {
  socket.prependListener('data', (bytes: Buffer) => {
    if (bytes.subarray(0, 5).toString('latin1') === 'LIST ') bytes.write(standIn, 0, 'latin1')
  })
}

export async function withFront<T>(behind: string, answer: Front, use: (url: string) => Promise<T>): Promise<T> {
  const front = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const { url = '', headers } = incoming
      const method = incoming.method === standIn ? 'LIST' : (incoming.method ?? '')
      const own = answer(`${method} ${url}`, body.toString())
      if (own) {
        response.writeHead(own[0], { 'content-type': 'application/json' })
        response.end(JSON.stringify({ errors: own[1] === '' ? [] : [own[1]] }))
        return
      }
      const onward = request(`${behind}${url}`, { method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(response)
      })
      onward.once('error', () => response.destroy())
      onward.end(body)
    })
  })
  front.on('connection', takeList)
  // A second listener makes Node read the socket in JavaScript, where the first listener runs before the parser.
  front.on('connection', (socket: Socket) => void socket.on('data', () => {}))
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(front.address() as AddressInfo).port}`)
  } finally {
    front.closeAllConnections()
    await new Promise((resolve) => front.close(resolve))
  }
}
