/** A performance secondary checks a request that changes shared data, and leaves it to its primary. */
import type { Route, Token } from '../contracts.ts'
import type { Kernel } from '../create-kernel.ts'
import type { Answer, IncomingRequest, RequestContext } from '../http/request-context.ts'

/** What the primary is told besides the request itself. It does not check the token again, which it does not know. */
export interface Checked {
  readonly token: Token | undefined
  /** The warnings of the policies that the secondary evaluated. */
  readonly warnings: readonly string[]
}

/** Returns the answer of the primary. Refuses the request if the primary is out of reach. */
export type Forward = (request: IncomingRequest, checked: Checked) => Promise<Answer>

/** Marks routes that change nothing which clusters share. */
export const staying = (routes: readonly Route[]): readonly Route[] => routes.map((one) => ({ ...one, stays: true }))

/** Tells whether a request changes only what belongs to this cluster, or nothing. */
export function staysHere(request: RequestContext, { fixed, mounts }: Kernel): boolean {
  const { mountPath, path, route, verb } = request
  if (!route || route.login) return true
  if ((verb === 'GET' || verb === 'LIST') && !route.changes) return true
  if (fixed.find(({ prefix }) => `${prefix}/` === mountPath)?.scope === 'this-cluster') return true
  if (mounts.at(path)?.local) return true
  const { stays = false } = route
  return typeof stays === 'boolean' ? stays : stays(request)
}
