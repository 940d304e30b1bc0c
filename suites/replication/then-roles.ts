/** What the status of a cluster must show after a trigger. Most of what a cluster does to get to a role comes after the
 * reply. */
import type { Action, Exchange, Expectation, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { isRefusal, isSuccess, mismatch, StepFailed } from '../../harness/vocabulary/index.ts'
import { assertRole } from './given.ts'
import type { Cluster, Replication } from './kind.ts'
import { status } from './roles.ts'
import { clusterIdIn, type Role, roleIn } from './status.ts'

/** A change that nobody has to fear is soon seen; one that is refused is not waited for. */
const shortWatch = 0.1

const shownRole = (reply: Reply): string => roleIn(reply) ?? `no mode (status ${reply.status})`

/** The cluster has the role, at once or after a while. */
export const becomes = (of: Replication, cluster: Cluster, role: Role): Expectation => {
  const reading = status(of, cluster)
  return {
    words: `${cluster} is ${role} then`,
    touches: [reading],
    async judge({ reply, scope }) {
      const isThere = (seen: Reply) => roleIn(seen) === role
      const seen = isRefusal(reply) ? await scope.send(reading) : await scope.poll(reading, isThere)
      if (isThere(seen)) return undefined
      if (isRefusal(reply))
        return mismatch(reply, 'status', `a success, by which ${cluster} becomes ${role}`, String(reply.status))
      return mismatch(seen, 'mode', role, shownRole(seen))
    },
  }
}

interface Standing {
  readonly role: Role | undefined
  readonly id: string | undefined
}
const standingIn = (reply: Reply): Standing => ({ role: roleIn(reply), id: clusterIdIn(reply) })
const told = ({ role, id }: Standing): string => `${role ?? 'no mode'}${id === undefined ? '' : `, cluster id ${id}`}`

/** The cluster has the role and the id that it had. */
export const stays = (of: Replication, cluster: Cluster): Expectation => {
  const reading = status(of, cluster)
  return {
    words: `${cluster} has its role and cluster id as before`,
    touches: [reading],
    before: async (scope) => standingIn(await scope.send(reading)),
    async judge({ reply, scope }, before) {
      const was = before as Standing
      const isOther = (seen: Reply) => {
        const is = standingIn(seen)
        return is.role !== was.role || (was.id !== undefined && is.id !== was.id)
      }
      const seen = isSuccess(reply) ? await scope.poll(reading, isOther, shortWatch) : await scope.send(reading)
      return isOther(seen) ? mismatch(seen, 'mode', `as before: ${told(was)}`, told(standingIn(seen))) : undefined
    },
  }
}

async function idOf(scope: Scope, reading: Exchange, seen?: Reply): Promise<string> {
  const reply = seen ?? (await scope.send(reading))
  const id = clusterIdIn(reply)
  if (id === undefined) throw new StepFailed(`${reply.asked} of ${reading.cluster} shows no cluster_id`, reply)
  return id
}

/** The cluster id that a cluster has now, to compare it with one that the same cluster has later (reading 6). */
export const remembered = (of: Replication, cluster: Cluster): Action => ({
  kind: 'action',
  words: `the cluster id of ${cluster} is \`formerId\``,
  touches: [status(of, cluster)],
  provides: ['formerId'],
  async run(scope) {
    scope.save('formerId', await idOf(scope, status(of, cluster)))
  },
})

function compared(of: Replication, cluster: Cluster, role: Role, isSame: boolean): Expectation {
  const reading = status(of, cluster)
  return {
    words: `${cluster}, which is ${role} then, has ${isSame ? 'the' : 'another'} cluster id ${isSame ? 'that' : 'than'} it had`,
    touches: [reading],
    async judge({ scope }) {
      const seen = await assertRole(scope, of, cluster, role)
      const [former, id] = [scope.value('formerId'), await idOf(scope, reading, seen)]
      if ((id === former) === isSame) return undefined
      return mismatch(seen, 'cluster_id', `${isSame ? '' : 'another than '}${former}`, id)
    },
  }
}
export const keepsId = (of: Replication, cluster: Cluster, role: Role): Expectation => compared(of, cluster, role, true)
export const hasOtherId = (of: Replication, cluster: Cluster, role: Role): Expectation =>
  compared(of, cluster, role, false)

/** The cluster is primary or secondary. */
export const takesPart = (of: Replication, cluster: Cluster): Expectation => {
  const reading = status(of, cluster)
  const isRole = (seen: Reply) => roleIn(seen) === 'primary' || roleIn(seen) === 'secondary'
  return {
    words: `${cluster} is primary or secondary of ${of.kind} replication then`,
    touches: [reading],
    async judge({ reply, scope }) {
      if (isRefusal(reply)) throw new StepFailed(`${reply.asked} answered ${reply.status}`, reply)
      const seen = await scope.poll(reading, isRole)
      return isRole(seen) ? undefined : mismatch(seen, 'mode', 'primary or secondary', shownRole(seen))
    },
  }
}
