/** The endpoints of entities. */
import type { Entity, EntityFields } from '../../kernel/auth/entities.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { flagField, listField, requiredText, textField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { listIds, listNames, queryIn, sharedFields } from './fields.ts'
import { entityView } from './views.ts'

function fieldsOf(call: Call): EntityFields {
  const disabled = flagField(call.body, 'disabled')
  return { ...sharedFields(call), ...(disabled === undefined ? {} : { disabled }) }
}

/** Refuses to merge two entities with aliases at the same mount, unless the request names aliases to keep. */
function assertMergeable(from: string, to: string, keep: readonly string[], { entities }: Services): void {
  if (!entities.find(from)) throw badRequest('entity id to merge from is invalid')
  const taken = new Set(entities.aliasesOf(to).map(({ mountAccessor }) => mountAccessor))
  for (const alias of entities.aliasesOf(from))
    if (taken.has(alias.mountAccessor) && keep.length === 0)
      throw badRequest(
        `conflicting aliases at ${alias.mountAccessor}: conflicting_alias_ids_to_keep names those that stay`,
      )
}

function merge(call: Call, services: Services): Reply {
  const { entities } = services
  const to = requiredText(call.body, 'to_entity_id')
  const from = listField(call.body, 'from_entity_ids') ?? []
  const keep = listField(call.body, 'conflicting_alias_ids_to_keep') ?? []
  if (from.length === 0) throw badRequest('missing from_entity_ids')
  if (!entities.find(to)) throw badRequest('entity id to merge to is invalid')
  if (from.includes(to)) throw badRequest('to_entity_id should not be present in from_entity_ids')
  for (const id of from) assertMergeable(id, to, keep, services)
  for (const id of from) {
    dropConflicts(id, to, keep, services)
    entities.merge(id, to)
  }
  return done
}

function dropConflicts(from: string, to: string, keep: readonly string[], { entities }: Services): void {
  for (const coming of entities.aliasesOf(from)) {
    const present = entities.aliasesOf(to).find(({ mountAccessor }) => mountAccessor === coming.mountAccessor)
    if (present) entities.removeAlias(keep.includes(coming.id) ? present.id : coming.id)
  }
}

export function entityRoutes(services: Services): readonly Route[] {
  const { entities, mounts } = services
  const created = (entity: Entity): Reply => ({
    kind: 'data',
    data: { id: entity.id, name: entity.name, aliases: entities.aliasesOf(entity.id).map(({ id }) => id) },
  })

  function save(known: Entity | undefined, fields: EntityFields): Reply {
    const namesake = fields.name === undefined ? undefined : entities.findByName(fields.name)
    if (namesake && known && namesake.id !== known.id) throw badRequest(`another entity is named ${fields.name}`)
    const target = known ?? namesake
    if (!target) return created(entities.create(fields))
    entities.update(target.id, fields)
    return done
  }

  function load({ id, name = '' }: Call['params']): Entity {
    const entity = id ? entities.find(id) : entities.findByName(name)
    if (!entity) throw new Refusal('not-found')
    return entity
  }

  function write(call: Call): Reply {
    const id = textField(call.body, 'id')
    return save(id ? load({ id }) : undefined, fieldsOf(call))
  }
  const shown = (entity: Entity): Reply => ({ kind: 'data', data: entityView(entity, entities, mounts) })
  const read = (call: Call): Reply => shown(load(call.params))
  function removeAll(ids: readonly string[]): Reply {
    for (const id of ids) entities.remove(id)
    return done
  }
  function batchDelete(call: Call): Reply {
    const ids = listField(call.body, 'entity_ids') ?? []
    if (ids.length === 0) throw badRequest('entity ids not supplied')
    return removeAll(ids)
  }

  function lookUp(call: Call): Reply {
    const { id, name, aliasId, aliasName, aliasMountAccessor } = queryIn(call)
    const alias = entities.findAlias(aliasId) ?? entities.findAliasAt(aliasName, aliasMountAccessor)
    const entity = entities.find(id || (alias?.entityId ?? '')) ?? entities.findByName(name)
    return entity ? shown(entity) : done
  }

  const updateById = (call: Call): Reply => save(load(call.params), fieldsOf(call))
  const writeByName = (call: Call): Reply =>
    save(entities.findByName(call.params.name ?? ''), { ...fieldsOf(call), name: call.params.name ?? '' })
  const removeByName = (call: Call): Reply => removeAll([entities.findByName(call.params.name ?? '')?.id ?? ''])
  const ids = (): Reply => listIds(Object.fromEntries(entities.all().map(({ id, name }) => [id, { name }])))
  const names = (): Reply => listNames(entities.all().map(({ name }) => name))

  return [
    { verb: 'POST', path: 'entity', access: 'token', handle: write },
    { verb: 'LIST', path: 'entity/id', access: 'token', handle: ids },
    { verb: 'GET', path: 'entity/id/:id', access: 'token', handle: read },
    { verb: 'POST', path: 'entity/id/:id', access: 'token', handle: updateById },
    { verb: 'DELETE', path: 'entity/id/:id', access: 'token', handle: ({ params }) => removeAll([params.id ?? '']) },
    { verb: 'LIST', path: 'entity/name', access: 'token', handle: names },
    { verb: 'GET', path: 'entity/name/:name', access: 'token', handle: read },
    { verb: 'POST', path: 'entity/name/:name', access: 'token', handle: writeByName },
    { verb: 'DELETE', path: 'entity/name/:name', access: 'token', handle: removeByName },
    { verb: 'POST', path: 'entity/batch-delete', access: 'token', handle: batchDelete },
    { verb: 'POST', path: 'entity/merge', access: 'token', handle: (call) => merge(call, services) },
    { verb: 'POST', path: 'lookup/entity', access: 'token', stays: true, handle: lookUp },
  ]
}
