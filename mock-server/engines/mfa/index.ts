/** The engine of TOTP MFA in both variants: methods by name below `sys/mfa`, by id below `identity/mfa`. */

import type { FixedEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import type { Context } from './context.ts'
import { createSecondFactorCheck, type PendingLogin, PendingLogins } from './handlers/logins.ts'
import { listedBelow } from './handlers/methods.ts'
import { identityRoutes, legacyRoutes, validationRoute } from './routes.ts'
import { mfaRules, type Variant, variants } from './rules.ts'
import { type Enforcement, Enforcements, type Method, Methods, type Secret, Secrets } from './store.ts'

interface SavedMfa {
  readonly methods: Readonly<Record<Variant, readonly Method[]>>
  readonly secrets: Readonly<Record<Variant, readonly Secret[]>>
  readonly enforcements: readonly Enforcement[]
  readonly waiting: readonly PendingLogin[]
}

export function createMfa(services: Services): readonly FixedEngine[] {
  const enforcements = new Enforcements()
  const pending = new PendingLogins()
  const { methodsBelow: methodsAbove = () => [] } = services.extensions
  const contextOf = (variant: Variant): Context => ({
    variant,
    methods: new Methods(),
    secrets: new Secrets(),
    // Enforcements name methods by id, and only the identity variant finds methods by id.
    enforcements: variant === 'identity' ? enforcements : new Enforcements(),
    rules: mfaRules[variant],
    services,
    above: { methods: variant === 'identity' ? methodsAbove : () => [] },
  })
  const contexts: Readonly<Record<Variant, Context>> = { legacy: contextOf('legacy'), identity: contextOf('identity') }
  services.extensions.secondFactor = createSecondFactorCheck(contexts.identity, contexts.legacy, pending)
  services.extensions.methodsBelow = () => listedBelow(contexts.identity)

  const ofEach = <T>(of: (context: Context) => T): Record<Variant, T> => ({
    legacy: of(contexts.legacy),
    identity: of(contexts.identity),
  })
  function reset(): void {
    for (const { methods, secrets } of Object.values(contexts)) {
      methods.clear()
      secrets.clear()
    }
    enforcements.clear()
    pending.clear()
  }

  const state: FixedEngine['state'] = {
    snapshot: (): SavedMfa => ({
      methods: ofEach(({ methods }) => methods.all()),
      secrets: ofEach(({ secrets }) => secrets.filter(({ entity }) => services.entities.find(entity) !== undefined)),
      enforcements: enforcements.all(),
      waiting: pending.all(),
    }),
    restore(kept) {
      reset()
      const { methods, secrets, ...rest } = kept as SavedMfa
      for (const variant of variants) {
        for (const method of methods[variant]) contexts[variant].methods.put(method)
        for (const secret of secrets[variant]) contexts[variant].secrets.put(secret)
      }
      for (const one of rest.enforcements) enforcements.put(one)
      for (const one of rest.waiting) pending.add(one)
    },
    reset,
  }
  return [
    {
      prefix: 'sys/mfa',
      routes: [...legacyRoutes(contexts.legacy), validationRoute(contexts.identity, pending)],
      state,
      inventory: () => ({
        'mfa methods': Object.values(contexts).flatMap(({ methods }) => methods.all().map(({ key }) => key)),
        'login enforcements': enforcements.all().map(({ name }) => name),
      }),
      context: contexts.legacy,
    },
    { prefix: 'identity/mfa', routes: identityRoutes(contexts.identity), context: contexts.identity },
  ]
}
