/** Situations in which clusters replicate, for both kinds of replication. A cluster that has a role when a check
 * begins is in use by its owner, so the check leaves it alone. */
import {
  type Action,
  type Ceremony,
  type Check,
  type CheckBody,
  check,
  type Exchange,
  fieldOf,
  isObject,
  isRefusal,
  isSuccess,
  type Json,
  type JsonObject,
  type Mismatch,
  mismatch,
  type Need,
  notInTime,
  notSuccess,
  objectsIn,
  type Rehearsal,
  type Reply,
  replyLacks,
  requestWords,
  type Scope,
  type Step,
  StepFailed,
  statusSeen,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import { hasRole, idleWord, isIdle, modeIn, rememberIdle, rememberRole } from './idle.ts'
import { type Cluster, clusters, dr, performance, type Replication } from './kind.ts'
import { operationToken } from './operation-token.ts'
import { hasAll } from './progress.ts'
import { askWhenReady, assertServed, isRefused, refusedFor, refusedIn, settled, taken } from './readiness.ts'
import { returnsNo } from './returned.ts'
import {
  idOf,
  off,
  primaryDemote,
  primaryEnable,
  promote,
  secondaryDisabling,
  secondaryEnable,
  secondaryToken,
  status,
  tokenOf,
  updatePrimary,
} from './roles.ts'
import { hasBegun, isSettled, type Role, roleIn, tellsOfCopy } from './then/status.ts'
import { always, eventually, timed } from './timing.ts'

/** The throw-away names of a topic whose checks use these steps: the ids of secondaries, and the mounts of
 * `sentinels.ts`. */
export const replicationNames: readonly string[] = [...clusters, 'shared', 'own']

/** Makes a check in which clusters have roles. Its lock keeps other checks off the clusters at the same time. */
export function roleCheck(id: string, body: CheckBody): Check {
  const needs = [...clustersFor(body), ...(body.needs ?? [])]
  const whole = { ...body, ...(needs.length > 0 ? { needs } : {}) }
  return check(id, { lock: 'clusters', rehearsals: rehearsalsFor(whole), ...whole })
}

const exchangesIn = ({ given = [], when, control }: CheckBody): readonly Exchange[] =>
  [...given, when, ...(control ? [control] : [])].flatMap(sentIn)

/** Returns which clusters a check needs: those to which it sends requests. A cluster other than `main` may be wiped; key
 * shares then give the operator access again. */
function clustersFor(body: CheckBody): readonly Need[] {
  const used = new Set(exchangesIn(body).map(({ cluster }) => cluster))
  if (used.has('third')) return ['clusters', 'third-cluster', 'key-shares']
  return used.has('second') ? ['clusters', 'key-shares'] : []
}

/** Waits until a cluster reports the role. `makes` is the row that the trigger before contradicts if it was taken, and the
 * cluster stays without a role. */
export async function assertRole(
  scope: Scope,
  of: Replication,
  cluster: Cluster,
  role: Role,
  makes?: string,
): Promise<Reply> {
  const isMet = hasRole(scope, of, cluster, role)
  const reply = await eventually(scope, status(of, cluster), isMet)
  if (isMet(reply)) return rememberRole(scope, of, cluster, reply)
  await assertServed(scope, of, cluster, reply, { isAwaited: true })
  const saw = roleIn(reply) ?? `no mode (${statusSeen(reply)})`
  const row = contradictedRow(scope, of, cluster, role, reply, makes)
  throw notInTime(
    `${cluster} to be ${role}`,
    reply,
    saw,
    row === undefined ? undefined : { ...mismatch(reply, 'mode', role, saw), requirement: of.requirement(row) },
  )
}

/** Returns the row that a status contradicts which does not show the wanted role: that of the trigger if it is still as before
 * the trigger or shows another role, and that of the mode if it has none any more. */
function contradictedRow(
  scope: Scope,
  of: Replication,
  cluster: Cluster,
  wanted: Role,
  reply: Reply,
  makes: string | undefined,
): string | undefined {
  const idle = idleWord(scope, of, cluster)
  if (!isSuccess(reply) || !idle) return undefined
  const role = roleIn(reply)
  if (role === undefined) return 'status.mode'
  return modeIn(reply) === idle || (role !== 'disabled' && role !== wanted) ? makes : undefined
}

async function assertIdle(scope: Scope, cluster: Cluster): Promise<void> {
  for (const replication of [dr, performance]) {
    const end = off(replication, cluster)
    const known = scope.endedRoles.shown(end)
    const reply = known && isIdle(known) ? known : await scope.send(status(replication, cluster))
    if (isIdle(reply)) {
      scope.endedRoles.note(end, reply)
      rememberIdle(scope, replication, cluster, reply)
      continue
    }
    const role = roleIn(reply)
    if (role === undefined) await assertServed(scope, replication, cluster, reply)
    if (role === undefined) throw replyLacks(reply, 'a mode', cluster)
    if (role === 'disabled')
      throw replyLacks(reply, `whether its mode, \`${modeIn(reply)}\`, means that it does not replicate`, cluster)
    throw new StepFailed('cluster-in-use', { asked: reply.asked, cluster, saw: role }, reply)
  }
}

/** Requires that none of the clusters has a role, in either kind of replication. */
export const unused = (...some: readonly Cluster[]): Action => {
  const touches = some.flatMap((cluster) => [status(dr, cluster), status(performance, cluster)])
  return action(
    `${some.join(' and ')} ${some.length === 1 ? 'has' : 'have'} no replication role`,
    { touches },
    async (scope) => {
      let isLongAgo = false
      for (const cluster of some) {
        await assertIdle(scope, cluster)
        // A cluster that an earlier check wiped no longer accepts any old token.
        const isAtOnce = await scope.admit(cluster)
        isLongAgo ||= !isAtOnce
      }
      // The following requests may wipe a cluster. If getting access took a while, a role may have been given in the
      // meantime.
      if (isLongAgo) for (const cluster of some) await assertIdle(scope, cluster)
    },
  )
}

export const primaryEnabled = (of: Replication, cluster: Cluster = 'main', body: JsonObject = {}) =>
  action(
    `${cluster} is a ${of.kind} primary`,
    { touches: [primaryEnable(of, cluster, body), primaryEnable(of, cluster), status(of, cluster)] },
    async (scope) => {
      const isPlain = Object.keys(body).length === 0
      const makes = 'primary-enable.makes-primary'
      await taken(scope, primaryEnable(of, cluster, body), async (reply) => {
        if (isPlain) return refusedIn(scope, of, cluster, 'disabled', makes, reply)
        const plain = await askWhenReady(scope, primaryEnable(of, cluster))
        return refusedFor(reply, plain, of.requirement('primary-enable.cluster-addr'), cluster)
      })
      await assertRole(scope, of, cluster, 'primary', makes)
      // The status may show the new role before the cluster serves requests again.
      await scope.admit(cluster)
    },
  )

/** Finds the activation token in a reply: it is response-wrapped, or it is encrypted to a public key and not wrapped.
 * No document shows the name of its field, so if no field has an expected name, any field whose name ends in "token"
 * counts. */
export function activationTokenIn(reply: Reply): string | undefined {
  if (!isSuccess(reply)) return undefined
  const isToken = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
  const expected = ['/wrap_info/token', 'token', 'activation_token', 'secondary_activation_token']
  const found = expected.map((name) => fieldOf(reply, name)).find(isToken)
  if (found !== undefined || !isObject(reply.json)) return found
  const fields = objectsIn(reply.json).flatMap((part) => Object.entries(part))
  return fields
    .filter(([name]) => /token$/i.test(name))
    .map(([, value]) => value)
    .find(isToken)
}

/** Requests `{secondToken}`, an activation token for the cluster `second`, from a primary. */
export const activated = (
  of: Replication,
  cluster: Cluster = 'second',
  primary: Cluster = 'main',
  { again = '', ...fields }: JsonObject & { readonly again?: string } = {},
): Action => {
  const { ttl: _, ...others } = fields
  const asking = (body: JsonObject): Exchange => secondaryToken(of, idOf(cluster, again), primary, body)
  const [exchange, plain] = [asking(fields), asking(others)]
  const isOfTtl = fields.ttl !== undefined && fields.secondary_public_key === undefined
  return action(
    `\`${tokenOf(cluster)}\` is an activation token of ${primary}`,
    { touches: isOfTtl ? [exchange, plain] : [exchange], provides: [tokenOf(cluster)] },
    async (scope) => {
      const reply = await askWhenReady(scope, exchange)
      if (!isSuccess(reply) && isOfTtl)
        throw refusedFor(reply, await askWhenReady(scope, plain), of.requirement('secondary-token.ttl'), primary)
      if (!isSuccess(reply)) throw stepRefused(reply)
      const token = activationTokenIn(reply)
      if (token === undefined)
        throw returnsNo(reply, 'activation token', of.requirement('secondary-token.returns-token'))
      scope.save(tokenOf(cluster), token, { secret: true })
    },
  )
}

/** Makes a cluster a secondary with its activation token, and waits until it has its first copy and accepts the
 * operator. */
export const enabled = (of: Replication, cluster: Cluster = 'second', fields: JsonObject = {}): Action => {
  const exchange = secondaryEnable(of, cluster, fields)
  return action(`${cluster} is a ${of.kind} secondary`, { touches: [exchange, status(of, cluster)] }, async (scope) => {
    await taken(scope, exchange)
    await settledAs(scope, of, cluster, 'secondary-enable.makes-secondary')
  })
}

/** Waits for the first copy of a secondary. On a DR secondary, the operator gets access only with an operation
 * token. `makes` is the row of the trigger, if that was taken. */
async function settledAs(scope: Scope, of: Replication, cluster: Cluster, makes?: string): Promise<void> {
  const reply = await timed(scope, () => eventually(scope, status(of, cluster), hasBegun))
  if (roleIn(reply) === 'secondary') rememberRole(scope, of, cluster, reply)
  else await assertRole(scope, of, cluster, 'secondary', makes)
  if (!isSettled(reply))
    throw notInTime(`${cluster} to be in touch with its primary`, reply, roleIn(reply) ?? statusSeen(reply))
  if (!tellsOfCopy(reply)) await always(scope, status(of, cluster), () => true, 'arrival')
  if (of.kind === 'performance') await scope.admit(cluster)
}

/** Statuses of refusals that are about the caller or the method. */
const notAboutRoles: ReadonlySet<number> = new Set([401, 403, 405])

/** Waits as `settledAs` does. Returns a mismatch if the cluster stays as it was because the judged request, whose
 * condition is met, was refused. */
export async function settledBy(
  judged: Reply,
  scope: Scope,
  of: Replication,
  cluster: Cluster,
): Promise<Mismatch | undefined> {
  try {
    await settledAs(scope, of, cluster)
    return undefined
  } catch (error) {
    const isLate = error instanceof StepFailed && error.code === 'not-in-time'
    if (isLate && isRefused(judged) && !notAboutRoles.has(judged.status)) return notSuccess(judged)
    throw error
  }
}

/** Makes a cluster a secondary of a primary. */
export const joined = (
  of: Replication,
  cluster: Cluster = 'second',
  primary: Cluster = 'main',
  fields: JsonObject & { readonly again?: string } = {},
): readonly Action[] => [activated(of, cluster, primary, fields), enabled(of, cluster)]

/** Makes main the primary and the other clusters its secondaries. None of them may have been in use before. */
export const replicating = (of: Replication, ...secondaries: readonly Cluster[]): readonly Action[] => {
  const others = secondaries.length > 0 ? secondaries : (['second'] as const)
  return [unused('main', ...others), primaryEnabled(of), ...others.flatMap((cluster) => joined(of, cluster))]
}

/** Waits until a secondary has caught up with its primary. A DR secondary serves no data, so only the status of both
 * clusters can show that. */
export const caughtUp = (of: Replication, cluster: Cluster = 'second', primary: Cluster = 'main') =>
  action(
    `${cluster} has caught up with ${primary}`,
    { touches: [status(of, primary), status(of, cluster)] },
    async (scope) => {
      const reply = await timed(scope, () => hasAll(scope, of, { from: primary, to: cluster }))
      if (!reply) throw new StepFailed('not-in-time', { what: `${cluster} to catch up with ${primary}`, saw: 'less' })
    },
  )

/** Ends the secondary role with whichever request the cluster accepts. */
export const secondaryDisable = (of: Replication, cluster: Cluster = 'second'): Ceremony => {
  const ways = secondaryDisabling(of, cluster)
  return {
    kind: 'ceremony',
    words: ways.map(requestWords).join(', and if that is refused, '),
    touches: ways,
    async run(scope) {
      const [first, second] = ways
      const reply = await scope.send(first as Exchange)
      if (!isRefusal(reply) || !second) return reply
      const other = await scope.send(second)
      // If the first request was sent twice, its first attempt may have succeeded. Both requests are refused after
      // that.
      return reply.isRepeated && isRefusal(other) ? reply : other
    },
  }
}

/** Returns the row that says which role a trigger gives. No document says what a promotion without `force` does. */
function rowOf({ path, body }: Exchange): string | undefined {
  if (path.endsWith('primary/demote')) return 'demote.makes-secondary'
  const isForced = isObject(body) && body.force === true
  return path.endsWith('secondary/promote') && isForced ? 'promote.makes-primary' : undefined
}

/** Gives a cluster another role by a trigger, in a step before the judged request. A trigger that keeps the mode has
 * `updated`, because the role would not show when it has taken effect. */
export const turned = (
  of: Replication,
  exchange: (Exchange & { readonly keepsMode?: never }) | Ceremony,
  cluster: Cluster,
  role: Role,
  refusal?: (scope: Scope, reply: Reply) => Promise<StepFailed>,
) =>
  action(
    `${cluster} has become ${role} by ${exchange.kind === 'exchange' ? requestWords(exchange) : exchange.words}`,
    { touches: [...(exchange.kind === 'exchange' ? [exchange] : exchange.touches), status(of, cluster)] },
    async (scope) => {
      const reply =
        exchange.kind === 'exchange'
          ? await taken(scope, exchange, refusal && ((refused) => refusal(scope, refused)))
          : await exchange.run(scope)
      if (isRefused(reply)) throw stepRefused(reply)
      const makes = exchange.kind === 'exchange' && isSuccess(reply) ? rowOf(exchange) : undefined
      await assertRole(scope, of, cluster, role, makes)
      if (of.kind === 'performance' || role !== 'secondary') await scope.admit(cluster)
    },
  )

/** Sends an `update-primary` to `second`, by default with its latest activation token, and waits until it has had time to
 * take effect. */
export const updated = (of: Replication, fields: JsonObject = {}): Action => {
  const update = updatePrimary(of, 'second', fields)
  return action(
    `${requestWords(update)} has taken effect`,
    { touches: [update, status(of, 'second')] },
    async (scope) => {
      await taken(scope, update)
      await stillSecondary(of, 'second').run(scope)
    },
  )
}

/** Waits until a request that need not be taken has had time to take effect, and requires that the cluster is a secondary. */
export const stillSecondary = (of: Replication, cluster: Cluster): Action =>
  action(`${cluster} is still a ${of.kind} secondary`, { touches: [status(of, cluster)] }, async (scope) => {
    await settled(scope, of, cluster)
    await assertRole(scope, of, cluster, 'secondary')
    if (of.kind === 'performance') await scope.admit(cluster)
  })

/** Makes `second` a secondary that has forgotten its primary. */
export const forgotten = (of: Replication): Action => updated(of, { token: '' })

/** Gets the operator a valid token on a cluster whose data has changed. */
export const admitted = (cluster: Cluster) =>
  action(`the operator has a valid token on ${cluster}`, {}, async (scope) => {
    await scope.admit(cluster)
  })

/** Returns the steps that a role change of a DR secondary needs first. */
export const authorized = (of: Replication, cluster: Cluster = 'second'): readonly Action[] =>
  of.kind === 'dr' ? [operationToken(cluster)] : []

export const promoted = (of: Replication, cluster: Cluster = 'second'): readonly Action[] => [
  ...authorized(of, cluster),
  turned(of, promote(of, cluster), cluster, 'primary', (scope, reply) =>
    // What authorizes a promotion of a DR secondary may be at fault.
    of.kind === 'dr'
      ? Promise.resolve(stepRefused(reply))
      : refusedIn(scope, of, cluster, 'secondary', 'promote.makes-primary', reply),
  ),
  admitted(cluster),
]

/** Promotes a cluster and demotes it again, so that it is a secondary without a primary. */
export const demoted = (of: Replication, cluster: Cluster = 'second'): readonly Action[] => [
  ...promoted(of, cluster),
  turned(of, primaryDemote(of, cluster), cluster, 'secondary'),
]

/** Rehearses how a cluster is brought back to having no role: first on a cluster that was not wiped, from either role,
 * and then on a secondary that has joined. */
const wayBack = (of: Replication): Rehearsal => ({
  id: of.prefix,
  acts: [
    [unused('second'), primaryEnabled(of, 'second')],
    [unused('second'), primaryEnabled(of, 'second'), turned(of, primaryDemote(of, 'second'), 'second', 'secondary')],
    replicating(of),
  ],
})

const sentIn = (step: Step | Ceremony): readonly Exchange[] =>
  step.kind === 'exchange' ? [step] : step.kind === 'operation' ? [] : step.touches

/** Returns the rehearsals of those kinds of replication in which the check makes a secondary. */
function rehearsalsFor(body: CheckBody): readonly Rehearsal[] {
  if (!body.needs?.includes('clusters')) return []
  const paths = exchangesIn(body).map(({ path }) => path)
  const makesSecondary = ({ prefix }: Replication) =>
    ['secondary/enable', 'primary/demote'].some((trigger) => paths.includes(`${prefix}/${trigger}`))
  return [dr, performance].filter(makesSecondary).map(wayBack)
}
