/** A performance secondary checks a request that changes shared data, and leaves it to its primary. */
import type { Route } from '../contracts.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Kernel } from '../kernel.ts'

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
