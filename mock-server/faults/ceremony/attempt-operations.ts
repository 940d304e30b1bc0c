/** Makes faults of the ceremony on DR secondaries. The ceremony that makes root tokens has no faults. */
import type { Attempt, Context } from '../../engines/ceremony/context.ts'
import { shown } from '../../engines/ceremony/handlers/attempt-replies.ts'
import type {
  AttemptField,
  AttemptReply,
  AttemptRules,
  AttemptState,
  Shown,
  Transitions,
} from '../../engines/ceremony/rules.ts'
import type { Call, Reply } from '../../kernel/contracts.ts'
import { faultsOf, type Handle, type Scene } from '../fault.ts'

export const { fault, faults, rule, around, stored, extended } = faultsOf<Context>(
  'sys/replication/dr/secondary/generate-operation-token',
  'dr-replication',
)
type Here = Scene<Context>
type Change = (rules: AttemptRules) => Partial<AttemptRules>

export const row =
  (state: AttemptState, cells: Transitions[AttemptState]): Change =>
  ({ transitions }) => ({ transitions: { ...transitions, [state]: { ...transitions[state], ...cells } } })

export const shows = (field: AttemptField, replies: readonly AttemptReply[], show: Shown) =>
  rule((rules) => ({
    shown: {
      ...rules.shown,
      [field]: { ...rules.shown[field], ...Object.fromEntries(replies.map((one) => [one, show])) },
    },
  }))

/** Returns the same call with further fields in its body. */
export const withBody = (call: Call, fields: object): Call =>
  Object.assign(Object.create(call) as Call, { body: { ...call.body, ...fields } })

export const withFields = (reply: Reply, change: (fields: object) => object): Reply =>
  reply.kind === 'data'
    ? {
        ...reply,
        data: reply.data && change(reply.data),
        ...(reply.topLevel ? { topLevel: change(reply.topLevel) } : {}),
      }
    : reply

/** Makes the reply again, after a change of the attempt. */
const madeAgain = (reply: Reply, which: AttemptReply, context: Context): Reply =>
  withFields(reply, () => shown(which, context))

export const accepted = (which: AttemptReply, context: Context): Reply => ({
  ...{ kind: 'data', data: null, topLevel: shown(which, context) },
})

/** Changes an attempt when it starts. `change` returns what is different. */
export const afterStart = (change: (attempt: Attempt, here: Here) => Partial<Attempt>) =>
  around('POST attempt', {
    async does(call, next, here) {
      const reply = await next(call)
      const { attempt } = here.context
      if (attempt) Object.assign(attempt, change(attempt, here))
      return madeAgain(reply, 'start', here.context)
    },
  })

export const inReply = (operation: string, change: (fields: object, here: Here) => object) =>
  around(operation, {
    does: async (call, next, here) => withFields(await next(call), (fields) => change(fields, here)),
  })

export const nonceIn = ({ body }: Call): string => String(body.nonce ?? '')
export const keyIn = ({ body }: Call): string => String(body.key ?? '')

/** Takes another nonce for that of the attempt. */
export const takesNonce = (isTaken: (nonce: string, attempt: Attempt, here: Here) => boolean) =>
  around('POST update', {
    when(call, here) {
      const { attempt } = here.context
      return attempt !== undefined && call.body.nonce !== attempt.nonce && isTaken(nonceIn(call), attempt, here)
    },
    does: (call, next, { context }) => next(withBody(call, { nonce: context.attempt?.nonce })),
  })

/** Does something with the attempt in progress when a share is refused. It returns a reply to accept the share. */
export const whenRefused = (
  isMeant: (call: Call, attempt: Attempt, here: Here) => boolean,
  act: (call: Call, attempt: Attempt, here: Here) => Reply | undefined,
) =>
  around('POST update', {
    when: (call, here) => here.context.attempt !== undefined && isMeant(call, here.context.attempt, here),
    async does(call, next: Handle, here) {
      const { attempt } = here.context
      try {
        return await next(call)
      } catch (error) {
        const reply = attempt && act(call, attempt, here)
        if (reply) return reply
        throw error
      }
    },
  })

/** Makes the token of the attempt, without asking for the root key. */
export async function finish(attempt: Attempt, context: Context): Promise<Reply> {
  attempt.encoded = await attempt.encoding.encode(Buffer.from(attempt.token))
  context.state = 'complete'
  context.issuing.issue(attempt.token)
  return accepted('completion', context)
}
