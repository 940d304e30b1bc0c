/** Finds out to which cluster an address leads, and which of its nodes answer there, before something is undone. */
import type { Session } from '../../run/session.ts'
import { digestOf } from '../../safety/journal.ts'
import { performed } from '../../targets/prober.ts'
import { topologyOf } from '../../targets/topology.ts'
import { fieldOf, type Reply } from '../../vocabulary/index.ts'
import { asBare, asOperator } from '../../wire/ask.ts'

/** Lets each undo wait for the nodes, if several of them answer and may be behind. */
export async function learnNodes(session: Session): Promise<void> {
  const { dialect, plan } = session
  const { declared } = plan.target
  if (declared.topology !== undefined) return session.knowNodes(declared)
  const client = session.client('main')
  const [operator, nobody] = [asOperator(client, dialect), asBare(client, dialect)]
  const seen = await topologyOf(await healthOf(session), dialect, (exchange) =>
    performed(exchange.as === 'nobody' ? nobody : operator, exchange),
  )
  session.knowNodes(seen)
}

/** Returns the digest of the cluster's id, as journals keep it. Undefined if the target does not tell its id. */
export async function clusterAt(session: Session): Promise<string | undefined> {
  const reply = await healthOf(session)
  const id = reply && fieldOf(reply, 'cluster_id')
  return typeof id === 'string' ? digestOf(id) : undefined
}

async function healthOf({ dialect, client }: Session): Promise<Reply | undefined> {
  const [health] = dialect.operations.health?.({}).exchanges ?? []
  if (!health) return undefined
  const { method, path } = health
  return (await asBare(client('main'), dialect)({ method, path, once: true })).reply
}
