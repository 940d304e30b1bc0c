/** Faults of what DR operation tokens authorize. */
import type { Context } from '../../engines/replication/context.ts'
import type { Call } from '../../kernel/contracts.ts'
import type { Form } from '../fault.ts'
import { during } from '../with-methods.ts'
import { after, faultsOfDr, type Here, on, says, textIn, whenRefused } from './cluster-operations.ts'

const tokenIn = (call: Call): string => textIn(call, 'dr_operation_token')
const isUnauthorized = (call: Call, { context: { services } }: Here): boolean =>
  services.clusterRole.modes.dr === 'secondary' && !services.extensions.operationTokens?.isLive(tokenIn(call))
const isClients = (call: Call, { context }: Here): boolean =>
  tokenIn(call) !== '' && JSON.stringify(context.asleep?.parts.tokens ?? '').includes(tokenIn(call))

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Accepts a request without a live operation token. */
const accepted = (
  operation: 'secondary/promote' | 'secondary/update-primary',
  isAccepted: (call: Call, here: Here) => boolean,
  ...more: readonly Form<Context>[]
) => [
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
]

export const operationTokenFaults = faultsOfDr({
  'promote-without-operation-token': 'promote succeeds without a DR operation token.',
  'promote-with-any-operation-token': 'promote accepts any text as a DR operation token.',
  'promote-with-a-blank-operation-token': 'promote accepts a blank DR operation token.',
  'update-primary-with-a-blank-operation-token': 'update-primary accepts a blank DR operation token.',
  'promote-with-a-client-token': 'promote accepts a client token of the primary as a DR operation token.',
  'update-primary-with-a-client-token': 'update-primary accepts a client token of the primary as a DR operation token.',
  'promote-with-a-nonce': 'promote accepts the nonce of an attempt as a DR operation token.',
  'update-primary-with-a-nonce': 'update-primary accepts the nonce of an attempt as a DR operation token.',
  'update-primary-remembers-an-operation-token':
    'Once a DR operation token was accepted, update-primary succeeds without one.',
  'promote-refused-but-done': 'promote without a valid DR operation token is refused but carried out.',
  'unforced-promote-without-operation-token': 'promote without `force` succeeds without a DR operation token.',
  'update-primary-by-an-activation-token-alone':
    'update-primary with an activation token, which is not blank, succeeds without a DR operation token.',
  'update-primary-without-operation-token': 'update-primary succeeds without a DR operation token.',
  'update-primary-with-any-operation-token': 'update-primary accepts any text as a DR operation token.',
}).by({
  'promote-without-operation-token': accepted('secondary/promote', (call) => tokenIn(call) === ''),
  'promote-with-any-operation-token': accepted('secondary/promote', (call) => tokenIn(call) !== ''),
  'promote-with-a-blank-operation-token': accepted('secondary/promote', ({ body }) => body.dr_operation_token === ''),
  'update-primary-with-a-blank-operation-token': accepted(
    'secondary/update-primary',
    ({ body }) => body.dr_operation_token === '',
  ),
  'promote-with-a-client-token': accepted('secondary/promote', isClients),
  'update-primary-with-a-client-token': accepted('secondary/update-primary', isClients),
  'promote-with-a-nonce': accepted('secondary/promote', (call) => uuid.test(tokenIn(call))),
  'update-primary-with-a-nonce': accepted('secondary/update-primary', (call) => uuid.test(tokenIn(call))),
  'update-primary-remembers-an-operation-token': accepted(
    'secondary/update-primary',
    (call, { memory }) => tokenIn(call) === '' && memory.get('authorized') === true,
    after(
      'secondary/update-primary',
      (call, here) => tokenIn(call) !== '' && !isUnauthorized(call, here),
      (_, { memory }) => void memory.set('authorized', true),
    ),
  ),
  'promote-refused-but-done': whenRefused(
    'secondary/promote',
    isUnauthorized,
    says('dr_operation_token'),
    ({ context }) => context.change('secondary/promote'),
  ),
  'unforced-promote-without-operation-token': accepted('secondary/promote', ({ body }) => body.force !== true),
  'update-primary-by-an-activation-token-alone': accepted(
    'secondary/update-primary',
    (call) => textIn(call, 'token') !== '',
  ),
  'update-primary-without-operation-token': accepted('secondary/update-primary', (call) => tokenIn(call) === ''),
  'update-primary-with-any-operation-token': accepted('secondary/update-primary', (call) => tokenIn(call) !== ''),
})
