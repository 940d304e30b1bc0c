/** Servers for tests: one answers HTTP requests by a function, and one writes raw bytes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { Endpoint } from '../targets/target.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Scripted {
  readonly url: string
  readonly asked: Asked[]
  close(): Promise<void>
}

type Answer = (asked: Asked, response: ServerResponse, nth: number) => void

export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts an HTTP server whose `answer` writes each response; `nth` counts the requests from 0. */
export async function scriptedServer(answer: Answer): Promise<Scripted> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      asked.push(received)
      answer(received, response, asked.length - 1)
    })
  })
  const url = await listening(server)
  return {
    url,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers like a server that keeps what is posted. */
export function answerFrom(things: Map<string, string>, { method, path, body }: Asked, response: ServerResponse): void {
  if (method === 'POST') things.set(path, body)
  if (method === 'DELETE') things.delete(path)
  const found = things.get(path)
  const missing = method === 'GET' ? 404 : 204
  response.writeHead(found ? 200 : missing).end(found)
}

/** Starts a TCP server that hands the first bytes of each connection to `answer`; `nth` counts the connections from
 * 0. */
export async function rawServer(
  answer: (socket: Socket, nth: number, first: Buffer) => void,
): Promise<Omit<Scripted, 'asked'>> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', (first: Buffer) => answer(socket, count++, first))
  })
  const url = await listening(server)
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

export const endpointAt = (url: string, more: Partial<Endpoint> = {}): Endpoint => ({
  url,
  headers: {},
  tls: { insecure: false },
  allowedHosts: [],
  ...more,
})
