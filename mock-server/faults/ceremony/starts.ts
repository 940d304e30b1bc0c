/** Faults of how attempts are started and cancelled. */
import { setTimeout as wait } from 'node:timers/promises'
import { withPgpKey } from '../../engines/ceremony/handlers/token-encodings.ts'
import { type Call, done } from '../../kernel/contracts.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { moment } from '../lost-writes.ts'
import { afterStart, around, faults, row, rule, shows, takesNonce, withBody } from './attempt-operations.ts'

const pgpKeyIn = ({ body }: Call): string => String(body.pgp_key ?? '')

/** Changes the attempt in progress when another start is refused. */
const refusedStart = (isMeant: (call: Call) => boolean, change: (pgpKey: string) => Promise<object>) =>
  around('POST attempt', {
    when: (call, { context }) => context.state === 'in progress' && isMeant(call),
    async does(call, next, { context }) {
      try {
        return await next(call)
      } catch (error) {
        if (context.attempt) Object.assign(context.attempt, await change(pgpKeyIn(call)))
        throw error
      }
    },
  })

export const startFaults = faults({
  'attempt-start-issues-no-nonce':
    'Neither the start nor a read of an attempt shows a nonce, and updates are accepted with any nonce.',
  'attempt-reuses-the-nonce': 'Every attempt of a cluster has the same nonce.',
  'attempt-second-start-begins-anew': 'A start while an attempt is in progress succeeds and replaces it.',
  'attempt-starts-at-once-begin-two':
    'Starts at the same time all succeed with nonces of their own, and the last one replaces the others.',
  'attempt-second-start-clears-progress':
    'A start while an attempt is in progress is refused but clears the progress of that attempt.',
  'attempt-second-start-replaces-the-key':
    'A start with another PGP key while an attempt is in progress is refused, but replaces the key of the attempt.',
  'attempt-accepts-bad-pgp-key': 'A start with an invalid PGP key succeeds.',
  'attempt-bad-pgp-key-starts': 'A start with an invalid PGP key is refused but starts an attempt.',
}).by({
  'attempt-start-issues-no-nonce': [shows('nonce', ['start', 'read'], () => undefined), takesNonce(() => true)],
  'attempt-reuses-the-nonce': afterStart(({ nonce }, { memory }) => {
    const first = memory.get('nonce') ?? nonce
    memory.set('nonce', first)
    return { nonce: String(first) }
  }),
  'attempt-second-start-begins-anew': rule(row('in progress', { start: 'in progress' })),
  'attempt-starts-at-once-begin-two': around('POST attempt', {
    async does(call, next, { context }) {
      const { attempt, state } = context
      await wait(moment)
      Object.assign(context, { attempt, state })
      return next(call)
    },
  }),
  'attempt-second-start-clears-progress': refusedStart(
    () => true,
    async () => ({ given: [] }),
  ),
  'attempt-second-start-replaces-the-key': refusedStart(
    (call) => pgpKeyIn(call) !== '',
    async (pgpKey) => ({ encoding: await withPgpKey(pgpKey) }),
  ),
  'attempt-accepts-bad-pgp-key': around('POST attempt', {
    when: (call) => pgpKeyIn(call) !== '',
    does: async (call, next) => {
      try {
        return await next(call)
      } catch {
        return next(withBody(call, { pgp_key: '' }))
      }
    },
  }),
  'attempt-bad-pgp-key-starts': around('POST attempt', {
    when: (call) => pgpKeyIn(call) !== '',
    does: async (call, next) => {
      try {
        return await next(call)
      } catch (error) {
        await Promise.resolve(next(withBody(call, { pgp_key: '' }))).catch(() => {})
        throw error
      }
    },
  }),
})

/** Starts an attempt with the PGP key of the one that was cancelled before. */
const keepsKey = (isMeant: (call: Call) => boolean) => [
  around('POST attempt', {
    when: (call, { memory }) => pgpKeyIn(call) !== '' || memory.has('left'),
    async does(call, next, { memory }) {
      const left = String(memory.get('left') ?? '')
      const used = left !== '' && isMeant(call) ? withBody(call, { pgp_key: left }) : call
      const reply = await next(used)
      memory.delete('left')
      memory.set('key', pgpKeyIn(used))
      return reply
    },
  }),
  around('DELETE attempt', {
    when: (_call, { memory }) => memory.has('key'),
    async does(call, next, { memory }) {
      const reply = await next(call)
      memory.set('left', memory.get('key'))
      memory.delete('key')
      return reply
    },
  }),
]

export const cancelFaults = faults({
  'attempt-cancel-refused': 'An attempt in progress cannot be cancelled.',
  'attempt-cancel-keeps-running': 'Cancelling an attempt succeeds, but the attempt remains in progress.',
  'attempt-cancel-keeps-progress': 'An attempt starts with the shares of the attempt that was cancelled before it.',
  'attempt-cancel-keeps-key': 'The token of an attempt is encrypted to the PGP key of an attempt cancelled before it.',
  'attempt-cancel-leaves-key-where-none-is-given':
    'The token of an attempt without a PGP key is encrypted to the PGP key of an attempt cancelled before it.',
}).by({
  'attempt-cancel-refused': around('DELETE attempt', {
    when: (_call, { context }) => context.state === 'in progress',
    does() {
      throw badRequest('the token generation cannot be cancelled')
    },
  }),
  'attempt-cancel-keeps-running': around('DELETE attempt', {
    when: (_call, { context }) => context.state === 'in progress',
    does: () => done,
  }),
  'attempt-cancel-keeps-progress': [
    around('DELETE attempt', {
      does(call, next, { context, memory }) {
        memory.set('left', context.attempt?.given)
        return next(call)
      },
    }),
    afterStart(({ given }, { memory }) => {
      const left = memory.get('left') as readonly string[] | undefined
      memory.delete('left')
      return { given: left ?? given }
    }),
  ],
  'attempt-cancel-keeps-key': keepsKey(() => true),
  'attempt-cancel-leaves-key-where-none-is-given': keepsKey((call) => pgpKeyIn(call) === ''),
})
