/** The fields of replies about an attempt. */
import type { Context } from '../context.ts'
import { type AttemptFacts, type AttemptReply, type AttemptRules, attemptFields } from '../rules.ts'

export function shown(reply: AttemptReply, context: Context): object {
  const { rules, services } = context
  const { oneTimePassword } = services.variation()
  const facts = factsFor(reply, context)
  // The documents do not describe root tokens, so the replies about them do not vary.
  const isWithheld = rules.heldOn === 'DR secondaries' && oneTimePassword === 'kept'
  return Object.fromEntries(
    attemptFields
      .filter((field) => !(isWithheld && field.startsWith('otp') && reply === 'start'))
      .map((field) => [field, rules.shown[field][reply](facts)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function factsFor(reply: AttemptReply, { attempt, rules, services, state }: Context): AttemptFacts {
  const isForgotten = reply === 'read' && state === 'complete' && isDoneForgotten(services, rules.heldOn)
  const known = isForgotten ? undefined : attempt
  return {
    state: known ? state : 'none',
    nonce: known?.nonce ?? '',
    given: known?.given ?? [],
    required: services.seal.threshold,
    encoded: known?.encoded ?? '',
    fingerprint: known?.encoding.fingerprint ?? '',
    oneTimePassword: known?.encoding.oneTimePassword ?? '',
  }
}

/** Returns whether reads no longer show a complete attempt. An attempt to make a root token ends with its last share.
 * The document keeps an attempt to make an operation token as complete; a variation forgets it. */
const isDoneForgotten = (services: Context['services'], heldOn: AttemptRules['heldOn']): boolean =>
  heldOn === 'all others' || services.variation().attemptDone === 'forgotten'
