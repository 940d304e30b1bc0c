/** TOTP MFA in both variants: methods by name below `sys/mfa`, by id below `identity/mfa`. */

import type { FixedRoom } from '../../kernel/engine.ts'
import { faultsOf } from '../../kernel/mutant-set.ts'
import type { Services } from '../../kernel/services.ts'
import type { Desk } from './context.ts'
import { type Enforcement, Enforcements } from './handlers/enforcements.ts'
import { createSecondFactor, type Waiting, WaitingRoom } from './handlers/logins.ts'
import { mutants } from './mutants/index.ts'
import { identityRoutes, legacyRoutes, validationRoute } from './routes.ts'
import { type Method, Methods, type Secret, Secrets } from './store.ts'
import { mfaTables, type Variant, variants } from './tables.ts'

export { mutants } from './mutants/index.ts'

interface KeptMfa {
  readonly methods: Readonly<Record<Variant, readonly Method[]>>
  readonly secrets: Readonly<Record<Variant, readonly Secret[]>>
  readonly enforcements: readonly Enforcement[]
  readonly waiting: readonly Waiting[]
}

export function createMfa(services: Services): readonly FixedRoom[] {
  let current = mfaTables
  const enforcements = new Enforcements()
  const room = new WaitingRoom()
  const deskOf = (variant: Variant): Desk => ({
    variant,
    methods: new Methods(),
    secrets: new Secrets(),
    // Only methods that have ids can be named by an enforcement.
    enforcements: variant === 'identity' ? enforcements : new Enforcements(),
    tables: () => current[variant],
    services,
  })
  const desks: Readonly<Record<Variant, Desk>> = { legacy: deskOf('legacy'), identity: deskOf('identity') }
  services.ports.secondFactor = createSecondFactor(desks.identity, desks.legacy, room)

  const ofEach = <T>(of: (desk: Desk) => T): Record<Variant, T> => ({
    legacy: of(desks.legacy),
    identity: of(desks.identity),
  })
  function reset(): void {
    for (const { methods, secrets } of Object.values(desks)) {
      methods.clear()
      secrets.clear()
    }
    enforcements.clear()
    room.clear()
  }

  const state: FixedRoom['state'] = {
    snapshot: (): KeptMfa => ({
      methods: ofEach(({ methods }) => methods.all(['defined'])),
      secrets: ofEach(({ secrets }) => secrets.filter(({ entity }) => services.entities.find(entity) !== undefined)),
      enforcements: enforcements.all(['defined']),
      waiting: room.all(),
    }),
    restore(kept) {
      reset()
      const { methods, secrets, ...rest } = kept as KeptMfa
      for (const variant of variants) {
        for (const method of methods[variant]) desks[variant].methods.put(method)
        for (const secret of secrets[variant]) desks[variant].secrets.put(secret)
      }
      for (const one of rest.enforcements) enforcements.put(one)
      for (const one of rest.waiting) room.add(one)
    },
    reset,
  }
  return [
    {
      prefix: 'sys/mfa',
      routes: [...legacyRoutes(desks.legacy), validationRoute(desks.identity, room)],
      state,
      inventory: () => ({
        'mfa methods': Object.values(desks).flatMap(({ methods }) => methods.all(['defined']).map(({ key }) => key)),
        'login enforcements': enforcements.all(['defined']).map(({ name }) => name),
      }),
      faults: faultsOf(mfaTables, mutants, (tables) => {
        current = tables
      }),
    },
    { prefix: 'identity/mfa', routes: identityRoutes(desks.identity) },
  ]
}
