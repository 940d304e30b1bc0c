/** What a cluster must hold, or must not. */
import type { Exchange, Expectation, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { isSuccess, mismatch, StepFailed, shown } from '../../harness/vocabulary/index.ts'
import { assertRole, settledAs } from './given.ts'
import type { Cluster, Replication } from './kind.ts'
import { attemptCancel, attemptStart, operationToken } from './operation-token.ts'
import { promote, status } from './roles.ts'
import { isMarked, marker, written } from './sentinels.ts'
import { hasCaughtUp, isSettled, roleIn } from './status.ts'
import { graces, watchOf } from './watch.ts'

/** Lets the operator read on a cluster. A DR secondary shows what it holds once it is promoted, and not before. */
async function openUp(scope: Scope, of: Replication, cluster: Cluster): Promise<void> {
  if (of.kind === 'dr' && roleIn(await scope.send(status(of, cluster))) === 'secondary') {
    await scope.perform(operationToken(cluster))
    const reply = await scope.send(promote(of, cluster))
    if (!isSuccess(reply)) throw new StepFailed(`${reply.asked} on ${cluster} answered ${reply.status}`, reply)
    await assertRole(scope, of, cluster, 'primary')
  }
  await scope.admit(cluster)
}

/** What a plan can tell of it: the rest goes by names that are made on the way, and is asked without a client token. */
const openingUp = (of: Replication, cluster: Cluster): readonly Exchange[] =>
  of.kind === 'performance' ? [] : [status(of, cluster), attemptStart(cluster), attemptCancel(cluster)]

const seenIn = (reply: Reply): string => `status ${reply.status} ${shown(reply.text, 80)}`

/** The value of the mount is on the cluster. */
export const holds = (of: Replication, cluster: Cluster, mount: string): Expectation => ({
  words: `${cluster} holds the value of \`${mount}\``,
  touches: [...openingUp(of, cluster), marker(mount, cluster)],
  async judge({ scope }) {
    await openUp(scope, of, cluster)
    const reply = await scope.poll(marker(mount, cluster), (seen) => isMarked(scope, mount, seen))
    return isMarked(scope, mount, reply) ? undefined : mismatch(reply, 'value', 'what was written', seenIn(reply))
  },
})

/** The cluster has become a secondary, and the value that it held before is gone. */
export const isCleared = (of: Replication, cluster: Cluster, mount: string): Expectation => ({
  words: `${cluster} does not hold the value of \`${mount}\` any more`,
  touches: [...openingUp(of, cluster), marker(mount, cluster)],
  async judge({ scope }) {
    await settledAs(scope, of, cluster)
    await openUp(scope, of, cluster)
    const reply = await scope.poll(marker(mount, cluster), (seen) => !isMarked(scope, mount, seen), watchOf(scope))
    return isMarked(scope, mount, reply) ? mismatch(reply, 'value', 'none', 'what was written before') : undefined
  },
})

/** A cluster whose role is as it was has the value, for who could read it before. */
export const keeps = (cluster: Cluster, mount: string): Expectation => ({
  words: `${cluster} still holds the value of \`${mount}\``,
  touches: [marker(mount, cluster)],
  async judge({ reply: judged, scope }) {
    const reading = marker(mount, cluster)
    const isGone = (seen: Reply) => !isMarked(scope, mount, seen)
    const reply = isSuccess(judged) ? await scope.poll(reading, isGone, watchOf(scope)) : await scope.send(reading)
    return isGone(reply) ? mismatch(reply, 'value', 'what was written', seenIn(reply)) : undefined
  },
})

interface Flow {
  readonly from: Cluster
  readonly to: Cluster
  /** Where the value stands; it is replicated. */
  readonly mount?: string
  readonly key?: string
}

/** Waits until a DR secondary shows in its status that it has all that its primary has now. */
async function caughtUpBy(scope: Scope, of: Replication, { from, to }: Flow, seconds?: number): Promise<boolean> {
  const primary = await scope.send(status(of, from))
  const hasAll = (seen: Reply) => isSettled(seen) && hasCaughtUp(seen, primary) === true
  return hasAll(await scope.poll(status(of, to), hasAll, seconds))
}

/** A value that was written on one cluster, as the other shows it after a while. */
async function readAfterwards(scope: Scope, of: Replication, flow: Flow): Promise<Reply> {
  const { to, mount = 'shared', key = 'marker' } = flow
  const reading = marker(mount, to, key)
  if (of.kind === 'dr') await caughtUpBy(scope, of, flow)
  await openUp(scope, of, to)
  return scope.poll(reading, (seen) => isMarked(scope, mount, seen), of.kind === 'dr' ? 0 : undefined)
}

async function assertWritten(scope: Scope, { from, mount = 'shared' }: Flow, key: string): Promise<void> {
  if (from !== 'main') await scope.admit(from)
  const reply = await scope.send(written(mount, from, key))
  if (!isSuccess(reply)) throw new StepFailed(`${reply.asked} on ${from} answered ${reply.status}`, reply)
}

const [sooner, later] = ['sooner', 'later']

const reading = (of: Replication, { to, mount = 'shared', key = 'marker' }: Flow): readonly Exchange[] => [
  ...openingUp(of, to),
  marker(mount, to, key),
]
const flowing = (of: Replication, flow: Flow): readonly Exchange[] => [
  written(flow.mount ?? 'shared', flow.from, later),
  ...reading(of, { ...flow, key: later }),
]

/** What one cluster has comes to the other, which has become a secondary. */
export const receives = (of: Replication, flow: Flow): Expectation => ({
  words: `${flow.mount ?? 'shared'}/${flow.key ?? 'marker'} comes to ${flow.to}`,
  touches: reading(of, flow),
  async judge({ scope }) {
    await settledAs(scope, of, flow.to)
    const reply = await readAfterwards(scope, of, flow)
    const isThere = isMarked(scope, flow.mount ?? 'shared', reply)
    return isThere ? undefined : mismatch(reply, 'value', `what is on ${flow.from}`, seenIn(reply))
  },
})

/** What is written on one cluster now comes to the other: the second value, too, as the first may come with a copy of all
 * that was there. */
export const follows = (of: Replication, flow: Flow): Expectation => ({
  words: `what is written on ${flow.from} comes to ${flow.to}`,
  touches: flowing(of, flow),
  async judge({ scope }) {
    const isThere = (seen: Reply) => isMarked(scope, flow.mount ?? 'shared', seen)
    await assertWritten(scope, flow, sooner)
    if (of.kind === 'dr') await caughtUpBy(scope, of, flow)
    else {
      const first = await readAfterwards(scope, of, { ...flow, key: sooner })
      if (!isThere(first)) return mismatch(first, 'value', `what was written on ${flow.from}`, seenIn(first))
    }
    await assertWritten(scope, flow, later)
    const reply = await readAfterwards(scope, of, { ...flow, key: later })
    return isThere(reply) ? undefined : mismatch(reply, 'value', `what was written on ${flow.from}`, seenIn(reply))
  },
})

/** Writes, and sees whether it comes, until something does not come. What comes at once and then no more is cut off, unless
 * it had to be at once. Gives the last reading. */
async function lastArrival(scope: Scope, of: Replication, flow: Flow, isAtOnce: boolean): Promise<Reply> {
  const { to, mount = 'shared' } = flow
  const watch = watchOf(scope)
  let last = 0
  for (const grace of [0, ...(isAtOnce ? [] : graces)]) {
    if (grace > 0) await scope.poll(status(of, to), () => false, grace * watch)
    last += 1
    const key = `${later}-${last}`
    await assertWritten(scope, flow, key)
    if (of.kind === 'dr') {
      if (!(await caughtUpBy(scope, of, flow, watch))) break
      continue
    }
    await scope.admit(to)
    const reply = await scope.poll(marker(mount, to, key), (seen) => isMarked(scope, mount, seen), watch)
    if (!isMarked(scope, mount, reply)) return reply
  }
  if (of.kind === 'dr') await openUp(scope, of, to)
  return scope.send(marker(mount, to, `${later}-${last}`))
}

/** What is written on one cluster does not come to the other any more. */
export const isCutOff = (of: Replication, flow: Flow, { atOnce = false } = {}): Expectation => ({
  words: `what is written on ${flow.from} does not come to ${flow.to}`,
  touches: flowing(of, flow),
  async judge({ scope }) {
    const reply = await lastArrival(scope, of, flow, atOnce)
    const isThere = isMarked(scope, flow.mount ?? 'shared', reply)
    return isThere ? mismatch(reply, 'value', `nothing of what was written on ${flow.from}`, 'the value') : undefined
  },
})

/** What is written on one cluster comes to the other at most after a wipe, which takes the local mount `own`. */
export const isCutOffOrCleared = (of: Replication, flow: Flow): Expectation => ({
  words: `what is written on ${flow.from} comes to ${flow.to} after a wipe, or not at all`,
  touches: [...flowing(of, flow), marker('own', flow.to)],
  async judge({ scope }) {
    const reply = await lastArrival(scope, of, flow, false)
    if (!isMarked(scope, flow.mount ?? 'shared', reply)) return undefined
    const own = await scope.send(marker('own', flow.to))
    return isMarked(scope, 'own', own) ? mismatch(own, 'value', 'none, or no connection', 'both') : undefined
  },
})
