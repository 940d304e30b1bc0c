import type { Alias, Entities, Entity } from '../../kernel/auth/entities.ts'
import type { Mounts } from '../../kernel/mounts/mounts.ts'

const timeOf = (ms: number): string => new Date(ms).toISOString()

/** Builds what a read shows of an alias. */
export function aliasView(alias: Alias, mounts: Mounts): object {
  const mount = mounts.all('auth').find(({ accessor }) => accessor === alias.mountAccessor)
  return {
    id: alias.id,
    name: alias.name,
    canonical_id: alias.entityId,
    mount_accessor: alias.mountAccessor,
    mount_type: mount?.type ?? '',
    mount_path: mount ? `auth/${mount.path}` : '',
    metadata: Object.keys(alias.metadata).length > 0 ? alias.metadata : null,
    creation_time: timeOf(alias.createdAt),
    last_update_time: timeOf(alias.updatedAt),
  }
}

export const entityView = (entity: Entity, entities: Entities, mounts: Mounts): object => ({
  id: entity.id,
  name: entity.name,
  metadata: Object.keys(entity.metadata).length > 0 ? entity.metadata : null,
  policies: entity.policies,
  disabled: entity.disabled,
  aliases: entities.aliasesOf(entity.id).map((alias) => aliasView(alias, mounts)),
  creation_time: timeOf(entity.createdAt),
  last_update_time: timeOf(entity.updatedAt),
})
