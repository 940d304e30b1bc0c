/** The certificate authority engine: one mount, one CA. */

import { systemTtl } from '../../kernel/auth/tokens.ts'
import type { MountableEngine } from '../../kernel/engine.ts'
import { faultsOf } from '../../kernel/mutant-set.ts'
import type { Services } from '../../kernel/services.ts'
import type { Mounted } from './context.ts'
import { createKeyPool } from './key-pool.ts'
import { revokeLeased } from './leaf.ts'
import { mutants } from './mutants/index.ts'
import { keptOf, storeOf } from './persistence.ts'
import { routesOf } from './routes.ts'
import { emptyStore } from './store.ts'
import { pkiTables } from './tables/index.ts'

export { mutants }

export type PkiServices = Pick<Services, 'clock' | 'facts' | 'manner'> & {
  readonly entities: Pick<Services['entities'], 'templating'>
}

export function createPki({ clock, entities, facts, manner }: PkiServices): MountableEngine {
  const keys = createKeyPool()
  let tables = pkiTables

  return {
    type: 'pki',
    kind: 'secret',
    faults: faultsOf(pkiTables, mutants, (changed) => {
      tables = changed
    }),
    open(mount) {
      const mounted: Mounted = {
        get tables() {
          return tables
        },
        clock,
        keys,
        store: emptyStore(),
        facts,
        manner,
        lifetimes() {
          const systemMax = mount.config.max_lease_ttl || systemTtl
          return { systemDefault: Math.min(mount.config.default_lease_ttl || systemTtl, systemMax), systemMax }
        },
        identityOf: ({ token }) => (token?.entityId ? entities.templating(token.entityId) : {}),
      }
      return {
        routes: routesOf(mounted),
        state: {
          snapshot: () => keptOf(mounted.store),
          restore(state) {
            mounted.store = storeOf(state)
          },
          reset() {
            mounted.store = emptyStore()
          },
        },
        revive: (kept) => () => revokeLeased(mounted, (kept as { serial: string }).serial),
      }
    },
  }
}
