import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A certificate and its private key, as PEM. */
export interface ClusterCertificate {
  readonly certificate: string
  readonly key: string
}

/** Listens for other clusters, on a port apart from the API. */
export interface ClusterListener {
  /** The address is `host:port`. */
  readonly address: string
  close(): Promise<void>
}

export interface ClusterListening {
  readonly host: string
  readonly port: number
  /** Returns undefined if this server does not replicate. Asked for each connection, because a state that is restored brings
   * its own. */
  readonly certificate: () => ClusterCertificate | undefined
  readonly take: RequestListener
}

const mostConnections = 1000

// These timeouts are for the request only: the answer to it is a stream that does not end.
const times = { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 2000 }

/** Opens the port without TLS, so that keys are made when the first cluster connects and not at the start. */
export async function listenForClusters({ host, port, certificate, take }: ClusterListening): Promise<ClusterListener> {
  let present: ClusterCertificate | undefined
  let secure: Server | undefined

  function serverFor(shown: ClusterCertificate): Server {
    if (secure && present === shown) return secure
    secure?.close()
    present = shown
    secure = process.getBuiltinModule('node:https').createServer(
      // Certificates of others are judged with the request, which can be answered in words.
      {
        ...times,
        keepAliveTimeout: 65_000,
        cert: shown.certificate,
        key: shown.key,
        requestCert: true,
        rejectUnauthorized: false,
      },
      take,
    )
    // It has no socket of its own. From this event on it checks the timeouts of its connections.
    secure.emit('listening')
    return secure
  }

  const connections = new Set<Socket>()
  const listener = createServer({ noDelay: true }, (connection) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
    const shown = certificate()
    if (shown) serverFor(shown).emit('connection', connection)
    else connection.destroy()
  })
  listener.maxConnections = mostConnections
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, host, () => resolve())
  })
  const { address, family, port: taken } = listener.address() as AddressInfo
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        secure?.close()
        listener.close(() => resolve())
        for (const connection of connections) connection.destroy()
      }),
  }
}
