/** Makes mutants that change one cell of the tables of one kind of replication. */

import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import type { Mutant } from '../../../kernel/contracts.ts'
import type { KindTables, ReplicationTables } from '../tables/index.ts'
import type { JoiningTables } from '../tables/joining.ts'
import type { TokenTables } from '../tables/tokens.ts'
import type { Cell, Effect, Mode, Trigger } from '../tables/transitions.ts'

export type Change = (tables: KindTables) => KindTables

export const areas: Readonly<Record<ReplicationKind, string>> = {
  dr: 'dr-replication',
  performance: 'performance-replication',
}
export const kinds = ['dr', 'performance'] as const satisfies readonly ReplicationKind[]

export const ofKind = (kind: ReplicationKind, id: string, does: string, change: Change): Mutant<ReplicationTables> => ({
  id: `${areas[kind]}/${id}`,
  does,
  change: (tables) => ({ ...tables, [kind]: change(tables[kind]) }),
})

/** Makes the same mutant for both kinds of replication. */
export const ofBoth = (id: string, does: string, change: Change): readonly Mutant<ReplicationTables>[] =>
  kinds.map((kind) => ofKind(kind, id, does, change))

export const cells =
  (changed: Partial<KindTables>): Change =>
  (tables) => ({ ...tables, ...changed })

export const inTransitions =
  (mode: Mode, trigger: Trigger, cell: Cell): Change =>
  (tables) => ({
    ...tables,
    transitions: { ...tables.transitions, [mode]: { ...tables.transitions[mode], [trigger]: cell } },
  })

export const inEffects =
  (trigger: Trigger, changed: Partial<Effect>): Change =>
  (tables) => ({ ...tables, effects: { ...tables.effects, [trigger]: { ...tables.effects[trigger], ...changed } } })

export const inTokens =
  (changed: Partial<TokenTables>): Change =>
  (tables) => ({ ...tables, tokens: { ...tables.tokens, ...changed } })

export const inJoining =
  (changed: (joining: JoiningTables) => Partial<JoiningTables>): Change =>
  (tables) => ({ ...tables, joining: { ...tables.joining, ...changed(tables.joining) } })

export const together =
  (...changes: readonly Change[]): Change =>
  (tables) =>
    changes.reduce((changed, change) => change(changed), tables)
