/** Checks whether a code satisfies a method for an entity: RFC 6238, section 5.2, with each code used once. */
import type { Context } from './context.ts'
import type { Method, Secret } from './store.ts'
import { codeOf, isAlgorithm, stepAt } from './totp/totp.ts'

/** A secret remembers this many used time steps. */
const remembered = 100

/** Returns undefined if the code satisfies the method, or else the reason why it does not. Counts failures and marks
 * the code as used. */
export function tryCode(method: Method, entity: string, code: string, context: Context): string | undefined {
  const { rules, secrets, services } = context
  const held = secrets.heldBy({ method: method.id, entity })
  const [secret] = held
  if (!secret) return 'the entity has no secret for the method'
  const now = services.clock.now()
  const { period } = secret.settings
  const isFull = rules.isExhausted(secret.failures, method.settings.max_validation_attempts)
  // After the maximum of failures, every code is refused for one period after the last failure.
  if (isFull && now < secret.failedAt + period * 1000)
    return `maximum TOTP validation attempts exceeded; try again in ${period} seconds`

  const found = held
    .map((one) => ({ one, step: stepOf(code, one, now, context) }))
    .find(({ step }) => step !== undefined)
  if (found?.step === undefined) {
    secrets.update({ ...secret, failures: (isFull ? 0 : secret.failures) + 1, failedAt: now })
    return 'failed to validate TOTP passcode'
  }
  if (found.one.used.includes(found.step)) return 'code already used; wait for the next one'
  secrets.update({ ...found.one, used: [...found.one.used, found.step].slice(-remembered), failures: 0 })
  return undefined
}

/** Returns the accepted time step that has this code, or undefined. */
function stepOf(code: string, { key, settings }: Secret, now: number, { rules }: Context): number | undefined {
  const { algorithm, digits, period } = settings
  const bytes = Buffer.from(key, 'base64')
  const present = stepAt(now, period)
  return rules
    .steps(settings)
    .map((offset) => present + offset)
    .find(
      (step) =>
        step >= 0 && rules.isCode(code, codeOf(bytes, step, isAlgorithm(algorithm) ? algorithm : 'SHA1', digits)),
    )
}
