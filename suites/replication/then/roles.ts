/** Expectations about what the status of a cluster shows after a trigger. Most of a role change happens after the
 * reply. */
import type { Exchange, Expectation, Reply, Scope } from '../../../harness/vocabulary/index.ts'
import {
  isOfTheWay,
  isRefusal,
  mismatch,
  notSuccess,
  replyLacks,
  shortfall,
  stepRefused,
} from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { assertRole } from '../given.ts'
import { hasRole, modeIn, rememberRole } from '../idle.ts'
import type { Cluster, Replication } from '../kind.ts'
import { operationToken } from '../operation-token.ts'
import { askWhenReady, assertServed, assertTaken, isRefused, lateAfter } from '../readiness.ts'
import { openingUp } from '../reading.ts'
import { promote, status } from '../roles.ts'
import { always, eventually } from '../timing.ts'
import { clusterIdIn, type Role, roleIn } from './status.ts'

const shownRole = (reply: Reply): string => roleIn(reply) ?? 'none'

async function notInRole(scope: Scope, of: Replication, reply: Reply, seen: Reply, cluster: Cluster, role: Role) {
  if (isOfTheWay(reply)) throw stepRefused(reply)
  if (isRefusal(reply)) return notSuccess(reply)
  if (roleIn(seen) === role)
    throw replyLacks(seen, `which of its modes, such as \`${modeIn(seen)}\`, means no role`, cluster)
  await assertServed(scope, of, cluster, seen, { isAwaited: true })
  return shortfall(seen, 'mode', role, shownRole(seen))
}

/** Expects that the cluster has the role, at once or after a while. */
export const becomes = (of: Replication, cluster: Cluster, role: Role): Expectation => {
  const reading = status(of, cluster)
  return {
    words: `afterwards, ${cluster} is ${role}`,
    touches: [reading],
    async judge({ reply, scope }) {
      const isMet = hasRole(scope, of, cluster, role)
      const seen = await eventually(scope, reading, isMet, isRefused(reply) ? 0 : 'effect')
      if (!isMet(seen)) return notInRole(scope, of, reply, seen, cluster, role)
      rememberRole(scope, of, cluster, seen)
      return undefined
    },
  }
}

/** Expects that the trigger is accepted and that the cluster keeps its role, even after the trigger has had time to
 * take effect. */
export const remains = (of: Replication, cluster: Cluster, role: Role): Expectation => {
  const reading = status(of, cluster)
  return {
    words: `${cluster} is ${role} as before`,
    touches: [reading],
    async judge({ reply, scope }) {
      const isMet = hasRole(scope, of, cluster, role)
      const isStill = (seen: Reply) => roleIn(seen) === undefined || isMet(seen)
      const last = await always(scope, reading, isStill, lateAfter(reply))
      const seen = isMet(last) || isRefused(reply) ? last : await eventually(scope, reading, isMet)
      if (!isMet(seen)) return notInRole(scope, of, reply, seen, cluster, role)
      assertTaken(reply)
      return undefined
    },
  }
}

interface Standing {
  readonly role: Role | undefined
  readonly id: string | undefined
}
const standingIn = (reply: Reply): Standing => ({ role: roleIn(reply), id: clusterIdIn(reply) })
const told = ({ role, id }: Standing): string => `${role ?? 'no mode'}${id === undefined ? '' : `, cluster id ${id}`}`

/** Expects that the cluster keeps its role and id. */
export const stays = (of: Replication, cluster: Cluster): Expectation => {
  const reading = status(of, cluster)
  return {
    words: `${cluster} has its role and cluster id as before`,
    touches: [reading],
    async before(scope) {
      const reply = await askWhenReady(scope, reading)
      const standing = standingIn(reply)
      if (standing.role === undefined) throw replyLacks(reply, 'a mode', cluster)
      return standing
    },
    async judge({ reply, scope }, before) {
      const was = before as Standing
      const isOther = (seen: Reply) => {
        const { role, id } = standingIn(seen)
        if (role === undefined || !hasRole(scope, of, cluster, role)(seen)) return false
        return role !== was.role || (id !== undefined && was.id !== undefined && id !== was.id)
      }
      // A cluster that is getting ready may show a temporary word, or no id, for a moment.
      const isSame = (seen: Reply) => {
        const { role, id } = standingIn(seen)
        return role === was.role && (was.id === undefined || id === was.id)
      }
      const last = await always(scope, reading, (seen) => !isOther(seen), lateAfter(reply))
      const isTold = (seen: Reply) => isOther(seen) || isSame(seen)
      const seen = isTold(last) ? last : await eventually(scope, reading, isTold)
      if (isSame(seen)) return undefined
      if (roleIn(seen) === undefined) throw replyLacks(seen, 'a mode', cluster)
      return mismatch(seen, 'mode', `as before: ${told(was)}`, told(standingIn(seen)))
    },
  }
}

