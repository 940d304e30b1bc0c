/** The least that a token must be allowed for a plan: what the checks ask as the operator, and what the harness asks for
 * the probe, the inventories and cleaning up. */
import type { Dialect, Exchange } from '../vocabulary/index.ts'
import { type AclRule, leastRules } from './dialects/vault-policy.ts'
import type { Touch } from './touches.ts'

/** Operations of the dialect that the harness itself performs. */
const own = [
  'lookupSelf',
  'capabilitiesSelf',
  'listGoverning',
  'inventory',
  'tokenByAccessor',
  'revokeAccessor',
] as const

function ownExchanges(dialect: Dialect): readonly Exchange[] {
  return own.flatMap((name) => dialect.operations[name]?.({}).exchanges ?? [])
}

/** The paths of rules end in `*` where throw-away names stand. */
export const leastPolicy = (touches: readonly Touch[], dialect: Dialect): readonly AclRule[] =>
  leastRules([...touches.filter(({ as }) => as === 'operator'), ...ownExchanges(dialect)])
