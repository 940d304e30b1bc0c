/** The endpoints of groups. */
import type { Group, GroupFields } from '../../kernel/auth/groups.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { listField, textField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { listIds, listNames, queryIn, sharedFields } from './fields.ts'
import { groupView } from './views.ts'

function typeIn(call: Call, known: Group | undefined): Group['type'] {
  const type = textField(call.body, 'type') || (known?.type ?? 'internal')
  if (type !== 'internal' && type !== 'external') throw badRequest(`invalid group type "${type}"`)
  if (known && known.type !== type) throw badRequest('group type cannot be changed')
  return type
}

function memberEntitiesIn({ body }: Call, type: Group['type'], { entities }: Services): GroupFields {
  const ids = listField(body, 'member_entity_ids')
  if (!ids) return {}
  if (type === 'external' && ids.length > 0)
    throw badRequest("member entities can't be set manually for external groups")
  for (const id of ids) if (!entities.find(id)) throw badRequest(`invalid entity ID "${id}"`)
  return { memberEntities: [...new Set(ids)] }
}

function memberGroupsIn({ body }: Call, known: Group | undefined, { entities: { groups } }: Services): GroupFields {
  const ids = listField(body, 'member_group_ids')
  if (!ids) return {}
  for (const id of ids) {
    if (!groups.find(id)) throw badRequest(`invalid member group ID "${id}"`)
    if (known && (id === known.id || groups.contains(id, known.id)))
      throw badRequest(`member group ID "${id}" would make the group a member of itself`)
  }
  return { memberGroups: [...new Set(ids)] }
}

export function groupRoutes(services: Services): readonly Route[] {
  const { entities, mounts } = services
  const { groups } = entities

  function save(known: Group | undefined, name: string | undefined, call: Call): Reply {
    const namesake = name ? groups.findByName(name) : undefined
    if (namesake && known && namesake.id !== known.id) throw badRequest(`another group is named ${name}`)
    const target = known ?? namesake
    const type = typeIn(call, target)
    const shared = { ...sharedFields(call), ...(name ? { name } : {}), type }
    const members = { ...memberEntitiesIn(call, type, services), ...memberGroupsIn(call, target, services) }
    const fields = { ...shared, ...members }
    if (target) {
      groups.update(target.id, fields)
      return done
    }
    const group = groups.create(fields)
    return { kind: 'data', data: { id: group.id, name: group.name } }
  }

  function load({ id, name = '' }: Call['params']): Group {
    const group = id ? groups.find(id) : groups.findByName(name)
    if (!group) throw new Refusal('not-found')
    return group
  }

  function write(call: Call): Reply {
    const id = call.params.id ?? textField(call.body, 'id')
    const known = id ? groups.find(id) : undefined
    if (id && !known) throw badRequest('invalid group ID')
    return save(known, textField(call.body, 'name'), call)
  }
  const writeByName = (call: Call): Reply =>
    save(groups.findByName(call.params.name ?? ''), call.params.name ?? '', call)
  const shown = (group: Group): Reply => ({ kind: 'data', data: groupView(group, entities, mounts) })
  function remove(id: string): Reply {
    groups.remove(id)
    return done
  }

  function lookUp(call: Call): Reply {
    const { id, name, aliasId, aliasName, aliasMountAccessor } = queryIn(call)
    const alias = groups.findAlias(aliasId) ?? groups.findAliasAt(aliasName, aliasMountAccessor)
    const group = groups.find(id || (alias?.groupId ?? '')) ?? groups.findByName(name)
    return group ? shown(group) : done
  }

  const infoOf = ({ id, name, memberEntities }: Group): object => ({
    ...{ name, num_member_entities: memberEntities.length, num_parent_groups: groups.parentsOf(id).length },
  })
  const ids = (): Reply => listIds(Object.fromEntries(groups.all().map((group) => [group.id, infoOf(group)])))
  const names = (): Reply => listNames(groups.all().map(({ name }) => name))
  const removeByName = ({ params }: Call): Reply => remove(groups.findByName(params.name ?? '')?.id ?? '')

  return [
    { verb: 'POST', path: 'group', access: 'token', handle: write },
    { verb: 'LIST', path: 'group/id', access: 'token', handle: ids },
    { verb: 'GET', path: 'group/id/:id', access: 'token', handle: ({ params }) => shown(load(params)) },
    { verb: 'POST', path: 'group/id/:id', access: 'token', handle: write },
    { verb: 'DELETE', path: 'group/id/:id', access: 'token', handle: ({ params }) => remove(params.id ?? '') },
    { verb: 'LIST', path: 'group/name', access: 'token', handle: names },
    { verb: 'GET', path: 'group/name/:name', access: 'token', handle: ({ params }) => shown(load(params)) },
    { verb: 'POST', path: 'group/name/:name', access: 'token', handle: writeByName },
    { verb: 'DELETE', path: 'group/name/:name', access: 'token', handle: removeByName },
    { verb: 'POST', path: 'lookup/group', access: 'token', stays: true, handle: lookUp },
  ]
}
