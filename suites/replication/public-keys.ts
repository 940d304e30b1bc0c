/** Checks of activation tokens that are encrypted to the public key of one cluster. */
import type { Action, Check, Expectation, Json, JsonObject, Reply } from '../../harness/vocabulary/index.ts'
import {
  about,
  fieldOf,
  isObject,
  isSuccess,
  list,
  mismatch,
  objectsIn,
  refused,
  replyLacks,
  StepFailed,
  shortfall,
  stepContradicts,
  succeeds,
  unseen,
} from '../../harness/vocabulary/index.ts'
import { readingOnly } from '../given.ts'
import { action, expectation } from '../records.ts'
import { askers, enableBy } from './activation.ts'
import { activated, primaryEnabled, roleCheck, unused } from './given.ts'
import type { Cluster, Replication } from './kind.ts'
import { askWhenReady, isRefused } from './readiness.ts'
import { hasTexts, returnsNo } from './returned.ts'
import { idOf, primaryEnable, secondaryEnable, secondaryToken, status, trigger } from './roles.ts'
import { isCleared } from './then/data.ts'
import { becomes, stays } from './then/roles.ts'
import { sentinel } from './then/sentinels.ts'
import { roleIn } from './then/status.ts'
import { keyUnseen, tokenUnseen } from './then/witnesses.ts'

const since = { since: '1.3.0' } as const

export const publicKey = (of: Replication, cluster: Cluster) =>
  trigger(of, 'secondary/generate-public-key', cluster, {})

/** A key has at least 32 bytes; a shorter text, or one of other characters, may be a name or an id. */
const keyText = /^[\w+/=\s-]{40,}$/

/** No document shows the name of the field: it is one whose name ends in "public key", or else one whose name ends in
 * "key", or else a long text whose name has "public key" anywhere, such as `public_key_pem`. Fields that describe a key
 * (`key_type`) do not count. */
function publicKeyIn(reply: Reply): string | undefined {
  if (!isSuccess(reply) || !isObject(reply.json)) return undefined
  const fields: readonly (readonly [string, Json | undefined])[] = objectsIn(reply.json).flatMap((part) =>
    Object.entries(part),
  )
  const isText = (value: Json | undefined) => typeof value === 'string' && value !== ''
  const found = [/public.?key$/i, /key$/i].flatMap((called) =>
    fields.filter(([name, value]) => called.test(name) && isText(value)),
  )
  const described = fields.filter(([name, value]) => /public.?key/i.test(name) && keyText.test(String(value)))
  return [...found, ...described][0]?.[1] as string | undefined
}

const keyOf = (cluster: Cluster): string => `${cluster}Key`

/** Requests `{secondKey}`, a public key of the cluster `second`. */
export const keyed = (of: Replication, cluster: Cluster) =>
  action(
    `\`${keyOf(cluster)}\` is a public key of ${cluster}`,
    { touches: [publicKey(of, cluster)], provides: [keyOf(cluster)] },
    async (scope) => {
      const reply = await askWhenReady(scope, publicKey(of, cluster))
      // The row has no condition, so a key is returned in each state.
      if (isRefused(reply)) throw stepContradicts(reply, of.requirement('public-key.returned'), cluster)
      const key = publicKeyIn(reply)
      if (key === undefined) throw returnsNo(reply, 'public key', of.requirement('public-key.returned'))
      scope.save(keyOf(cluster), key)
    },
  )

/** The fields of a request for a token that only this cluster can use. */
export const ownKey = (cluster: Cluster): JsonObject => ({ secondary_public_key: `{${keyOf(cluster)}}` })

const isWrapped = (reply: Reply): boolean => typeof fieldOf(reply, '/wrap_info/token') === 'string'

/** Requires that a token for no public key is response-wrapped: otherwise a missing wrapper would prove nothing. */
const wrappedElsewhere = (of: Replication): Action => {
  const exchange = secondaryToken(of, idOf('third'))
  return action('an activation token for no public key is response-wrapped', { touches: [exchange] }, async (scope) => {
    const reply = await scope.send(exchange)
    if (!isWrapped(reply)) throw replyLacks(reply, 'response wrapping')
  })
}

const notWrapped: Expectation = {
  words: 'the reply is a success and not response-wrapped',
  judge: ({ reply }) =>
    isSuccess(reply) && !isWrapped(reply)
      ? undefined
      : shortfall(reply, '/wrap_info/token', 'no wrapping token', 'a wrapping token'),
}

/** The document does not show the reply, so a text that is not recognized as a key may still be one. */
export const givesKey = expectation('a public key is returned', ({ reply }) => {
  if (publicKeyIn(reply) !== undefined) return undefined
  if (isSuccess(reply) && hasTexts(reply)) throw replyLacks(reply, 'a public key in a form that is known')
  return shortfall(reply, 'public key', 'a public key', 'none')
})

const privatePem = /-----BEGIN (EC |RSA )?PRIVATE KEY-----/
const privateName = /^(?!.*(encrypt|wrap|seal)).*private.?key$/i
/** The private key would let its reader use the credentials that are encrypted to the cluster (reading 70). An
 * encrypted private key is not judged. */
export const hidesPrivateKey = expectation('no private key is returned', ({ reply }) => {
  if (publicKeyIn(reply) === undefined) throw replyLacks(reply, 'a public key')
  const fields = (isObject(reply.json) ? objectsIn(reply.json) : []).flatMap((part) => Object.entries(part))
  const isPrivate = ([name, value]: readonly [string, Json | undefined]) =>
    typeof value === 'string' &&
    (privatePem.test(value) ? !/ENCRYPTED/.test(value) : privateName.test(name) && keyText.test(value))
  const found = fields.find(isPrivate)
  return found ? mismatch(reply, found[0], 'no private key', 'one') : undefined
})

