import type { Clock } from '../contracts.ts'
import type { Mint } from '../state/mint.ts'
import type { StatePart } from '../state/state-part.ts'
import { createGroups, type Groups } from './groups.ts'

/** A login name of an entity, at one auth mount. */
export interface Alias {
  readonly id: string
  readonly name: string
  readonly mountAccessor: string
  readonly entityId: string
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: number
  readonly updatedAt: number
}

/** The person or machine that tokens belong to. Each change replaces the object. */
export interface Entity {
  readonly id: string
  readonly name: string
  readonly metadata: Readonly<Record<string, string>>
  readonly policies: readonly string[]
  readonly disabled: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** The ids of the entities that were merged into this one. */
  readonly merged?: readonly string[]
}

export type EntityFields = Partial<Pick<Entity, 'name' | 'metadata' | 'policies' | 'disabled'>>

export interface Entities extends StatePart {
  readonly groups: Groups
  create(fields: EntityFields, id?: string): Entity
  update(id: string, fields: EntityFields): Entity
  find(id: string): Entity | undefined
  findByName(name: string): Entity | undefined
  all(): readonly Entity[]
  /** Removes the entity and its aliases. */
  remove(id: string): void
  /** Finds the entity of a login name, and creates it if it does not exist. */
  ensure(name: string, mountAccessor: string): Entity
  aliasesOf(id: string): readonly Alias[]
  aliases(): readonly Alias[]
  findAlias(id: string): Alias | undefined
  findAliasAt(name: string, mountAccessor: string): Alias | undefined
  putAlias(alias: Omit<Alias, 'id' | 'createdAt' | 'updatedAt'>, id?: string): Alias
  removeAlias(id: string): void
  /** Returns the policies of the entity and of its groups. The list is empty if the entity does not exist. */
  policiesOf(id: string): readonly string[]
  /** Moves the aliases and group memberships of `from` to `to`, and removes `from`. */
  merge(from: string, to: string): void
  /** Returns the values for policy templates by name, such as `identity.entity.name`. The object stays the same until a
   * value may have changed. */
  templating(id: string): Readonly<Record<string, string>>
}

interface SavedEntities {
  readonly entities: readonly Entity[]
  readonly aliases: readonly Alias[]
  readonly groups?: unknown
}

export function createEntities(clock: Clock, mint: Mint): Entities {
  const byId = new Map<string, Entity>()
  const aliases = new Map<string, Alias>()
  const templates = new Map<string, Readonly<Record<string, string>>>()
  const groups = createGroups(clock, mint, () => templates.clear())

  const aliasesOf = (id: string): readonly Alias[] => [...aliases.values()].filter((alias) => alias.entityId === id)
  const findByName = (name: string): Entity | undefined => [...byId.values()].find((entity) => entity.name === name)
  const findAliasAt = (name: string, mountAccessor: string): Alias | undefined =>
    [...aliases.values()].find((alias) => alias.name === name && alias.mountAccessor === mountAccessor)

  function keep(entity: Entity): Entity {
    byId.set(entity.id, entity)
    templates.delete(entity.id)
    return entity
  }

  function create(fields: EntityFields, id = mint.entity()): Entity {
    const at = clock.now()
    const base = { id, name: `entity_${id.slice(0, 8)}`, metadata: {}, policies: [], disabled: false }
    return keep({ ...base, ...fields, createdAt: at, updatedAt: at })
  }

  function putAlias(alias: Omit<Alias, 'id' | 'createdAt' | 'updatedAt'>, id = mint.uuid()): Alias {
    const at = clock.now()
    const kept = { ...alias, id, createdAt: aliases.get(id)?.createdAt ?? at, updatedAt: at }
    aliases.set(id, kept)
    templates.clear()
    return kept
  }

  function templating(id: string): Readonly<Record<string, string>> {
    const entity = byId.get(id)
    if (!entity) return {}
    const values: Record<string, string> = { 'identity.entity.id': id, 'identity.entity.name': entity.name }
    const describe = (at: string, metadata: Readonly<Record<string, string>>): void => {
      for (const [key, value] of Object.entries(metadata)) values[`${at}.metadata.${key}`] = value
    }
    describe('identity.entity', entity.metadata)
    for (const alias of aliasesOf(id)) {
      const at = `identity.entity.aliases.${alias.mountAccessor}`
      Object.assign(values, { [`${at}.id`]: alias.id, [`${at}.name`]: alias.name })
      describe(at, alias.metadata)
    }
    const { direct, inherited } = groups.of(id)
    for (const groupId of [...direct, ...inherited]) {
      const { name, metadata } = groups.find(groupId) ?? { name: '', metadata: {} }
      const [byId, byName] = [`identity.groups.ids.${groupId}`, `identity.groups.names.${name}`]
      Object.assign(values, { [`${byId}.name`]: name, [`${byName}.id`]: groupId })
      describe(byId, metadata)
      describe(byName, metadata)
    }
    return values
  }

  function reset(): void {
    for (const index of [byId, aliases, templates]) index.clear()
    groups.reset()
  }

  function remove(id: string): void {
    for (const alias of aliasesOf(id)) aliases.delete(alias.id)
    groups.replaceEntity(id)
    byId.delete(id)
    templates.delete(id)
  }

  return {
    groups,
    create,
    update(id, fields) {
      const entity = byId.get(id)
      if (!entity) throw new Error(`no entity to update: ${id}`)
      return keep({ ...entity, ...fields, updatedAt: clock.now() })
    },
    find: (id) => byId.get(id),
    findByName,
    all: () => [...byId.values()],
    remove,
    policiesOf(id) {
      const own = byId.get(id)?.policies
      const shared = own ? groups.policiesOf(id) : []
      return shared.length > 0 ? [...new Set([...(own ?? []), ...shared])] : (own ?? [])
    },
    merge(from, to) {
      const target = byId.get(to)
      if (!target) throw new Error(`no entity to merge into: ${to}`)
      for (const alias of aliasesOf(from)) aliases.set(alias.id, { ...alias, entityId: to, updatedAt: clock.now() })
      groups.replaceEntity(from, to)
      keep({ ...target, merged: [...(target.merged ?? []), from] })
      remove(from)
    },
    ensure(name, mountAccessor) {
      const known = byId.get(findAliasAt(name, mountAccessor)?.entityId ?? '')
      if (known) return known
      const entity = create({})
      putAlias({ name, mountAccessor, entityId: entity.id, metadata: {} })
      return entity
    },
    aliasesOf,
    aliases: () => [...aliases.values()],
    findAlias: (id) => aliases.get(id),
    findAliasAt,
    putAlias,
    removeAlias(id) {
      aliases.delete(id)
      templates.clear()
    },
    templating(id) {
      const known = templates.get(id)
      if (known) return known
      const values = templating(id)
      templates.set(id, values)
      return values
    },
    snapshot: (): SavedEntities => ({
      ...{ entities: [...byId.values()], aliases: [...aliases.values()], groups: groups.snapshot() },
    }),
    restore(state) {
      reset()
      const saved = state as SavedEntities
      for (const entity of saved.entities) byId.set(entity.id, entity)
      for (const alias of saved.aliases) aliases.set(alias.id, alias)
      if (saved.groups) groups.restore(saved.groups)
    },
    reset,
  }
}
