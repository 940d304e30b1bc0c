/** The fields of replies about an attempt. */
import type { Context } from '../context.ts'
import { type AttemptFacts, type AttemptReply, type AttemptTables, attemptFields } from '../tables.ts'

export function shown(reply: AttemptReply, context: Context): object {
  const { services, tables } = context
  const { oneTimePassword } = services.variation()
  const facts = factsFor(reply, context)
  // The documents do not describe root tokens, so the replies about them do not vary.
  const isWithheld = tables().heldOn === 'DR secondaries' && oneTimePassword === 'kept'
  return Object.fromEntries(
    attemptFields
      .filter((field) => !(isWithheld && field.startsWith('otp') && reply === 'start'))
      .map((field) => [field, tables().shown[field][reply](facts)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function factsFor(reply: AttemptReply, { attempt, services, state, tables }: Context): AttemptFacts {
  const isForgotten = reply === 'read' && state === 'complete' && isDoneForgotten(services, tables().heldOn)
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

/** Returns whether reads no longer show a complete attempt. An attempt to make a root token ends with its last share.
 * The document keeps an attempt to make an operation token as complete; a variation forgets it. */
const isDoneForgotten = (services: Context['services'], heldOn: AttemptTables['heldOn']): boolean =>
  heldOn === 'all others' || services.variation().attemptDone === 'forgotten'
