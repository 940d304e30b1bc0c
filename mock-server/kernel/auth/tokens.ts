import type { Clock, Token } from '../contracts.ts'
import type { Mint } from '../state/mint.ts'
import type { StatePart } from '../state/state-part.ts'

/** The default and maximum lifetime of tokens and leases, in seconds. */
export const systemTtl = 2_764_800

export interface TokenRecord extends Token {
  readonly orphan: boolean
  /** Renewals extend the token to at most this many seconds after creation; 0 means that it has no bound of its own. */
  readonly maxTtl: number
  /** The period in seconds; 0 for a token that is not periodic. */
  readonly period: number
  /** The number of remaining requests; 0 if the number of requests is not limited. */
  readonly uses: number
  /** The blocks of addresses from which the token is valid; it is valid from everywhere if they are absent. */
  readonly blocks?: readonly string[]
  readonly role?: string
}

export interface NewToken {
  readonly id?: string
  readonly policies: readonly string[]
  /** The lifetime in seconds; 0 for a token that does not expire. */
  readonly ttl: number
  readonly displayName: string
  /** The path of the request that created the token. */
  readonly path: string
  readonly meta?: Readonly<Record<string, string>>
  readonly entityId?: string
  /** The id of the parent: when that token is revoked, this one is revoked as well. An orphan has no parent. */
  readonly parent?: string
  readonly renewable?: boolean
  readonly maxTtl?: number
  readonly period?: number
  readonly uses?: number
  readonly blocks?: readonly string[]
  /** The name of the token role that the token was created with. */
  readonly role?: string
}

/** The tokens of one namespace. */
export interface Tokens {
  create(token: NewToken): TokenRecord
  /** Finds a live token by its id. The tokens of the namespaces above this one are valid here, too. */
  find(id: string): TokenRecord | undefined
  /** Finds a live token of this namespace or of one below it, for requests that manage other tokens. */
  findManaged(id: string): TokenRecord | undefined
  findByAccessor(accessor: string): TokenRecord | undefined
  accessors(): readonly string[]
  /** Returns the tokens for which `wanted` returns true. */
  filter(wanted: (token: TokenRecord) => boolean): readonly TokenRecord[]
  /** Extends the token by `seconds` from now, within its bounds. */
  renew(id: string, seconds: number): TokenRecord
  /** Counts one request of the token. Returns true if it is the last one that the token allows. */
  spend(token: TokenRecord): boolean
  /** Revokes the token, its children and their leases. */
  revoke(id: string): Promise<void>
  /** Revokes the token and makes its children orphans. */
  revokeOrphan(id: string): Promise<void>
  /** The listener is called with each token that ends, in any namespace. */
  onEnd(listener: (token: TokenRecord) => Promise<void>): void
}

/** The tokens of all namespaces. The functions of `Tokens` work on the root namespace. */
export interface TokenStore extends Tokens, StatePart {
  /** Returns the tokens of a namespace. `id` is the id of the namespace, with which the ids of its tokens end. */
  within(namespace: string, id: string): Tokens
  /** Finds a live token of any namespace. */
  findAnywhere(id: string): TokenRecord | undefined
}