export function publicKeysOf(of: Replication): readonly Check[] {
  const idle = [unused('main', 'second')]
  const [own, foreign] = [ownKey('second'), ownKey('main')]
  return [
    roleCheck('generate-public-key-returns-a-key', {
      requirement: of.requirement('public-key.returned'),
      applies: since,
      given: [unused('main')],
      when: publicKey(of, 'main'),
      then: [givesKey],
    }),
    // The same is judged here on a primary: the rows have no condition.
    roleCheck('generate-public-key-returns-no-private-key', {
      requirement: [of.requirement('public-key.private-key-hidden'), of.requirement('public-key.returned')],
      applies: since,
      given: [unused('main'), primaryEnabled(of)],
      when: publicKey(of, 'main'),
      then: [
        about(of.requirement('public-key.returned'), givesKey),
        about(of.requirement('public-key.private-key-hidden'), hidesPrivateKey),
      ],
    }),
    roleCheck('token-for-its-public-key-activates-a-secondary', {
      requirement: of.requirement('secondary-token.encrypted'),
      applies: since,
      given: [...idle, keyed(of, 'second'), primaryEnabled(of), activated(of, 'second', 'main', own)],
      when: secondaryEnable(of),
      then: [becomes(of, 'second', 'secondary')],
    }),
    roleCheck('token-for-its-public-key-clears-the-cluster', {
      requirement: of.requirement('secondary-enable.clears-data'),
      applies: since,
      given: [
        ...idle,
        sentinel('own', 'second', { local: of.kind === 'performance' }),
        ...[keyed(of, 'second'), primaryEnabled(of), activated(of, 'second', 'main', own)],
      ],
      when: secondaryEnable(of),
      then: [isCleared(of, 'second', 'own')],
    }),
    roleCheck('token-for-another-public-key-activates-nothing', {
      requirement: of.requirement('secondary-token.encrypted'),
      applies: since,
      given: [
        ...idle,
        ...[keyed(of, 'main'), keyed(of, 'second'), primaryEnabled(of)],
        activated(of, 'second', 'main', foreign),
        activated(of, 'third', 'main', own),
      ],
      when: secondaryEnable(of),
      then: [stays(of, 'second')],
      control: enableBy(of, 'third'),
    }),
    roleCheck('token-for-a-public-key-is-not-wrapped', {
      requirement: of.requirement('secondary-token.not-wrapped'),
      applies: since,
      given: [unused('main'), keyed(of, 'main'), primaryEnabled(of), wrappedElsewhere(of)],
      when: secondaryToken(of, idOf('second'), 'main', ownKey('main')),
      then: [notWrapped],
    }),
  ]
}

/** These checks judge who may request a token that is encrypted to a public key. */
export function callersByKeyOf(of: Replication): readonly Check[] {
  const asking = secondaryToken(of, idOf('second'), 'main', ownKey('main'))
  return [
    roleCheck('secondary-token-for-a-public-key-without-sudo-is-refused', {
      requirement: of.requirement('secondary-token.needs-sudo'),
      applies: since,
      given: [unused('main'), keyed(of, 'main'), primaryEnabled(of), ...askers(of)],
      when: { ...asking, as: 'lacking' },
      then: [refused(tokenUnseen)],
      control: { ...asking, as: 'both' },
    }),
  ]
}

/** Requires that the cluster has no role: otherwise it is in use by its owner. If the server does not serve the status,
 * the cluster counts as one without a role. */
const withoutRole = (of: Replication, cluster: Cluster) =>
  action(`${cluster} shows no role`, { touches: [status(of, cluster)] }, async (scope) => {
    const reply = await scope.send(status(of, cluster))
    const role = roleIn(reply)
    if (role === 'primary' || role === 'secondary')
      throw new StepFailed('cluster-in-use', { asked: reply.asked, cluster, saw: role }, reply)
  })

/** Checks of the versions and editions that serve each endpoint. */
export function availabilityOf(of: Replication): readonly Check[] {
  const asking = publicKey(of, 'main')
  return [
    roleCheck('generate-public-key-is-absent-before-1-3', {
      requirement: of.requirement('public-key.absent-before'),
      given: [unused('main')],
      when: asking,
      then: [refused(keyUnseen)],
      // No request to the removed endpoint can succeed here. The control shows that other replication endpoints work,
      // so that the refusal has no other reason.
      control: status(of),
    }),
    roleCheck('generate-public-key-is-served-at-1-3', {
      requirement: of.requirement('public-key.served-since'),
      applies: { since: '1.3.0', before: '1.3.1' },
      given: [unused('main')],
      when: asking,
      then: [succeeds],
    }),
    roleCheck('status-is-absent-on-community', {
      requirement: of.requirement('edition.enterprise-only'),
      safety: 'read-only',
      when: status(of),
      then: [refused(readingOnly)],
      // The control is a request that succeeds on every edition.
      control: list('sys/policies/acl'),
    }),
    roleCheck('primary-enable-is-refused-on-community', {
      requirement: of.requirement('edition.enterprise-only'),
      given: [withoutRole(of, 'main')],
      when: primaryEnable(of),
      then: [refused(unseen('the status, which would show the role, does not exist on this edition either'))],
      control: list('sys/policies/acl'),
    }),
  ]
}
