/** Checks of changes to roles and to root credentials. */

import { without } from '../../fixtures/bodies.ts'
import { allowing } from '../../fixtures/cloud/policies.ts'
import type { Expectation, Json, Judgement, Matcher, Reply, Scope } from '../../harness/vocabulary/index.ts'
import {
  about,
  afterSuccess,
  allOf,
  appears,
  DoesNotApply,
  get,
  isSuccess,
  matcher,
  mismatch,
  next,
  notRefusal,
  notSuccess,
  reads,
  refused,
  restsOn,
  StepFailed,
  shown,
  status,
  succeeds,
  takesEffect,
} from '../../harness/vocabulary/index.ts'
import { attempted, readingOnly, refusedSoFar, shownSoFar } from '../given.ts'
import { listMethodCheck } from '../list-method.ts'
import {
  anyRole,
  creds,
  deleteRole,
  least,
  listRoles,
  mountedAlone,
  namedAfterRole,
  nameWithHyphens,
  reached,
  readRole,
  readRoot,
  role,
  roleName,
  rootBody,
  rooted,
  rootedWith,
  rootedWithAny,
  rootIsRead,
  rotateRoot,
  sts,
  template,
  twin,
  writeAnyRole,
  writeRole,
  writeRoot,
} from './given.ts'
import { hasProvider, seenAccount } from './provider.ts'
import { ifShown, names as listsName, namesNot, showsAsWritten, stillAsWritten } from './shown.ts'
import { called, everyCall, hasDocument, madeAt, onlyKeysOf, policies, sent } from './then.ts'
import { topic } from './topic.ts'
import { check, checkAtProvider } from './witnessed.ts'
import { accountStays, rootStays } from './witnesses.ts'

const before = allowing('s3:GetObject')
const after = allowing('sqs:SendMessage')

/** If a read of the root configuration shows a key, it is this one. */
const shownKey = shownSoFar(readRoot, ifShown('access_key', '{accessKey}', rootIsRead))
const showsKey = (wanted: Json | Matcher) => next(readRoot, ifShown('access_key', wanted, rootIsRead))

/** No check deletes this role, whose name begins with that of the deleted one. */
const longerName = `${roleName}-2`

const roles = [
  check('post-creates-a-role', {
    requirement: ['cloud.role.creates', 'cloud.role.reads'],
    given: mountedAlone(),
    when: writeAnyRole,
    then: [
      allOf('the role is read, otherwise than before', [
        next(readRole(nameWithHyphens), succeeds),
        appears(readRole(nameWithHyphens)),
      ]),
    ],
  }),
  checkAtProvider('post-updates-a-role', {
    requirement: 'cloud.role.updates',
    given: [
      ...rootedWith({ credential_type: 'iam_user', policy_document: before }),
      writeRole({ credential_type: 'iam_user', policy_document: after }),
    ],
    when: creds(),
    then: [hasDocument(after, 'has the policy of the update')],
  }),
  checkAtProvider('update-of-a-used-role-takes-effect', {
    requirement: 'cloud.role.updates',
    given: [
      ...rootedWith({ credential_type: 'federation_token', policy_document: before }),
      { ...sts(), words: 'the role gives a session' },
      writeRole({ credential_type: 'federation_token', policy_document: after }),
    ],
    when: sts(),
    then: [policies('GetFederationToken', [after])],
  }),
  check('roles-are-listed', {
    requirement: 'cloud.role.lists',
    given: [...mountedAlone(), ...anyRole('iam_user'), ...anyRole('federation_token', 'other')],
    when: listRoles,
    then: [listsName(roleName)],
  }),
  check('deleted-role-is-gone', {
    requirement: ['cloud.role.deletes', 'cloud.role.read-missing'],
    given: [...mountedAlone(), ...anyRole('iam_user')],
    when: deleteRole(),
    then: [afterSuccess(next(readRole(), status(404)))],
  }),
  check('deleted-legacy-role-is-gone', {
    requirement: 'cloud.role.deletes',
    given: [...mountedAlone(), ...role({ policy: before })],
    when: deleteRole(),
    then: [afterSuccess(next(readRole(), refused(readingOnly)))],
  }),
  check('role-that-is-made-again-is-deleted-again', {
    requirement: 'cloud.role.deletes',
    given: [...mountedAlone(), ...anyRole('iam_user'), deleteRole(), ...anyRole('iam_user')],
    when: deleteRole(),
    then: [afterSuccess(next(readRole(), refused(readingOnly)))],
  }),
  check('deleted-role-is-not-listed', {
    requirement: 'cloud.role.deleted-unlisted',
    given: [
      ...mountedAlone(),
      ...anyRole('iam_user'),
      ...anyRole('iam_user', longerName),
      // A server could keep the list that it made for an earlier request.
      attempted(listRoles),
      deleteRole(),
    ],
    when: listRoles,
    then: [namesNot(roleName, longerName)],
  }),
]

