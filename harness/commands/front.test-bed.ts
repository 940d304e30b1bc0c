/** A proxy for tests: it forwards requests to another server, changes them or their replies, or replies itself. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface FrontReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Forwarded {
  readonly method?: string
  readonly url?: string
  readonly headers?: IncomingHttpHeaders
  /** Changes the reply on its way back. */
  readonly back?: (reply: FrontReply) => FrontReply
}

/** The status and a single error text of a reply of the proxy itself (an empty text means an empty list of errors); a
 * whole reply; what is forwarded instead; or the end of the connection. */
export type FrontAnswer = readonly [status: number, error: string] | FrontReply | Forwarded | 'cut'

/** Returns what the proxy does, or undefined to forward the request. `asked` is method and path: `LIST
 * /v1/sys/policies/acl`. */
export type Front = (asked: string, body: string, headers: IncomingHttpHeaders) => FrontAnswer | undefined

/** Returns a page as gateways send it. */
export const pageOf = (status: number, title = `${status} Not Allowed`, by = 'nginx'): FrontReply => ({
  status,
  headers: { 'content-type': 'text/html', server: by },
  body: Buffer.from(`<html>\r\n<head><title>${title}</title></head>\r\n<body><center>${by}</center></body></html>`),
})

/** The parser of node:http rejects the method LIST, so it is replaced by an accepted method of the same length that
 * nobody uses. */
const standIn = 'LINK'

function takeList(socket: Socket): void {
  socket.prependListener('data', (bytes: Buffer) => {
    if (bytes.subarray(0, 5).toString('latin1') === 'LIST ') bytes.write(standIn, 0, 'latin1')
  })
}

function send(response: ServerResponse, { status, headers, body }: FrontReply): void {
  const { 'transfer-encoding': _, ...rest } = headers
  response.writeHead(status, { ...rest, 'content-length': body.length })
  response.end(body)
}

const asReply = (answer: readonly [number, string]): FrontReply => ({
  status: answer[0],
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ errors: answer[1] === '' ? [] : [answer[1]] })),
})

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export async function withFront<T>(behind: string, answer: Front, use: (url: string) => Promise<T>): Promise<T> {
  const front = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    void served(incoming, response)
  })
  async function served(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming)
    const { url: path = '' } = incoming
    const method = incoming.method === standIn ? 'LIST' : (incoming.method ?? '')
    const own = answer(`${method} ${path}`, body.toString(), incoming.headers) ?? {}
    if (own === 'cut') return void response.destroy()
    if ('length' in own) return send(response, asReply(own))
    if ('status' in own) return send(response, own)
    const { back = (reply: FrontReply) => reply, ...changed } = own
    const { url = path, headers = incoming.headers } = changed
    const onward = request(`${behind}${url}`, { method: changed.method ?? method, headers }, async (reply) => {
      send(response, back({ status: reply.statusCode ?? 502, headers: reply.headers, body: await bodyOf(reply) }))
    })
    onward.once('error', () => response.destroy())
    onward.end(body)
  }
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
