/** The handlers of one mount of the engine work on this context. */
import type { Clock, Random, ServerFacts } from '../../kernel/contracts.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Turns } from '../../kernel/turns.ts'
import type { Variation } from '../../kernel/variation.ts'
import type { Provider } from './provider/provider.ts'
import type { Issued } from './rules/credentials.ts'
import type { CloudRules } from './rules/index.ts'
import type { NameUse } from './rules/names.ts'
import { type Form, formOf } from './rules/types.ts'
import type { AccessKey, RootConfig, Store } from './store.ts'
import { render } from './template/template.ts'

export interface Context {
  readonly rules: CloudRules
  readonly clock: Clock
  readonly random: Random
  store: Store
  readonly facts: ServerFacts
  variation(): Variation
  /** The lifetimes in seconds, from the tuning of the mount or else from the system. */
  lifetimes(): { readonly systemDefault: number; readonly systemMax: number }
  /** Returns the provider with the current configuration, or with another one. Refuses if there is no configuration. */
  provider(config?: RootConfig): Provider
  readonly inTurn: Turns
  /** The timers by name. Setting one cancels the earlier timer of that name. */
  readonly alarms: Alarms
  /** The users of roles whose user is made only once, by role. Only a mutant uses it. */
  readonly once: Map<string, Issued & { readonly username: string }>
}

export interface Alarms {
  set(name: string, at: number, due: () => Promise<void>): void
  cancel(name: string): void
  cancelAll(): void
}

export function createAlarms(clock: Clock): Alarms {
  const timers = new Map<string, () => void>()
  const cancel = (name: string): void => {
    timers.get(name)?.()
    timers.delete(name)
  }
  return {
    set(name, at, due) {
      cancel(name)
      timers.set(name, clock.at(at, due))
    },
    cancel,
    cancelAll() {
      for (const name of [...timers.keys()]) cancel(name)
    },
  }
}

export const formAt = (context: Context): Form => formOf(context.facts)

/** Returns the result of `read`. A value that cannot be read is refused, unless a mutant drops it. */
export function legible<T>({ rules }: Context, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (rules.invalidValues === 'dropped') return undefined
    throw error
  }
}

export function rootOf({ store }: Context): RootConfig {
  if (!store.root) throw badRequest('no root credentials: config/root was not written')
  return store.root
}

/** Returns an invented key, which the provider never issued. */
export const madeUp = ({ random }: Context): AccessKey => ({
  id: `AKIA${random.token(16).toUpperCase()}`,
  secret: random.token(40),
})

/** Renders a name by the template, before any limit applies. */
export function nameFor(context: Context, use: NameUse, role: string, displayName: string): string {
  const { inputs, template, defaultTemplate } = context.rules.names
  const configured = template === 'configured' ? context.store.root?.username_template : undefined
  const isDropped = context.variation().displayNames === 'dropped'
  const safe = isDropped ? displayName.replaceAll(/[^\w+=,.@-]/g, '') : displayName
  const isTold = !configured || context.variation().templateType === 'told'
  const given = {
    Type: isTold ? use : '',
    DisplayName: inputs.DisplayName(safe, use),
    PolicyName: inputs.PolicyName(role, use),
  }
  return render(configured || defaultTemplate, given, context)
}
