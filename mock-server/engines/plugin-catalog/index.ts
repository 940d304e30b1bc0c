/** The plugin catalog, and what of it mounts run. */

import type { FixedRoom } from '../../kernel/engine.ts'
import { faultsOf } from '../../kernel/mutant-set.ts'
import type { Services } from '../../kernel/services.ts'
import type { Workshop } from './handlers.ts'
import { assertRunnable } from './mounting.ts'
import { mutants } from './mutants.ts'
import { routesOf } from './routes.ts'
import { Catalog, type Registered } from './store.ts'
import { catalogTables } from './tables.ts'

export { mutants } from './mutants.ts'

export function createPluginCatalog(services: Services): FixedRoom {
  let current = catalogTables
  const catalog = new Catalog()
  const workshop: Workshop = { catalog, tables: () => current, services }
  services.ports.plugins = {
    assertRunnable: (kind, type, version) => assertRunnable(kind, type, version, workshop),
  }
  return {
    prefix: 'sys/plugins/catalog',
    routes: routesOf(workshop),
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
    faults: faultsOf(catalogTables, mutants, (tables) => {
      current = tables
    }),
  }
}
