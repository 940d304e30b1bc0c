/** The endpoints of the aliases of entities. */
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { mapField, requiredText, textField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { listIds } from './fields.ts'
import { aliasInfo, aliasView } from './views.ts'

/** Reads the accessor of an auth mount from a request, and refuses an unknown one. */
export function accessorIn(call: Call, { mounts }: Services): string {
  const accessor = requiredText(call.body, 'mount_accessor')
  if (!mounts.all('auth').some((mount) => mount.accessor === accessor))
    throw badRequest(`invalid mount accessor ${accessor}`)
  return accessor
}

export function aliasRoutes(services: Services): readonly Route[] {
  const { entities, mounts } = services

  function write(call: Call): Reply {
    const name = requiredText(call.body, 'name')
    const mountAccessor = accessorIn(call, services)
    const id = call.params.id ?? textField(call.body, 'id')
    const known = id ? entities.findAlias(id) : entities.findAliasAt(name, mountAccessor)
    const wanted = textField(call.body, 'canonical_id') || textField(call.body, 'entity_id')
    const entityId = wanted || (known?.entityId ?? entities.create({}).id)
    if (!entities.find(entityId)) throw badRequest(`no entity ${entityId}`)
    const alias = entities.putAlias(
      { name, mountAccessor, entityId, metadata: mapField(call.body, 'custom_metadata') ?? known?.metadata ?? {} },
      known?.id,
    )
    return { kind: 'data', data: { id: alias.id, canonical_id: entityId } }
  }
  function read(call: Call): Reply {
    const alias = entities.findAlias(call.params.id ?? '')
    if (!alias) throw new Refusal('not-found')
    return { kind: 'data', data: aliasView(alias, mounts) }
  }
  function remove(call: Call): Reply {
    entities.removeAlias(call.params.id ?? '')
    return done
  }
  const list = (): Reply =>
    listIds(Object.fromEntries(entities.aliases().map((alias) => [alias.id, aliasInfo(alias, mounts)])))

  return [
    { verb: 'POST', path: 'entity-alias', access: 'token', handle: write },
    { verb: 'LIST', path: 'entity-alias/id', access: 'token', handle: list },
    { verb: 'GET', path: 'entity-alias/id/:id', access: 'token', handle: read },
    { verb: 'POST', path: 'entity-alias/id/:id', access: 'token', handle: write },
    { verb: 'DELETE', path: 'entity-alias/id/:id', access: 'token', handle: remove },
  ]
}
