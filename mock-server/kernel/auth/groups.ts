import type { Clock } from '../contracts.ts'
import type { Mint } from '../state/mint.ts'
import type { StatePart } from '../state/state-part.ts'

/** A group of entities and other groups that share policies. Each change replaces the object. */
export interface Group {
  readonly id: string
  readonly name: string
  /** An external group gets its members from logins at the mount of its alias. */
  readonly type: 'internal' | 'external'
  readonly metadata: Readonly<Record<string, string>>
  readonly policies: readonly string[]
  readonly memberEntities: readonly string[]
  readonly memberGroups: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
  /** The number of writes, including the first one. */
  readonly modifications: number
}

/** The name of an external group at an auth mount. */
export interface GroupAlias {
  readonly id: string
  readonly name: string
  readonly mountAccessor: string
  readonly groupId: string
  readonly createdAt: number
  readonly updatedAt: number
}

export type GroupFields = Partial<
  Pick<Group, 'name' | 'type' | 'metadata' | 'policies' | 'memberEntities' | 'memberGroups'>
>

/** The ids of the groups of one entity. */
export interface Membership {
  readonly direct: readonly string[]
  /** These groups contain the entity through another group. */
  readonly inherited: readonly string[]
}

export interface Groups extends StatePart {
  create(fields: GroupFields): Group
  update(id: string, fields: GroupFields): Group
  find(id: string): Group | undefined
  findByName(name: string): Group | undefined
  all(): readonly Group[]
  /** Removes the group and its alias, and removes the group from the groups that contain it. */
  remove(id: string): void
  parentsOf(id: string): readonly Group[]
  /** Returns whether the group `below` is a member of the group `id`, directly or through others. */
  contains(id: string, below: string): boolean
  of(entityId: string): Membership
  policiesOf(entityId: string): readonly string[]
  /** Replaces the entity `from` by `to` in every group. Without `to`, it only removes `from`. */
  replaceEntity(from: string, to?: string): void
  aliases(): readonly GroupAlias[]
  aliasOf(groupId: string): GroupAlias | undefined
  findAlias(id: string): GroupAlias | undefined
  findAliasAt(name: string, mountAccessor: string): GroupAlias | undefined
  putAlias(alias: Pick<GroupAlias, 'name' | 'mountAccessor' | 'groupId'>, id?: string): GroupAlias
  removeAlias(id: string): void
}

interface SavedGroups {
  readonly groups: readonly Group[]
  readonly aliases: readonly GroupAlias[]
}

const noGroups: Membership = { direct: [], inherited: [] }

/** `changed` is called after each change. */
export function createGroups(clock: Clock, mint: Mint, changed: () => void): Groups {
  const byId = new Map<string, Group>()
  const aliases = new Map<string, GroupAlias>()

  const parentsOf = (id: string): readonly Group[] =>
    [...byId.values()].filter(({ memberGroups }) => memberGroups.includes(id))

  function keep(group: Group): Group {
    byId.set(group.id, group)
    changed()
    return group
  }

  function change(group: Group, fields: GroupFields): Group {
    return keep({ ...group, ...fields, updatedAt: clock.now(), modifications: group.modifications + 1 })
  }

  function of(entityId: string): Membership {
    if (byId.size === 0) return noGroups
    const direct = [...byId.values()].filter(({ memberEntities }) => memberEntities.includes(entityId))
    const seen = new Set(direct)
    // Iterating over a set also visits the members that are added during the iteration.
    for (const group of seen) for (const parent of parentsOf(group.id)) seen.add(parent)
    return { direct: direct.map(({ id }) => id), inherited: [...seen].slice(direct.length).map(({ id }) => id) }
  }

  function reset(): void {
    byId.clear()
    aliases.clear()
    changed()
  }

  const groups: Groups = {
    create(fields) {
      const [id, at] = [mint.uuid(), clock.now()]
      const base = { id, name: `group_${id.slice(0, 8)}`, type: 'internal' as const, metadata: {}, policies: [] }
      const empty = { memberEntities: [], memberGroups: [], modifications: 1 }
      return keep({ ...base, ...empty, ...fields, createdAt: at, updatedAt: at })
    },
    update(id, fields) {
      const group = byId.get(id)
      if (!group) throw new Error(`no group to update: ${id}`)
      return change(group, fields)
    },
    find: (id) => byId.get(id),
    findByName: (name) => [...byId.values()].find((group) => group.name === name),
    all: () => [...byId.values()],
    remove(id) {
      for (const parent of parentsOf(id))
        change(parent, { memberGroups: parent.memberGroups.filter((member) => member !== id) })
      for (const alias of [...aliases.values()]) if (alias.groupId === id) aliases.delete(alias.id)
      byId.delete(id)
      changed()
    },
    parentsOf,
    contains(id, below) {
      const seen = new Set(byId.get(id)?.memberGroups)
      for (const member of seen) for (const deeper of byId.get(member)?.memberGroups ?? []) seen.add(deeper)
      return seen.has(below)
    },
    of,
    policiesOf(entityId) {
      const { direct, inherited } = of(entityId)
      return [...new Set([...direct, ...inherited].flatMap((id) => byId.get(id)?.policies ?? []))]
    },
    replaceEntity(from, to) {
      for (const group of [...byId.values()]) {
        if (!group.memberEntities.includes(from)) continue
        const others = group.memberEntities.filter((member) => member !== from && member !== to)
        change(group, { memberEntities: to === undefined ? others : [...others, to] })
      }
    },
    aliases: () => [...aliases.values()],
    aliasOf: (groupId) => [...aliases.values()].find((alias) => alias.groupId === groupId),
    findAlias: (id) => aliases.get(id),
    findAliasAt: (name, mountAccessor) =>
      [...aliases.values()].find((alias) => alias.name === name && alias.mountAccessor === mountAccessor),
    putAlias(alias, id = mint.uuid()) {
      const at = clock.now()
      const kept = { ...alias, id, createdAt: aliases.get(id)?.createdAt ?? at, updatedAt: at }
      aliases.set(id, kept)
      return kept
    },
    removeAlias: (id) => void aliases.delete(id),
    snapshot: (): SavedGroups => ({ groups: [...byId.values()], aliases: [...aliases.values()] }),
    restore(state) {
      reset()
      const saved = state as SavedGroups
      for (const group of saved.groups) byId.set(group.id, group)
      for (const alias of saved.aliases) aliases.set(alias.id, alias)
    },
    reset,
  }
  return groups
}
