import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import { type Call, done, type Reply, type Route, type ServerFacts } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { isSince } from '../../kernel/versions.ts'
import type { Context } from './context.ts'
import { cancel, give, read, start } from './handlers/attempts.ts'
import type { OperationTokenStore } from './store/operation-tokens.ts'
import type { SecondaryKeyStore } from './store/secondary-keys.ts'

/** The community edition has no replication: document 1, What the service does. */
export const isReplicating = ({ edition }: ServerFacts): boolean => edition !== 'community'

/** No client token is needed, because holders of root key shares may do more than any token. */
export function attemptRoutes(
  context: Context,
  available: (facts: ServerFacts) => boolean,
  further: (data: object) => object = (data) => data,
): readonly Route[] {
  function shown(fields: object): Reply {
    const data = further(fields)
    const { attemptReplies } = context.services.variation()
    if (attemptReplies === 'in-data') return { kind: 'data', data }
    return { kind: 'data', data: attemptReplies === 'both' ? data : null, topLevel: data }
  }
  const anyone = { access: 'anyone', available } as const
  return [
    { verb: 'GET', path: 'attempt', ...anyone, handle: () => shown(read(context)) },
    {
      ...{ verb: 'POST', path: 'attempt', ...anyone },
      async handle({ body }) {
        // The document has no such field for operation tokens.
        const given = context.rules.heldOn === 'DR secondaries' ? '' : (textField(body, 'otp') ?? '')
        return shown(await start(textField(body, 'pgp_key') ?? '', context, given))
      },
    },
    {
      ...{ verb: 'DELETE', path: 'attempt', ...anyone },
      async handle() {
        await cancel(context)
        return done
      },
    },
    {
      ...{ verb: 'POST', path: 'update', ...anyone },
      handle: async ({ body }) => shown(await give(textField(body, 'key') ?? '', textField(body, 'nonce'), context)),
    },
  ]
}

export function deletionRoute(tokens: OperationTokenStore, assertHere: () => void): Route {
  function handle({ body }: Call): Reply {
    assertHere()
    tokens.delete(textField(body, 'dr_operation_token') ?? '')
    return done
  }
  return { verb: 'POST', path: 'delete', access: 'anyone', available: isReplicating, handle }
}

/** Public keys are there since version 1.3.0: document 1, Versioning. */
export const publicKeyRoute = (kind: ReplicationKind, keys: SecondaryKeyStore): Route => ({
  ...{ verb: 'POST', path: '', access: 'token' },
  available: (facts) => isReplicating(facts) && isSince(facts.version, '1.3.0'),
  handle: () => ({ kind: 'data', data: { secondary_public_key: keys.generate(kind) } }),
})
