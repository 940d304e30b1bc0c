/** The fields of replies about an attempt. */
import type { Context } from '../context.ts'
import { type AttemptFacts, type AttemptReply, attemptFields } from '../tables.ts'

export function shown(reply: AttemptReply, context: Context): object {
  const { services, tables } = context
  const { oneTimePassword } = services.variation()
  const facts = factsFor(reply, context)
  // Root tokens are not in the documents, so their replies do not vary.
  const isWithheld = tables().heldOn === 'DR secondaries' && oneTimePassword === 'kept'
  return Object.fromEntries(
    attemptFields
      .filter((field) => !(isWithheld && field.startsWith('otp') && reply === 'start'))
      .map((field) => [field, tables().shown[field][reply](facts)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function factsFor(reply: AttemptReply, { attempt, services, state }: Context): AttemptFacts {
  const isForgotten = reply === 'read' && state === 'complete' && services.variation().attemptDone === 'forgotten'
  const known = isForgotten ? undefined : attempt
  return {
    state: known ? state : 'none',
    nonce: known?.nonce ?? '',
    given: known?.given ?? [],
    required: services.seal.threshold,
    token: known?.token ?? '',
    encoded: known?.encoded ?? '',
    fingerprint: known?.encoding.fingerprint ?? '',
    oneTimePassword: known?.encoding.oneTimePassword ?? '',
  }
}
