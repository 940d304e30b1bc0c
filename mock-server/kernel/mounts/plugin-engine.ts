import type { Room } from '../engine.ts'
import type { Plugin } from '../extension-points.ts'

/** What stands behind the mount of a registered plugin. Its file is compared with its digest and never run: every path
 * below the mount tells what would run there. */
export const pluginRoom = (plugin: Plugin): Room => ({
  routes: [{ verb: 'GET', path: ':path*', access: 'token', run: () => ({ kind: 'data', data: { plugin } }) }],
})
