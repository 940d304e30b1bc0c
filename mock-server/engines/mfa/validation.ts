/** Checks whether a code satisfies a method for an entity: RFC 6238, section 5.2, with each code used once. */
import type { Context } from './context.ts'
import type { Method, Secret } from './store.ts'
import { codeOf, isAlgorithm, stepAt } from './totp/totp.ts'

/** A secret remembers this many used time steps. */
const remembered = 100
/** The number of past time steps that are searched for a code if codes never become invalid. */
const longestLook = 1_000

/** Returns undefined if the code satisfies the method, or else the reason why it does not. Counts failures and marks
 * the code as used. */
export function tryCode(method: Method, entity: string, code: string, context: Context): string | undefined {
  const { validation } = context.tables()
  const held = heldBy(method, entity, context)
  if (held.length === 0) return 'the entity has no secret for the method'
  const [secret = held[0]] = held
  if (!secret) return undefined
  const now = context.services.clock.now()
  const period = validation.period(secret.settings)
  const isFull = secret.failures >= validation.failures(method.settings.max_validation_attempts)
  // After the maximum of failures, every code is refused for one period after the last failure.
  if (isFull && now < secret.failedAt + period * 1000)
    return `maximum TOTP validation attempts exceeded; try again in ${period} seconds`
  const failures = isFull ? 0 : secret.failures

  const found = held
    .map((one) => ({ one, step: stepOf(code, one, now, context) }))
    .find(({ step }) => step !== undefined)
  if (!found || found.step === undefined) {
    for (const one of failing(secret, context)) keep({ ...one, failures: failures + 1, failedAt: now }, context)
    return 'failed to validate TOTP passcode'
  }
  if (found.one.used.includes(found.step)) return 'code already used; wait for the next one'
  const used = [...found.one.used, found.step].slice(-remembered)
  keep({ ...found.one, used, failures: validation.success === 'counts-anew' ? 0 : failures }, context)
  return undefined
}

/** Returns the secrets for which a failure counts. Only a mutant counts it for others. */
const failing = (secret: Secret, { secrets, tables }: Context): readonly Secret[] =>
  tables().validation.failureOf === 'own-entity' ? [secret] : secrets.filter(({ method }) => method === secret.method)

const keep = (secret: Secret, { secrets }: Context): void => {
  if (secrets.find(secret)) secrets.put(secret)
}

function heldBy(method: Method, entity: string, { secrets, tables }: Context): readonly Secret[] {
  const owners = ['', 'generate', 'admin-generate'].map((origin) => ({ method: method.id, entity, origin }))
  const { accepts } = tables().validation
  const own = owners
    .flatMap((owner) => secrets.find(owner) ?? [])
    .filter((one) => accepts({ by: one.by, isRenewed: secrets.findDestroyed(one) !== undefined }))
  const present = own.length === 0 ? own : [...own, ...ofOthers(own, { secrets, tables })]
  if (!tables().validation.secrets.includes('destroyed')) return present
  return [...present, ...owners.flatMap((owner) => secrets.findDestroyed(owner) ?? [])]
}

/** Returns the secrets of other methods and entities whose codes are accepted as well. Only mutants accept any. */
function ofOthers(own: readonly Secret[], { secrets, tables }: Pick<Context, 'secrets' | 'tables'>): readonly Secret[] {
  const { methods, entities } = tables().validation.of
  return secrets.filter(
    (one) =>
      !own.includes(one) &&
      own.some(
        ({ method, entity }) =>
          (one.method === method || methods === 'every') && (one.entity === entity || entities === 'every'),
      ),
  )
}

/** Returns the accepted time step that has this code, or undefined. */
function stepOf(code: string, secret: Secret, now: number, { tables }: Context): number | undefined {
  const { validation } = tables()
  const { settings, madeAt } = secret
  const named = validation.algorithm(settings)
  const algorithm = isAlgorithm(named) ? named : 'SHA1'
  const key = Buffer.from(secret.key, 'base64')
  const period = validation.period(settings)
  const present = stepAt(now, period)
  const steps = validation.steps(settings.skew).map((offset) => present + offset)
  const first = Math.max(stepAt(madeAt, period), present - longestLook)
  for (let step = first; !validation.codesEnd && step < present; step++) steps.push(step)
  return steps.find(
    (step) => step >= 0 && validation.isCode(code, codeOf(key, step, algorithm, validation.digits(settings))),
  )
}
