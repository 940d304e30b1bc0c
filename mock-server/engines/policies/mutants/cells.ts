/** Makes mutants that change one cell of the tables. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { Kind } from '../store.ts'
import type { Field, FieldRule, KindTables, LevelTables, PathTables, PoliciesTables } from '../tables.ts'

type Change = (tables: PoliciesTables) => PoliciesTables

export const mutant = (id: string, does: string, change: Change): Mutant<PoliciesTables> => ({
  id: `policies/${id}`,
  does,
  change,
})

export const inKind =
  (kind: Kind, change: (kind: KindTables) => Partial<KindTables>): Change =>
  (tables) => ({
    ...tables,
    kinds: { ...tables.kinds, [kind]: { ...tables.kinds[kind], ...change(tables.kinds[kind]) } },
  })

export const inEachKind =
  (change: (kind: KindTables) => Partial<KindTables>): Change =>
  (tables) =>
    (['acl', 'rgp', 'egp'] as const).reduce((changed, kind) => inKind(kind, change)(changed), tables)

export const inField = <Name extends Field>(kind: Kind, field: Name, cells: Partial<FieldRule<Name>>): Change =>
  inKind(kind, ({ fields }) => ({ fields: { ...fields, [field]: { ...fields[field], ...cells } } }))

export const inActs = (kind: Kind, cells: Partial<KindTables['acts']>): Change =>
  inKind(kind, ({ acts }) => ({ acts: { ...acts, ...cells } }))

export const inLevels =
  (kind: 'rgp' | 'egp', change: (levels: LevelTables) => Partial<LevelTables>): Change =>
  (tables) => ({
    ...tables,
    levels: { ...tables.levels, [kind]: { ...tables.levels[kind], ...change(tables.levels[kind]) } },
  })

export const inPaths =
  (cells: Partial<PathTables>): Change =>
  (tables) => ({ ...tables, paths: { ...tables.paths, ...cells } })
