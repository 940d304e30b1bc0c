/** Paths filters and dynamic filters of the performance secondary `second`, and the data that they withhold from it. */
import type { Action, Exchange, Expectation, Json, JsonObject, Reply, Witness } from '../../harness/vocabulary/index.ts'
import {
  afterSuccess,
  allOf,
  bodyWords,
  del,
  fieldOf,
  get,
  isObject,
  isRefusal,
  isSuccess,
  judgementOf,
  type Mismatch,
  matcher,
  mismatch,
  notInTime,
  notSuccess,
  post,
  reads,
  replyLacks,
  shortfall,
  shown,
  statusSeen,
  stepRefused,
  succeeds,
  unreadable,
} from '../../harness/vocabulary/index.ts'
import { action, expectation } from '../records.ts'
import { replicating } from '../replication/given.ts'
import { type Cluster, performance } from '../replication/kind.ts'
import { askWhenReady } from '../replication/readiness.ts'
import { readUntil } from '../replication/reading.ts'
import { idOf, status } from '../replication/roles.ts'
import { arrived, isMarked, marker, sentinel } from '../replication/then/sentinels.ts'
import { clusterIdIn } from '../replication/then/status.ts'
import { always, eventually } from '../replication/timing.ts'
import { theWord } from '../word.ts'

const prefix = 'sys/replication/performance'

const filterPath = (id: string): string => `${prefix}/primary/paths-filter/{${id}}`
export const deleted: Exchange = del(filterPath('filterId'), { words: 'the paths filter is deleted' })
export const filtered = (body: JsonObject, id = 'filterId'): Exchange =>
  post(filterPath(id), body, {
    words: `the paths filter of \`${id}\` is set${bodyWords(body)}`,
    undo: del(filterPath(id)),
  })
/** No check of filters has a mount with this name. */
const trial = { mode: 'deny', paths: ['{own}/'] }

/** Provides the cluster id of a secondary, as its status reports it. If that is the id of its set (readings of the
 * documents, 6), filters may use the id that the status reports beside it, the id of the set, or that of the activation
 * token; the first one under which a filter is accepted is used. */
const idAs = (name: string, cluster: Cluster) =>
  action(
    `\`${name}\` is the cluster id of ${cluster}`,
    {
      touches: [status(performance, cluster), status(performance), filtered(trial, name), del(filterPath(name))],
      provides: [name],
    },
    async (scope) => {
      const reply = await askWhenReady(scope, status(performance, cluster))
      const [id, own] = [clusterIdIn(reply), fieldOf(reply, 'secondary_id')]
      if (id === undefined) throw replyLacks(reply, 'a cluster_id', cluster)
      scope.save(name, id)
      if (id !== clusterIdIn(await askWhenReady(scope, status(performance)))) return
      const others = [own, id, scope.fill(idOf(cluster))].filter((one) => typeof one === 'string')
      for (const other of new Set(others.filter((one) => one !== ''))) {
        scope.save(name, other)
        if (!isSuccess(await scope.send(filtered(trial, name)))) continue
        await scope.send(del(filterPath(name)))
        return
      }
      scope.save(name, id)
    },
  )

export const filterId = idAs('filterId', 'second')
/** Provides the id of third, which has filters of its own. */
export const thirdId = idAs('thirdId', 'third')

export const filterOf = (id: string): Exchange =>
  get(filterPath(id), { words: `the paths filter of \`${id}\` is read` })
export const filter: Exchange = filterOf('filterId')

/** Shows the filter. An unknown id must never show one; reading the filter of the secondary then proves that reads are
 * served. */
export const filterStays = (id = 'filterId'): Witness =>
  reads(get(filterPath(id)), { fields: ['mode', 'paths'], ...(id === 'filterId' ? {} : { beside: filter }) })

export const dynamicFilter = (side: 'primary' | 'secondary'): Exchange =>
  get(`${prefix}/${side}/dynamic-filter/{filterId}`, {
    cluster: side === 'primary' ? 'main' : 'second',
    words: `the dynamic filter is read on the ${side}`,
  })

/** A dynamic filter may exist only once the filter takes effect, and the documents do not say when that is. */
export const isServed = (reading: Exchange): Expectation => ({
  words: 'the request succeeds, at once or after a while, and from then on',
  touches: [reading],
  async judge({ reply, scope }) {
    const seen = isSuccess(reply) ? reply : await eventually(scope, reading, isSuccess)
    const again = [await scope.send(reading), await scope.send(reading)]
    const refused = again.find((one) => isRefusal(one))
    return succeeds.judge({ reply: isSuccess(seen) ? (refused ?? seen) : seen, scope }, undefined)
  },
})

/** The filters of second are at `{filterId}`. */
export const twoPaths = [...replicating(performance), sentinel('shared'), sentinel('other'), filterId]
/** Provides two mounts on main that second has received. */
export const twoMounts = [
  ...replicating(performance),
  ...['shared', 'other'].flatMap((mount) => [sentinel(mount), arrived(mount, 'second')]),
  filterId,
]