export function createTokens(clock: Clock, mint: Mint): TokenStore {
  const byId = new Map<string, TokenRecord>()
  const byAccessor = new Map<string, string>()
  const children = new Map<string, Set<string>>()
  const timers = new Map<string, () => void>()
  const listeners: ((token: TokenRecord) => Promise<void>)[] = []

  function keep(token: TokenRecord): void {
    byId.set(token.id, token)
    byAccessor.set(token.accessor, token.id)
    if (token.parent) {
      const siblings = children.get(token.parent) ?? new Set()
      children.set(token.parent, siblings.add(token.id))
    }
    timers.get(token.id)?.()
    timers.delete(token.id)
    if (token.expiresAt !== undefined)
      timers.set(
        token.id,
        clock.at(token.expiresAt, () => revoke(token.id)),
      )
  }

  const isLive = (token: TokenRecord): boolean => token.expiresAt === undefined || token.expiresAt > clock.now()

  function findAnywhere(id: string): TokenRecord | undefined {
    const token = byId.get(id)
    return token && isLive(token) ? token : undefined
  }

  async function revoke(id: string): Promise<void> {
    const token = byId.get(id)
    if (!token) return
    byId.delete(id)
    byAccessor.delete(token.accessor)
    timers.get(id)?.()
    timers.delete(id)
    children.get(token.parent)?.delete(id)
    const childIds = [...(children.get(id) ?? [])]
    children.delete(id)
    for (const listener of listeners) await listener(token)
    for (const child of childIds) await revoke(child)
  }

  function reset(): void {
    for (const cancel of timers.values()) cancel()
    for (const index of [byId, byAccessor, children, timers]) index.clear()
  }

  function renew(id: string, seconds: number): TokenRecord {
    const token = byId.get(id)
    if (!token) throw new Error(`no token to renew: ${id}`)
    const now = clock.now()
    const bound = token.period > 0 && token.maxTtl === 0 ? Number.POSITIVE_INFINITY : token.maxTtl || systemTtl
    const expiresAt = Math.min(now + seconds * 1000, token.createdAt + bound * 1000)
    const renewed = { ...token, expiresAt }
    keep(renewed)
    return renewed
  }

  function spend(token: TokenRecord): boolean {
    if (token.uses === 0) return false
    if (token.uses > 1) {
      byId.set(token.id, { ...token, uses: token.uses - 1 })
      return false
    }
    // The token is invalid at once. It is revoked after its request is finished.
    byId.set(token.id, { ...token, expiresAt: clock.now() })
    return true
  }

  async function revokeOrphan(id: string): Promise<void> {
    for (const child of children.get(id) ?? []) {
      const token = byId.get(child)
      if (token) byId.set(child, { ...token, parent: '', orphan: true })
    }
    children.delete(id)
    await revoke(id)
  }

  function within(namespace: string, namespaceId = ''): Tokens {
    const isOwn = (token: TokenRecord): boolean => (token.namespace ?? '') === namespace
    const find = (id: string): TokenRecord | undefined => {
      const token = findAnywhere(id)
      return token && namespace.startsWith(token.namespace ?? '') ? token : undefined
    }
    return {
      create(wanted) {
        const id = wanted.id ?? (namespaceId === '' ? mint.token() : `${mint.token()}.${namespaceId}`)
        const token = recordOf({ ...wanted, id }, clock.now(), mint)
        const placed = namespace === '' ? token : { ...token, namespace }
        keep(placed)
        return placed
      },
      find,
      findManaged(id) {
        const token = findAnywhere(id)
        return token && (token.namespace ?? '').startsWith(namespace) ? token : undefined
      },
      findByAccessor(accessor) {
        const token = find(byAccessor.get(accessor) ?? '')
        return token && isOwn(token) ? token : undefined
      },
      accessors: () =>
        [...byId.values()].filter((token) => isLive(token) && isOwn(token)).map(({ accessor }) => accessor),
      filter: (wanted) => [...byId.values()].filter((token) => isOwn(token) && wanted(token)),
      ...{ renew, spend, revoke, revokeOrphan, onEnd: (listener) => void listeners.push(listener) },
    }
  }

  return {
    ...within(''),
    ...{ within, findAnywhere },
    snapshot: () => [...byId.values()],
    restore(state) {
      reset()
      for (const token of state as TokenRecord[]) keep(token)
    },
    reset,
  }
}

const recordOf = (wanted: NewToken & { id: string }, createdAt: number, mint: Mint): TokenRecord => ({
  id: wanted.id,
  accessor: mint.accessor(),
  policies: wanted.policies,
  displayName: wanted.displayName,
  path: wanted.path,
  meta: wanted.meta ?? {},
  entityId: wanted.entityId ?? '',
  parent: wanted.parent ?? '',
  orphan: wanted.parent === undefined,
  createdAt,
  ttl: wanted.ttl,
  expiresAt: wanted.ttl > 0 ? createdAt + wanted.ttl * 1000 : undefined,
  renewable: wanted.ttl > 0 && (wanted.renewable ?? true),
  maxTtl: wanted.maxTtl ?? 0,
  period: wanted.period ?? 0,
  uses: wanted.uses ?? 0,
  ...(wanted.blocks && wanted.blocks.length > 0 ? { blocks: wanted.blocks } : {}),
  ...(wanted.role ? { role: wanted.role } : {}),
})
