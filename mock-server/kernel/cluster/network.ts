/** The connections from this cluster to others, which a test can break. Callers of the API are not affected. */
export interface Network {
  /** Waits if the connection to that address (`host:port`) is slow, and throws if it is cut. */
  pass(address: string): Promise<void>
  /** Calls the listener when the connection to that address is cut. The returned function removes the listener. */
  onCut(address: string, listener: () => void): () => void
  /** Counts something that goes to another cluster as under way, and returns its number. */
  depart(): number
  /** Counts it no longer: it has arrived, or it never will. */
  arrive(number: number): void
}

export const openNetwork: Network = {
  pass: async () => {},
  onCut: () => () => {},
  depart: () => 0,
  arrive: () => {},
}

/** This server is reached at these addresses. The values are known when it listens. */
export interface Addresses {
  /** The origin of the API of the active node. */
  readonly api: string
  /** Where other clusters connect, as `host:port`. */
  cluster: string
}
