import type { Clock } from '../contracts.ts'
import type { Mint } from '../state/mint.ts'
import type { StatePart } from '../state/state-part.ts'

/** A wrapped answer: it is stored until a client fetches it with the wrapping token, which works once. */
export interface Wrapped {
  readonly token: string
  readonly accessor: string
  /** The lifetime in seconds. */
  readonly ttl: number
  readonly createdAt: number
  /** The path of the request that was answered. */
  readonly path: string
  /** The body that the answer would have had without wrapping. */
  readonly body: string
  /** The accessor of the token in the answer, or empty if the answer contains no token. */
  readonly wrappedAccessor: string
}

export interface Wrapping extends StatePart {
  wrap(answer: {
    body: string
    path: string
    ttl: number
    wrappedAccessor?: string
    encode?: (token: string) => string
  }): Wrapped
  find(token: string): Wrapped | undefined
  /** Returns the answer and removes it. */
  take(token: string): Wrapped | undefined
}

export function createWrapping(clock: Clock, mint: Mint): Wrapping {
  const byToken = new Map<string, Wrapped>()

  function find(token: string): Wrapped | undefined {
    const wrapped = byToken.get(token)
    return wrapped && wrapped.createdAt + wrapped.ttl * 1000 > clock.now() ? wrapped : undefined
  }

  return {
    wrap({ body, path, ttl, wrappedAccessor = '', encode = (token) => token }) {
      const ids = { token: encode(mint.wrappingToken()), accessor: mint.accessor() }
      const wrapped = { ...ids, ttl, createdAt: clock.now(), path, body, wrappedAccessor }
      byToken.set(wrapped.token, wrapped)
      return wrapped
    },
    find,
    take(token) {
      const wrapped = find(token)
      byToken.delete(token)
      return wrapped
    },
    snapshot: () => [...byToken.values()],
    restore(state) {
      byToken.clear()
      for (const wrapped of state as Wrapped[]) byToken.set(wrapped.token, wrapped)
    },
    reset: () => byToken.clear(),
  }
}
