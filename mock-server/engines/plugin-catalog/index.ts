/** The plugin catalog, and the plugins that mounts run. */

import type { FixedEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import type { Context } from './context.ts'
import { assertRunnable, pluginFor } from './plugins/mounted-plugins.ts'
import { routesOf } from './routes.ts'
import { catalogRules } from './rules.ts'
import { Catalog, type Registered } from './store.ts'

export function createPluginCatalog(services: Services): FixedEngine {
  const catalog = new Catalog()
  const context: Context = { catalog, rules: catalogRules, services }
  services.extensions.plugins = {
    assertRunnable: (kind, type, version) => assertRunnable(pluginFor(kind, type, version, context), context),
  }
  return {
    prefix: 'sys/plugins/catalog',
    routes: routesOf(context),
    context,
    state: {
      snapshot: () => catalog.all(),
      restore(state) {
        catalog.clear()
        for (const plugin of state as Registered[]) catalog.put(plugin)
      },
      reset: () => catalog.clear(),
    },
    inventory: () => ({ plugins: catalog.all().map(({ type, name, version }) => `${type}/${name}@${version}`) }),
  }
}
