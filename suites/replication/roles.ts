/** The requests that give a cluster a role, change it and end it. The undo of each request ends replication on the
 * cluster, whatever role it has by then. */
import { type Exchange, get, type JsonObject, post } from '../../harness/vocabulary/index.ts'
import type { Cluster, Replication } from './kind.ts'

const called = ({ kind }: Replication): string => (kind === 'dr' ? 'DR' : 'performance')

/** Ends the role of a cluster in one kind of replication. */
export const off = ({ prefix }: Replication, cluster: Cluster): Exchange =>
  post(`${prefix}/primary/disable`, {}, { cluster, restoration: 'replication-off' })

/** Makes any trigger of the table of states. As `operator` it carries a client token; as `nobody` it is authorized by
 * its body. */
export const trigger = (
  of: Replication,
  path: string,
  cluster: Cluster,
  body: JsonObject,
  as: 'operator' | 'nobody' = 'operator',
): Exchange =>
  post(`${of.prefix}/${path}`, body, {
    cluster,
    as,
    ...(as === 'nobody' ? { orAs: 'operator' } : {}),
    isTrigger: true,
    undo: off(of, cluster),
  })

export const status = (of: Replication, cluster: Cluster = 'main'): Exchange =>
  get(`${of.prefix}/status`, { cluster, as: 'nobody', words: `the ${called(of)} status of ${cluster} is read` })

/** Reads the status, with an undo for the role that a trigger of the other kind may give the cluster in this kind. */
export const statusToBeEnded = (of: Replication, cluster: Cluster): Exchange => ({
  ...status(of, cluster),
  undo: off(of, cluster),
})

export const primaryEnable = (of: Replication, cluster: Cluster = 'main', body: JsonObject = {}): Exchange =>
  trigger(of, 'primary/enable', cluster, body)
export const primaryDemote = (of: Replication, cluster: Cluster = 'main'): Exchange =>
  trigger(of, 'primary/demote', cluster, {})
export const primaryDisable = (of: Replication, cluster: Cluster = 'main'): Exchange =>
  trigger(of, 'primary/disable', cluster, {})

/** Returns the id of a cluster as a secondary; `again` distinguishes a further token for it. It has a capital letter, since
 * clients choose it freely. */
export const idOf = (secondary: Cluster, again = ''): string => `{${secondary}}-Site${again}`

export const secondaryToken = (of: Replication, id: string, primary: Cluster = 'main', fields: JsonObject = {}) =>
  trigger(of, 'primary/secondary-token', primary, { id, ...fields })
export const revokeSecondary = (of: Replication, id: string, primary: Cluster = 'main'): Exchange =>
  trigger(of, 'primary/revoke-secondary', primary, { id })

/** Scope names: of the activation token for a cluster, and of its DR operation token. */
export const tokenOf = (cluster: Cluster): string => `${cluster}Token`
export const operationTokenOf = (cluster: Cluster): string => `${cluster}Operation`

export const secondaryEnable = (of: Replication, cluster: Cluster = 'second', fields: JsonObject = {}): Exchange =>
  trigger(of, 'secondary/enable', cluster, { token: `{${tokenOf(cluster)}}`, ...fields })

/** The field that a DR secondary requires instead of a client token; nothing for the other kind. */
const authority = (of: Replication, cluster: Cluster): JsonObject =>
  of.kind === 'dr' ? { dr_operation_token: `{${operationTokenOf(cluster)}}` } : {}
const asker = (of: Replication) => (of.kind === 'dr' ? 'nobody' : 'operator')

/** The documents do not say what the safety checks examine, so only `force` makes sure that a promotion is accepted. */
export const promote = (of: Replication, cluster: Cluster = 'second', fields: JsonObject = { force: true }): Exchange =>
  trigger(of, 'secondary/promote', cluster, { ...authority(of, cluster), ...fields }, asker(of))

/** A trigger that keeps the mode of the cluster, so that no status shows when it has taken effect. */
export type ModeKeeping = Exchange & { readonly keepsMode: true }

export const updatePrimary = (of: Replication, cluster: Cluster = 'second', fields: JsonObject = {}): ModeKeeping => ({
  ...trigger(
    of,
    'secondary/update-primary',
    cluster,
    { token: `{${tokenOf(cluster)}}`, ...authority(of, cluster), ...fields },
    asker(of),
  ),
  keepsMode: true,
})

/** Returns the requests to try in turn: one by the operator and, because a DR secondary may accept no client token, one
 * with its operation token (reading 1). */
export const secondaryDisabling = (of: Replication, cluster: Cluster = 'second'): readonly Exchange[] => [
  trigger(of, 'secondary/disable', cluster, {}),
  ...(of.kind === 'dr' ? [trigger(of, 'secondary/disable', cluster, authority(of, cluster), 'nobody')] : []),
]
