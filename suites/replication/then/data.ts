/** Expectations about the data that a cluster must have, or must not have. */
import type { Action, Exchange, Expectation, Reply, Scope } from '../../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  isRefusal,
  mismatch,
  notAsPrepared,
  StepFailed,
  shortfall,
  shown,
  stepRefused,
} from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { assertRole, settledBy } from '../given.ts'
import type { Cluster, Replication } from '../kind.ts'
import { assertMoved, hasAll, progressOf } from '../progress.ts'
import { askWhenReady, assertTaken, isRefused, lateAfter, succeeded } from '../readiness.ts'
import { openingUp, openUp, readUntil } from '../reading.ts'
import { status } from '../roles.ts'
import { always, eventually, looksOf, waits } from '../timing.ts'
import { isMarked, marker, written } from './sentinels.ts'
import { hasBegun, type Role, roleIn } from './status.ts'

const seenIn = ({ text }: Reply): string => (text === '' ? 'none' : shown(text, 80))

export const holds = (of: Replication, cluster: Cluster, mount: string): Expectation => ({
  words: `${cluster} holds the value of \`${mount}\``,
  touches: [...openingUp(of, cluster), marker(mount, cluster)],
  async judge({ reply: judged, scope }) {
    // The wipe may happen some time after the reply, but not after a promotion, so a DR secondary is watched before it
    // is promoted.
    if (of.kind === 'dr') await always(scope, status(of, cluster), () => true, lateAfter(judged))
    await openUp(scope, of, cluster)
    const reply = await readUntil(scope, mount, marker(mount, cluster), true)
    return isMarked(scope, mount, reply) ? undefined : shortfall(reply, 'value', 'what was written', seenIn(reply))
  },
})

/** Expects that the cluster has become a secondary and no longer has its former value. */
export const isCleared = (of: Replication, cluster: Cluster, mount: string): Expectation => ({
  words: `${cluster} does not hold the value of \`${mount}\` any more`,
  touches: [...openingUp(of, cluster), marker(mount, cluster)],
  async judge({ reply: judged, scope }) {
    const refusal = await settledBy(judged, scope, of, cluster)
    if (refusal) return refusal
    await openUp(scope, of, cluster)
    // A cluster that joins again is wiped when it connects, which may be later than its role shows.
    const reply = await readUntil(scope, mount, marker(mount, cluster), false)
    return isMarked(scope, mount, reply) ? mismatch(reply, 'value', 'none', 'what was written before') : undefined
  },
})

/** Expects that a cluster whose role is unchanged still has the value, for a caller who could read it before. */
export const keeps = (cluster: Cluster, mount: string): Expectation => ({
  words: `${cluster} still holds the value of \`${mount}\``,
  touches: [marker(mount, cluster)],
  async judge({ reply: judged, scope }) {
    const reading = marker(mount, cluster)
    const first = await readUntil(scope, mount, reading, false, lateAfter(judged))
    // While a cluster is getting ready, its mounts may be missing for a moment.
    const reply = isMarked(scope, mount, first) ? first : await readUntil(scope, mount, reading, true)
    return isMarked(scope, mount, reply) ? undefined : shortfall(reply, 'value', 'what was written', seenIn(reply))
  },
})

interface Flow {
  readonly from: Cluster
  readonly to: Cluster
  /** The mount of the value; it is replicated. */
  readonly mount?: string
  readonly key?: string
}

/** Reads a value that was written on one cluster once it has had time to reach the other. A DR secondary has to show
 * twice that it has everything, because either status may be slightly late. */
async function readAfterwards(scope: Scope, of: Replication, flow: Flow): Promise<Reply> {
  const { to, mount = 'shared', key = 'marker' } = flow
  const reading = marker(mount, to, key)
  if (of.kind === 'performance') {
    await openUp(scope, of, to)
    return readUntil(scope, mount, reading, true)
  }
  const wasThere = await hasAll(scope, of, flow)
  if (wasThere) await always(scope, status(of, to), () => true, 'stale')
  const showsAll = wasThere && (await hasAll(scope, of, flow))
  const { forced } = await openUp(scope, of, to)
  const reply = await readUntil(scope, mount, reading, true, 0)
  if (showsAll && forced && !isMarked(scope, mount, reply))
    throw new StepFailed('data-may-be-lost', { cluster: to }, reply)
  return reply
}

