/** Login enforcements say whose logins need a code. They are not in the documents; servers of this family have them. */

import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { listField } from '../../../kernel/http/body-fields.ts'
import { Refusal, refuse } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { Enforcement } from '../store.ts'
import { placeOf } from './methods.ts'

export function enforce(call: Call, { enforcements, methods, services }: Context): Reply {
  const { body } = call
  const name = call.params.name ?? ''
  const before = enforcements.find(name)
  const listOf = (field: string, old?: readonly string[]) => [...new Set(listField(body, field) ?? old)]
  const methodIds = listOf('mfa_method_ids', before?.methodIds).map((id) => id.toLowerCase())
  if (methodIds.length === 0) refuse('missing mfa_method_ids')
  const unknown = methodIds.find((id) => !methods.find(id))
  if (unknown !== undefined) refuse(`there is no MFA method ${unknown}`)
  const whose = {
    accessors: listOf('auth_method_accessors', before?.accessors),
    types: listOf('auth_method_types', before?.types),
    groups: listOf('identity_group_ids', before?.groups),
    entities: listOf('identity_entity_ids', before?.entities),
  }
  if (Object.values(whose).every((ids) => ids.length === 0))
    refuse('one of auth_method_accessors, auth_method_types, identity_group_ids, identity_entity_ids must be given')
  const auths = services.mounts.all('auth')
  const stray = whose.accessors.find((accessor) => !auths.some((mount) => mount.accessor === accessor))
  if (stray !== undefined) refuse(`no auth method has the accessor ${stray}`)
  enforcements.put({ id: before?.id ?? services.random.uuid(), name, methodIds, ...whose })
  return done
}

const view = (enforcement: Enforcement, { services }: Context): object => ({
  id: enforcement.id,
  name: enforcement.name,
  mfa_method_ids: enforcement.methodIds,
  auth_method_accessors: enforcement.accessors,
  auth_method_types: enforcement.types,
  identity_group_ids: enforcement.groups,
  identity_entity_ids: enforcement.entities,
  ...placeOf(services),
})

export function readEnforcement(call: Call, context: Context): Reply {
  const enforcement = context.enforcements.find(call.params.name ?? '')
  if (!enforcement) throw new Refusal('not-found')
  return { kind: 'data', data: view(enforcement, context) }
}

export function listEnforcements(context: Context): Reply {
  const all = [...context.enforcements.all()].sort((a, b) => (a.name < b.name ? -1 : 1))
  const info = Object.fromEntries(all.map((one) => [one.name, view(one, context)]))
  return { kind: 'data', data: { keys: all.map(({ name }) => name), ...(all.length > 0 ? { key_info: info } : {}) } }
}

export function removeEnforcement(call: Call, { enforcements }: Context): Reply {
  enforcements.remove(call.params.name ?? '')
  return done
}
