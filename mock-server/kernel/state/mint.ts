import type { Random } from '../contracts.ts'
import type { Manner } from '../variation.ts'

/** Makes the ids that a server is free to shape as it likes. */
export interface Mint {
  token(): string
  accessor(): string
  wrappingToken(): string
  /** `kv_1f8b02c3` */
  mountAccessor(type: string): string
  /** The last part of a lease id. */
  lease(): string
  requestId(): string
  uuid(): string
}

/** `requests` is apart from `random`, so that reads do not change what later writes are given. */
export function createMint(random: Random, requests: Random, manner: () => Manner): Mint {
  const shapes: Readonly<Record<Manner['tokens'], (use: string) => string>> = {
    dotted: (use) => `${use}.${random.token(24)}`,
    prefixed: (use) => `hv${use}.${random.token(90)}`,
    uuid: () => random.uuid(),
  }
  return {
    token: () => shapes[manner().tokens]('s'),
    wrappingToken: () => shapes[manner().tokens]('s'),
    accessor: () => (manner().tokens === 'uuid' ? random.uuid() : random.token(24)),
    mountAccessor(type) {
      const tail = random.bytes(4).toString('hex')
      return manner().mountAccessors === 'typed' ? `${type}_${tail}` : `mount-${random.uuid()}`
    },
    lease: () => (manner().tokens === 'uuid' ? random.uuid() : random.token(24)),
    requestId: () => (manner().requestIds === 'uuid' ? requests.uuid() : `req-${requests.token(20)}`),
    uuid: () => random.uuid(),
  }
}
