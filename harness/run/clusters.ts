/** Clusters of a target besides the main one, and what a dialect can do on one in code. */
import type { Endpoint, ResolvedTarget } from '../targets/target.ts'
import type { ClusterAccess, Dialect } from '../vocabulary/index.ts'
import { headersFor } from '../wire/ask.ts'
import type { WireClient } from '../wire/client.ts'
import type { Stopping } from '../wire/stop-signals.ts'
import type { Timer } from '../wire/timer.ts'

export const mainCluster = 'main'
/** What suites call further clusters, in the order of the profile. */
export const furtherClusters = ['second', 'third'] as const

export interface Cluster extends Endpoint {
  readonly name: string
  readonly keyShares?: readonly string[]
  /** `host:port`, where other clusters reach it. */
  readonly clusterAddress?: string
  readonly mayBeWiped: boolean
}

export const clustersOf = (target: ResolvedTarget): readonly Cluster[] =>
  (target.provides.clusters as readonly Cluster[] | undefined) ?? []

interface Parts {
  readonly target: ResolvedTarget
  readonly dialect: Dialect
  readonly timer: Timer
  readonly stopping: Stopping
  readonly client: WireClient
  /** Tokens that worked somewhere in this run; those of this cluster first. */
  readonly found: readonly (string | undefined)[]
  learn(secret: string): void
  made(token: string): void
}

/** A cluster that was wiped holds what the one holds that it joined: tokens and key shares of every cluster are tried. */
export function clusterAccess(
  cluster: string,
  { target, dialect, timer, stopping, client, found, learn, made }: Parts,
): ClusterAccess {
  const clusters = clustersOf(target)
  const mainShares = (target.provides['key-shares'] as readonly string[] | undefined) ?? []
  const isMain = cluster === mainCluster
  const own = isMain ? target : (clusters.find(({ name }) => name === cluster) ?? client.endpoint)
  const tokens = [found[0], own.token, target.token, ...clusters.map(({ token }) => token), ...found.slice(1)]
  const ownShares = isMain ? mainShares : ((own as Partial<Cluster>).keyShares ?? [])
  const shareSets = [ownShares, mainShares, ...clusters.map(({ keyShares = [] }) => keyShares)]
  return {
    async send({ method, path, body }, token) {
      const { reply } = await client.send({
        ...{ method, path: `${dialect.prefix}/${path}`, asked: `${method} ${path}`, once: true },
        headers: headersFor(client, dialect, { operator: token !== undefined, token }, { body: body !== undefined }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return reply
    },
    tokens: [...new Set(tokens)].filter((token) => token !== undefined),
    keyShares: shareSets.filter((shares, at) => shares.length > 0 && shareSets.indexOf(shares) === at),
    mayBeWiped: (own as Partial<Cluster>).mayBeWiped === true,
    ...{ learn, made },
    // What begins after the run was stopped takes something back, and goes on until the end.
    pause: (ms) => timer.wait(ms, stopping.stop.aborted ? stopping.end : stopping.stop),
    patienceMs: target.patienceSeconds * 1000,
  }
}
