/** Recognizes clusters that do not replicate, and remembers the word that their status uses for it. */
import { fieldOf, isSuccess, type Reply, type Scope } from '../../harness/vocabulary/index.ts'
import type { Cluster, Replication } from './kind.ts'
import { off } from './roles.ts'
import { type Role, roleIn } from './then/status.ts'

export const modeIn = (reply: Reply): string | undefined => {
  const mode = isSuccess(reply) ? fieldOf(reply, 'mode') : undefined
  if (mode === null) return ''
  return typeof mode === 'string' ? mode : undefined
}

/** The fields that only a cluster in a replication set shows. */
const signs = ['cluster_id', 'secondary_id', 'known_secondaries', 'primary_cluster_addr', 'primaries', 'secondaries']

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** For a verdict, every word other than primary and secondary means `disabled` (reading 9). That is not strict enough
 * before a cluster is given a role or wiped: some words mean that the cluster is just changing its role. */
export function isIdle(reply: Reply): boolean {
  const mode = modeIn(reply)
  if (mode === undefined) return false
  if (/^(disabled|none|off|inactive)$/i.test(mode)) return true
  if (/primary|secondary|bootstrap|recover|start|standby|unknown/i.test(mode)) return false
  return signs.every((name) => isEmpty(fieldOf(reply, name)))
}

const words = new WeakMap<Scope, Map<string, string>>()
const keyOf = ({ kind }: Replication, cluster: Cluster): string => `${kind} ${cluster}`

/** Remembers the word that a cluster uses for its mode before it has any role. */
export function rememberIdle(scope: Scope, of: Replication, cluster: Cluster, reply: Reply): void {
  const known = words.get(scope) ?? new Map<string, string>()
  words.set(scope, known.set(keyOf(of, cluster), modeIn(reply) ?? ''))
}

/** Remembers the reply to the read of a role that has to be ended. Returns it. */
export function rememberRole(scope: Scope, of: Replication, cluster: Cluster, reply: Reply): Reply {
  const role = roleIn(reply)
  if (role === 'primary' || role === 'secondary') scope.endedRoles.note(off(of, cluster), reply)
  return reply
}

export const idleWord = (scope: Scope, of: Replication, cluster: Cluster): string | undefined =>
  words.get(scope)?.get(keyOf(of, cluster))

/** A disabled cluster must use the same word as before: another word may mean that it is still changing. */
export const hasRole =
  (scope: Scope, of: Replication, cluster: Cluster, role: Role) =>
  (reply: Reply): boolean =>
    roleIn(reply) === role && (role !== 'disabled' || (idleWord(scope, of, cluster) ?? modeIn(reply)) === modeIn(reply))
