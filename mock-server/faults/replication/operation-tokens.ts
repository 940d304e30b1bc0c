/** Faults of what DR operation tokens authorize. */
import type { Call } from '../../kernel/contracts.ts'
import { during } from '../with-methods.ts'
import { type Here, ofKind, on, says, textIn, whenRefused } from './cluster-operations.ts'

const tokenIn = (call: Call): string => textIn(call, 'dr_operation_token')
const isUnauthorized = (call: Call, { context: { services } }: Here): boolean =>
  services.clusterRole.modes.dr === 'secondary' && !services.extensions.operationTokens?.isLive(tokenIn(call))
const isClients = (call: Call, { context }: Here): boolean =>
  tokenIn(call) !== '' && JSON.stringify(context.asleep?.parts.tokens ?? '').includes(tokenIn(call))

/** Accepts a request without a live operation token. */
const accepted = (
  id: string,
  does: string,
  operation: 'secondary/promote' | 'secondary/update-primary',
  isAccepted: (call: Call, here: Here) => boolean,
) =>
  ofKind('dr', id, does, [
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
