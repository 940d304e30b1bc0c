/** Puts forwarders in front of clusters, to see which address other clusters use and whether they connect at all, and
 * to cut the link. */
import { type Forwarder, startForwarder } from '../../fixtures/servers/forwarder/forwarder.ts'
import { type Expectation, mismatch, type Scope, type Step, StepFailed } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import { assertRole, joined, primaryEnabled, unused } from './given.ts'
import type { Cluster, Replication } from './kind.ts'
import { assertTaken } from './readiness.ts'
import { status } from './roles.ts'
import { hasCome, sentinel } from './then/sentinels.ts'
import { always, eventually } from './timing.ts'

const started = new WeakMap<Scope, Map<string, Forwarder>>()

function forwarderOf(scope: Scope, name: string): Forwarder {
  const forwarder = started.get(scope)?.get(name)
  if (!forwarder) throw new TypeError(`no forwarder \`${name}\` was started`)
  return forwarder
}

interface Provided {
  readonly url: string
  readonly clusterAddress?: string
}
/** The address on which forwarders listen, and the host by which clusters reach this machine. */
interface Place {
  readonly listen: string
  readonly advertise?: string
}

const provided = (scope: Scope, cluster: Cluster): Partial<Provided> => {
  if (cluster === 'main') {
    const address = scope.provided<string>('cluster-address')
    return address === undefined ? {} : { clusterAddress: address }
  }
  return scope.provided<readonly Provided[]>('clusters')?.[cluster === 'second' ? 0 : 1] ?? {}
}

async function start(scope: Scope, name: string, to: string): Promise<string> {
  const place = scope.provided<Place>('forwarder')
  const forwarder = await startForwarder(place ? { to, listen: `${place.listen}:0` } : { to })
  scope.atEnd(() => forwarder.close())
  const all = started.get(scope) ?? new Map<string, Forwarder>()
  started.set(scope, all.set(name, forwarder))
  const port = forwarder.address.slice(forwarder.address.lastIndexOf(':') + 1)
  return place?.advertise === undefined ? forwarder.address : `${place.advertise}:${port}`
}

/** Makes `{link}`, the address of a forwarder to the cluster address of this cluster. */
export const linked = (cluster: Cluster = 'main', name = 'link') =>
  action(`\`${name}\` leads to the cluster address of ${cluster}`, { provides: [name] }, async (scope) => {
    const to = provided(scope, cluster).clusterAddress
    if (to === undefined) throw notGiven('clusterAddress', cluster)
    scope.save(name, await start(scope, name, to))
  })

/** Makes `{api}`, a URL by which a forwarder leads to the API of a cluster. With TLS, the certificate of the cluster
 * need not match the forwarder's name: the forwarder sees the connections in any case. */
export const apiLinked = (cluster: Cluster, name = 'api') =>
  action(`\`${name}\` leads to the API of ${cluster}`, { provides: [name] }, async (scope) => {
    const known = provided(scope, cluster).url
    if (known === undefined) throw notGiven('url', cluster)
    const { protocol, hostname, port } = new URL(known)
    const to = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
    scope.save(name, `${protocol}//${await start(scope, name, to)}`)
  })

/** Makes `{secondUrl}`, the URL of the API of the cluster `second`. */
export const addressed = (cluster: Cluster) =>
  action(`\`${cluster}Url\` is the URL of ${cluster}`, { provides: [`${cluster}Url`] }, async (scope) => {
    const { url } = provided(scope, cluster)
    if (url === undefined) throw notGiven('url', cluster)
    scope.save(`${cluster}Url`, url)
  })

export const cut = (name = 'link') =>
  action(`nothing comes through \`${name}\` any more`, {}, async (scope) => {
    forwarderOf(scope, name).cut()
  })

/** Gives main time to notice that its secondary is gone. */
export const outOfReach = (of: Replication) =>
  action('main has had time to notice that', { touches: [status(of)] }, async (scope) => {
    await always(scope, status(of), () => true, 'glance')
  })

export const healed = (name = 'link') =>
  action(`\`${name}\` serves again`, {}, async (scope) => {
    forwarderOf(scope, name).heal()
  })

/** Restores the link after the judged request, and then judges the expectation. */
export const onceHealed = (expectation: Expectation, name = 'link'): Expectation => ({
  ...expectation,
  words: `${expectation.words} once \`${name}\` serves again`,
  judge(seen, before) {
    forwarderOf(seen.scope, name).heal()
    return expectation.judge(seen, before)
  },
})

/** Makes main a primary that gives its secondaries the address of a forwarder. */
export const linkedPrimary = (of: Replication) => [
  linked(),
  primaryEnabled(of, 'main', { primary_cluster_addr: '{link}' }),
]

/** Gives second a copy of main's data, over a link that can be cut. */
export const linkedCopy = (of: Replication): readonly Step[] => [
  unused('main', 'second'),
  sentinel('shared'),
  ...linkedPrimary(of),
  ...joined(of),
  hasCome(of),
]

const notGiven = (key: 'url' | 'clusterAddress', cluster: Cluster): StepFailed =>
  new StepFailed('not-provided', { needs: [`the ${key} of ${cluster}`], lines: [`${key} of the cluster ${cluster}`] })

const comersTo = ({ connections, refused }: Forwarder): number => connections + refused

/** Returns the number of connections once no new ones come: open connections, and those that retries of an earlier step
 * cause, must not be counted as new. */
async function countedInQuiet(scope: Scope, of: Replication, cluster: Cluster, name: string): Promise<number> {
  const count = comersTo(forwarderOf(scope, name))
  const isQuiet = () => comersTo(forwarderOf(scope, name)) === count
  await always(scope, status(of, cluster), isQuiet, 'arrival')
  if (isQuiet()) return count
  throw new StepFailed('restless', { what: `the number of connections through \`${name}\`` })
}

/** Expects a new connection through the forwarder. */
export const comesThrough = (
  of: Replication,
  cluster: Cluster,
  { name = 'link', isQuiet = false }: { readonly name?: string; readonly isQuiet?: boolean } = {},
): Expectation => ({
  words: `${cluster} connects to the address \`${name}\``,
  touches: [status(of, cluster)],
  before: async (scope) => (isQuiet ? countedInQuiet(scope, of, cluster, name) : comersTo(forwarderOf(scope, name))),
  async judge({ reply, scope }, before) {
    const isThere = () => comersTo(forwarderOf(scope, name)) > Number(before)
    if (!isThere()) {
      assertTaken(reply)
      await eventually(scope, status(of, cluster), isThere)
    }
    return isThere() ? undefined : mismatch(reply, `connections to ${name}`, 'at least one', 'none')
  },
})

/** Expects that the cluster does not connect through the forwarder after it has become secondary. */
export const staysAway = (of: Replication, cluster: Cluster, name = 'link'): Expectation => ({
  words: `${cluster} does not connect to the address \`${name}\``,
  touches: [status(of, cluster)],
  before: (scope) => countedInQuiet(scope, of, cluster, name),
  async judge({ reply, scope }, before) {
    const isAway = () => comersTo(forwarderOf(scope, name)) === Number(before)
    await assertRole(scope, of, cluster, 'secondary')
    await always(scope, status(of, cluster), isAway, 'arrival')
    return isAway() ? undefined : mismatch(reply, `connections to ${name}`, 'none', 'at least one')
  },
})
