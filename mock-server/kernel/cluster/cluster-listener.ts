import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A certificate and its private key, as PEM. */
export interface ClusterCertificate {
  readonly certificate: string
  readonly key: string
}

/** A listener for connections from other clusters, on a port separate from that of the API. */
export interface ClusterListener {
  /** The address is `host:port`. */
  readonly address: string
  close(): Promise<void>
}

export interface ClusterListening {
  readonly host: string
  readonly port: number
  /** Returns undefined if this server does not replicate. Called for each connection, because restoring a state can
   * change the certificate. */
  readonly certificate: () => ClusterCertificate | undefined
  readonly take: RequestListener
}

const mostConnections = 1000

// These timeouts apply to the request only: its answer is a stream that does not end.
const times = { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 2000 }

/** Opens the port with a plain TCP listener and adds TLS for each connection, so that keys are made when the first
 * cluster connects and not at the start. */
export async function listenForClusters({ host, port, certificate, take }: ClusterListening): Promise<ClusterListener> {
  let present: ClusterCertificate | undefined
  let secure: Server | undefined

  function serverFor(current: ClusterCertificate): Server {
    if (secure && present === current) return secure
    secure?.close()
    present = current
    secure = process.getBuiltinModule('node:https').createServer(
      // Client certificates are checked when the request is handled, because an HTTP answer can explain a refusal.
      {
        ...times,
        keepAliveTimeout: 65_000,
        cert: current.certificate,
        key: current.key,
        requestCert: true,
        rejectUnauthorized: false,
      },
      take,
    )
    // This server has no socket of its own. After this event it checks the timeouts of its connections.
    secure.emit('listening')
    return secure
  }

  const connections = new Set<Socket>()
  const listener = createServer({ noDelay: true }, (connection) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
    const current = certificate()
    if (current) serverFor(current).emit('connection', connection)
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
