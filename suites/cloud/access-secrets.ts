import type { Ceremony, Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { get, isSuccess, mismatch, post, stepRefused } from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import {
  anyRole,
  creds,
  deleteRole,
  listRoles,
  readRole,
  readRoot,
  rooted,
  rotateRoot,
  sts,
  writeRoot,
} from './given.ts'
import { script, seenAccount } from './provider.ts'
import { topic } from './topic.ts'
import { checkAtProvider } from './witnessed.ts'

const replies = new WeakMap<Scope, Reply[]>()

/** Sends all requests in order, whatever the replies are, and returns the last reply. */
const allAsked = (words: string, [first, ...rest]: readonly [Exchange, ...Exchange[]]): Ceremony => ({
  kind: 'ceremony',
  words,
  touches: [first, ...rest],
  async run(scope) {
    const got = [await scope.send(first)]
    for (const exchange of rest) got.push(await scope.send(exchange))
    replies.set(scope, got)
    return got.at(-1) as Reply
  },
})

/** A secret in each encoding that a reply could use. */
const forms = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret)
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64').replace(/={1,6}$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ]
}

/** Returns the secret keys of the user whose key is in the root configuration. */
const secretsOfRoot = async (scope: Scope): Promise<readonly string[]> => {
  const { users } = await seenAccount(scope)
  return [
    scope.value('secretKey'),
    ...users.filter(({ name }) => name === 'operator').flatMap(({ keys }) => keys.map(({ secret }) => secret)),
  ]
}

const nowhere = expectation(
  'no reply holds a secret key of the root credentials, in any form',
  async ({ scope, reply }) => {
    const all = replies.get(scope) ?? [reply]
    if (!all.some(isSuccess)) throw stepRefused(reply)
    const secrets = (await secretsOfRoot(scope)).flatMap(forms)
    for (const one of all) {
      const text = one.json === undefined ? one.text : `${one.text} ${JSON.stringify(one.json)}`
      const place = `${text} ${JSON.stringify(one.headers)}`
      if (secrets.some((secret) => place.includes(secret)))
        return mismatch(one, 'reply', 'no secret key of the root credentials', 'a secret key')
    }
    return undefined
  },
)

const lease = '{mount}/config/lease'
/** How often the fault is repeated: more often than any client retries. */
const always = 1000

export default topic('cloud/access-secrets', {
  about: 'No reply shows the secret key of the root credentials.',
  checks: [
    checkAtProvider('root-secret-is-in-no-reply', {
      requirement: 'cloud.root.secret-key.nowhere',
      given: [...rooted(), ...anyRole('iam_user'), ...anyRole('federation_token', 'other')],
      when: allAsked('every endpoint is asked', [
        writeRoot(),
        readRoot,
        post(lease, { lease: '2h', lease_max: '4h' }),
        get(lease),
        readRole(),
        listRoles,
        creds(),
        sts({}, 'other'),
        deleteRole(),
        readRole(),
        creds(),
        { ...creds(), path: '{mount}/config/root/nothing' },
      ]),
      then: [nowhere],
    }),
    checkAtProvider('root-secret-is-in-no-reply-where-the-provider-refuses', {
      requirement: 'cloud.root.secret-key.nowhere',
      given: [
        ...rooted(),
        ...anyRole('iam_user'),
        ...anyRole('federation_token', 'other'),
        script({ kind: 'denied', times: always }),
      ],
      when: allAsked('the provider is made to refuse, and the root configuration is read', [
        creds(),
        sts({}, 'other'),
        rotateRoot,
        post('{mount}/static-roles/{use}keeper', { username: 'operator', rotation_period: 3600 }),
        readRoot,
      ]),
      then: [nowhere],
    }),
    checkAtProvider('rotated-secret-is-in-no-reply', {
      requirement: ['cloud.rotate-root.secret-hidden', 'cloud.root.secret-key.nowhere'],
      given: rooted(),
      when: allAsked('root is rotated twice, and read', [rotateRoot, readRoot, rotateRoot, readRoot]),
      then: [nowhere],
    }),
  ],
})
