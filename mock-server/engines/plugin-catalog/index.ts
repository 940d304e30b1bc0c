/** The plugin catalog, and the plugins that mounts run. */

import type { FixedEngine } from '../../kernel/engine.ts'
import { type Mutants, mutantSet } from '../../kernel/mutant-set.ts'
import type { Services } from '../../kernel/services.ts'
import type { Context } from './context.ts'
import { assertRunnable } from './plugins/mounted-plugins.ts'
import { routesOf } from './routes.ts'
import { Catalog, type Registered } from './store.ts'
import { type CatalogTables, catalogTables } from './tables.ts'

export function createPluginCatalog(services: Services, mutants: Mutants<CatalogTables>): FixedEngine {
  let current = catalogTables
  const catalog = new Catalog()
  const context: Context = { catalog, tables: () => current, services }
  services.extensions.plugins = {
    assertRunnable: (kind, type, version) => assertRunnable(kind, type, version, context),
  }
  return {
    prefix: 'sys/plugins/catalog',
    routes: routesOf(context),
    state: {
      snapshot: () => catalog.all(['registered']),
      restore(state) {
        catalog.clear()
        for (const plugin of state as Registered[]) catalog.put(plugin)
      },
      reset: () => catalog.clear(),
    },
    inventory: () => ({
      plugins: catalog.all(['registered']).map(({ type, name, version }) => `${type}/${name}@${version}`),
    }),
    mutants: mutantSet(catalogTables, mutants, (tables) => {
      current = tables
    }),
  }
}
