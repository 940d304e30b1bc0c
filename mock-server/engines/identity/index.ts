/** The engine `identity`: entities, by id and by name, and the login names that belong to them. */

import type { Entity, EntityFields } from '../../kernel/auth/entities.ts'
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { done } from '../../kernel/contracts.ts'
import type { FixedEngine } from '../../kernel/engine.ts'
import { flagField, listField, mapField, requiredText, textField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { aliasView, entityView } from './views.ts'

function fieldsOf(call: Call): EntityFields {
  const name = textField(call.body, 'name')
  const metadata = mapField(call.body, 'metadata')
  const policies = listField(call.body, 'policies')?.map((policy) => policy.toLowerCase())
  const disabled = flagField(call.body, 'disabled')
  return {
    ...(name ? { name } : {}),
    ...(metadata ? { metadata } : {}),
    ...(policies ? { policies } : {}),
    ...(disabled === undefined ? {} : { disabled }),
  }
}

const list = (keys: readonly string[]): Reply => ({ kind: 'data', data: { keys: [...keys].sort() } })

export function createIdentity({ entities, mounts }: Services): FixedEngine {
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
  const read = (call: Call): Reply => ({ kind: 'data', data: entityView(load(call.params), entities, mounts) })
  function removeById(call: Call): Reply {
    entities.remove(call.params.id ?? '')
    return done
  }
  function removeByName(call: Call): Reply {
    const entity = entities.findByName(call.params.name ?? '')
    if (entity) entities.remove(entity.id)
    return done
  }

  function lookUp(call: Call): Reply {
    const { body } = call
    const alias = entities.findAlias(textField(body, 'alias_id') ?? '')
    const named = entities.findAliasAt(
      textField(body, 'alias_name') ?? '',
      textField(body, 'alias_mount_accessor') ?? '',
    )
    const entity =
      entities.find(textField(body, 'id') ?? alias?.entityId ?? named?.entityId ?? '') ??
      entities.findByName(textField(body, 'name') ?? '')
    return entity ? { kind: 'data', data: entityView(entity, entities, mounts) } : done
  }

  function writeAlias(call: Call): Reply {
    const [name, mountAccessor] = [requiredText(call.body, 'name'), requiredText(call.body, 'mount_accessor')]
    if (!mounts.all('auth').some(({ accessor }) => accessor === mountAccessor))
      throw badRequest(`invalid mount accessor ${mountAccessor}`)
    const id = call.params.id ?? textField(call.body, 'id')
    const known = id ? entities.findAlias(id) : entities.findAliasAt(name, mountAccessor)
    const entityId = textField(call.body, 'canonical_id') ?? known?.entityId ?? entities.create({}).id
    if (!entities.find(entityId)) throw badRequest(`no entity ${entityId}`)
    const alias = entities.putAlias(
      { name, mountAccessor, entityId, metadata: mapField(call.body, 'custom_metadata') ?? known?.metadata ?? {} },
      known?.id,
    )
    return { kind: 'data', data: { id: alias.id, canonical_id: entityId } }
  }
  function readAlias(call: Call): Reply {
    const alias = entities.findAlias(call.params.id ?? '')
    if (!alias) throw new Refusal('not-found')
    return { kind: 'data', data: aliasView(alias, mounts) }
  }
  function removeAlias(call: Call): Reply {
    entities.removeAlias(call.params.id ?? '')
    return done
  }

  const updateById = (call: Call): Reply => save(load(call.params), fieldsOf(call))
  const writeByName = (call: Call): Reply =>
    save(entities.findByName(call.params.name ?? ''), { ...fieldsOf(call), name: call.params.name ?? '' })
  const ids = (): Reply => list(entities.all().map(({ id }) => id))
  const names = (): Reply => list(entities.all().map(({ name }) => name))
  const aliasIds = (): Reply => list(entities.aliases().map(({ id }) => id))

  const routes: readonly Route[] = [
    { verb: 'POST', path: 'entity', access: 'token', handle: write },
    { verb: 'LIST', path: 'entity/id', access: 'token', handle: ids },
    { verb: 'GET', path: 'entity/id/:id', access: 'token', handle: read },
    { verb: 'POST', path: 'entity/id/:id', access: 'token', handle: updateById },
    { verb: 'DELETE', path: 'entity/id/:id', access: 'token', handle: removeById },
    { verb: 'LIST', path: 'entity/name', access: 'token', handle: names },
    { verb: 'GET', path: 'entity/name/:name', access: 'token', handle: read },
    { verb: 'POST', path: 'entity/name/:name', access: 'token', handle: writeByName },
    { verb: 'DELETE', path: 'entity/name/:name', access: 'token', handle: removeByName },
    { verb: 'POST', path: 'lookup/entity', access: 'token', handle: lookUp },
    { verb: 'POST', path: 'entity-alias', access: 'token', handle: writeAlias },
    { verb: 'LIST', path: 'entity-alias/id', access: 'token', handle: aliasIds },
    { verb: 'GET', path: 'entity-alias/id/:id', access: 'token', handle: readAlias },
    { verb: 'POST', path: 'entity-alias/id/:id', access: 'token', handle: writeAlias },
    { verb: 'DELETE', path: 'entity-alias/id/:id', access: 'token', handle: removeAlias },
  ]
  return { prefix: 'identity', routes }
}
