/** Mounts with one value each, which show the data of a cluster: `shared` is replicated, `own` is local to its
 * cluster. */
import type { Action, Exchange, Reply, Scope } from '../../../harness/vocabulary/index.ts'
import {
  del,
  fieldOf,
  get,
  isSuccess,
  notInTime,
  post,
  replyLacks,
  statusSeen,
} from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { caughtUp, joined, primaryEnabled, unused } from '../given.ts'
import type { Cluster, Replication } from '../kind.ts'
import { eventually, timed } from '../timing.ts'

/** Turns the name of a mount, or `space/name` for one in a namespace, into a path. */
const placed = (mount: string): string => mount.replaceAll(/[^/]+/g, '{$&}')

/** What is written later has a key of its own in each check, because the mount may be one that checks share. */
const keyed = (mount: string, key: string): string => `${placed(mount)}/${key === 'marker' ? '' : '{use}'}${key}`

export const marker = (mount: string, cluster: Cluster, key = 'marker'): Exchange =>
  get(keyed(mount, key), { cluster, words: `${mount}/${key} is read on ${cluster}` })

export function mounted(mount: string, cluster: Cluster = 'main', local = false): Exchange {
  const path = placed(mount).replace(/(?<![^/])[^/]+$/, 'sys/mounts/$&')
  return post(
    path,
    { type: 'kv', options: { version: '1' }, ...(local ? { local } : {}) },
    { cluster, undo: del(path, { cluster }) },
  )
}

/** Writes a value into an existing mount. The value is the name of the mount, which no other check uses. */
export const written = (mount: string, cluster: Cluster, key = 'marker'): Exchange =>
  post(keyed(mount, key), { value: placed(mount) }, { cluster, words: `${mount}/${key} is written on ${cluster}` })

/** Creates a mount of that name, with its value, on the cluster. */
export const sentinel = (
  mount: string,
  cluster: Cluster = 'main',
  { local = false }: { readonly local?: boolean } = {},
) =>
  action(
    `${cluster} has ${local ? 'a local' : 'a'} mount \`${mount}\` with a value`,
    { touches: [mounted(mount, cluster, local), written(mount, cluster), marker(mount, cluster)] },
    async (scope) => {
      for (const exchange of [mounted(mount, cluster, local), written(mount, cluster)]) await scope.perform(exchange)
      const reply = await scope.send(marker(mount, cluster))
      if (!isMarked(scope, mount, reply)) throw replyLacks(reply, 'what was written', cluster)
    },
  )

export const isMarked = (scope: Scope, mount: string, reply: Reply): boolean =>
  isSuccess(reply) && fieldOf(reply, 'value') === scope.fill(placed(mount))

/** Waits until another cluster has received the value, so that its absence after the judged request proves
 * something. */
export const arrived = (mount: string, cluster: Cluster, key = 'marker') =>
  action(`${mount}/${key} has come to ${cluster}`, { touches: [marker(mount, cluster, key)] }, async (scope) => {
    const isThere = (seen: Reply) => isMarked(scope, mount, seen)
    const reply = await timed(scope, () => eventually(scope, marker(mount, cluster, key), isThere))
    if (!isMarked(scope, mount, reply))
      throw notInTime(`${mount}/${key} to come to ${cluster}`, reply, statusSeen(reply))
  })

/** Makes main the primary of secondaries that have received a value from it, as far as they show it. */
export const inTouch = (of: Replication, ...secondaries: readonly Cluster[]): readonly Action[] => {
  const others = secondaries.length > 0 ? secondaries : (['second'] as const)
  return [
    unused('main', ...others),
    sentinel('shared'),
    primaryEnabled(of),
    ...others.flatMap((cluster) => [...joined(of, cluster), hasCome(of, cluster)]),
  ]
}

/** Waits until a secondary has the data. A DR secondary shows nothing but its status. */
export const hasCome = (of: Replication, cluster: Cluster = 'second', primary: Cluster = 'main'): Action =>
  of.kind === 'dr' ? caughtUp(of, cluster, primary) : arrived('shared', cluster)
