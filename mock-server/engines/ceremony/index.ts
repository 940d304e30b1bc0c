/** The ceremonies that make a token from shares of the root key, and the key pairs of clusters that will become
 * secondaries. */

import { staying } from '../../kernel/cluster/forwarding.ts'
import type { FixedEngine } from '../../kernel/engine.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { together } from '../../kernel/state/state-parts.ts'
import { clear, createContext } from './context.ts'
import { attemptRoutes, deletionRoute, isReplicating, publicKeyRoute } from './routes.ts'
import { operationTokenRules, rootTokenRules } from './rules.ts'
import { createOperationTokens } from './store/operation-tokens.ts'
import { createSecondaryKeys } from './store/secondary-keys.ts'

/** The length of the tokens of this server in characters, unless a variation changes it. */
const usualTokenLength = 26
const dr = 'sys/replication/dr/secondary'

export function createCeremony(services: Services): readonly FixedEngine[] {
  const { mint, tokens, extensions } = services
  const operationTokens = createOperationTokens()
  const keys = createSecondaryKeys()
  const prepare = (): string => mint.token()
  const forOperation = createContext(services, operationTokenRules, { prepare, issue: operationTokens.add })
  const forRoot = createContext(services, rootTokenRules, {
    prepare,
    issue: (id) => tokens.create({ id, policies: ['root'], ttl: 0, displayName: 'root', path: 'auth/token/root' }),
  })

  function clearAttempts(): void {
    clear(forOperation)
    clear(forRoot)
  }
  extensions.operationTokens = {
    isLive: operationTokens.isLive,
    end() {
      clearAttempts()
      operationTokens.reset()
    },
  }
  extensions.secondaryKeys = keys

  /** Adds the fields that clients of this family of servers need in every reply about a root token. */
  const asClientsRead = (data: { readonly encoded_token?: unknown }): object => ({
    encoded_root_token: data.encoded_token ?? '',
    otp: '',
    otp_length: forRoot.attempt?.token.length ?? usualTokenLength,
    ...data,
  })

  function assertOnDrSecondary(): void {
    if (services.clusterRole.modes.dr !== 'secondary')
      throw badRequest('there are operation tokens on DR secondaries only')
  }

  return [
    // Two products of the family use different paths for the same ceremony.
    ...['sys/generate-root', 'sys/generate-root-token'].map((prefix) => ({
      ...{ prefix, routes: staying(attemptRoutes(forRoot, () => true, asClientsRead)) },
    })),
    {
      prefix: `${dr}/generate-operation-token`,
      routes: attemptRoutes(forOperation, isReplicating),
      context: forOperation,
    },
    {
      prefix: `${dr}/operation-token`,
      scope: 'this-cluster',
      context: { tokens: operationTokens },
      routes: [deletionRoute(operationTokens, assertOnDrSecondary)],
      // Attempts are not saved: after a restart, a ceremony starts from the beginning.
      state: together({
        operationTokens,
        keys,
        attempts: { snapshot: () => null, restore: clearAttempts, reset: clearAttempts },
      }),
      inventory: () => ({
        'operation tokens': operationTokens.names(),
        'attempts under way': [
          ...(forOperation.state === 'in progress' ? ['operation token'] : []),
          ...(forRoot.state === 'in progress' ? ['root token'] : []),
        ],
      }),
    },
    ...(['dr', 'performance'] as const).map((kind) => ({
      prefix: `sys/replication/${kind}/secondary/generate-public-key`,
      routes: staying([publicKeyRoute(kind, keys)]),
      context: { keys },
    })),
  ]
}
