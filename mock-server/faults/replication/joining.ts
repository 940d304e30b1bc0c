/** Faults of how clusters join: what is refused, and which addresses count. */
import { Malformed, readActivation } from '../../engines/replication/connections/activation-tokens.ts'
import { OtherKind } from '../../engines/replication/connections/joining.ts'
import type { Context } from '../../engines/replication/context.ts'
import { enableSecondary } from '../../engines/replication/handlers/change.ts'
import { type Call, done } from '../../kernel/contracts.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { during } from '../with-methods.ts'
import {
  after,
  always,
  around,
  cameBy,
  changing,
  clearMounts,
  connect,
  faultsOfBoth,
  faultsOfPerformance,
  type Here,
  on,
  pastPrimary,
  remembersPrimary,
  remembersTrigger,
  sending,
  textIn,
  whenRefused,
} from './cluster-operations.ts'
import { keepsData, keptData } from './effects.ts'

const [enable, update] = ['secondary/enable', 'secondary/update-primary'] as const
type Joining = typeof enable | typeof update
type Act = (context: Context) => unknown

const tokenIn = (call: Call): string => textIn(call, 'token')
const hasToken = (call: Call): boolean => tokenIn(call) !== ''
const isMissing =
  (operation: Joining) =>
  (call: Call): boolean =>
    operation === enable ? !hasToken(call) : call.body.token === undefined

const isMalformed = (error: Error): boolean => error instanceof Malformed
const isSpent = ({ message }: Error): boolean => /error (unwrapping|activating) the/.test(message)
const isOfOtherKind = (error: Error): boolean => error instanceof OtherKind

const wipes: Act = (context) => clearMounts(context)
const forgets: Act = (context) => context.change('secondary/forget-primary')
const disables: Act = (context) => context.change('secondary/disable')
const ignores: Act = () => done

const withoutToken = (operation: Joining, act: Act) =>
  whenRefused(
    operation,
    isMissing(operation),
    ({ message }) => message.includes('missing token'),
    ({ context }) => act(context),
  )
const withToken = (operation: Joining, isReason: (error: Error) => boolean, act: Act) =>
  whenRefused(operation, hasToken, isReason, ({ context }) => act(context))

/** Returns whether the token is wrapped, and for the other kind of replication. */
function isTokenOfOtherKind(call: Call, { context }: Here): boolean {
  try {
    return readActivation(tokenIn(call)).kind !== context.kind
  } catch {
    return false
  }
}
const isEncrypted = (call: Call, { context }: Here): boolean =>
  context.services.extensions.secondaryKeys?.isEncrypted(tokenIn(call)) === true

/** A demoted cluster that gets another token never connects. */
const staysAway = (isMeant: (here: Here) => boolean) => [
  remembersTrigger,
  remembersPrimary,
  changing(
    update,
    'primary',
    (change, { context }) => {
      change()
      connect(context, undefined)
    },
    (here) => cameBy('primary/demote')(here) && isMeant(here),
  ),
]

const addressIn = (call: Call): string => {
  const address = textIn(call, 'primary_cluster_addr')
  return /^http:/i.test(address) ? '' : address
}
const hasAddress = (call: Call): boolean => addressIn(call) !== ''
const hasApiAddress = (call: Call): boolean => textIn(call, 'primary_api_addr') !== ''
const remembersAddress = (operation: 'primary/enable' | 'secondary/promote') =>
  around(`POST ${operation}`, {
    remembers: true,
    does(call, next, { memory }) {
      if (hasAddress(call)) memory.set('address', addressIn(call))
      return next(call)
    },
  })