interface Place {
  readonly key?: string
  readonly cluster?: Cluster
}

/** Expects that the value of a mount appears on a secondary, or disappears from it, by the end of the patience. */
function follows(mount: string, isThere: boolean, { key, cluster = 'second' }: Place = {}): Expectation {
  const reading = marker(mount, cluster, key)
  return afterSuccess({
    words: `afterwards, ${cluster} ${isThere ? 'holds' : 'does not hold'} \`${key === undefined ? mount : `${mount}/${key}`}\``,
    touches: [reading],
    async judge({ scope }) {
      const seen = await readUntil(scope, mount, reading, isThere)
      // If the read was refused, this shows whether the token works on the cluster at all: only then does the refusal
      // prove anything.
      await scope.admit(cluster)
      if (isMarked(scope, mount, seen) === isThere) return undefined
      return isThere
        ? shortfall(seen, 'value', 'the value of the mount', 'none')
        : mismatch(seen, 'value', 'none', 'the value of the mount')
    },
  })
}
export const leaves = (mount: string, cluster: Cluster = 'second'): Expectation => follows(mount, false, { cluster })
export const comes = (mount: string, key?: string): Expectation =>
  follows(mount, true, key === undefined ? {} : { key })

/** Expects that a filtered mount does not appear on second. This is judged after `comes`, which shows that later writes
 * do. The documents do not say how soon a filter takes effect, so a value may appear for a moment, but must be gone by
 * the end of the patience. */
export const keepsAway = (mount: string, ...keys: readonly string[]): Expectation => {
  const readings = ['marker', ...keys].map((key) => marker(mount, 'second', key))
  return afterSuccess({
    words: `second still does not hold \`${mount}\``,
    touches: readings,
    async judge({ scope }) {
      const held: Mismatch[] = []
      for (const reading of readings) {
        await readUntil(scope, mount, reading, true, 'glance')
        const seen = await readUntil(scope, mount, reading, false)
        // If the read was refused, this shows whether the token works on second at all: only then does the refusal
        // prove anything.
        await scope.admit('second')
        if (isMarked(scope, mount, seen)) held.push(mismatch(seen, 'value', 'none', 'the value of the mount'))
      }
      return judgementOf(...held)
    },
  })
}

/** Expects that a mount stays on a cluster. This is judged after `leaves`, which shows that the filter has taken
 * effect. */
export const remains = (mount: string, cluster: Cluster = 'second'): Expectation => {
  const reading = marker(mount, cluster)
  return afterSuccess({
    words: `${cluster} goes on holding \`${mount}\``,
    touches: [reading],
    async judge({ scope }) {
      await readUntil(scope, mount, reading, false, 'glance')
      const seen = await readUntil(scope, mount, reading, true)
      return isMarked(scope, mount, seen) ? undefined : shortfall(seen, 'value', 'the value of the mount', 'none')
    },
  })
}

/** Waits until a mount was removed from second, so that its return after the judged request proves something. */
export const left = (mount: string) =>
  action(`\`${mount}\` has left second`, { touches: [marker(mount, 'second')] }, async (scope) => {
    const reply = await readUntil(scope, mount, marker(mount, 'second'), false)
    if (isMarked(scope, mount, reply)) throw notInTime(`${mount} to leave second`, reply, statusSeen(reply))
  })

/** Expects that a mount is removed from second, and that third still has it. */
export function leavesSecondOnly(mount: string): Expectation {
  const words = `afterwards, second does not hold \`${mount}\`, and third does`
  return allOf(words, [leaves(mount), remains(mount, 'third')])
}

const bare = (path: string): string => path.replace(/^\//, '').replace(/\/$/, '')
/** An entry may be an object that contains the path. */
const entryPath = (entry: Json): string => String(isObject(entry) ? (entry.path ?? '') : entry)
const pathsIn = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value)
    ? (value as readonly Json[]).map(entryPath)
    : typeof value === 'string' && value !== ''
      ? value.split(',')
      : []
  ).map(bare)

/** Accepts exactly these paths in any order. Servers may add or remove slashes at either end. */
export const paths = (...wanted: readonly string[]) =>
  matcher(`the paths ${wanted.join(', ') || 'none'}`, (value, scope) => {
    const want = wanted.map((one) => bare(scope.fill(one)))
    return [...pathsIn(value)].sort().join('\n') === want.sort().join('\n')
  })

function assertTelling(reply: Reply): void {
  if (![401, 403, 405].includes(reply.status) && reply.status < 500) return
  throw unreadable(reply)
}

/** Requires that the filter can be read: otherwise a later read without a filter would prove nothing. */
export const filterShown = action('the paths filter shows what it lists', { touches: [filter] }, async (scope) => {
  const reply = await scope.send(filter)
  if (!isSuccess(reply) || pathsIn(fieldOf(reply, 'paths')).length === 0)
    throw replyLacks(reply, 'the paths of the filter')
})

