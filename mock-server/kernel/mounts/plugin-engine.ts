import type { EngineInstance } from '../engine.ts'
import type { Plugin } from './plugins.ts'

/** Serves the mount of a registered plugin. The plugin is never run: reading any path below the mount shows what would
 * run there. */
export const pluginEngine = (plugin: Plugin): EngineInstance => ({
  routes: [{ verb: 'GET', path: ':path*', access: 'token', handle: () => ({ kind: 'data', data: { plugin } }) }],
})