export const joiningFaults = [
  ...faultsOfPerformance({
    'update-primary-without-token-wipes': 'update-primary without the field token is refused but deletes the mounts.',
    'update-primary-bad-token-wipes': 'update-primary with a malformed token is refused but deletes the mounts.',
    'update-primary-spent-token-wipes':
      'update-primary with a token that was used before is refused but deletes the mounts.',
    'update-primary-refuses-encrypted-tokens': 'update-primary refuses tokens that are encrypted to a public key.',
    'update-primary-to-another-primary-wipes': 'update-primary with a token of another primary deletes the mounts.',
    'update-primary-takes-a-secondary-of-a-former-set':
      'When a disabled primary is enabled again, its former secondaries can follow it and keep their data.',
  }).by({
    'update-primary-without-token-wipes': withoutToken(update, wipes),
    'update-primary-bad-token-wipes': withToken(update, isMalformed, wipes),
    'update-primary-spent-token-wipes': withToken(update, isSpent, wipes),
    'update-primary-refuses-encrypted-tokens': on(update, isEncrypted, () => {
      throw badRequest('encrypted credentials are not taken here')
    }),
    'update-primary-to-another-primary-wipes': on(
      update,
      (call, { context }) => hasToken(call) && context.membership.upstream !== undefined,
      async (call, next, { context }) => {
        const former = context.membership.upstream?.clusterAddress
        const reply = await next(call)
        if (context.membership.upstream?.clusterAddress !== former) clearMounts(context)
        return reply
      },
    ),
    'update-primary-takes-a-secondary-of-a-former-set': after('primary/enable', always, (_, { context, memory }) => {
      const setId = memory.get('set') ?? context.membership.setId
      memory.set('set', setId)
      context.update({ setId: String(setId) })
    }),
  }),
  ...faultsOfBoth({
    'public-key-token-keeps-data':
      'A cluster that joins by a token that is encrypted to its public key keeps its earlier data.',
    'demoted-cannot-rejoin': 'update-primary on a demoted cluster succeeds, but the cluster never connects.',
    'first-primary-cannot-rejoin':
      'update-primary on a demoted cluster that was never a secondary before succeeds, but the cluster never connects.',
    'enable-without-token': 'secondary/enable without token succeeds but does nothing.',
    'enable-without-token-wipes': 'secondary/enable without token is refused but deletes the mounts.',
    'update-primary-without-token':
      'update-primary without the field token is treated like update-primary with a blank token.',
    'update-primary-without-token-forgets':
      'update-primary without the field token is refused, but the primary is forgotten.',
    'token-missing-refused-but-done':
      'Without token, secondary/enable is refused but makes a secondary, and update-primary is refused but disables.',
    'secondary-enable-joins-by-a-bad-token':
      'secondary/enable with a malformed token makes the cluster a secondary without a primary.',
    'secondary-enable-bad-token-wipes': 'secondary/enable with a malformed token is refused but deletes the mounts.',
    'secondary-enable-ignores-a-bad-token': 'secondary/enable with a malformed token succeeds but does nothing.',
    'update-primary-ignores-a-bad-token': 'secondary/update-primary with a malformed token succeeds but does nothing.',
    'update-primary-bad-token-forgets':
      'update-primary with a malformed token is refused, but the primary is forgotten.',
    'secondary-enable-spent-token-wipes':
      'secondary/enable with a token that was used before is refused but deletes the mounts.',
    'update-primary-spent-token-forgets':
      'update-primary with a token that was used before is refused, but the primary is forgotten.',
    'update-primary-bad-token-disables':
      'update-primary with a malformed token is refused but disables replication on the cluster.',
    'primary-enable-remembers-the-former-address':
      'primary/enable without primary_cluster_addr uses the address of an earlier primary/enable.',
    'secondary-enable-token-of-the-other-kind-wipes':
      'secondary/enable with a token of the other kind of replication is refused but deletes the mounts.',
    'secondary-enable-takes-tokens-of-the-other-kind':
      'secondary/enable with a token of the other kind of replication succeeds in the requested kind.',
    'secondary-enable-joins-in-the-kind-of-the-token':
      'secondary/enable with a token of the other kind of replication succeeds in the kind of the token.',
    'secondary-enable-ignores-api-addr': 'secondary/enable ignores primary_api_addr.',
    'secondary-enable-refuses-a-slash-at-the-end': 'secondary/enable refuses a primary_api_addr that ends in a slash.',
    'update-primary-ignores-api-addr': 'update-primary ignores primary_api_addr.',
    'primary-enable-ignores-cluster-addr': 'primary_cluster_addr of primary/enable does not reach secondaries.',
    'promote-ignores-cluster-addr': 'primary_cluster_addr of promote does not reach secondaries.',
  }).by({
    'public-key-token-keeps-data': [
      around(`POST ${enable}`, {
        remembers: true,
        does(call, next, here) {
          here.memory.set('encrypted', isEncrypted(call, here))
          return next(call)
        },
      }),
      ...keepsData(({ memory }) => memory.get('encrypted') === true),
    ],
    'demoted-cannot-rejoin': staysAway(() => true),
    'first-primary-cannot-rejoin': staysAway((here) => !pastPrimary(here)),
    'enable-without-token': withoutToken(enable, ignores),
    'enable-without-token-wipes': withoutToken(enable, wipes),
    'update-primary-without-token': sending(update, isMissing(update), () => ({ token: '' })),
    'update-primary-without-token-forgets': withoutToken(update, forgets),
    'token-missing-refused-but-done': [
      withoutToken(enable, (context) => context.change(enable)),
      withoutToken(update, disables),
    ],
    'secondary-enable-joins-by-a-bad-token': withToken(enable, isMalformed, (context) => {
      during(context, { rules: keptData(context.rules) }, () => context.change(enable))
      return done
    }),
    'secondary-enable-bad-token-wipes': withToken(enable, isMalformed, wipes),
    'secondary-enable-ignores-a-bad-token': withToken(enable, isMalformed, ignores),
    'update-primary-ignores-a-bad-token': withToken(update, isMalformed, ignores),
    'update-primary-bad-token-forgets': withToken(update, isMalformed, forgets),
    'secondary-enable-spent-token-wipes': withToken(enable, isSpent, wipes),
    'update-primary-spent-token-forgets': withToken(update, isSpent, forgets),
    'update-primary-bad-token-disables': withToken(update, isMalformed, disables),
    'primary-enable-remembers-the-former-address': [
      remembersAddress('primary/enable'),
      remembersAddress('secondary/promote'),
      sending(
        'primary/enable',
        (call, { memory }) => textIn(call, 'primary_cluster_addr') === '' && memory.has('address'),
        (_, { memory }) => ({ primary_cluster_addr: memory.get('address') }),
      ),
    ],
    'secondary-enable-token-of-the-other-kind-wipes': withToken(enable, isOfOtherKind, wipes),
    'secondary-enable-takes-tokens-of-the-other-kind': on(enable, isTokenOfOtherKind, (call, next, { context }) =>
      during(context, { kind: context.other().kind }, () => next(call)),
    ),
    'secondary-enable-joins-in-the-kind-of-the-token': on(enable, isTokenOfOtherKind, (call, _, { context }) =>
      enableSecondary(call, context.other()),
    ),
    'secondary-enable-refuses-a-slash-at-the-end': on(
      enable,
      (call) => textIn(call, 'primary_api_addr').endsWith('/'),
      () => {
        throw badRequest('the address has a path')
      },
    ),
    'secondary-enable-ignores-api-addr': sending(enable, hasApiAddress, () => ({ primary_api_addr: '' })),
    'update-primary-ignores-api-addr': sending(update, hasApiAddress, () => ({ primary_api_addr: '' })),
    'primary-enable-ignores-cluster-addr': sending('primary/enable', hasAddress, () => ({ primary_cluster_addr: '' })),
    'promote-ignores-cluster-addr': sending('secondary/promote', hasAddress, () => ({ primary_cluster_addr: '' })),
  }),
].flat()
