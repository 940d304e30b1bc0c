/** Makes faults of one kind of replication, or of both. */
import type { Context } from '../../engines/replication/context.ts'
import type { KindRules } from '../../engines/replication/rules/index.ts'
import type { JoiningRules } from '../../engines/replication/rules/joining.ts'
import type { TokenRules } from '../../engines/replication/rules/tokens.ts'
import type { Cell, Effect, Mode, Trigger } from '../../engines/replication/rules/transitions.ts'
import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import { type Fault, type Form, faultsOf, type Scene } from '../fault.ts'

export type Here = Scene<Context>
export type Change = (rules: KindRules) => KindRules

export const kinds = ['dr', 'performance'] as const satisfies readonly ReplicationKind[]
const makers = {
  dr: faultsOf<Context>('sys/replication/dr', 'dr-replication'),
  performance: faultsOf<Context>('sys/replication/performance', 'performance-replication'),
}
export const { around, rule, stored } = makers.dr

const formsOf = (changes: Change | readonly Form<Context>[]): readonly Form<Context>[] =>
  typeof changes === 'function' ? [rule(changes)] : changes

export const ofKind = (
  kind: ReplicationKind,
  id: string,
  does: string,
  changes: Change | readonly Form<Context>[],
): Fault<Context> => makers[kind].fault(id, does, ...formsOf(changes))

/** Makes the same fault for both kinds of replication. */
export const ofBoth = (
  id: string,
  does: string,
  changes: Change | readonly Form<Context>[],
): readonly Fault<Context>[] => kinds.map((kind) => ofKind(kind, id, does, changes))

export const cells =
  (changed: Partial<KindRules>): Change =>
  (rules) => ({ ...rules, ...changed })

export const inTransitions =
  (mode: Mode, trigger: Trigger, cell: Cell): Change =>
  (rules) => ({
    ...rules,
    transitions: { ...rules.transitions, [mode]: { ...rules.transitions[mode], [trigger]: cell } },
  })

export const inEffects =
  (trigger: Trigger, changed: Partial<Effect>): Change =>
  (rules) => ({ ...rules, effects: { ...rules.effects, [trigger]: { ...rules.effects[trigger], ...changed } } })

export const inTokens =
  (changed: Partial<TokenRules>): Change =>
  (rules) => ({ ...rules, tokens: { ...rules.tokens, ...changed } })

export const inJoining =
  (changed: (joining: JoiningRules) => Partial<JoiningRules>): Change =>
  (rules) => ({ ...rules, joining: { ...rules.joining, ...changed(rules.joining) } })

export const together =
  (...changes: readonly Change[]): Change =>
  (rules) =>
    changes.reduce((changed, change) => change(changed), rules)
