/** Finds out to which cluster an address leads, before something is undone. */
import { healthOf } from '../../run/learned-nodes.ts'
import type { Session } from '../../run/session.ts'
import { digestOf } from '../../safety/journal.ts'
import { fieldOf } from '../../vocabulary/index.ts'

/** Returns the digest of the cluster's id, as journals keep it. Undefined if the target does not tell its id. */
export async function clusterAt(session: Session): Promise<string | undefined> {
  const reply = await healthOf(session)
  const id = reply && fieldOf(reply, 'cluster_id')
  return typeof id === 'string' ? digestOf(id) : undefined
}
