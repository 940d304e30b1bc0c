/** Makes faults of one kind of replication, or of both. */
import type { Context } from '../../engines/replication/context.ts'
import { callersMounts } from '../../engines/replication/data/data-parts.ts'
import type { Upstream } from '../../engines/replication/membership.ts'
import type { KindRules } from '../../engines/replication/rules/index.ts'
import type { TokenRules } from '../../engines/replication/rules/tokens.ts'
import type { Effect, Mode, Trigger } from '../../engines/replication/rules/transitions.ts'
import { follow } from '../../engines/replication/transition.ts'
import type { ReplicationKind } from '../../kernel/cluster/cluster-role.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import type { SavedMount } from '../../kernel/mounts/mounts.ts'
import { type Fault, type Form, type Forms, faultsOf, type Handle, type Scene, tableOf } from '../fault.ts'
import { during } from '../with-methods.ts'

export type Here = Scene<Context>
export type Change = (rules: KindRules) => KindRules

export const kinds = ['dr', 'performance'] as const satisfies readonly ReplicationKind[]
const makers = {
  dr: faultsOf<Context>('sys/replication/dr', 'dr-replication'),
  performance: faultsOf<Context>('sys/replication/performance', 'performance-replication'),
}
export const { around, noting, rule, stored } = makers.dr

type Changes = Change | Forms<Context>
export const ofKind = (kind: ReplicationKind, id: string, does: string, changes: Changes): Fault<Context> =>
  makers[kind].fault(id, does, typeof changes === 'function' ? rule(changes) : changes)
/** Makes the same fault for both kinds of replication. */
export const ofBoth = (id: string, does: string, changes: Changes): readonly Fault<Context>[] =>
  kinds.map((kind) => ofKind(kind, id, does, changes))

export const faultsOfBoth = tableOf(ofBoth)
export const { fault: faultOfDr, faults: faultsOfDr } = makers.dr
export const { fault: faultOfPerformance, faults: faultsOfPerformance } = makers.performance

export const cells =
  (changed: Partial<KindRules>): Change =>
  (rules) => ({ ...rules, ...changed })

export const inTransitions =
  (mode: Mode, trigger: Trigger, to: Mode): Change =>
  (rules) => ({
    ...rules,
    transitions: { ...rules.transitions, [mode]: { ...rules.transitions[mode], [trigger]: to } },
  })

export const inEffects =
  (trigger: Trigger, changed: Partial<Effect>): Change =>
  (rules) => ({ ...rules, effects: { ...rules.effects, [trigger]: { ...rules.effects[trigger], ...changed } } })

export const inTokens =
  (changed: Partial<TokenRules>): Change =>
  (rules) => ({ ...rules, tokens: { ...rules.tokens, ...changed } })

export const together =
  (...changes: readonly Change[]): Change =>
  (rules) =>
    changes.reduce((changed, change) => change(changed), rules)

export const withBody = (call: Call, fields: object): Call =>
  Object.assign(Object.create(call) as Call, { body: { ...call.body, ...fields } })

type When = (call: Call, here: Here) => boolean
type Does = (call: Call, next: Handle, here: Here) => ReturnType<Handle>

/** Handles an operation in another way, if `isMeant`. */
export const on = (operation: string, isMeant: When, does: Does): Form<Context> =>
  around(`POST ${operation}`, { when: isMeant, does })

export const sending = (operation: string, isMeant: When, change: (call: Call, here: Here) => object) =>
  on(operation, isMeant, (call, next, here) => next(withBody(call, change(call, here))))

const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && 'kind' in value

/** Does something after an operation, unless it was refused. It may return another reply. */
export const after = (operation: string, isMeant: When, act: (call: Call, here: Here, reply: Reply) => unknown) =>
  on(operation, isMeant, async (call, next, here) => {
    const reply = await next(call)
    const instead = act(call, here, reply)
    return isReply(instead) ? instead : reply
  })

/** Does something when an operation is refused for one reason. It returns a reply to accept the request. */
export const whenRefused = (
  operation: string,
  isMeant: When,
  isReason: (error: Error) => boolean,
  act: (here: Here, call: Call) => unknown,
) =>
  on(operation, isMeant, async (call, next, here) => {
    try {
      return await next(call)
    } catch (error) {
      const reply = error instanceof Error && isReason(error) ? act(here, call) : undefined
      if (isReply(reply)) return reply
      throw error
    }
  })

/** Carries out a trigger in another way, if `isMeant`. The part is what changes of it. */
export const changing = (
  trigger: Trigger,
  part: string,
  does: (change: () => void, here: Here) => void,
  isMeant: (here: Here) => boolean = always,
): Form<Context> =>
  stored(
    'roleChange',
    'carryOut',
    ([turn, change], next, here) => next(turn, () => does(change, here)),
    ([turn], here) => turn.trigger === trigger && isMeant(here),
    `${trigger} ${part}`,
  )
/** Carries out a trigger under other rules. */
export const changingUnder = (
  trigger: Trigger,
  part: string,
  rules: Change,
  isMeant: (here: Here) => boolean = always,
): Form<Context> =>
  changing(trigger, part, (change, { context }) => during(context, { rules: rules(context.rules) }, change), isMeant)

/** Remembers the trigger that led to the current mode. */
export const remembersTrigger = noting('roleChange', 'carryOut', ([{ trigger }], { memory }) =>
  memory.set('by', trigger),
)
export const cameBy =
  (trigger: Trigger) =>
  ({ memory }: Here): boolean =>
    memory.get('by') === trigger

/** Remembers the last primary that the cluster followed. */
export const remembersPrimary = noting('roleChange', 'carryOut', (_, { context, memory }) => {
  if (context.membership.upstream) memory.set('past', context.membership.upstream)
})
export const pastPrimary = ({ memory }: Here): Upstream | undefined => memory.get('past') as Upstream | undefined

export function connect(context: Context, upstream: Upstream | undefined): void {
  context.update({ upstream })
  follow(context)
}

/** Removes every mount that callers made, whether it is served or only stored. */
export function clearMounts(context: Context): void {
  const { services, asleep } = context
  for (const mount of callersMounts(services)) services.mounts.remove(mount)
  const mounts = (asleep?.parts.mounts ?? []) as readonly SavedMount[]
  if (asleep) context.asleep = { parts: { ...asleep.parts, mounts: mounts.filter(({ mount }) => mount.builtIn) } }
}

export const always = (): boolean => true
export const says =
  (text: string) =>
  ({ message }: Error): boolean =>
    message.includes(text)
export const textIn = ({ body }: Call, field: string): string => {
  const value = body[field]
  return typeof value === 'string' ? value : ''
}