const signedByKey = (name: string): Expectation =>
  everyCall(
    `sessions are opened with \`${name}\``,
    /^(GetFederationToken|AssumeRole|GetSessionToken)$/,
    ({ action, key }, scope) => (key === scope.value(name) ? undefined : `${action} signed by ${key}`),
  )

/** The key of another user is `{second}`, with the secret `{secondSecret}`. Both are invented if no provider is
 * called. */
const secondKey = {
  kind: 'action' as const,
  words: 'the key of another user is `second`',
  touches: [],
  provides: ['second', 'secondSecret'],
  async run(scope: Scope) {
    const { users } = hasProvider(scope) ? await seenAccount(scope) : { users: [madeUpUser] }
    const key = users.find(({ name }) => name === 'spare')?.keys[0]
    if (!key) throw new StepFailed('provider-shows-no', { what: 'user `spare` with a key' })
    scope.save('second', key.id)
    scope.save('secondSecret', key.secret, { secret: true })
  },
}
const spare = { users: [{ name: 'spare', keys: 1 }] }
const madeUpUser = {
  name: 'spare',
  keys: [{ id: 'AKIAASSAYMADETHISUP1', secret: 'another-made-up-secret-key-00000000000000' }],
}
const secondRoot = writeRoot(rootBody({ access_key: '{second}', secret_key: '{secondSecret}' }))

/** A server may cache its connection for a key, but must not keep using the earlier secret of the key. */
const wrongSecret = writeRoot(rootBody({ secret_key: 'another-secret-key-than-that-of-the-account' }))
const givenOut = { iam_user: creds(), federation_token: sts() } as const

