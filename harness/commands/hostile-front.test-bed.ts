/** A proxy in front of a good server that turns hostile after a number of requests, for tests of the bounds on time. */
import { connect, createServer, type Socket } from 'node:net'
import { listening } from '../wire/scripted-server.ts'

/** What happens to a request that is not forwarded; `head` is its first line. */
export type Hostility = (socket: Socket, head: string) => void

const page = (status: string, more = '') => `HTTP/1.1 ${status}\r\n${more}content-length: 2\r\n\r\n{}`

export const hostilities = {
  hangs: () => {},
  drips(socket) {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
    const drip = setInterval(() => socket.write(' '), 1000)
    socket.on('close', () => clearInterval(drip))
  },
  throttles: (socket) => void socket.write(page('429 Too Many Requests')),
  'is busy': (socket) => void socket.write(page('503 Busy')),
  'throttles for a day': (socket) => void socket.write(page('503 Busy', 'retry-after: 86400\r\n')),
  resets: (socket) => void socket.resetAndDestroy(),
  closes: (socket) => void socket.end(),
} as const satisfies Readonly<Record<string, Hostility>>

export interface HostileFront {
  readonly url: string
  /** The first lines of all requests, forwarded or not. */
  readonly asked: readonly string[]
  /** Treats every request in this way from now on. */
  turn(act: Hostility): void
  close(): Promise<void>
}

const makes = /^(?:POST|PUT) \/v1\/sys\/policies\//
const deletes = /^DELETE \/v1\/sys\/policies\//

/** Forwards the first `good` requests, and those for which `spares` returns true. After requests that were good, it turns
 * hostile once a policy stands, so that there is something to leave behind. */
export async function hostileFront(
  to: string,
  good: number,
  act: Hostility,
  spares: (head: string) => boolean = () => false,
): Promise<HostileFront> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const { hostname, port } = new URL(to)
  let [left, standing, hasTurned, meet] = [good, 0, good === 0, act]

  function isGood(head: string): boolean {
    if (hasTurned) return false
    left -= 1
    standing += makes.test(head) ? 1 : 0
    standing -= deletes.test(head) ? 1 : 0
    hasTurned = left <= 0 && standing > 0
    return true
  }

  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => sockets.delete(end))
    }
    let isPassed = false
    socket.on('data', (chunk: Buffer) => {
      const head = /^[A-Z]+ \S+(?= HTTP)/.exec(chunk.toString('latin1', 0, 500))?.[0]
      if (head !== undefined) {
        asked.push(head)
        isPassed = isGood(head) || spares(head)
        if (!isPassed) meet(socket, head)
      }
      if (isPassed) upstream.write(chunk)
    })
    socket.on('close', () => upstream.destroy())
    upstream.on('data', (chunk) => socket.write(chunk))
    upstream.on('close', () => isPassed && socket.destroy())
  })
  const url = await listening(server)
  return {
    url,
    asked,
    turn(next) {
      hasTurned = true
      meet = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
