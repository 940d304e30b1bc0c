/** The endpoints of the aliases of external groups. No login method of this server reports groups, so an alias never
 * adds members to a group. */
import type { Group, GroupAlias } from '../../kernel/auth/groups.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import { requiredText, textField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { accessorIn } from './aliases.ts'
import { listIds } from './fields.ts'
import { aliasInfo, aliasView } from './views.ts'

export function groupAliasRoutes(services: Services): readonly Route[] {
  const { entities, mounts } = services
  const { groups } = entities

  function load(id: string): GroupAlias {
    const alias = groups.findAlias(id)
    if (!alias) throw new Refusal('not-found')
    return alias
  }

  function groupFor(id: string | undefined): Group {
    const group = id ? groups.find(id) : groups.create({ type: 'external' })
    if (!group) throw badRequest(`no group ${id}`)
    if (group.type !== 'external') throw badRequest("alias can't be set on an internal group")
    return group
  }

  function write(call: Call): Reply {
    const name = requiredText(call.body, 'name')
    const mountAccessor = accessorIn(call, services)
    const id = call.params.id ?? textField(call.body, 'id')
    const namesake = groups.findAliasAt(name, mountAccessor)
    const known = id ? load(id) : undefined
    if (namesake && namesake.id !== known?.id)
      throw badRequest('combination of mount and group alias name is already in use')
    const group = groupFor(textField(call.body, 'canonical_id') || known?.groupId)
    // A group has only one alias, so a new alias replaces the old one.
    const replaced = groups.aliasOf(group.id)
    if (replaced && replaced.id !== known?.id) groups.removeAlias(replaced.id)
    const alias = groups.putAlias({ name, mountAccessor, groupId: group.id }, known?.id)
    return { kind: 'data', data: { id: alias.id, canonical_id: group.id } }
  }

  function remove({ params }: Call): Reply {
    groups.removeAlias(params.id ?? '')
    return done
  }
  const list = (): Reply =>
    listIds(Object.fromEntries(groups.aliases().map((alias) => [alias.id, aliasInfo(alias, mounts)])))

  return [
    { verb: 'POST', path: 'group-alias', access: 'token', handle: write },
    { verb: 'LIST', path: 'group-alias/id', access: 'token', handle: list },
    {
      ...{ verb: 'GET', path: 'group-alias/id/:id', access: 'token' },
      handle: ({ params }) => ({ kind: 'data', data: aliasView(load(params.id ?? ''), mounts) }),
    },
    { verb: 'POST', path: 'group-alias/id/:id', access: 'token', handle: write },
    { verb: 'DELETE', path: 'group-alias/id/:id', access: 'token', handle: remove },
  ]
}