const overwriting = [
  checkAtProvider('second-secret-of-a-key-signs', {
    requirement: 'cloud.root.overwrites',
    given: [...mountedAlone(), wrongSecret, ...anyRole('federation_token'), refusedSoFar(sts()), writeRoot(), reached],
    when: sts(),
    then: [called('GetFederationToken')],
  }),
  checkAtProvider('root-that-is-written-after-a-rotation-signs', {
    requirement: 'cloud.root.overwrites',
    given: [...rootedWithAny('federation_token', spare), rotateRoot, secondKey, secondRoot],
    when: sts(),
    then: [signedByKey('second')],
  }),
  check('second-root-is-shown', {
    requirement: 'cloud.root.overwrites-shown',
    given: [...mountedAlone(spare), writeRoot(), shownKey, secondKey],
    when: secondRoot,
    then: [afterSuccess(showsKey('{second}'))],
  }),
  checkAtProvider('second-root-signs', {
    requirement: ['cloud.root.overwrites', 'cloud.root.payload-used'],
    given: [...rootedWithAny('federation_token', spare), sts(), secondKey, secondRoot],
    when: sts(),
    then: [signedByKey('second')],
  }),
  checkAtProvider('second-root-makes-users', {
    requirement: ['cloud.root.overwrites', 'cloud.root.payload-used'],

    // A server may have one connection for users and another for sessions.
    given: [...rootedWithAny('iam_user', spare), creds(), secondKey, secondRoot],
    when: creds(),
    then: [
      everyCall('users are made with `second`', /^CreateUser$/, ({ action, key }, scope) =>
        key === scope.value('second') ? undefined : `${action} signed by ${key}`,
      ),
    ],
  }),
  ...(
    [
      ['region', { region: 'eu-west-1' }, 'federation_token', 'region', 'eu-north-1'],
      ['iam-endpoint', { iam_endpoint: '{sts}' }, 'iam_user', 'endpoint', 'iam'],
      ['sts-endpoint', { sts_endpoint: '{iam}' }, 'federation_token', 'endpoint', 'sts'],
    ] as const
  ).map(([word, earlier, type, seenAs, wanted]) =>
    checkAtProvider(`${word}-of-the-second-root-is-used`, {
      // A server may go on using what the first root of the mount said, and that could be the root of another check.
      ground: 'own',
      requirement: `cloud.root.${word}.used`,
      given: [...rooted({}, earlier), ...anyRole(type), attempted(givenOut[type]), writeRoot()],
      when: givenOut[type],
      then: [
        everyCall(`credentials are made by the second ${word}`, /^(GetFederationToken|CreateUser)$/, (call) =>
          call[seenAs] === wanted ? undefined : `${call.action} by ${call[seenAs]}`,
        ),
      ],
    }),
  ),
  check('second-root-replaces-each-field', {
    requirement: 'cloud.root.overwrites-shown',
    given: [
      ...mountedAlone(spare),
      template(namedAfterRole),
      template(['assay-second-', { input: 'PolicyName' }], 'otherTemplate'),
      writeRoot(rootBody({ max_retries: 4, username_template: '{template}' })),
      shownKey,
      secondKey,
    ],
    when: writeRoot(
      rootBody({
        ...{ access_key: '{second}', secret_key: '{secondSecret}', region: 'eu-west-1' },
        ...{ iam_endpoint: '{sts}', sts_endpoint: '{iam}', max_retries: 2, username_template: '{otherTemplate}' },
      }),
    ),
    then: [
      afterSuccess(
        next(
          readRoot,
          showsAsWritten({
            ...{ access_key: '{second}', region: 'eu-west-1', iam_endpoint: '{sts}', sts_endpoint: '{iam}' },
            ...{ max_retries: 2, username_template: '{otherTemplate}' },
          }),
        ),
      ),
    ],
  }),
  ...(
    [
      { id: 'region', names: ['region'] },
      { id: 'iam-endpoint', names: ['iam_endpoint'] },
      { id: 'sts-endpoint', names: ['sts_endpoint'] },
      { id: 'region-and-endpoints', names: ['region', 'iam_endpoint', 'sts_endpoint'] },
    ] as const
  ).map(({ id, names }) =>
    check(`root-without-${id}-is-accepted`, {
      requirement: 'cloud.root.optional',
      given: mountedAlone(),
      when: writeRoot(without(rootBody(), ...names)),
      then: [takesEffect(readRoot)],
    }),
  ),
  check('root-is-not-validated', {
    requirement: 'cloud.root.not-validated',
    given: mountedAlone(),
    when: writeRoot(rootBody({ access_key: 'AKIAUNKNOWNTOANYBODY', secret_key: 'no secret of that key' })),
    then: [takesEffect(readRoot)],
  }),
  check('second-root-is-not-validated', {
    requirement: 'cloud.root.not-validated',
    given: [...twin, ...mountedAlone(), writeRoot(), shownKey],
    when: writeRoot(rootBody({ access_key: 'AKIAUNKNOWNTOANYBODY', secret_key: 'no secret of that key' })),
    then: [afterSuccess(showsKey('AKIAUNKNOWNTOANYBODY'))],
  }),
]

const otherThan = (name: string) =>
  matcher(
    `another than \`${name}\``,
    (value, scope) => typeof value === 'string' && value !== '' && value !== scope.value(name),
  )

/** Returns the keys of the user whose key is in the root configuration. */
async function ownKeys(scope: Scope) {
  const { users } = await seenAccount(scope)
  return users.find(({ name }) => name === 'operator')?.keys ?? []
}

/** The user has exactly one key besides those saved under these names, and the reply shows its id. The reply must show
 * no secret, which would give the caller more power (reading 70). */
type OwnKeys = Awaited<ReturnType<typeof ownKeys>>

