/** The cloud credentials engine: users, sessions and rotated keys at a provider, which is called through its own SDK. */

import { systemTtl } from '../../kernel/auth/tokens.ts'
import type { MountableEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import { writingClock } from '../../kernel/state/storage.ts'
import { createTurns } from '../../kernel/turns.ts'
import { type Context, createAlarms } from './context.ts'
import { revokeUser } from './handlers/credentials.ts'
import { resumeRotations } from './handlers/static-roles.ts'
import { resume } from './provider/pending-removals.ts'
import { createProviders } from './provider/provider.ts'
import { routesOf } from './routes.ts'
import { cloudRules } from './rules/index.ts'
import type { Environment } from './rules/provider.ts'
import { emptyStore, fromJson, toJson } from './store.ts'

export type CloudServices = Pick<Services, 'clock' | 'random' | 'facts' | 'variation' | 'storage'>

/** `type` is the type by which the engine is mounted. `environment` is used for settings that the configuration leaves
 * out. */
function createEngine(
  type: string,
  { clock, random, facts, variation, storage }: CloudServices,
  environment: Environment = process.env,
): MountableEngine {
  return {
    type,
    kind: 'secret',
    open(mount) {
      const context: Context = {
        ...{ rules: cloudRules, clock, random, facts, variation, store: emptyStore() },
        lifetimes() {
          const systemMax = mount.config.max_lease_ttl || systemTtl
          return { systemDefault: Math.min(mount.config.default_lease_ttl || systemTtl, systemMax), systemMax }
        },
        providers: createProviders({
          ...{ clock, environment, variation, rules: () => context.rules.provider },
          subject: `plugin-identity:root:secret:${mount.accessor}`,
        }),
        inTurn: createTurns(),
        alarms: createAlarms(writingClock(clock, storage.written)),
      }
      return {
        ...{ context, routes: routesOf(context) },
        state: {
          snapshot: () => toJson(context.store),
          restore(state) {
            context.store = fromJson(state)
            resume(context)
            resumeRotations(context)
          },
          reset() {
            context.alarms.cancelAll()
            context.store = emptyStore()
          },
        },
        revive: (kept) => {
          const { username } = (kept ?? {}) as { username?: string }
          return username === undefined ? () => {} : () => revokeUser(context, username)
        },
      }
    },
  }
}

/** The documents call the engine `cloud`; real clients mount it as `aws`. */
export const createCloud = (services: CloudServices): MountableEngine => createEngine('cloud', services)
export const createAws = (services: CloudServices): MountableEngine => createEngine('aws', services)