/** Expects that no paths of a filter are returned: not found, an empty body, or the defaults. */
export const noFilter = expectation('no paths are filtered', ({ reply }) => {
  assertTelling(reply)
  const found = isSuccess(reply) ? pathsIn(fieldOf(reply, 'paths')) : []
  return found.length === 0 ? undefined : mismatch(reply, 'paths', 'none', shown(found))
})

const listedBy = (reply: Reply): readonly string[] =>
  isSuccess(reply) ? [...pathsIn(fieldOf(reply, 'paths'))].sort() : []

/** A target that shows the defaults where it has no filter may take one that denies nothing for none. */
const modeShown = (seen: Reply, mode: string) => {
  const is = fieldOf(seen, 'mode')
  return mode !== 'allow' || typeof is !== 'string' || /^(allow)?$/i.test(is)
    ? undefined
    : { ...mismatch(seen, 'mode', mode, shown(is)), requirement: performance.requirement('paths-filter.reads') }
}

/** Expects that a filter of this mode lists none that is set without paths. If it is refused, the filter must be as before. If
 * the empty list is also refused, the missing default is not the reason. */
export const listsNone = (mode: 'allow' | 'deny'): Expectation => ({
  words: 'the filter is set and lists no paths',
  touches: [filtered({ mode, paths: [] }), filter],
  before: async (scope) => listedBy(await scope.send(filter)),
  async judge({ reply, scope }, before) {
    const seen = await scope.send(filter)
    if (isSuccess(reply)) return (await noFilter.judge({ reply: seen, scope }, undefined)) ?? modeShown(seen, mode)
    assertTelling(seen)
    const [was, is] = [shown(before as readonly string[]), shown(listedBy(seen))]
    if (isRefusal(reply) && !reply.isRepeated && was !== is)
      return mismatch(seen, 'paths', `as before the refusal: ${was}`, is)
    const spelled = await scope.send(filtered({ mode, paths: [] }))
    if (!isSuccess(spelled)) throw stepRefused(spelled)
    return notSuccess(reply)
  },
})

export const isMode = (wanted: 'allow' | 'deny') => theWord(wanted, `the mode ${wanted}`)

export const modeOfTheList = expectation('no mode other than allow and deny is stored', ({ reply }) => {
  assertTelling(reply)
  const mode = isSuccess(reply) ? fieldOf(reply, 'mode') : undefined
  const isNone = mode === '' && pathsIn(fieldOf(reply, 'paths')).length === 0
  return isNone || mode === undefined || mode === null || /^(allow|deny)$/i.test(String(mode))
    ? undefined
    : mismatch(reply, 'mode', 'allow or deny', shown(mode))
})

/** Servers of this family list auth mounts at this path. */
const authMounts = get('sys/auth', { cluster: 'second', words: 'the auth mounts of second are listed' })
const isListed = (reply: Reply, name: string): boolean => {
  const body = isObject(reply.json) ? reply.json : {}
  return isSuccess(reply) && [body.data, body].some((part) => isObject(part) && Object.hasOwn(part, `${name}/`))
}

/** Creates auth mounts with these names on main, and waits until second has received them. */
export const authMountsArrived = (...names: readonly string[]): Action => {
  const mounting = names.map((name) =>
    post(`sys/auth/{${name}}`, { type: 'userpass' }, { undo: del(`sys/auth/{${name}}`) }),
  )
  return action(
    `second has the auth mounts ${names.join(', ')} of main`,
    { touches: [...mounting, authMounts] },
    async (scope) => {
      for (const exchange of mounting) await scope.perform(exchange)
      const areThere = (reply: Reply) => names.every((name) => isListed(reply, scope.value(name)))
      const reply = await eventually(scope, authMounts, areThere)
      if (!areThere(reply)) throw notInTime('second to list the auth mounts', reply, statusSeen(reply))
    },
  )
}

function authFollows(name: string, isThere: boolean): Expectation {
  return afterSuccess({
    words: `afterwards, second ${isThere ? 'has' : 'does not have'} the auth mount \`${name}\``,
    touches: [authMounts],
    async judge({ scope }) {
      const isMet = (seen: Reply) => isSuccess(seen) && isListed(seen, scope.value(name)) === isThere
      // A mount that must stay could be removed a little later than the other one.
      if (isThere) await always(scope, authMounts, (seen) => !isSuccess(seen) || isMet(seen), 'glance')
      const seen = await eventually(scope, authMounts, isMet)
      return isMet(seen)
        ? undefined
        : mismatch(seen, name, isThere ? 'listed' : 'not listed', isThere ? 'not listed' : 'listed')
    },
  })
}
export const authLeaves = (name: string): Expectation => authFollows(name, false)
export const authStays = (name: string): Expectation => authFollows(name, true)