async function assertWritten(
  scope: Scope,
  of: Replication,
  { from, mount = 'shared' }: Flow,
  key: string,
): Promise<void> {
  await scope.admit(from)
  const before = of.kind === 'dr' ? await progressOf(scope, of, from) : ''
  await succeeded(scope, written(mount, from, key))
  if (of.kind === 'dr' && roleIn(await askWhenReady(scope, status(of, from))) === 'primary')
    await assertMoved(scope, of, from, before)
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

/** Expects that the other cluster, which has become a secondary, receives the data of the first. */
export const receives = (of: Replication, flow: Flow): Expectation => ({
  words: `${flow.mount ?? 'shared'}/${flow.key ?? 'marker'} comes to ${flow.to}`,
  touches: [status(of, flow.from), ...reading(of, flow)],
  before: (scope) => progressOf(scope, of, flow.from),
  async judge({ reply: judged, scope }, before) {
    const refusal = await settledBy(judged, scope, of, flow.to)
    if (refusal) return refusal
    if (of.kind === 'dr' && flow.key !== undefined) await assertMoved(scope, of, flow.from, String(before))
    const reply = await readAfterwards(scope, of, flow)
    const isThere = isMarked(scope, flow.mount ?? 'shared', reply)
    return isThere ? undefined : shortfall(reply, 'value', `what is on ${flow.from}`, seenIn(reply))
  },
})

/** Expects that new writes on one cluster reach the other. The second write must arrive, too, because the first may
 * come with a copy of all data. */
export const follows = (of: Replication, flow: Flow): Expectation => ({
  words: `what is written on ${flow.from} is replicated to ${flow.to}`,
  touches: flowing(of, flow),
  async judge({ scope }) {
    const isArrived = (seen: Reply) => isMarked(scope, flow.mount ?? 'shared', seen)
    await assertWritten(scope, of, flow, sooner)
    if (of.kind === 'dr') await hasAll(scope, of, flow)
    else {
      const first = await readAfterwards(scope, of, { ...flow, key: sooner })
      if (!isArrived(first)) return shortfall(first, 'value', `what was written on ${flow.from}`, seenIn(first))
    }
    await assertWritten(scope, of, flow, later)
    const reply = await readAfterwards(scope, of, { ...flow, key: later })
    return isArrived(reply) ? undefined : shortfall(reply, 'value', `what was written on ${flow.from}`, seenIn(reply))
  },
})

/** Writes and watches, a few times at most, until a write does not arrive, which means that the link is cut, and
 * returns the last read. If the cut has to be immediate, it may take only as long as the profile defines as
 * immediate. */
async function lastArrival(scope: Scope, of: Replication, flow: Flow, isAtOnce: boolean): Promise<Reply> {
  const { to, mount = 'shared' } = flow
  const watch = waits.arrival.seconds(scope)
  let last = 0
  async function write(): Promise<Exchange> {
    last += 1
    const key = `${later}-${last}`
    await assertWritten(scope, of, flow, key)
    return marker(mount, to, key)
  }
  async function isShown(): Promise<boolean> {
    await write()
    return (await hasAll(scope, of, flow, watch)) !== undefined
  }
  // A write may have arrived just before the cut and show in no status, so only one after the cut is judged.
  const isFlowing = async (): Promise<boolean> => (await isShown()) || (await isShown())
  const pauses = isAtOnce ? [scope.immediate] : looksOf(scope)
  for (const pause of [0, ...pauses]) {
    if (pause > 0) await always(scope, status(of, to), () => true, pause)
    if (of.kind === 'dr') {
      if (await isFlowing()) continue
      break
    }
    const arrival = await write()
    // If a read is refused, this shows whether the token works on the cluster at all: only then does the refusal prove
    // anything.
    await scope.admit(to)
    const reply = await readUntil(scope, mount, arrival, true, watch)
    if (!isMarked(scope, mount, reply)) return reply
  }
  if (of.kind === 'dr') await openUp(scope, of, to)
  return readUntil(scope, mount, marker(mount, to, `${later}-${last}`), true, 0)
}

/** Requires that writes on one cluster do not reach the other before the judged request, so that whatever arrives
 * afterwards arrives because of that request. */
export const outOfTouch = (of: Replication, flow: Flow): Action => {
  const { to, mount = 'shared' } = flow
  const key = 'before'
  return action(
    `what is written on ${flow.from} is not replicated to ${to}`,
    { touches: [written(mount, flow.from, key), marker(mount, to, key), status(of, flow.from), status(of, to)] },
    async (scope) => {
      await assertWritten(scope, of, flow, key)
      const watch = waits.arrival.seconds(scope)
      if (of.kind === 'performance') await scope.admit(to)
      const arrived =
        of.kind === 'dr'
          ? await hasAll(scope, of, flow, watch)
          : await readUntil(scope, mount, marker(mount, to, key), true, watch)
      if (arrived && (of.kind === 'dr' || isMarked(scope, mount, arrived)))
        throw notAsPrepared(mismatch(arrived, 'value', `nothing of what was written on ${flow.from}`, 'it'), arrived)
    },
  )
}

interface Cut {
  /** The document says "immediately". */
  readonly atOnce?: boolean
  /** The cut comes with a change of role, which may take longer than the reply. */
  readonly once?: readonly [Cluster, Role]
}

/** Expects that new writes on one cluster no longer reach the other. */
export const isCutOff = (of: Replication, flow: Flow, { atOnce = false, once }: Cut = {}): Expectation => ({
  words: `what is written on ${flow.from} is not replicated to ${flow.to}`,
  touches: [...(once ? [status(of, once[0])] : []), ...flowing(of, flow)],
  async judge({ reply: judged, scope }) {
    if (once) assertTaken(judged)
    if (once) await assertRole(scope, of, ...once)
    const reply = await lastArrival(scope, of, flow, atOnce)
    const isThere = isMarked(scope, flow.mount ?? 'shared', reply)
    return isThere ? mismatch(reply, 'value', `nothing of what was written on ${flow.from}`, 'the value') : undefined
  },
})

/** Expects that a token connects the cluster to nothing, even if the cluster became a secondary with it. */
export const leadsNowhere = (of: Replication, flow: Flow): Expectation => {
  const cut = isCutOff(of, flow)
  return {
    ...cut,
    touches: [status(of, flow.to), ...(cut.touches ?? [])],
    async judge(given, before) {
      const { reply, scope } = given
      // Connecting takes a while.
      if (!isRefused(reply)) await eventually(scope, status(of, flow.to), hasBegun)
      return cut.judge(given, before)
    },
  }
}

/** Expects that new writes reach the other cluster only after a wipe, which removes the local mount `own`, or not at
 * all. */
export const isCutOffOrCleared = (of: Replication, flow: Flow): Expectation => ({
  words: `what is written on ${flow.from} is replicated to ${flow.to} after a wipe, or not at all`,
  touches: [...flowing(of, flow), marker('own', flow.to)],
  async judge({ scope }) {
    const reply = await lastArrival(scope, of, flow, false)
    if (!isMarked(scope, flow.mount ?? 'shared', reply)) return undefined
    const own = await readUntil(scope, 'own', marker('own', flow.to), false, 0)
    return isMarked(scope, 'own', own) ? mismatch(own, 'value', 'none, or no connection', 'both') : undefined
  },
})

/** Judges the expectation if the trigger was refused: a refused trigger changes nothing, but an accepted one may have
 * its effect. If it was sent more than once, the first attempt may have been accepted. */
export const ifRefused = (expectation: Expectation): Expectation => ({
  ...expectation,
  async judge(given, before) {
    const { reply } = given
    if (!isRefusal(reply)) throw DoesNotApply.shown(reply, `${reply.asked} is not refused`)
    const found = await expectation.judge(given, before)
    if (found && reply.isRepeated) throw stepRefused(reply)
    return found
  },
})
