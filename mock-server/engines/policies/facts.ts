/** Collects the facts about a request to which a document can refer. A part that the request does not have is left
 * out. */
import type { GovernedRequest, Identities } from '../../kernel/acl/policy-source.ts'
import type { Entity } from '../../kernel/auth/entities.ts'
import type { Group } from '../../kernel/auth/groups.ts'
import type { TokenRecord } from '../../kernel/auth/tokens.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import { headerOf } from '../../kernel/http/request-context.ts'
import type { Services } from '../../kernel/services.ts'
import type { Facts } from '../../policy-language/parse.ts'

export type FactSources = Pick<Services, 'clock' | 'clusterRole'>

/** Converts to nanoseconds, the unit of durations in the import `time`. */
const nanoseconds = (seconds: number): number => seconds * 1e9
const timeText = (at: number): string => new Date(at).toISOString()

export function factsOf(request: GovernedRequest, { clock, clusterRole }: FactSources): Facts {
  const { call, identities, namespace } = request
  const { access, entities } = identities
  const token = call.token as TokenRecord | undefined
  const entity = token && token.entityId !== '' ? entities.find(token.entityId) : undefined
  return {
    now: clock.now(),
    namespace: { id: namespace.id, path: namespace.path },
    request: requestFacts(request),
    replication: { dr: { mode: clusterRole.modes.dr }, performance: { mode: clusterRole.modes.performance } },
    token: token ? tokenFacts(token, access.policiesOf(token)) : {},
    identity: entity ? { entity: entityFacts(entity, entities), groups: groupFacts(entity, entities) } : {},
  }
}

function requestFacts({ call, operation, overridden }: GovernedRequest): object {
  const wrapTtl = parseDuration(headerOf(call, 'x-vault-wrap-ttl') ?? '') ?? 0
  return {
    data: call.body,
    operation,
    path: call.path,
    policy_override: overridden,
    unauthenticated: call.token === undefined,
    wrapping: { ttl: nanoseconds(wrapTtl), ttl_seconds: wrapTtl },
  }
}

const tokenFacts = (token: TokenRecord, policies: readonly string[]): object => ({
  ...{ creation_time: timeText(token.createdAt), creation_time_unix: Math.floor(token.createdAt / 1000) },
  ...{ creation_ttl: nanoseconds(token.ttl), creation_ttl_seconds: token.ttl },
  ...{ display_name: token.displayName, entity_id: token.entityId },
  ...{ explicit_max_ttl: nanoseconds(token.maxTtl), explicit_max_ttl_seconds: token.maxTtl },
  ...{ meta: token.meta, metadata: token.meta, num_uses: token.uses, path: token.path },
  ...{
    period: nanoseconds(token.period),
    period_seconds: token.period,
    policies,
    role: token.role ?? '',
    type: 'service',
  },
})

const entityFacts = (entity: Entity, entities: Identities['entities']): object => ({
  aliases: entities
    .aliasesOf(entity.id)
    .map((alias) => ({
      ...{ id: alias.id, name: alias.name, mount_accessor: alias.mountAccessor, metadata: alias.metadata },
      ...{ creation_time: timeText(alias.createdAt), last_update_time: timeText(alias.updatedAt) },
    })),
  creation_time: timeText(entity.createdAt),
  id: entity.id,
  last_update_time: timeText(entity.updatedAt),
  merged_entity_ids: entity.merged ?? [],
  metadata: entity.metadata,
  name: entity.name,
  policies: entity.policies,
})

/** Returns the groups to which the entity belongs, directly or through other groups. */
function groupFacts(entity: Entity, { groups }: Identities['entities']): object {
  const { direct, inherited } = groups.of(entity.id)
  const all = [...direct, ...inherited].flatMap((id) => groups.find(id) ?? []).map(groupFact)
  return {
    by_id: Object.fromEntries(all.map((group) => [group.id, group])),
    by_name: Object.fromEntries(all.map((group) => [group.name, group])),
  }
}

const groupFact = (group: Group) => ({
  ...{ creation_time: timeText(group.createdAt), last_update_time: timeText(group.updatedAt) },
  ...{ id: group.id, name: group.name, metadata: group.metadata, policies: group.policies },
  ...{ member_entity_ids: group.memberEntities, member_group_ids: group.memberGroups },
})
