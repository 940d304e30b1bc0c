import { systemTtl } from '../auth/tokens.ts'
import type { Clock, Lease } from '../contracts.ts'
import { badRequest } from '../http/refusal.ts'
import type { Mint } from '../state/mint.ts'
import type { StatePart } from '../state/state-part.ts'

export interface LeaseRecord {
  /** The id is `<path of the request>/<random id>`. */
  readonly id: string
  /** The id of the token that requested the lease. The lease ends with the token. */
  readonly token: string
  /** Milliseconds since the epoch, like the other times. */
  readonly issuedAt: number
  readonly renewedAt: number | undefined
  readonly expiresAt: number
  readonly renewable: boolean
  /** The lifetime at issue, in seconds. */
  readonly ttl: number
  /** Renewals extend the lease to at most this many seconds after issue. */
  readonly maxTtl: number
  readonly kept: unknown
  /** The path of the namespace. It is absent for a lease of the root namespace. */
  readonly namespace?: string
}

type Revoke = Lease['revoke']

/** The pauses between attempts to revoke an expired lease, in seconds. After the last attempt the lease stays until an
 * operator revokes it. */
const pauses = [10, 60, 600, 3600, 21_600, 86_400]

/** The leases of one namespace. */
export interface Leases {
  add(lease: Lease, request: { path: string; token: string; maxTtl?: number }): LeaseRecord
  find(id: string): LeaseRecord | undefined
  ids(): readonly string[]
  /** Returns the remaining lifetime in seconds. */
  left(lease: LeaseRecord): number
  /** Extends the lease to `seconds` from now, within its bound. The default is its lifetime at issue. Refuses a lease
   * that cannot be renewed. */
  renew(id: string, seconds?: number): LeaseRecord
  /** Revokes one lease. If the engine fails, the lease stays and the call is refused. */
  revoke(id: string): Promise<void>
  /** Revokes every lease below a prefix, in order, up to the first failure. */
  revokePrefix(prefix: string): Promise<void>
  /** Revokes every lease below a prefix, and drops those that cannot be revoked. */
  revokeForce(prefix: string): Promise<void>
  /** Revokes every lease of a token, as far as that succeeds. */
  revokeOf(token: string): Promise<void>
}

/** The leases of all namespaces. The functions of `Leases` work on the root namespace. */
export interface LeaseStore extends Leases, StatePart {
  /** Returns the leases of a namespace. `id` is the id of the namespace, with which the ids of its leases end. */
  within(namespace: string, id: string): Leases
  /** Restores the functions that revoke leases after `restore`. */
  revive(make: (lease: LeaseRecord) => Revoke | undefined): void
}

export function createLeases(clock: Clock, mint: Mint): LeaseStore {
  const byId = new Map<string, LeaseRecord>()
  /** The ids of leases by the id of their token. */
  const byToken = new Map<string, Set<string>>()
  const revocations = new Map<string, Revoke>()
  const timers = new Map<string, () => void>()

  function keep(lease: LeaseRecord): void {
    byId.set(lease.id, lease)
    const siblings = byToken.get(lease.token) ?? new Set()
    byToken.set(lease.token, siblings.add(lease.id))
    timers.get(lease.id)?.()
    let attempts = 0
    const due = (): Promise<void> =>
      revoke(lease.id).catch(() => {
        const pause = pauses[attempts++]
        if (pause !== undefined && byId.has(lease.id)) timers.set(lease.id, clock.at(clock.now() + pause * 1000, due))
      })
    timers.set(lease.id, clock.at(lease.expiresAt, due))
  }

  function drop(id: string): void {
    const token = byId.get(id)?.token ?? ''
    const siblings = byToken.get(token)
    siblings?.delete(id)
    if (siblings?.size === 0) byToken.delete(token)
    timers.get(id)?.()
    for (const index of [byId, revocations, timers]) index.delete(id)
  }

  async function revoke(id: string): Promise<void> {
    if (!byId.has(id)) return
    try {
      await revocations.get(id)?.()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw badRequest(`failed to revoke ${id}: ${reason}`)
    }
    drop(id)
  }

  function reset(): void {
    for (const id of [...byId.keys()]) drop(id)
  }

  const left = (lease: LeaseRecord): number => Math.max(Math.ceil((lease.expiresAt - clock.now()) / 1000), 0)

  async function revokeOf(token: string): Promise<void> {
    for (const id of [...(byToken.get(token) ?? [])]) await revoke(id).catch(() => {})
  }

  function within(namespace: string, namespaceId = ''): Leases {
    const own = (): LeaseRecord[] => [...byId.values()].filter((lease) => (lease.namespace ?? '') === namespace)
    const ids = (prefix = ''): string[] =>
      own()
        .map(({ id }) => id)
        .filter((id) => id.startsWith(prefix))
        .sort()
    const find = (id: string): LeaseRecord | undefined => {
      const lease = byId.get(id)
      return lease && (lease.namespace ?? '') === namespace ? lease : undefined
    }
    return {
      add(lease, { path, token, maxTtl = systemTtl }) {
        const issuedAt = clock.now()
        const bound = Math.min(lease.maxTtl ?? maxTtl, maxTtl)
        const ttl = Math.min(lease.ttl, bound)
        const record: LeaseRecord = {
          id: `${path}/${mint.lease()}${namespaceId === '' ? '' : `.${namespaceId}`}`,
          token,
          issuedAt,
          renewedAt: undefined,
          expiresAt: issuedAt + ttl * 1000,
          renewable: lease.renewable,
          ttl,
          maxTtl: bound,
          kept: lease.kept,
          ...(namespace === '' ? {} : { namespace }),
        }
        revocations.set(record.id, lease.revoke)
        keep(record)
        return record
      },
      find,
      ids: () => ids(),
      left,
      renew(id, seconds) {
        const lease = find(id)
        if (!lease || lease.expiresAt <= clock.now()) throw badRequest('lease not found')
        if (!lease.renewable) throw badRequest('lease is not renewable')
        const now = clock.now()
        const wanted = now + (seconds ?? lease.ttl) * 1000
        const renewed = { ...lease, renewedAt: now, expiresAt: Math.min(wanted, lease.issuedAt + lease.maxTtl * 1000) }
        keep(renewed)
        return renewed
      },
      async revoke(id) {
        if (find(id)) await revoke(id)
      },
      async revokePrefix(prefix) {
        for (const id of ids(prefix)) await revoke(id)
      },
      async revokeForce(prefix) {
        for (const id of ids(prefix)) await revoke(id).catch(() => drop(id))
      },
      revokeOf,
    }
  }

  return {
    ...within(''),
    within,
    revive(make) {
      for (const lease of byId.values()) {
        const revocation = make(lease)
        if (revocation) revocations.set(lease.id, revocation)
      }
    },
    snapshot: () => [...byId.values()],
    restore(state) {
      reset()
      for (const lease of state as LeaseRecord[]) keep(lease)
    },
    reset,
  }
}
