/** Login enforcements: whose logins are asked for a code. Outside the documents; as servers of this family have them. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import type { Login } from '../../../kernel/extension-points.ts'
import { listField } from '../../../kernel/http/body-fields.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Methods, State } from '../store.ts'
import type { VariantTables } from '../tables.ts'

export interface Enforcement {
  readonly id: string
  readonly name: string
  /** One of these is enough. */
  readonly methodIds: readonly string[]
  readonly accessors: readonly string[]
  readonly types: readonly string[]
  readonly groups: readonly string[]
  readonly entities: readonly string[]
}

const graves = 1_000

export class Enforcements {
  private readonly defined = new Map<string, Enforcement>()
  private readonly deleted = new Map<string, Enforcement>()

  find(name: string): Enforcement | undefined {
    return this.defined.get(name)
  }

  put(enforcement: Enforcement): void {
    this.defined.set(enforcement.name, enforcement)
    this.deleted.delete(enforcement.name)
  }

  remove(name: string): void {
    const enforcement = this.defined.get(name)
    if (!enforcement) return
    this.defined.delete(name)
    this.deleted.set(name, enforcement)
    for (const oldest of this.deleted.keys()) {
      if (this.deleted.size <= graves) break
      this.deleted.delete(oldest)
    }
  }

  all(states: readonly State[]): readonly Enforcement[] {
    const sources = { defined: this.defined, deleted: this.deleted }
    return states.flatMap((state) => [...sources[state].values()])
  }

  /** Those that ask something of a login. */
  of({ token, mount }: Login): readonly Enforcement[] {
    if (this.defined.size === 0) return []
    return [...this.defined.values()].filter(
      ({ accessors, types, entities }) =>
        accessors.includes(mount.accessor) || types.includes(mount.type) || entities.includes(token.entityId ?? ''),
    )
  }

  clear(): void {
    this.defined.clear()
    this.deleted.clear()
  }
}

const refuse = (message: string): never => {
  throw new Refusal('bad-request', { message })
}

interface Office {
  readonly enforcements: Enforcements
  readonly methods: Methods
  readonly tables: () => VariantTables
  readonly services: Services
}

export function enforce(call: Call, { enforcements, methods, tables, services }: Office): Reply {
  const { body } = call
  const listOf = (name: string): readonly string[] => [...new Set(listField(body, name) ?? [])]
  const name = call.params.name ?? ''
  const methodIds = listOf('mfa_method_ids').map((id) => id.toLowerCase())
  if (methodIds.length === 0) refuse('missing mfa_method_ids')
  const unknown = methodIds.find((id) => !methods.find(id))
  if (unknown !== undefined) refuse(`there is no MFA method ${unknown}`)
  const whose = {
    accessors: listOf('auth_method_accessors'),
    types: listOf('auth_method_types'),
    groups: listOf('identity_group_ids'),
    entities: listOf('identity_entity_ids'),
  }
  if (Object.values(whose).every((ids) => ids.length === 0))
    refuse('one of auth_method_accessors, auth_method_types, identity_group_ids, identity_entity_ids must be given')
  const auths = services.mounts.all('auth')
  const stray = whose.accessors.find((accessor) => !auths.some((mount) => mount.accessor === accessor))
  if (stray !== undefined) refuse(`no auth method has the accessor ${stray}`)
  const before = enforcements.find(name)
  const ids = tables().deletion.rewritten(before?.methodIds ?? [], methodIds)
  enforcements.put({ id: before?.id ?? services.random.uuid(), name, methodIds: ids, ...whose })
  return { kind: 'empty' }
}

const view = (enforcement: Enforcement): object => ({
  id: enforcement.id,
  name: enforcement.name,
  mfa_method_ids: enforcement.methodIds,
  auth_method_accessors: enforcement.accessors,
  auth_method_types: enforcement.types,
  identity_group_ids: enforcement.groups,
  identity_entity_ids: enforcement.entities,
  namespace_id: 'root',
  namespace_path: '',
})

export function readEnforcement(call: Call, { enforcements }: Office): Reply {
  const enforcement = enforcements.find(call.params.name ?? '')
  if (!enforcement) throw new Refusal('not-found')
  return { kind: 'data', data: view(enforcement) }
}

export function listEnforcements({ enforcements }: Office): Reply {
  const all = [...enforcements.all(['defined'])].sort((a, b) => (a.name < b.name ? -1 : 1))
  const info = Object.fromEntries(all.map((one) => [one.name, view(one)]))
  return { kind: 'data', data: { keys: all.map(({ name }) => name), ...(all.length > 0 ? { key_info: info } : {}) } }
}

export function removeEnforcement(call: Call, { enforcements }: Office): Reply {
  enforcements.remove(call.params.name ?? '')
  return { kind: 'empty' }
}
