/** Finds out which nodes of the cluster answer at the address of a session, after the probe or without one. */
import { performed } from '../targets/prober.ts'
import { addressIn, isNamed, topologyOf } from '../targets/topology.ts'
import { type Exchange, type Facts, fieldOf, type Reply } from '../vocabulary/index.ts'
import { asBare, asOperator } from '../wire/ask.ts'
import { boundMs } from '../wire/bounds.ts'
import type { Session } from './session.ts'

/** Lets each write wait for the nodes, if several of them answer and may be behind. Returns what stands there. */
export async function learnNodes(session: Session): Promise<Pick<Facts, 'topology'>> {
  const { declared } = session.plan.target
  const seen = declared.topology === undefined ? await seenNodes(session) : declared
  session.knowNodes(seen)
  return seen
}

async function seenNodes(session: Session): Promise<Pick<Facts, 'topology'>> {
  const { dialect } = session
  const client = session.client('main')
  const [operator, nobody] = [asOperator(client, dialect, () => session.operatorToken('main')), asBare(client, dialect)]
  return topologyOf(await healthOf(session), dialect, (exchange) =>
    performed(exchange.as === 'nobody' ? nobody : operator, exchange),
  )
}

/** Called if a check did not pass. The active node may have stepped down since the probe, and be behind the node that
 * took over. */
export async function learnWhetherSteppedDown(session: Session, { topology }: Pick<Facts, 'topology'>): Promise<void> {
  if (session.nodes || topology !== 'active') return
  const health = await healthOf(session)
  if (health && fieldOf(health, 'standby') === true) await learnNodes(session)
}

/** Returns the address at which the active node says it is, if the session asks another node, and the operator has not
 * named the host of the active one. */
export async function activeElsewhere(session: Session): Promise<string | undefined> {
  const { nodes } = session.dialect
  const health = await healthOf(session)
  if (!nodes || !health || fieldOf(health, 'standby') !== true) return undefined
  const { activeUrl } = addressIn(await answerTo(nodes.leader, session))
  return activeUrl === undefined || isNamed(activeUrl, session.plan.target) ? undefined : activeUrl
}

export async function healthOf(session: Session): Promise<Reply | undefined> {
  const [health] = session.dialect.operations.health?.({}).exchanges ?? []
  return health && answerTo(health, session)
}

/** Asks the node that the session reaches about itself. */
async function answerTo({ method, path }: Exchange, { client, dialect }: Session): Promise<Reply | undefined> {
  const question = { method, path, once: true, timeoutMs: boundMs('healthReply') }
  return (await asBare(client('main'), dialect)(question)).reply
}
