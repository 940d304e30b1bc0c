/** Checks of the fields that the status shows. */
import type { Action, Check, Exchange, Expectation, Json, Reply } from '../../../harness/vocabulary/index.ts'
import {
  check,
  field,
  get,
  isObject,
  isSuccess,
  matcher,
  mismatch,
  notSuccess,
  replyLacks,
  requestWords,
  StepFailed,
  stepRefused,
  succeeds,
} from '../../../harness/vocabulary/index.ts'
import { refusedSoFar } from '../../given.ts'
import { action } from '../../records.ts'
import { activated, enabled, primaryEnabled, roleCheck, unused } from '../given.ts'
import { type Cluster, dr, performance, type Replication } from '../kind.ts'
import { askWhenReady } from '../readiness.ts'
import { primaryEnable, secondaryEnable, status } from '../roles.ts'
import { always, eventually } from '../timing.ts'
import { sentinel, written } from './sentinels.ts'
import { clusterIdIn, roleIn } from './status.ts'

const anId = matcher('an id', (value) => typeof value === 'string' && value !== '')

const isTime = (value: Json): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(value)

const movesByItself = /(^|_)(heartbeat|skew|age|duration)(_|$)/

/** Returns every value of a reply by its path, except ids of requests, times and ages, which change by themselves. */
function valuesOf(value: Json | undefined, at = ''): ReadonlyMap<string, string> {
  if (Array.isArray(value) || isObject(value)) {
    const parts = Object.entries(value as { readonly [key: string]: Json })
    return new Map(parts.flatMap(([key, part]) => [...valuesOf(part, `${at}/${key}`)]))
  }
  return value === undefined ||
    isTime(value) ||
    at === '/request_id' ||
    movesByItself.test(at.slice(at.lastIndexOf('/') + 1))
    ? new Map()
    : new Map([[at, JSON.stringify(value)]])
}

const moved = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] =>
  [...one.keys(), ...other.keys()].filter((at) => one.get(at) !== other.get(at))

/** The greatest number of reads before the judged request. A status may be late, so earlier changes have to appear
 * first. */
const readings = 4

/** Expects that after `when` some value of the reply changes that did not change between two reads before. The
 * documents do not name its field. */
export const moves = (reading: Exchange): Expectation => ({
  words: `a value in the reply to ${requestWords(reading)} changes`,
  touches: [reading],
  async before(scope) {
    let first = valuesOf((await askWhenReady(scope, reading)).json)
    let restless: readonly string[] = []
    for (let count = 1; count < readings; count += 1) {
      const next = valuesOf((await always(scope, reading, () => true, 'restless')).json)
      restless = moved(first, next)
      first = next
      if (restless.length === 0) break
    }
    return { first, restless: new Set(restless) }
  },
  async judge({ reply, scope }, before) {
    if (!isSuccess(reply)) return notSuccess(reply)
    const { first, restless } = before as { first: ReadonlyMap<string, string>; restless: ReadonlySet<string> }
    const hasMoved = ({ json }: Reply) => moved(first, valuesOf(json)).some((at) => !restless.has(at))
    const last = await eventually(scope, reading, (seen) => isSuccess(seen) && hasMoved(seen))
    if (isSuccess(last) && hasMoved(last)) return undefined
    if (restless.size > 0) throw new StepFailed('restless', { what: [...restless].join(', ') }, last)
    return mismatch(last, 'sync progress', 'something that moves', 'the same as before')
  },
})

/** Like `unused`, for a server whose status may not report the mode. */
const roleless = (cluster: Cluster) =>
  action(
    `${cluster} shows no role in either kind of replication`,
    { touches: [status(dr, cluster), status(performance, cluster)] },
    async (scope) => {
      for (const kind of [dr, performance]) {
        const reply = await scope.send(status(kind, cluster))
        const isInUse = roleIn(reply) === 'primary' || roleIn(reply) === 'secondary' || clusterIdIn(reply) !== undefined
        if (isInUse)
          throw new StepFailed(
            'cluster-in-use',
            { asked: reply.asked, cluster, saw: roleIn(reply) ?? 'it has a cluster_id' },
            reply,
          )
      }
      await scope.admit(cluster)
    },
  )