async function idOf(scope: Scope, reading: Exchange, seen?: Reply): Promise<string> {
  const reply = seen ?? (await askWhenReady(scope, reading))
  const id = clusterIdIn(reply)
  if (id === undefined) throw replyLacks(reply, 'a cluster_id', reading.cluster)
  return id
}

/** Saves the present cluster id, to compare it with a later one of the same cluster (reading 6). */
export const remembered = (of: Replication, cluster: Cluster) =>
  action(
    `the cluster id of ${cluster} is \`formerId\``,
    { touches: [status(of, cluster)], provides: ['formerId'] },
    async (scope) => {
      scope.save('formerId', await idOf(scope, status(of, cluster)))
    },
  )

/** Expects a cluster id other than `{formerId}`. It may appear a little later than the role. */
export const hasOtherId = (of: Replication, cluster: Cluster, role: Role): Expectation => {
  const reading = status(of, cluster)
  return {
    words: `afterwards, ${cluster} is ${role}, with another cluster id than before`,
    touches: [reading],
    async judge({ scope }) {
      await assertRole(scope, of, cluster, role)
      const former = scope.value('formerId')
      const isOther = (seen: Reply) => clusterIdIn(seen) !== undefined && clusterIdIn(seen) !== former
      const seen = await eventually(scope, reading, isOther)
      return isOther(seen)
        ? undefined
        : mismatch(seen, 'cluster_id', `another than ${former}`, await idOf(scope, reading, seen))
    },
  }
}

/** Expects that a demoted primary keeps its id. A primary may report the id of its set, and a secondary its own
 * (reading 6). So if the ids differ, the cluster is promoted, and its id as a primary is compared. */
export const keepsIdAsSecondary = (of: Replication, cluster: Cluster): Expectation => {
  const reading = status(of, cluster)
  return {
    words: `afterwards, ${cluster} is secondary, with the cluster id that it had`,
    touches: [reading, ...openingUp(of, cluster), ...(of.kind === 'performance' ? [promote(of, cluster)] : [])],
    async judge({ scope }) {
      const former = scope.value('formerId')
      const isSame = (seen: Reply) => clusterIdIn(seen) === former
      const first = await assertRole(scope, of, cluster, 'secondary')
      await idOf(scope, reading, first)
      const seen = await eventually(scope, reading, isSame, 'glance')
      if (isSame(seen)) return undefined
      if (of.kind === 'dr') await scope.perform(operationToken(cluster))
      const reply = await askWhenReady(scope, promote(of, cluster))
      if (isRefused(reply)) throw stepRefused(reply, cluster)
      await assertRole(scope, of, cluster, 'primary')
      const again = await eventually(scope, reading, isSame, 'glance')
      return isSame(again) ? undefined : mismatch(again, 'cluster_id', former, await idOf(scope, reading, again))
    },
  }
}

/** Expects that the cluster is primary or secondary in main's set. If main reports the id of its set, the ids of other
 * clusters need not equal it (reading 6), so another id decides nothing. */
export const joinsSetOfMain = (of: Replication, cluster: Cluster): Expectation => {
  const reading = status(of, cluster)
  const isRole = (seen: Reply) => roleIn(seen) === 'primary' || roleIn(seen) === 'secondary'
  return {
    words: `${cluster} is in the ${of.kind} replication set of main`,
    touches: [status(of), reading],
    async judge({ reply, scope }) {
      assertTaken(reply)
      const id = await idOf(scope, status(of))
      const seen = await eventually(scope, reading, (one) => isRole(one) && clusterIdIn(one) === id)
      if (!isRole(seen)) return shortfall(seen, 'mode', 'primary or secondary', shownRole(seen))
      if (clusterIdIn(seen) === id) return undefined
      throw replyLacks(seen, 'the cluster_id of main, and so not whether it is in its set', cluster)
    },
  }
}
