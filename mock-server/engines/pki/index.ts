/** The certificate authority engine. Each mount has its own CAs. */

import { systemTtl } from '../../kernel/auth/tokens.ts'
import type { MountableEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import { createKeyPool } from './certificates/key-pool.ts'
import { revoke } from './certificates/revocation.ts'
import { createSigning } from './certificates/signing.ts'
import type { Context } from './context.ts'
import { fromJson, toJson } from './persistence.ts'
import { routesOf } from './routes.ts'
import { pkiRules } from './rules/index.ts'
import { emptyStore } from './store.ts'
import { testRsaKey } from './x509/test-keys.ts'

export type PkiServices = Pick<Services, 'clock' | 'facts' | 'testKeys' | 'variation'> & {
  readonly entities: Pick<Services['entities'], 'templating'>
}

export function createPki({ clock, entities, facts, testKeys, variation }: PkiServices): MountableEngine {
  const keys = testKeys ? createKeyPool(undefined, testRsaKey) : createKeyPool()
  return {
    type: 'pki',
    kind: 'secret',
    open(mount) {
      const context: Context = {
        rules: pkiRules,
        clock,
        keys,
        signing: createSigning(variation),
        store: emptyStore(),
        facts,
        variation,
        lifetimes() {
          const systemMax = mount.config.max_lease_ttl || systemTtl
          return { systemDefault: Math.min(mount.config.default_lease_ttl || systemTtl, systemMax), systemMax }
        },
        identityOf: ({ token }) => (token?.entityId ? entities.templating(token.entityId) : {}),
      }
      return {
        ...{ context, routes: routesOf(context) },
        state: {
          snapshot: () => toJson(context.store),
          restore(state) {
            context.store = fromJson(state)
          },
          reset() {
            context.store = emptyStore()
          },
        },
        revive: (kept) => () => void revoke(context, (kept as { serial: string }).serial),
      }
    },
  }
}
