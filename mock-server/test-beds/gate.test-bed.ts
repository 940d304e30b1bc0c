/** Forwards connections to a cluster, and closes them after a chosen number of bytes. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Gate {
  /** The address is `host:port`. */
  readonly address: string
  /** The number of connections that were refused while the gate was shut. */
  readonly refused: number
  /** Ends all connections, and refuses new ones. */
  shut(): void
  /** Forwards this many bytes of answers, and then shuts the gate. Resolves when the gate is shut. */
  shutAfter(bytes: number): Promise<void>
  open(): void
  close(): Promise<void>
}

export async function startGate(to: string): Promise<Gate> {
  const [host = '', port = ''] = to.split(':')
  const sockets = new Set<Socket>()
  let isShut = false
  let left = Number.POSITIVE_INFINITY
  let refused = 0
  let hasShut: () => void = () => {}

  function shut(): void {
    isShut = true
    // A reset while a socket is ending would leave its handle open forever.
    for (const socket of sockets) socket.writableEnded ? socket.destroy() : socket.resetAndDestroy()
    hasShut()
  }

  function take(client: Socket): void {
    if (isShut) refused += 1
    const server = isShut ? undefined : connect({ host, port: Number(port), noDelay: true })
    for (const socket of [client, server]) {
      if (!socket) continue
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => {})
    }
    if (!server) {
      client.resetAndDestroy()
      return
    }
    client.pipe(server)
    client.on('close', () => server.destroy())
    server.on('close', () => client.end())
    server.on('data', (piece: Buffer) => {
      if (left < 0) return
      client.write(piece.subarray(0, left))
      left -= piece.length
      // The forwarded bytes must arrive, and nothing after them.
      if (left < 0) client.end(() => setImmediate(shut))
    })
  }

  const listener = createServer({ noDelay: true }, take)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(listener.address() as AddressInfo).port}`,
    get refused() {
      return refused
    },
    shut,
    shutAfter(bytes) {
      left = bytes
      return new Promise((resolve) => {
        hasShut = resolve
      })
    },
    open() {
      isShut = false
      left = Number.POSITIVE_INFINITY
    },
    close() {
      shut()
      return new Promise((resolve) => listener.close(() => resolve()))
    },
  }
}
