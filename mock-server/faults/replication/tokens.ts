/** Faults of activation tokens, and of how secondaries are revoked. */
import type { Context } from '../../engines/replication/context.ts'
import { type Call, done, type Reply } from '../../kernel/contracts.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { during, withMethods } from '../with-methods.ts'
import {
  after,
  always,
  around,
  type Change,
  cameBy,
  faultOfPerformance,
  faultsOfBoth,
  type Here,
  inTokens,
  on,
  remembersTrigger,
  sending,
  stored,
  textIn,
  whenRefused,
} from './cluster-operations.ts'

const issuing = 'primary/secondary-token'
const revoking = 'primary/revoke-secondary'
/** Seconds in a hundred years. */
const neverEnds = 100 * 365 * 86_400

const accessTo =
  (access: 'token' | 'root' | 'anyone'): Change =>
  (rules) => ({ ...rules, access: { ...rules.access, [issuing]: access } })

const idIn = (call: Call): string => textIn(call, 'id')
const hasKey = (call: Call): boolean => Boolean(call.body.secondary_public_key)
const lifetimeIn = ({ body }: Call): number => {
  try {
    return durationField(body, 'ttl') || 0
  } catch {
    return 0
  }
}
const usualLifetime = ({ context }: Here): number => context.rules.tokens.defaultTtl

/** Credentials that are encrypted to a public key never expire. */
const endless = (isMeant: (call: Call) => boolean) => [
  after(
    issuing,
    (call) => hasKey(call) && isMeant(call),
    (call, { context }) => context.updateRegistration(idIn(call), { expiresAt: Number.MAX_SAFE_INTEGER }),
  ),
]

const issuingFaults = faultsOfBoth({
  'token-without-id': 'secondary-token without id issues a token.',
  'token-id-in-use-accepted': 'secondary-token issues a token for the id of a connected secondary.',
  'token-ignores-default-ttl': 'An activation token that was requested without ttl never expires.',
  'token-default-ttl-is-short': 'An activation token that was requested without ttl expires after 10 minutes.',
  'token-ignores-longer-ttl': 'A ttl above the default is reduced to the default.',
  'token-ignores-shorter-ttl': 'A ttl below the default is raised to the default.',
  'token-ignores-a-ttl-in-seconds': 'A ttl in seconds is ignored.',
  'secondary-token-gives-none': 'secondary-token succeeds, but the reply contains no token.',
  'secondary-token-ends-unused-ones': 'secondary-token invalidates all earlier tokens that no secondary has used yet.',
  'secondary-token-is-plain': 'An activation token that is requested without a public key is not wrapped.',
  'secondary-token-is-open': 'secondary-token is served without a client token.',
  'secondary-token-without-sudo': 'secondary-token does not require sudo.',
  'secondary-token-for-a-key-without-sudo': 'secondary-token does not require sudo if a public key is given.',
  'secondary-token-needs-root': 'secondary-token is refused for all tokens except root tokens.',
  'public-key-token-is-wrapped': 'secondary-token returns a wrapped token although a public key was given.',
  'public-key-token-does-not-end': 'Credentials that are encrypted to a public key never expire.',
  'public-key-token-does-not-end-unless-asked':
    'Credentials that are encrypted to a public key expire only if a ttl was given in the request.',
  'promoted-issues-no-token': 'A promoted cluster refuses to issue tokens.',
})
  .by({
    'token-without-id': sending(
      issuing,
      (call) => idIn(call) === '',
      () => ({ id: 'unnamed' }),
    ),
    'token-id-in-use-accepted': on(
      issuing,
      (call, { context }) => context.sessions.isOpen(idIn(call)),
      (call, next, { context }) =>
        during(context, { sessions: withMethods(context.sessions, { isOpen: () => false }) }, () => next(call)),
    ),
    'token-ignores-default-ttl': inTokens({ defaultTtl: neverEnds }),
    'token-default-ttl-is-short': inTokens({ defaultTtl: 600 }),
    'token-ignores-longer-ttl': sending(
      issuing,
      (call, here) => lifetimeIn(call) > usualLifetime(here),
      (_, here) => ({ ttl: usualLifetime(here) }),
    ),
    'token-ignores-shorter-ttl': sending(
      issuing,
      (call, here) => lifetimeIn(call) > 0 && lifetimeIn(call) < usualLifetime(here),
      (_, here) => ({ ttl: usualLifetime(here) }),
    ),
    'token-ignores-a-ttl-in-seconds': sending(
      issuing,
      ({ body }) => /s$/.test(String(body.ttl)),
      () => ({ ttl: undefined }),
    ),
    'secondary-token-gives-none': after(issuing, always, () => done),
    'secondary-token-ends-unused-ones': after(issuing, always, (call, { context }) =>
      context.drop(unused(context).filter((id) => id !== idIn(call))),
    ),
    'secondary-token-is-plain': after(
      issuing,
      (call) => !hasKey(call),
      ({ path }, { context }, reply): Reply | undefined => {
        if (reply.kind !== 'data' || !reply.wrap) return
        const content = { body: JSON.stringify({ data: reply.data }), path, ...reply.wrap }
        return { kind: 'data', data: { token: context.services.wrapping.wrap(content).token } }
      },
    ),
    'secondary-token-is-open': accessTo('anyone'),
    'secondary-token-without-sudo': accessTo('token'),
    'secondary-token-for-a-key-without-sudo': around(`POST ${issuing}`, {
      may: (call) => (hasKey(call) ? 'token' : undefined),
    }),
    'secondary-token-needs-root': accessTo('root'),
    'public-key-token-is-wrapped': sending(issuing, hasKey, () => ({ secondary_public_key: '' })),
    'public-key-token-does-not-end': endless(always),
    'public-key-token-does-not-end-unless-asked': endless((call) => lifetimeIn(call) === 0),
    'promoted-issues-no-token': [
      remembersTrigger,
      on(
        issuing,
        (_, here) => cameBy('secondary/promote')(here),
        () => {
          throw badRequest('this cluster was promoted: it issues no tokens')
        },
      ),
    ],
  })
  .flat()

