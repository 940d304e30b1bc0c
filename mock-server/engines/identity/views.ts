import type { Alias, Entities, Entity } from '../../kernel/auth/entities.ts'
import type { Group, GroupAlias } from '../../kernel/auth/groups.ts'
import type { Mounts } from '../../kernel/mounts/mounts.ts'

const timeOf = (ms: number): string => new Date(ms).toISOString()
const orNull = (map: Readonly<Record<string, string>>): object | null => (Object.keys(map).length > 0 ? map : null)
const listOrNull = <T>(items: readonly T[]): readonly T[] | null => (items.length > 0 ? items : null)

function mountFields(accessor: string, mounts: Mounts): object {
  const mount = mounts.all('auth').find((one) => one.accessor === accessor)
  return { mount_accessor: accessor, mount_type: mount?.type ?? '', mount_path: mount ? `auth/${mount.path}` : '' }
}

/** Builds the entry of an alias in a list. */
export const aliasInfo = (alias: Alias | GroupAlias, mounts: Mounts): object => ({
  name: alias.name,
  canonical_id: 'entityId' in alias ? alias.entityId : alias.groupId,
  ...mountFields(alias.mountAccessor, mounts),
  custom_metadata: 'metadata' in alias ? orNull(alias.metadata) : null,
  local: false,
})

/** Builds the data that a read of an alias returns. */
export const aliasView = (alias: Alias | GroupAlias, mounts: Mounts): object => ({
  id: alias.id,
  ...aliasInfo(alias, mounts),
  metadata: 'metadata' in alias ? orNull(alias.metadata) : null,
  merged_from_canonical_ids: null,
  creation_time: timeOf(alias.createdAt),
  last_update_time: timeOf(alias.updatedAt),
})

export function entityView(entity: Entity, entities: Entities, mounts: Mounts): object {
  const { direct, inherited } = entities.groups.of(entity.id)
  return {
    id: entity.id,
    name: entity.name,
    metadata: orNull(entity.metadata),
    policies: entity.policies,
    disabled: entity.disabled,
    aliases: entities.aliasesOf(entity.id).map((alias) => aliasView(alias, mounts)),
    direct_group_ids: direct,
    inherited_group_ids: inherited,
    group_ids: [...direct, ...inherited],
    merged_entity_ids: entity.merged ?? null,
    namespace_id: 'root',
    creation_time: timeOf(entity.createdAt),
    last_update_time: timeOf(entity.updatedAt),
  }
}

export function groupView(group: Group, { groups }: Entities, mounts: Mounts): object {
  const alias = groups.aliasOf(group.id)
  return {
    id: group.id,
    name: group.name,
    type: group.type,
    metadata: orNull(group.metadata),
    policies: listOrNull(group.policies),
    member_entity_ids: listOrNull(group.memberEntities),
    member_group_ids: listOrNull(group.memberGroups),
    parent_group_ids: listOrNull(groups.parentsOf(group.id).map(({ id }) => id)),
    alias: alias ? aliasView(alias, mounts) : {},
    modify_index: group.modifications,
    namespace_id: 'root',
    creation_time: timeOf(group.createdAt),
    last_update_time: timeOf(group.updatedAt),
  }
}
