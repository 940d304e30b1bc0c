/** Faults of what DR operation tokens authorize. */
import type { Context } from '../../engines/replication/context.ts'
import type { Call } from '../../kernel/contracts.ts'
import type { Form } from '../fault.ts'
import { during } from '../with-methods.ts'
import { after, type Here, ofKind, on, says, textIn, whenRefused } from './cluster-operations.ts'

const tokenIn = (call: Call): string => textIn(call, 'dr_operation_token')
const isUnauthorized = (call: Call, { context: { services } }: Here): boolean =>
  services.clusterRole.modes.dr === 'secondary' && !services.extensions.operationTokens?.isLive(tokenIn(call))
const isClients = (call: Call, { context }: Here): boolean =>
  tokenIn(call) !== '' && JSON.stringify(context.asleep?.parts.tokens ?? '').includes(tokenIn(call))

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Accepts a request without a live operation token. */
const accepted = (
  id: string,
  does: string,
  operation: 'secondary/promote' | 'secondary/update-primary',
  isAccepted: (call: Call, here: Here) => boolean,
  ...more: readonly Form<Context>[]
) =>
  ofKind('dr', id, does, [
    ...more,
    on(
      operation,
      (call, here) => isUnauthorized(call, here) && isAccepted(call, here),
      (call, next, { context }) => {
        const { extensions } = context.services
        const own = extensions.operationTokens
        const operationTokens = { isLive: () => true, end: () => own?.end() }
        return during(extensions, { operationTokens }, () => next(call))
      },
    ),
  ])

export const operationTokenFaults = [
  accepted(
    'promote-without-operation-token',
    'promote succeeds without a DR operation token.',
    'secondary/promote',
    (call) => tokenIn(call) === '',
  ),
  accepted(
    'promote-with-any-operation-token',
    'promote accepts any text as a DR operation token.',
    'secondary/promote',
    (call) => tokenIn(call) !== '',
  ),
  accepted(
    'promote-with-a-blank-operation-token',
    'promote accepts a blank DR operation token.',
    'secondary/promote',
    ({ body }) => body.dr_operation_token === '',
  ),
  accepted(
    'update-primary-with-a-blank-operation-token',
    'update-primary accepts a blank DR operation token.',
    'secondary/update-primary',
    ({ body }) => body.dr_operation_token === '',
  ),
  accepted(
    'promote-with-a-client-token',
    'promote accepts a client token of the primary as a DR operation token.',
    'secondary/promote',
    isClients,
  ),
  accepted(
    'update-primary-with-a-client-token',
    'update-primary accepts a client token of the primary as a DR operation token.',
    'secondary/update-primary',
    isClients,
  ),
  accepted(
    'promote-with-a-nonce',
    'promote accepts the nonce of an attempt as a DR operation token.',
    'secondary/promote',
    (call) => uuid.test(tokenIn(call)),
  ),
  accepted(
    'update-primary-with-a-nonce',
    'update-primary accepts the nonce of an attempt as a DR operation token.',
    'secondary/update-primary',
    (call) => uuid.test(tokenIn(call)),
  ),
  accepted(
    'update-primary-remembers-an-operation-token',
    'Once a DR operation token was accepted, update-primary succeeds without one.',
    'secondary/update-primary',
    (call, { memory }) => tokenIn(call) === '' && memory.get('authorized') === true,
    after(
      'secondary/update-primary',
      (call, here) => tokenIn(call) !== '' && !isUnauthorized(call, here),
      (_, { memory }) => void memory.set('authorized', true),
    ),
  ),
  ofKind('dr', 'promote-refused-but-done', 'promote without a valid DR operation token is refused but carried out.', [
    whenRefused('secondary/promote', isUnauthorized, says('dr_operation_token'), ({ context }) =>
      context.change('secondary/promote'),
    ),
  ]),
  accepted(
    'unforced-promote-without-operation-token',
    'promote without `force` succeeds without a DR operation token.',
    'secondary/promote',
    ({ body }) => body.force !== true,
  ),
  accepted(
    'update-primary-by-an-activation-token-alone',
    'update-primary with an activation token, which is not blank, succeeds without a DR operation token.',
    'secondary/update-primary',
    (call) => textIn(call, 'token') !== '',
  ),
  accepted(
    'update-primary-without-operation-token',
    'update-primary succeeds without a DR operation token.',
    'secondary/update-primary',
    (call) => tokenIn(call) === '',
  ),
  accepted(
    'update-primary-with-any-operation-token',
    'update-primary accepts any text as a DR operation token.',
    'secondary/update-primary',
    (call) => tokenIn(call) !== '',
  ),
]
