/** Faults of how codes are validated at a login. */
import { codesInHeader } from '../../engines/mfa/handlers/logins.ts'
import type { Owner, Secret, Settings } from '../../engines/mfa/store.ts'
import { stepAt } from '../../engines/mfa/totp/totp.ts'
import type { Here, Kit } from './variant-operations.ts'

const keyOf = ({ method, entity }: Owner): string => `${method} ${entity}`
/** The number of past time steps that are searched for a code if codes never become invalid. */
const longestLook = 1_000
interface WithoutEnd extends Settings {
  /** How many time steps the secret exists. */
  readonly age: number
}

export const validationFaults = (kit: Kit) => {
  const { extended, faults, noting, on, rule, stored } = kit
  const holding = (change: (held: readonly Secret[], owner: Owner, here: Here) => readonly Secret[]) =>
    stored(
      'secrets',
      'heldBy',
      ([owner], next, here) => change(next(owner), owner, here),
      ([owner], here) => here.context.secrets.find(owner) !== undefined || here.memory.size > 0,
    )
  const validating = (change: (settings: Settings) => Partial<Settings>) =>
    holding((held) => held.map((one) => ({ ...one, settings: { ...one.settings, ...change(one.settings) } })))
  const exhausted = (isExhausted: (failures: number, maximum: number) => boolean) => rule({ isExhausted })
  const others = (isOther: (own: Secret, other: Secret) => boolean) =>
    holding((held, _owner, { context }) => [
      ...held,
      ...context.secrets.filter((one) => held.some((own) => own !== one && isOther(own, one))),
    ])
  const stepping = (isKept: (step: number) => boolean) =>
    rule(({ steps }) => ({ steps: (settings) => steps(settings).filter(isKept) }))

  return faults({
    'login-ignores-algorithm': 'Codes are always validated with SHA1, whatever the method says.',
    'login-ignores-digits': 'Codes are always validated with 6 digits, whatever the method says.',
    'login-ignores-period': 'Codes are always validated with a period of 30 s, whatever the method says.',
    'login-refuses-default-codes': 'Codes are validated with SHA512 if the algorithm of the method is SHA1.',
    'login-takes-the-last-digits-of-a-code': 'The last 6 digits of a code of 8 digits are accepted as the code.',
    'login-needs-no-code': 'A login that needs a code and brings none gives a token.',
    'login-attempts-at-most-5': 'At most 5 failed validations are allowed, whatever the method says.',
    'login-takes-no-late-code': 'Codes of earlier periods are refused, whatever skew says.',
    'login-takes-no-early-code': 'Codes of later periods are refused, whatever skew says.',
    'login-skews-too-far': 'Codes are accepted for one period more than skew allows, earlier and later.',
    'login-attempts-unlimited': 'Failed validations are not counted.',
    'login-attempts-one-fewer': 'One failed validation fewer than max_validation_attempts is allowed.',
    'login-attempts-one-more': 'One failed validation more than max_validation_attempts is allowed.',
    'login-attempts-add-up': 'A successful validation does not reset the count of failed validations.',
    'login-attempts-of-every-entity': 'A failed validation counts against every entity with a secret of the method.',
    'login-refuses-secrets-of-generate': 'Codes for a secret that generate made are refused.',
    'login-refuses-renewed-secrets': 'Codes for a secret that followed a destroyed one are refused.',
    'generate-replaces-the-secret': 'generate with an existing secret says so, and stores another secret in its place.',
    'destroyed-secret-validates': 'Codes for a destroyed secret are still accepted.',
    'login-takes-codes-of-other-methods': 'Codes for the secrets of other methods are accepted.',
    'login-takes-codes-of-other-entities': 'Codes for the secrets of other entities are accepted.',
    'codes-never-end': 'A code that was valid at any time since the secret was made stays valid.',
  }).by({
    'login-ignores-algorithm': validating(() => ({ algorithm: 'SHA1' })),
    'login-ignores-digits': validating(() => ({ digits: 6 })),
    'login-ignores-period': validating(() => ({ period: 30 })),
    'login-refuses-default-codes': validating(({ algorithm }) => ({
      algorithm: algorithm === 'SHA1' ? 'SHA512' : algorithm,
    })),
    'login-takes-the-last-digits-of-a-code': rule(({ isCode }) => ({
      isCode: (given, right) => isCode(given, right) || isCode(given, right.slice(-6)),
    })),
    'login-needs-no-code': extended(
      'secondFactor',
      'onLogin',
      () => undefined,
      ([login, call], { context }) => codesInHeader(call) === undefined && context.enforcements.of(login).length > 0,
    ),
    'login-attempts-at-most-5': exhausted((failures, maximum) => failures >= Math.min(5, maximum)),
    'login-takes-no-late-code': stepping((step) => step >= 0),
    'login-takes-no-early-code': stepping((step) => step <= 0),
    'login-skews-too-far': rule(({ steps }) => ({
      steps: (settings) => steps({ ...settings, skew: settings.skew + 1 }),
    })),
    'login-attempts-unlimited': exhausted(() => false),
    'login-attempts-one-fewer': exhausted((failures, maximum) => failures >= maximum - 1),
    'login-attempts-one-more': exhausted((failures, maximum) => failures >= maximum + 1),
    'login-attempts-add-up': stored('secrets', 'update', ([secret], next, { context }) => {
      const before = context.secrets.find(secret)
      const isSuccess = secret.failures === 0
      next(isSuccess ? { ...secret, failures: before?.failures ?? 0 } : secret)
    }),
    'login-attempts-of-every-entity': stored(
      'secrets',
      'update',
      ([secret], next, { context }) => {
        const { failures, failedAt, method } = secret
        next(secret)
        for (const one of context.secrets.filter((other) => other.method === method))
          next({ ...one, failures, failedAt })
      },
      ([{ failures }]) => failures > 0,
    ),
    'login-refuses-secrets-of-generate': [
      on(
        ['generate', 'admin-generate'],
        ({ secret }) => secret === undefined,
        async ({ entity, method, operation }, next, { memory }) => {
          const reply = await next()
          memory.set(keyOf({ method: method?.id ?? '', entity }), operation)
          return reply
        },
        { remembers: true },
      ),
      holding((held, owner, { memory }) => (memory.get(keyOf(owner)) === 'generate' ? [] : held)),
    ],
    'login-refuses-renewed-secrets': [
      noting('secrets', 'remove', ([owner], { context, memory }) => {
        if (context.secrets.find(owner)) memory.set(keyOf(owner), true)
      }),
      holding((held, owner, { memory }) => (memory.has(keyOf(owner)) ? [] : held)),
    ],
    'generate-replaces-the-secret': on(
      ['generate'],
      ({ secret }) => secret !== undefined,
      async ({ secret }, next, { context }) => {
        const reply = await next()
        if (secret) context.secrets.remove(secret)
        await next()
        return reply
      },
    ),
    'destroyed-secret-validates': [
      noting('secrets', 'remove', ([owner], { context, memory }) => {
        memory.set(keyOf(owner), context.secrets.find(owner) ?? memory.get(keyOf(owner)))
      }),
      holding((held, owner, { memory }) => [...held, ...([memory.get(keyOf(owner)) ?? []].flat() as Secret[])]),
    ],
    'login-takes-codes-of-other-methods': others((own, { entity }) => own.entity === entity),
    'login-takes-codes-of-other-entities': others((own, { method }) => own.method === method),
    'codes-never-end': [
      noting('secrets', 'put', ([secret], { context, memory }) => {
        if (!context.secrets.find(secret)) memory.set(keyOf(secret), context.services.clock.now())
      }),
      holding((held, owner, { context, memory }) => {
        const age = ({ period }: Settings): number =>
          stepAt(context.services.clock.now(), period) - stepAt(Number(memory.get(keyOf(owner))), period)
        return held.map((one) => ({ ...one, settings: { ...one.settings, age: age(one.settings) } }))
      }),
      rule(({ steps }) => ({
        steps: (settings) => {
          const { age = 0 } = settings as Partial<WithoutEnd>
          return [...steps(settings), ...Array.from({ length: Math.min(age, longestLook) }, (_, index) => -index - 1)]
        },
      })),
    ],
  })
}
