/** The certificate authority engine: one mount, one CA. */
import { faultsOf } from '../../kernel/faults.ts'
import type { MountableEngine } from '../../kernel/room.ts'
import type { Services } from '../../kernel/services.ts'
import { systemTtl } from '../../kernel/tokens.ts'
import { keptOf, storeOf } from './kept.ts'
import { createKeyPool } from './key-pool.ts'
import { revokeLeased } from './leaf.ts'
import type { Mounted } from './mounted.ts'
import { mutants } from './mutants.ts'
import { routesOf } from './routes.ts'
import { emptyStore } from './store.ts'
import { pkiTables } from './tables.ts'

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
