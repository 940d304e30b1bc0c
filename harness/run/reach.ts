import type { Reach } from '../safety/clean-up.ts'
import type { Session } from './session.ts'

/** Undefined for a cluster that the profile does not name. */
export const reachOf =
  (session: Session) =>
  (cluster: string): Reach | undefined =>
    session.knows(cluster)
      ? { url: session.client(cluster).endpoint.url, ask: session.ask(cluster), access: session.accessTo(cluster) }
      : undefined