/** Each expectation contradicts one statement. A refusal contradicts that the new key is returned. */
const newKeyBeside = (...known: readonly string[]): readonly [Expectation, Expectation, Expectation] => {
  const ofKeys = (
    requirement: string,
    words: string,
    see: (reply: Reply, keys: OwnKeys, made: OwnKeys) => Judgement,
  ): Expectation =>
    about(requirement, {
      words,
      async judge({ reply, scope }) {
        const keys = await ownKeys(scope)
        const made = keys.filter(({ id }) => known.every((name) => id !== scope.value(name)))
        // The target has not yet made a key in this account, so it may have made one elsewhere.
        if (isSuccess(reply) && made.length === 0 && known.length === 1)
          throw new StepFailed('provider-shows-no', { what: 'new key', asked: reply.asked }, reply)
        return see(reply, keys, made)
      },
    })
  return [
    ofKeys('cloud.rotate-root.returns-key', 'the reply holds the new key of the user', (reply, _, made) => {
      if (made.length === 0) return isSuccess(reply) ? undefined : notSuccess(reply)
      const text = shown(reply.json, 1e6)
      return made.some(({ id }) => text.includes(id)) ? undefined : mismatch(reply, 'body', 'the new key', 'none')
    }),
    ofKeys('cloud.rotate-root.changes-key', 'the user has one new key', (reply, _, { length }) =>
      length === 1 || (length === 0 && !isSuccess(reply))
        ? undefined
        : mismatch(reply, 'new keys at the provider', '1', String(length)),
    ),
    ofKeys('cloud.rotate-root.secret-hidden', 'the reply holds no secret key of the user', (reply, keys) => {
      const text = shown(reply.json, 1e6)
      const isLeaked = keys.some(({ secret }) => text.includes(secret) || reply.text.includes(secret))
      return isLeaked ? mismatch(reply, 'body', 'no secret key', 'the secret of a key of the user') : undefined
    }),
  ]
}

const [returned, , hidden] = newKeyBeside('accessKey')

const ofUsers = 'staff'
/** Rotates, then requests credentials of both services of the provider and returns the last reply. */
const rotatedThenUsed = {
  kind: 'ceremony' as const,
  words: 'the root credentials are rotated, then credentials are requested',
  touches: [rotateRoot, creds(ofUsers), sts()],
  async run(scope: Scope): Promise<Reply> {
    const rotated = await scope.send(rotateRoot)
    if (!isSuccess(rotated)) return rotated
    const [made] = (await ownKeys(scope)).map(({ id }) => id).filter((id) => id !== scope.value('accessKey'))
    if (made === undefined)
      throw new StepFailed('provider-shows-no', { what: 'new key', asked: rotated.asked }, rotated)
    scope.save('rotatedKey', made)
    // The provider may take some seconds to accept the new key (reading 66).
    const user = await scope.poll(creds(ofUsers), isSuccess, 15)
    return isSuccess(user) ? scope.poll(sts(), isSuccess, 15) : user
  },
}
const byRotatedKey = (action: string) =>
  sent(action, 'key', 'the rotated key', ({ key }, scope) =>
    key === scope.value('rotatedKey') ? undefined : `a call signed by ${key}`,
  )

/** Rotates twice, and returns the reply to the second rotation. */
const rotatedTwice = {
  kind: 'ceremony' as const,
  words: 'the root credentials are rotated twice',
  touches: [rotateRoot],
  async run(scope: Scope): Promise<Reply> {
    const first = await scope.send(rotateRoot)
    if (!isSuccess(first)) return first
    const [only, other] = await ownKeys(scope)
    if (only?.id === scope.value('accessKey') && !other)
      throw new StepFailed('provider-shows-no', { what: 'new key', asked: first.asked }, first)
    // No document states whether the old key is deleted; if it remains, the second rotation fails.
    if (!only || other)
      throw DoesNotApply.shown(first, `after ${first.asked} the user has more than the key of the service`)
    scope.save('rotatedKey', only.id)
    // The provider may take some seconds to accept the new key (reading 66).
    return scope.poll(rotateRoot, isSuccess, 15)
  },
}

/** None of these values is a default, so a reset would show. */
const rest = { region: 'eu-north-1', max_retries: 3, username_template: '{template}' }

