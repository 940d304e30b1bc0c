/** Clusters that do not replicate: what they call it, and whether one may be taken for such a cluster. */
import type { Reply, Scope } from '../../harness/vocabulary/index.ts'
import { fieldOf, isSuccess } from '../../harness/vocabulary/index.ts'
import type { Cluster, Replication } from './kind.ts'
import { type Role, roleIn } from './status.ts'

export const modeIn = (reply: Reply): string | undefined => {
  const mode = isSuccess(reply) ? fieldOf(reply, 'mode') : undefined
  return typeof mode === 'string' ? mode : undefined
}

/** What only a cluster in a replication set shows. */
const signs = ['cluster_id', 'secondary_id', 'known_secondaries', 'primary_cluster_addr', 'primaries', 'secondaries']

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A third word is `disabled` in a verdict (reading 9). That a cluster may be given a role, and be wiped, takes more: there
 * are words for one that is just getting or regaining a role. */
export function isIdle(reply: Reply): boolean {
  const mode = modeIn(reply)
  if (mode === undefined) return false
  if (/^(disabled|none|off|inactive|)$/i.test(mode)) return true
  if (/primary|secondary|bootstrap|recover|start|standby|unknown/i.test(mode)) return false
  return signs.every((name) => isEmpty(fieldOf(reply, name)))
}

const words = new WeakMap<Scope, Map<string, string>>()
const keyOf = ({ kind }: Replication, cluster: Cluster): string => `${kind} ${cluster}`

/** What a cluster calls its mode before it has any role. */
export function rememberIdle(scope: Scope, of: Replication, cluster: Cluster, reply: Reply): void {
  const known = words.get(scope) ?? new Map<string, string>()
  words.set(scope, known.set(keyOf(of, cluster), modeIn(reply) ?? ''))
}

export const idleWord = (scope: Scope, of: Replication, cluster: Cluster): string | undefined =>
  words.get(scope)?.get(keyOf(of, cluster))

/** A cluster that is disabled again calls it as it did before: another word may be one of passage. */
export const hasRole =
  (scope: Scope, of: Replication, cluster: Cluster, role: Role) =>
  (reply: Reply): boolean =>
    roleIn(reply) === role && (role !== 'disabled' || (idleWord(scope, of, cluster) ?? modeIn(reply)) === modeIn(reply))
