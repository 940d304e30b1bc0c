/** The handlers of one mount of the engine work on this context. */
import type { Clock, Random, ServerFacts } from '../../kernel/contracts.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Turns } from '../../kernel/turns.ts'
import type { Variation } from '../../kernel/variation.ts'
import type { Provider, Providers } from './provider/provider.ts'
import type { CloudRules } from './rules/index.ts'
import type { NameUse } from './rules/names.ts'
import { type Form, formOf } from './rules/types.ts'
import type { RootConfig, Store } from './store.ts'
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
  readonly providers: Providers
  readonly inTurn: Turns
  /** The timers by name. Setting one cancels the earlier timer of that name. */
  readonly alarms: Alarms
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

export function rootOf({ store }: Context): RootConfig {
  if (!store.root) throw badRequest('no root credentials: config/root was not written')
  return store.root
}

/** Returns the provider with the current configuration. Refuses if there is none. */
export const providerOf = (context: Context): Provider => context.providers.for(rootOf(context))

/** Renders a name by the template, before any limit applies. */
export function nameFor(context: Context, use: NameUse, role: string, displayName: string): string {
  const { inputs, defaultTemplate } = context.rules.names
  const configured = context.store.root?.username_template
  const isDropped = context.variation().displayNames === 'dropped'
  const safe = isDropped ? displayName.replaceAll(/[^\w+=,.@-]/g, '') : displayName
  const isTold = !configured || context.variation().templateType === 'told'
  const given = { Type: isTold ? use : '', DisplayName: inputs.DisplayName(safe), PolicyName: inputs.PolicyName(role) }
  return render(configured || defaultTemplate, given, context)
}