const tellsMode = (of: Replication, cluster: Cluster): Expectation => ({
  words: `the status of ${cluster} shows a mode, and goes on showing one`,
  touches: [status(of, cluster)],
  async judge({ reply, scope }) {
    if (!isSuccess(reply)) throw stepRefused(reply)
    const seen = await eventually(scope, status(of, cluster), (one) => roleIn(one) !== undefined)
    if (!isSuccess(seen)) throw stepRefused(seen)
    const isTold = (one: Reply) => roleIn(one) !== undefined
    const last = await always(scope, status(of, cluster), isTold, 'glance')
    const end = isTold(last) ? last : await eventually(scope, status(of, cluster), isTold)
    const without = [seen, end].find((one) => isSuccess(one) && !isTold(one))
    return without && mismatch(without, 'mode', 'a mode', 'none')
  },
})

export function statusFieldsOf(of: Replication): readonly Check[] {
  const primary = [unused('main'), primaryEnabled(of)]
  // The mount exists before the cluster joins: afterwards only the value has to be copied.
  const secondary = [unused('main', 'second'), primaryEnabled(of), sentinel('shared'), activated(of), enabled(of)]
  const progress = (cluster: Cluster, given: Check['given'] = []) =>
    roleCheck(`${cluster === 'main' ? 'primary' : 'secondary'}-status-tells-progress`, {
      requirement: of.requirement('status.progress'),
      given,
      when: written('shared', 'main', 'later'),
      then: [moves(status(of, cluster))],
    })
  return [
    // Most other checks wait for a mode, and cannot be judged if the status shows none.
    roleCheck('status-of-a-primary-tells-the-mode', {
      requirement: of.requirement('status.mode'),
      given: [roleless('second')],
      when: primaryEnable(of, 'second'),
      then: [tellsMode(of, 'second')],
    }),
    roleCheck('primary-status-tells-the-cluster-id', {
      requirement: of.requirement('status.cluster-id'),
      given: primary,
      when: status(of),
      then: [field('cluster_id', anId)],
    }),
    roleCheck('secondary-status-tells-the-cluster-id', {
      // In performance replication, filters are addressed by this id, so the status must report it.
      requirement: of.requirement(of.kind === 'performance' ? 'paths-filter.id-reported' : 'status.cluster-id'),
      given: secondary,
      when: status(of, 'second'),
      then: [field('cluster_id', anId)],
    }),
    progress('main', [...primary, sentinel('shared')]),
    progress('second', secondary),
  ]
}

/** Waits until the operator sees that `main` is a primary, because a cluster that is changing its role may refuse every
 * request. */
const seenAsPrimary = (of: Replication): Action => {
  const reading = { ...status(of), as: 'operator' }
  return action('the operator reads that `main` is a primary', { touches: [reading] }, async (scope) => {
    const reply = await eventually(scope, reading, (seen) => roleIn(seen) === 'primary')
    if (roleIn(reply) !== 'primary') throw replyLacks(reply, 'the mode of a primary')
  })
}

/** Waits until the status shows a mode to callers without a token. */
const showsMode = (read: Exchange, mode: string): Expectation => ({
  words: `the request succeeds, and comes to show a ${mode}`,
  touches: [read],
  async judge({ scope }) {
    const reply = await eventually(scope, read, (seen) => roleIn(seen) === mode)
    if (!isSuccess(reply)) return notSuccess(reply)
    if (roleIn(reply) !== mode) throw replyLacks(reply, `the mode of a ${mode}`)
    return undefined
  },
})

/** The status must be open in every mode. No step before reads it without a token. */
export const openStatusInModes = (of: Replication): readonly Check[] => {
  const asked = refusedSoFar(get('sys/plugins/catalog/secret/assay', { as: 'nobody' }))
  const primary = status(of)
  return [
    roleCheck('status-of-a-primary-needs-no-token', {
      requirement: of.requirement('status.unauthenticated'),
      given: [unused('main'), asked, primaryEnable(of), seenAsPrimary(of)],
      when: primary,
      then: [showsMode(primary, 'primary')],
      control: { ...primary, as: 'operator' },
    }),
    roleCheck('status-of-a-secondary-needs-no-token', {
      requirement: of.requirement('status.unauthenticated'),
      given: [unused('main', 'second'), asked, primaryEnabled(of), activated(of), secondaryEnable(of)],
      when: status(of, 'second'),
      then: [showsMode(status(of, 'second'), 'secondary')],
    }),
  ]
}

export const openStatusOf = (of: Replication): Check =>
  check('status-needs-no-token', {
    requirement: of.requirement('status.unauthenticated'),
    safety: 'read-only',
    // Other endpoints must require a token (document 2, Authentication, rule 3): otherwise a success would prove
    // nothing.
    given: [refusedSoFar(get('sys/plugins/catalog/secret/assay', { as: 'nobody' }))],
    when: status(of),
    then: [succeeds],
  })
