/** The roles of one mount of `approle`, and their secret ids. */
import type { TokenSettings } from '../../kernel/auth/token-fields.ts'
import type { Clock } from '../../kernel/contracts.ts'
import type { StatePart } from '../../kernel/state/state-part.ts'

export interface Role extends TokenSettings {
  readonly roleId: string
  readonly bindSecretId: boolean
  /** The number of logins with one secret id; 0 means unlimited. */
  readonly secretIdUses: number
  /** Seconds, like all lifetimes here; 0 means that secret ids do not expire. */
  readonly secretIdTtl: number
  /** The CIDR blocks from which logins are allowed; empty means that all addresses are. */
  readonly secretIdBlocks: readonly string[]
}

export interface SecretId {
  readonly id: string
  readonly accessor: string
  readonly role: string
  readonly metadata: Readonly<Record<string, string>>
  /** The CIDR blocks from which logins with the secret id are allowed; empty means that all addresses are. */
  readonly blocks: readonly string[]
  /** The CIDR blocks to which the tokens of these logins are bound; empty means those of the role. */
  readonly tokenBlocks: readonly string[]
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly ttl: number
  /** The number of logins that are left; 0 means unlimited. */
  readonly uses: number
}

export interface Store extends StatePart {
  readonly roles: Map<string, Role>
  /** Finds a secret id of the role that has not expired. */
  find(role: string, wanted: { readonly id: string } | { readonly accessor: string }): SecretId | undefined
  secretIds(role: string): readonly SecretId[]
  put(secret: SecretId): void
  remove(secret: SecretId): void
  removeRole(name: string): void
  /** Counts one login with the secret id, and removes it after its last login. */
  spend(secret: SecretId): void
}

export const expiryOf = ({ createdAt, ttl }: SecretId): number | undefined =>
  ttl === 0 ? undefined : createdAt + ttl * 1000

export function createStore(clock: Clock): Store {
  const roles = new Map<string, Role>()
  const secrets = new Map<string, SecretId>()
  const secretIds = (role: string): readonly SecretId[] =>
    [...secrets.values()].filter(
      (secret) => secret.role === role && (expiryOf(secret) ?? Number.POSITIVE_INFINITY) > clock.now(),
    )
  const remove = ({ accessor }: SecretId): void => void secrets.delete(accessor)
  return {
    roles,
    secretIds,
    find: (role, wanted) =>
      secretIds(role).find((secret) =>
        'id' in wanted ? secret.id === wanted.id : secret.accessor === wanted.accessor,
      ),
    put: (secret) => void secrets.set(secret.accessor, secret),
    remove,
    removeRole(name) {
      for (const secret of [...secrets.values()]) if (secret.role === name) remove(secret)
      roles.delete(name)
    },
    spend(secret) {
      if (secret.uses === 1) remove(secret)
      else if (secret.uses > 1) secrets.set(secret.accessor, { ...secret, uses: secret.uses - 1 })
    },
    snapshot: () => ({ roles: [...roles], secrets: [...secrets.values()] }),
    restore(state) {
      roles.clear()
      secrets.clear()
      const kept = state as { roles: [string, Role][]; secrets: SecretId[] }
      for (const [name, role] of kept.roles) roles.set(name, role)
      for (const secret of kept.secrets) secrets.set(secret.accessor, secret)
    },
    reset() {
      roles.clear()
      secrets.clear()
    },
  }
}