const idsOf = ({ membership }: Context): readonly string[] => membership.registrations.map(({ id }) => id)
const unused = ({ membership }: Context): readonly string[] =>
  membership.registrations.filter(({ activated }) => !activated).map(({ id }) => id)
const isKnown = (call: Call, { context }: Here): boolean =>
  context.membership.mode === 'primary' && idsOf(context).includes(idIn(call))
function end(ids: readonly string[], { drop, sessions }: Context): void {
  for (const id of ids) sessions.end(id)
  drop(ids)
}
/** revoke-secondary succeeds, but does something else. */
const revokes = (
  isMeant: (call: Call, here: Here) => boolean,
  act: (id: string, context: Context) => void = () => {},
) => [
  on(
    revoking,
    (call, here) => isKnown(call, here) && isMeant(call, here),
    (call, _, { context }) => {
      act(idIn(call), context)
      return done
    },
  ),
]
const revokesAlso = (others: (id: string, context: Context) => readonly string[]) => [
  after(revoking, isKnown, (call, { context }) => end(others(idIn(call), context), context)),
]

const revocationFaults = [
  ...faultsOfBoth({
    'revoke-without-id': 'revoke-secondary without id succeeds but does nothing.',
    'revoke-without-id-revokes-all': 'revoke-secondary without id is refused but revokes every secondary.',
    'revoke-changes-nothing': 'revoke-secondary succeeds but revokes nothing.',
    'revoked-reconnects': 'A revoked secondary is disconnected but can connect again.',
    'revoke-spares-who-was-given-another-token':
      'revoke-secondary succeeds but revokes nothing if the secondary got its credentials by update-primary.',
    'revoked-comes-back-with-the-next-token-of-its-id':
      'A revoked secondary can connect again, without a new token, once a token is issued for its id.',
    'revoke-ends-unused-tokens-of-others': 'revoke-secondary also invalidates all unused tokens, whatever their id.',
    'revoke-leaves-tokens-that-nobody-used':
      'revoke-secondary with the id of an unused token succeeds, but the token stays valid.',
    'revoke-reaches-the-other-kind':
      'revoke-secondary revokes the secondaries with that id in both kinds of replication.',
    'revoke-cuts-alike': 'revoke-secondary also revokes secondaries whose ids begin with the requested id.',
    'revoke-cuts-all': 'revoke-secondary revokes every secondary.',
  }).by({
    'revoke-without-id': on(
      revoking,
      (call, { context }) => context.membership.mode === 'primary' && idIn(call) === '',
      () => done,
    ),
    'revoke-without-id-revokes-all': whenRefused(
      revoking,
      (call, { context }) => context.membership.mode === 'primary' && idIn(call) === '',
      always,
      ({ context }) => end(idsOf(context), context),
    ),
    'revoke-changes-nothing': revokes(always),
    'revoked-reconnects': revokes(always, (id, { sessions }) => sessions.end(id)),
    'revoke-spares-who-was-given-another-token': [
      around(`POST ${issuing}`, {
        remembers: true,
        does(call, next, { context, memory }) {
          for (const { id, clusterId } of context.membership.registrations)
            if (clusterId !== '' && !memory.has(clusterId)) memory.set(clusterId, id)
          return next(call)
        },
      }),
      ...revokes((call, { context, memory }) => {
        const own = context.membership.registrations.find(({ id }) => id === idIn(call))
        const first = memory.get(own?.clusterId ?? '')
        return first !== undefined && first !== own?.id
      }),
    ],
    'revoked-comes-back-with-the-next-token-of-its-id': stored(
      'peers',
      'isSecret',
      () => true,
      ([given, { secret }]) => given !== secret,
    ),
    'revoke-ends-unused-tokens-of-others': revokesAlso((_, context) => unused(context)),
    'revoke-leaves-tokens-that-nobody-used': revokes((call, { context }) => unused(context).includes(idIn(call))),
    'revoke-reaches-the-other-kind': after(revoking, isKnown, (call, { context }) =>
      end([idIn(call)], context.other()),
    ),
    'revoke-cuts-alike': revokesAlso((id, context) => idsOf(context).filter((one) => one.startsWith(id))),
    'revoke-cuts-all': revokesAlso((_, context) => idsOf(context)),
  }),
  faultOfPerformance(
    'revoke-spares-the-disconnected',
    'revoke-secondary succeeds but revokes nothing if the secondary is not connected.',
    revokes((call, { context }) => !unused(context).includes(idIn(call)) && !context.sessions.isOpen(idIn(call))),
  ),
].flat()

export const tokenFaults = [...issuingFaults, ...revocationFaults]
