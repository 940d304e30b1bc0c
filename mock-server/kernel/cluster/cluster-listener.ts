import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** Listens for other clusters, on a port apart from the API. */
export interface ClusterListener {
  /** The address is `host:port`. */
  readonly address: string
  close(): Promise<void>
}

const mostConnections = 1000

export async function listenForClusters(host: string, port: number, take: RequestListener): Promise<ClusterListener> {
  // These timeouts are for the request only: the answer to it is a stream that does not end.
  const times = { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 2000 }
  const listener = createServer({ ...times, keepAliveTimeout: 65_000 }, take)
  listener.maxConnections = mostConnections
  const connections = new Set<Socket>()
  listener.on('connection', (connection) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, host, () => resolve())
  })
  const { address, family, port: taken } = listener.address() as AddressInfo
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        for (const connection of connections) connection.destroy()
      }),
  }
}
