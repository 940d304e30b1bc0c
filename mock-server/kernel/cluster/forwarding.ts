/** Decides which requests a performance secondary handles itself. It checks the other requests, which change shared
 * data, and forwards them to its primary. */
import type { Route } from '../contracts.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Kernel } from '../kernel.ts'

/** Marks all routes as ones that change no shared data. */
export const staying = (routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => ({ ...route, stays: true }))

/** Returns whether a request changes nothing, or only what belongs to this cluster. */
export function staysHere(request: RequestContext, { fixed, mounts }: Kernel): boolean {
  const { mountPath, path, route, verb } = request
  if (!route || route.login) return true
  if ((verb === 'GET' || verb === 'LIST') && !route.changes) return true
  if (fixed.find(({ prefix }) => `${prefix}/` === mountPath)?.scope === 'this-cluster') return true
  if (mounts.at(path)?.local) return true
  const { stays = false } = route
  return typeof stays === 'boolean' ? stays : stays(request)
}
