/** The endpoints of one kind of replication: document 1, Replication endpoints and Performance-only endpoints. */
import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import type { Call, Reply, Route, ServerFacts, Verb } from '../../kernel/contracts.ts'
import type { Activation } from './connections/activation-tokens.ts'
import type { Context } from './context.ts'
import { enablePrimary, enableSecondary, leave, promote, updatePrimary } from './handlers/change.ts'
import {
  deleteFilter,
  readDynamicOnPrimary,
  readDynamicOnSecondary,
  readFilter,
  writeFilter,
} from './handlers/filters.ts'
import { readStatus, statusOf } from './handlers/status.ts'
import { issueToken, revokeSecondary } from './handlers/tokens.ts'
import type { Endpoint } from './rules/index.ts'

type Handler = (call: Call, context: Context) => Reply | Promise<Reply>

/** The route by which clients of this family of servers read the status of both kinds at once. */
export const statusOfBoth = ({ dr, performance }: Readonly<Record<ReplicationKind, Context>>): Route => ({
  ...{ verb: 'GET', path: 'status', access: 'anyone' },
  available: ({ edition }) => dr.rules.editions.status.includes(edition),
  handle: () => ({ kind: 'data', data: { dr: statusOf(dr), performance: statusOf(performance) } }),
})

export function routesOf(context: Context, sign: (activation: Activation) => string): readonly Route[] {
  const { roleChange, services } = context
  const route = (verb: Verb, path: string, endpoint: Endpoint, handle: Handler): Route => ({
    verb,
    path,
    access: context.rules.access[endpoint],
    accessFor() {
      // A DR secondary has no client tokens, so its endpoints require other proofs.
      const isOpen = endpoint === 'change' && services.clusterRole.modes.dr === 'secondary'
      return isOpen ? 'anyone' : context.rules.access[endpoint]
    },
    available({ edition }: ServerFacts) {
      if (endpoint.includes('-filter') && !context.rules.filters.served) return false
      return context.rules.editions[endpoint === 'status' ? 'status' : 'others'].includes(edition)
    },
    handle(call) {
      if (endpoint === 'change') roleChange.assertNonePending()
      return handle(call, context)
    },
  })

  const both: readonly Route[] = [
    route('GET', 'status', 'status', readStatus),
    route('POST', 'primary/enable', 'change', enablePrimary),
    route('POST', 'primary/demote', 'change', (...given) => leave('primary/demote', ...given)),
    route('POST', 'primary/disable', 'change', (...given) => leave('primary/disable', ...given)),
    route('POST', 'secondary/enable', 'change', enableSecondary),
    route('POST', 'secondary/promote', 'change', promote),
    route('POST', 'secondary/update-primary', 'change', updatePrimary),
    route('POST', 'secondary/disable', 'change', (...given) => leave('secondary/disable', ...given)),
    route('POST', 'primary/secondary-token', 'primary/secondary-token', (...given) => issueToken(...given, sign)),
    route('POST', 'primary/revoke-secondary', 'primary/revoke-secondary', revokeSecondary),
  ]
  return [
    ...both,
    route('POST', 'primary/paths-filter/:id', 'primary/paths-filter', writeFilter),
    route('GET', 'primary/paths-filter/:id', 'primary/paths-filter', readFilter),
    route('DELETE', 'primary/paths-filter/:id', 'primary/paths-filter', deleteFilter),
    route('GET', 'primary/dynamic-filter/:id', 'primary/dynamic-filter', readDynamicOnPrimary),
    route('GET', 'secondary/dynamic-filter/:id', 'secondary/dynamic-filter', readDynamicOnSecondary),
  ]
}
