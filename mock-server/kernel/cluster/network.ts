/** The ways from this cluster to others, as far as a test can put trouble in them. Callers of the API are not touched. */
export interface Network {
  /** Waits where the way to that address (`host:port`) is slow, throws where it is cut. */
  pass(address: string): Promise<void>
  /** Calls when the way to that address is cut; the returned function ends it. */
  onCut(address: string, listener: () => void): () => void
}

export const openNetwork: Network = { pass: async () => {}, onCut: () => () => {} }

/** Where this server is reached, known when it listens. */
export interface Addresses {
  /** Origin of the API. */
  api: string
  /** `host:port` where other clusters connect. */
  cluster: string
}