const rotating = [
  checkAtProvider('rotated-key-is-shown', {
    requirement: 'cloud.rotate-root.key-shown',
    given: [...rooted(), shownKey],
    when: rotateRoot,
    then: [showsKey(otherThan('accessKey'))],
  }),
  checkAtProvider('rotation-keeps-the-rest-of-the-root', {
    requirement: 'cloud.rotate-root.keeps-the-rest',
    given: [template(namedAfterRole), ...rooted({}, rest), shownSoFar(readRoot, showsAsWritten(rest))],
    when: rotateRoot,
    then: [afterSuccess(stillAsWritten(readRoot, rest))],
  }),
  checkAtProvider('rotated-key-is-returned', {
    requirement: [
      'cloud.rotate-root.returns-key',
      'cloud.rotate-root.secret-hidden',
      'cloud.rotate-root.only-keys',
      'cloud.root.iam-endpoint.used',
    ],
    given: rooted(),
    when: rotateRoot,
    then: [
      returned,
      hidden,
      about('cloud.rotate-root.only-keys', onlyKeysOf('operator')),
      madeAt('iam', /AccessKey|User/),
    ],
  }),
  checkAtProvider('each-rotation-makes-a-key', {
    requirement: ['cloud.rotate-root.returns-key', 'cloud.rotate-root.changes-key'],
    given: rooted(),
    when: rotatedTwice,
    then: newKeyBeside('accessKey', 'rotatedKey'),
  }),
  checkAtProvider('rotated-key-signs', {
    requirement: 'cloud.rotate-root.key-in-use',
    // A server may keep a client of either service.
    given: [...rootedWith(least('federation_token')), ...anyRole('iam_user', ofUsers), sts(), creds(ofUsers)],
    when: rotatedThenUsed,
    then: [
      allOf('calls by the rotated key give credentials', [
        byRotatedKey('CreateUser'),
        byRotatedKey('GetFederationToken'),
        succeeds,
      ]),
    ],
  }),
]

/** From this step on the first user has a second key. */
const anotherKey = {
  kind: 'action' as const,
  words: 'the user of the root credentials has another access key',
  touches: [rotateRoot],
  async run(scope: Scope) {
    const { users } = await seenAccount(scope)
    const { length } = users.find(({ name }) => name === 'operator')?.keys ?? []
    if (length !== 2) throw new StepFailed('provider-shows-no', { what: 'user `operator` with 2 keys' })
  },
}
const full = { firstUserKeys: 2 }

/** Witness of a refused request to one mount: it must not change the configuration of another mount either. */
const twinStays = reads(get('{twin}/config/root'), { fields: ['access_key', 'region'] })

/** Without keys in the configuration there is nothing to rotate. */
const keyless = writeRoot({ region: 'eu-north-1', iam_endpoint: '{iam}', sts_endpoint: '{sts}', max_retries: 0 })

/** Rotates without success, then requests credentials and returns that reply. */
const refusedThenUsed = {
  kind: 'ceremony' as const,
  words: 'the rotation of the root credentials fails, then credentials are requested',
  touches: [rotateRoot, sts()],
  async run(scope: Scope): Promise<Reply> {
    const rotated = await scope.send(rotateRoot)
    if (isSuccess(rotated))
      throw restsOn(notRefusal(rotated), 'cloud/transitions/rotation-fails-beside-a-second-key', rotated)
    return scope.send(sts())
  },
}
const failing = [
  checkAtProvider('rotation-without-static-credentials-is-refused', {
    requirement: 'cloud.rotate-root.needs-static',
    given: [...twin, ...mountedAlone(), keyless],
    when: rotateRoot,
    then: [refused(rootStays, accountStays)],
    control: { ...rotateRoot, path: '{twin}/config/rotate-root' },
  }),
  checkAtProvider('rotation-fails-beside-a-second-key', {
    requirement: 'cloud.rotate-root.second-key',
    given: [...twin, ...rooted(full), anotherKey],
    when: rotateRoot,
    then: [refused(rootStays, accountStays, twinStays)],
    control: { ...rotateRoot, path: '{twin}/config/rotate-root' },
  }),
  checkAtProvider('failed-rotation-keeps-the-root', {
    requirement: 'cloud.rotate-root.failure-keeps-root',
    given: [...rootedWith(least('federation_token'), full), anotherKey],
    when: refusedThenUsed,
    then: [signedByKey('accessKey')],
  }),
]

const method = listMethodCheck('cloud', {
  given: [...mountedAlone(), ...anyRole('iam_user')],
  listing: listRoles,
  names: listsName(roleName),
  restsOn: 'cloud/transitions/roles-are-listed',
})

export default topic('cloud/transitions', {
  about: 'Creating and deleting roles; overwriting and rotating root credentials.',
  names: ['mount', 'twin'],
  checks: [method, ...roles, ...overwriting, ...rotating, ...failing],
})
