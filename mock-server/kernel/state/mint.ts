import type { Random } from '../contracts.ts'
import type { Variation } from '../variation.ts'

/** Makes the ids whose format the documents leave to the server. */
export interface Mint {
  token(): string
  accessor(): string
  wrappingToken(): string
  /** Returns an accessor such as `kv_1f8b02c3`. */
  mountAccessor(type: string): string
  /** Returns the last part of a lease id. */
  lease(): string
  requestId(): string
  entity(): string
  uuid(): string
}

/** `requests` is separate from `random`, so that reads do not change the ids that later writes get. */
export function createMint(random: Random, requests: Random, variation: () => Variation): Mint {
  const tokenFormats: Readonly<Record<Variation['tokens'], (use: string) => string>> = {
    dotted: (use) => `${use}.${random.token(24)}`,
    prefixed: (use) => `hv${use}.${random.token(90)}`,
    uuid: () => random.uuid(),
  }
  return {
    token: () => tokenFormats[variation().tokens]('s'),
    wrappingToken: () => tokenFormats[variation().tokens]('s'),
    accessor: () => (variation().tokens === 'uuid' ? random.uuid() : random.token(24)),
    mountAccessor(type) {
      const tail = random.bytes(4).toString('hex')
      return variation().mountAccessors === 'typed' ? `${type}_${tail}` : `mount-${random.uuid()}`
    },
    lease: () => (variation().tokens === 'uuid' ? random.uuid() : random.token(24)),
    requestId: () => (variation().requestIds === 'uuid' ? requests.uuid() : `req-${requests.token(20)}`),
    entity: () => (variation().entityIds === 'uuid' ? random.uuid() : `ent_${random.token(20)}`),
    uuid: () => random.uuid(),
  }
}
