/** The engine of TOTP MFA in both variants: methods by name below `sys/mfa`, by id below `identity/mfa`. */

import type { FixedEngine } from '../../kernel/engine.ts'
import { type Mutants, mutantSet } from '../../kernel/mutant-set.ts'
import type { Services } from '../../kernel/services.ts'
import type { Context } from './context.ts'
import { createSecondFactorCheck, type PendingLogin, PendingLogins } from './handlers/logins.ts'
import { listedBelow } from './handlers/methods.ts'
import { identityRoutes, legacyRoutes, validationRoute } from './routes.ts'
import { type Enforcement, Enforcements, type Method, Methods, type Secret, Secrets } from './store.ts'
import { type MfaTables, mfaTables, type Variant, variants } from './tables.ts'

interface SavedMfa {
  readonly methods: Readonly<Record<Variant, readonly Method[]>>
  readonly secrets: Readonly<Record<Variant, readonly Secret[]>>
  readonly enforcements: readonly Enforcement[]
  readonly waiting: readonly PendingLogin[]
}

export function createMfa(services: Services, mutants: Mutants<MfaTables>): readonly FixedEngine[] {
  let current = mfaTables
  const enforcements = new Enforcements()
  const pending = new PendingLogins()
  const { methodsBelow: methodsAbove = () => [] } = services.extensions
  const contextOf = (variant: Variant): Context => ({
    variant,
    methods: new Methods(),
    secrets: new Secrets(),
    // Enforcements name methods by id, and only the identity variant finds methods by id.
    enforcements: variant === 'identity' ? enforcements : new Enforcements(),
    tables: () => current[variant],
    services,
    methodsAbove: variant === 'identity' ? methodsAbove : () => [],
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
      methods: ofEach(({ methods }) => methods.all(['defined'])),
      secrets: ofEach(({ secrets }) => secrets.filter(({ entity }) => services.entities.find(entity) !== undefined)),
      enforcements: enforcements.all(['defined']),
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
        'mfa methods': Object.values(contexts).flatMap(({ methods }) => methods.all(['defined']).map(({ key }) => key)),
        'login enforcements': enforcements.all(['defined']).map(({ name }) => name),
      }),
      mutants: mutantSet(mfaTables, mutants, (tables) => {
        current = tables
      }),
    },
    { prefix: 'identity/mfa', routes: identityRoutes(contexts.identity) },
  ]
}
