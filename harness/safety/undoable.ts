/** A check that makes something begins only if the token may take that back, and if nothing in front of the target refuses
 * the request for it: a run leaves a deployment as it was. A token whose capabilities are unknown bars nothing. */

import { mainCluster } from '../run/clusters.ts'
import type { Outcome } from '../run/outcome.ts'
import type { Session, Task } from '../run/session.ts'
import { samplePath } from '../targets/capabilities.ts'
import { namePrefix } from '../targets/dialects/vault-areas.ts'
import { capabilitiesOf, ruleOf, sudoFor } from '../targets/dialects/vault-policy.ts'
import { exchangesSentBy } from '../targets/touches.ts'
import { askedBy, blockerOf, type Capability, type Exchange, gatewayOf, isSuccess } from '../vocabulary/index.ts'

/** Caches what the token may do by path, because all checks of a session ask for it. */
const byPaths = new WeakMap<readonly Capability[], ReadonlyMap<string, readonly string[]>>()

function heldBy(held: readonly Capability[]): ReadonlyMap<string, readonly string[]> {
  const known = byPaths.get(held) ?? new Map(held.map(({ path, capabilities }) => [path, capabilities]))
  byPaths.set(held, known)
  return known
}

/** Returns why a check is not started although the token may make things: it may not take them back. */
export function notUndoable({ topic, check, session: { plan, dialect } }: Task): Outcome | undefined {
  const { held = [] } = plan
  if (held.every(({ capabilities }) => capabilities.includes('root'))) return undefined
  const names = new Set(topic.names)
  const lackingFor = (exchange: Exchange) => lacking(exchange, names, heldBy(held))
  for (const exchange of exchangesSentBy(topic, check, dialect)) {
    const { undo, cluster = mainCluster } = exchange
    if (!undo || (undo.cluster ?? cluster) !== mainCluster) continue
    const lacks = lackingFor(undo)
    // If the token may not make the object either, nothing is left behind, and the denial of the request says more.
    if (lacks === undefined || lackingFor(exchange) !== undefined) continue
    const asked = `${exchange.method} ${ruleIn(exchange, names)}`
    return { verdict: 'not-verified', blocker: blockerOf('not-undoable', { asked, lacks }) }
  }
  return undefined
}

/** Why removals do not reach the target, by rule. */
const removals = new WeakMap<Session, Map<string, Promise<Outcome | undefined>>>()

/** Returns why a check is not started although the token may take back what it makes: something in front of the target
 * answers the removal, as it answers one of what does not exist. */
export async function removalLost({ topic, check, session }: Task): Promise<Outcome | undefined> {
  if (session.plan.isThrownAway) return undefined
  const known = removals.get(session) ?? new Map<string, Promise<Outcome | undefined>>()
  removals.set(session, known)
  const names = new Set(topic.names)
  for (const { undo, cluster = mainCluster } of exchangesSentBy(topic, check, session.dialect)) {
    if (!undo || (undo.cluster ?? cluster) !== mainCluster || !isShownBySample(undo.path, names)) continue
    const rule = ruleIn(undo, names)
    const asked = known.get(rule) ?? lostRemoval(undo, rule, session)
    known.set(rule, asked)
    const lost = await asked
    if (lost) return lost
  }
  return undefined
}

/** A page with another status may stand for the target's own word that there is nothing to remove. */
const refusals: ReadonlySet<number> = new Set([403, 405, 501])

async function lostRemoval(undo: Exchange, rule: string, session: Session): Promise<Outcome | undefined> {
  // A rule without a wildcard names something of the target itself.
  if (undo.method !== 'DELETE' || !/[*+]/.test(rule)) return undefined
  const { reply } = await session.ask(mainCluster)({ method: 'DELETE', path: pathOfNobody(rule, session.plan.runId) })
  const who = reply && (isSuccess(reply) || refusals.has(reply.status)) ? gatewayOf(reply) : undefined
  if (!reply || who === undefined) return undefined
  const blocker = blockerOf('gateway-answered', { asked: askedBy(undo), status: reply.status, who })
  return { verdict: 'not-verified', blocker }
}

/** Returns a path that a rule covers and that names nothing of anybody else: an operator may have chosen any other name,
 * where an id of the server stands in most paths. */
const pathOfNobody = (rule: string, runId: string): string =>
  rule.replace(/\*$/, `${runId}-nobody`).replaceAll('+', `assay-${runId}-nobody`)

const ruleIn = ({ path }: Exchange, names: ReadonlySet<string>): string =>
  ruleOf(path, (name) => names.has(name), namePrefix)

/** Returns the capabilities that the token certainly lacks for a request. A missing `create` is ignored: only some
 * targets require it in addition to `update`. */
function lacking(
  exchange: Exchange,
  names: ReadonlySet<string>,
  held: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const rule = ruleIn(exchange, names)
  const has = held.get(samplePath(rule))
  if (!has || has.includes('root') || !isShownBySample(exchange.path, names)) return undefined
  const needed = [...capabilitiesOf[exchange.method], ...(sudoFor(exchange) === undefined ? [] : ['sudo'])]
  const missing = needed.filter((one) => one !== 'create' && !has.includes(one))
  return missing.length > 0 ? `${missing.join(' and ')} on ${rule}` : undefined
}

/** A policy may allow paths below a throw-away name and not the name itself, which the sample of the rule is. What is
 * there goes with what has the name. */
function isShownBySample(path: string, names: ReadonlySet<string>): boolean {
  const parts = path.split(/\{([\w-]+)\}/)
  const first = parts.findIndex((part, index) => index % 2 === 1 && names.has(part))
  return first < 0 || !parts.slice(first + 1).some((part) => part.includes('/'))
}
