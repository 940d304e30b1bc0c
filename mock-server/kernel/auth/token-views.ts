import type { Clock } from '../contracts.ts'
import type { TokenRecord } from './tokens.ts'

/** Returns the remaining lifetime in seconds, or 0 for a token that does not expire. */
export const secondsLeft = (token: TokenRecord, clock: Clock): number =>
  token.expiresAt === undefined ? 0 : Math.max(Math.ceil((token.expiresAt - clock.now()) / 1000), 0)

/** Builds the `auth` member of a reply that contains a token. */
export const authOf = (token: TokenRecord, clock: Clock, identityPolicies: readonly string[] = []): object => ({
  client_token: token.id,
  accessor: token.accessor,
  policies: [...new Set([...token.policies, ...identityPolicies])].sort(),
  token_policies: token.policies,
  ...(identityPolicies.length > 0 ? { identity_policies: identityPolicies } : {}),
  metadata: Object.keys(token.meta).length > 0 ? token.meta : null,
  lease_duration: secondsLeft(token, clock),
  renewable: token.renewable,
  entity_id: token.entityId,
  token_type: 'service',
  mfa_requirement: null,
  orphan: token.orphan,
  num_uses: token.uses,
})

/** Builds the reply to a lookup. A lookup by accessor does not show the token itself. */
export const lookupOf = (
  token: TokenRecord,
  clock: Clock,
  identityPolicies: readonly string[],
  byAccessor: boolean,
) => ({
  accessor: token.accessor,
  creation_time: Math.floor(token.createdAt / 1000),
  creation_ttl: token.ttl,
  display_name: token.displayName,
  entity_id: token.entityId,
  expire_time: token.expiresAt === undefined ? null : new Date(token.expiresAt).toISOString(),
  explicit_max_ttl: token.maxTtl,
  id: byAccessor ? '' : token.id,
  issue_time: new Date(token.createdAt).toISOString(),
  meta: Object.keys(token.meta).length > 0 ? token.meta : null,
  ...(token.namespace === undefined ? {} : { namespace_path: token.namespace }),
  num_uses: token.uses,
  orphan: token.orphan,
  path: token.path,
  ...(token.period > 0 ? { period: token.period } : {}),
  ...(token.blocks ? { bound_cidrs: token.blocks } : {}),
  ...(token.role ? { role: token.role } : {}),
  policies: token.policies,
  ...(identityPolicies.length > 0 ? { identity_policies: identityPolicies } : {}),
  renewable: token.renewable,
  ttl: secondsLeft(token, clock),
  type: 'service',
})
