/** The connections from this cluster to others, which a test can break. Callers of the API are not affected. */
export interface Network {
  /** Waits if the connection to that address (`host:port`) is slow, and throws if it is cut. */
  pass(address: string): Promise<void>
  /** Calls the listener when the connection to that address is cut. The returned function removes the listener. */
  onCut(address: string, listener: () => void): () => void
  /** Records that something was sent to another cluster, and returns its number. */
  depart(): number
  /** Records that it has arrived, or that it never will. */
  arrive(number: number): void
}

/** A network without breaks, for a server that is not in a group of clusters. */
export const openNetwork: Network = { pass: async () => {}, onCut: () => () => {}, depart: () => 0, arrive: () => {} }

/** The addresses of this server. They are known when it listens. */
export interface Addresses {
  /** The origin of the API of the active node. */
  readonly api: string
  /** The address for connections from other clusters, as `host:port`. */
  cluster: string
}
