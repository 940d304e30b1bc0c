/** Checks of what the fields of the root configuration do at the provider. */

import { without } from '../../fixtures/bodies.ts'
import { allowing } from '../../fixtures/cloud/policies.ts'
import {
  afterSuccess,
  allOf,
  appears,
  DoesNotApply,
  type Expectation,
  fieldOf,
  isSuccess,
  type Json,
  type JsonObject,
  type Matcher,
  matcher,
  mismatch,
  next,
  notSuccess,
  type Reply,
  refused,
  restsOn,
  type Scope,
  type Step,
  StepFailed,
  shown,
  stepRefused,
  succeeds,
  type TemplatePart,
} from '../../harness/vocabulary/index.ts'
import { aclPolicy, login, user as loginUser, shownSoFar } from '../given.ts'
import { count, seconds } from '../numbers.ts'
import { action, expectation } from '../records.ts'
import {
  anyRole,
  assumable,
  creds,
  least,
  mountedAlone,
  namedAfterRole,
  reached,
  readerArn,
  readRoot,
  role,
  roleName,
  rootBody,
  rooted,
  rootedWith,
  rootedWithAny,
  rootIsRead,
  shownBefore,
  sts,
  template,
  writeRoot,
  writerArn,
} from './given.ts'
import { needs, script } from './provider.ts'
import { assertShowsRoot, ifShown } from './shown.ts'
import { called, everyCall, givesSession, madeAt, madeUsers, ofCalls, sent, user } from './then.ts'
import { topic } from './topic.ts'
import { check, checkAtProvider } from './witnessed.ts'
import { rootStays } from './witnesses.ts'

interface Kept {
  readonly name: string
  readonly requirement?: string
  readonly body?: JsonObject
  readonly wanted: Json | Matcher
}

/** Compares normalized URLs, since a server may show another spelling of the same URL. */
const urlOf = (name: string): Matcher =>
  matcher(`the URL \`${name}\``, (value, scope) => URL.parse(String(value))?.href === new URL(scope.value(name)).href)

const kept: readonly Kept[] = [
  { name: 'access_key', wanted: '{accessKey}' },
  { name: 'max_retries', body: { max_retries: 4 }, wanted: count(4) },
  { name: 'region', wanted: 'eu-north-1' },
  { name: 'iam_endpoint', wanted: urlOf('iam') },
  { name: 'sts_endpoint', wanted: urlOf('sts') },
]

const nonSecret = ['access_key', 'max_retries', 'region', 'iam_endpoint', 'sts_endpoint'] as const

const showsAll = expectation(`${nonSecret.join(', ')} are shown`, ({ reply }) => {
  assertRead(reply)
  const missing = nonSecret.find((name) => (fieldOf(reply, name) ?? null) === null)
  return missing === undefined ? undefined : mismatch(reply, missing, 'a value', 'none')
})

/** Throws if the configuration cannot be read, which another check judges. */
function assertRead(reply: Reply): void {
  if (!isSuccess(reply)) throw restsOn(notSuccess(reply), rootIsRead, reply)
}

const kebab = (text: string): string => text.replaceAll('_', '-')

const reads = [
  check('root-configuration-is-read', {
    requirement: 'cloud.root.reads',
    given: mountedAlone(),
    when: writeRoot(),
    then: [allOf('it is read, otherwise than before', [next(readRoot, succeeds), appears(readRoot)])],
  }),
  ...kept.map(({ name, body = {}, wanted }) =>
    check(`${kebab(name)}-reads-as-given`, {
      requirement: `cloud.root.${kebab(name)}.kept`,
      given: [...mountedAlone(), writeRoot(rootBody(body))],
      when: readRoot,
      then: [ifShown(name, wanted, rootIsRead)],
    }),
  ),
  check('username-template-reads-as-given', {
    requirement: 'cloud.root.username-template.kept',
    given: [...mountedAlone(), template(namedAfterRole), writeRoot(rootBody({ username_template: '{template}' }))],
    when: readRoot,
    then: [ifShown('username_template', '{template}', rootIsRead)],
  }),
  check('non-secret-values-are-shown', {
    requirement: 'cloud.root.shows',
    given: [...mountedAlone(), writeRoot(rootBody({ max_retries: 4 }))],
    when: readRoot,
    then: [showsAll],
  }),
  check('no-retries-read-as-0', {
    requirement: 'cloud.root.max-retries.kept',
    given: [...mountedAlone(), writeRoot(rootBody({ max_retries: 0 }))],
    when: readRoot,
    then: [ifShown('max_retries', count(0), rootIsRead)],
  }),
  check('max-retries-is-minus-one-by-default', {
    requirement: 'cloud.root.max-retries.default',
    given: [...mountedAlone(), writeRoot(without(rootBody(), 'max_retries'))],
    when: readRoot,
    then: [ifShown('max_retries', count(-1), rootIsRead)],
  }),
  check('secret-key-is-never-shown', {
    requirement: 'cloud.root.secret-key.hidden',
    given: [...mountedAlone(), writeRoot()],
    when: readRoot,
    then: [
      expectation('no field of the reply has the secret key', ({ reply, scope }) => {
        const secret = scope.value('secretKey')
        if (reply.text.includes(secret) || shown(reply.json, 1e6).includes(secret))
          return mismatch(reply, 'body', 'no secret key', 'the secret key')
        assertRead(reply)
        assertShowsRoot(reply, scope)
        return undefined
      }),
    ],
  }),
]

/** One of the two keys without the other is refused, and so are keys together with an audience. */
const refusals = [
  ...(['access_key', 'secret_key'] as const).map((name) => {
    const other = name === 'access_key' ? 'secret_key' : 'access_key'
    return check(`${kebab(name)}-alone-is-refused`, {
      requirement: `cloud.root.${kebab(other)}.needed`,
      // One of the two is a first configuration, and in the other the missing key has its default, which is empty.
      given: [...mountedAlone(), ...(name === 'access_key' ? [] : [writeRoot(rootBody({ region: 'eu-west-1' }))])],
      when: writeRoot(name === 'access_key' ? without(rootBody(), other) : rootBody({ [other]: '' })),
      then: [refused(rootStays)],
      control: writeRoot(),
    })
  }),
]

const identity = (more: JsonObject = {}): JsonObject => ({
  role_arn: 'arn:aws:iam::{account}:role/reader',
  identity_token_audience: 'assay-audience',
  iam_endpoint: '{iam}',
  sts_endpoint: '{sts}',
  region: 'eu-north-1',
  max_retries: 0,
  ...more,
})

const federation = [
  check('access-key-excludes-an-audience', {
    requirement: 'cloud.root.access-key.excludes-audience',
    given: [...mountedAlone(), writeRoot(rootBody({ region: 'eu-west-1' }))],
    when: writeRoot(rootBody(identity())),
    then: [refused(rootStays)],
    control: writeRoot(identity()),
  }),
  check('audience-needs-a-role', {
    requirement: 'cloud.root.role-arn.needed',
    given: [...mountedAlone(), writeRoot(rootBody({ region: 'eu-west-1' }))],
    when: writeRoot(without(identity(), 'role_arn')),
    then: [refused(rootStays)],
    control: writeRoot(identity()),
  }),
  ...(
    [
      ['audience', 'identity_token_audience', 'assay-audience'],
      ['role-arn', 'role_arn', 'arn:aws:iam::{account}:role/reader'],
    ] as const
  ).map(([id, name, wanted]) =>
    check(`${id}-reads-as-given`, {
      requirement: `cloud.root.${id}.kept`,
      given: [...mountedAlone(), writeRoot(identity())],
      when: readRoot,
      then: [ifShown(name, wanted, rootIsRead)],
    }),
  ),
  ...(
    [
      ['default', undefined, 3600],
      ['number', 1800, 1800],
      ['duration', '2h', 7200],
    ] as const
  ).map(([id, value, wanted]) =>
    check(`identity-token-ttl-${id}`, {
      requirement: `cloud.root.identity-token-ttl.${id}`,
      given: [...mountedAlone(), writeRoot(identity(value === undefined ? {} : { identity_token_ttl: value }))],
      when: readRoot,
      then: [ifShown('identity_token_ttl', seconds(wanted), rootIsRead)],
    }),
  ),
]

const webIdentity = 'AssumeRoleWithWebIdentity'
interface Claims {
  readonly aud?: unknown
  readonly exp?: number
  readonly iat?: number
  readonly nbf?: number
}
const claims = (token = ''): Claims => {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims
  } catch {
    return {}
  }
}
/** The role is of type `assumed_role`, because the provider refuses `GetFederationToken` to the credentials of a
 * session (reading 67). */
function federatedBy(fields: JsonObject): readonly Step[] {
  return [...mountedAlone(assumable), writeRoot(identity(fields)), ...role(least('assumed_role'))]
}
/** The request names the role and the session, so that no default matters. */
const asWorker = sts({ role_arn: readerArn, role_session_name: 'assay' })
/** Seconds by which a server may backdate a token, in case the clock of the provider is behind. */
const datedBack = 300
/** A JWT need not say when it was issued or from when on it is valid (RFC 7519, 4.1). */
const tokenOf = (wanted: number): Expectation =>
  sent(webIdentity, 'lifetime of the token', `a token of ${wanted} seconds`, (call) => {
    const { parameters } = call
    const { exp = 0, nbf, iat = nbf } = claims(parameters.WebIdentityToken)
    if (iat === undefined) throw DoesNotApply.made(call, 'the identity token does not tell from when on it is valid')
    const beyond = exp - iat - wanted
    return beyond >= -1 && beyond <= datedBack ? undefined : `${exp - iat} seconds`
  })
const federated = federatedBy({ identity_token_ttl: 1800 })

const enterprise = { editions: ['enterprise', 'premium'] as const, feature: 'cloud.identity-tokens' }

/** Returns the region of a target without a configured one: it is in the target's environment, which the profile
 * declares. */
function fallbackRegion(scope: Scope): string {
  const environment = scope.provided<Readonly<Record<string, string | undefined>>>('environment') ?? {}
  return environment.CLOUD_REGION ?? environment.CLOUD_DEFAULT_REGION ?? 'us-east-1'
}

/** A target that keeps using the credentials of an earlier identity would not make this call. */
const identityAssumes = (arn: string, audience: string): Expectation =>
  ofCalls(`\`${webIdentity}\` is called for ${arn} with a token for ${audience}`, (log, { reply, scope }) => {
    const calls = log
      .filter(({ action, outcome }) => action === webIdentity && outcome === 'ok')
      .map(({ parameters }) => ({ role: parameters.RoleArn, aud: [claims(parameters.WebIdentityToken).aud].flat() }))
    if (calls.some(({ role, aud }) => role === scope.fill(arn) && aud.includes(audience))) return undefined
    const saw = calls.map(({ role, aud }) => `${role} for ${aud.join(' and ')}`).join(', ') || 'no such call'
    return isSuccess(reply) ? mismatch(reply, `${webIdentity} at the provider`, arn, saw) : notSuccess(reply)
  })

const showsNoKey = expectation('`accessKey` is not shown', ({ reply, scope }) => {
  assertRead(reply)
  const saw = fieldOf(reply, 'access_key')
  return saw === scope.value('accessKey') ? mismatch(reply, 'access_key', 'not `accessKey`', saw) : undefined
})

const used = [
  checkAtProvider('identity-replaces-keys', {
    requirement: 'cloud.root.overwrites',
    applies: enterprise,
    given: rootedWith(least('assumed_role'), { roles: ['reader'] }),
    when: writeRoot(identity()),
    then: [afterSuccess(next(asWorker, called(webIdentity)))],
  }),
  checkAtProvider('keys-replace-an-identity', {
    requirement: 'cloud.root.overwrites',
    applies: enterprise,
    given: [...federated, { ...asWorker, words: 'the workload identity gives a session' }],
    when: writeRoot(),
    then: [
      afterSuccess(
        next(
          asWorker,
          everyCall('a session is opened with `accessKey`', /^AssumeRole$/, ({ action, key }, scope) =>
            key === scope.value('accessKey') ? undefined : `${action} signed by ${key}`,
          ),
        ),
      ),
    ],
  }),
  check('replaced-key-is-not-shown-beside-an-identity', {
    requirement: 'cloud.root.overwrites-shown',
    applies: enterprise,
    given: [...mountedAlone(), writeRoot(), shownSoFar(readRoot, ifShown('access_key', '{accessKey}', rootIsRead))],
    when: writeRoot(identity()),
    then: [afterSuccess(next(readRoot, showsNoKey))],
  }),
  checkAtProvider('identity-replaces-an-identity', {
    requirement: 'cloud.root.overwrites',
    applies: enterprise,
    given: [...federated, { ...asWorker, words: 'the workload identity gives a session' }],
    when: writeRoot(identity({ role_arn: writerArn, identity_token_audience: 'assay-second' })),
    // A server may assume the role as soon as it accepts the configuration.
    then: [afterSuccess(next(asWorker, identityAssumes(writerArn, 'assay-second')))],
  }),
  checkAtProvider('role-is-assumed-by-web-identity', {
    requirement: ['cloud.root.identity-token.role', 'cloud.root.sts-endpoint.used'],
    given: federated,
    when: asWorker,
    then: [
      madeAt('sts', new RegExp(`^${webIdentity}$`)),
      sent(
        webIdentity,
        'RoleArn',
        'the role_arn of the root configuration',
        ({ parameters: { RoleArn = 'none' } }, scope) =>
          RoleArn === scope.fill('arn:aws:iam::{account}:role/reader') ? undefined : RoleArn,
      ),
    ],
  }),
  checkAtProvider('identity-token-is-made-out-for-the-audience', {
    requirement: 'cloud.root.identity-token.audience',
    given: federated,
    when: asWorker,
    then: [
      sent(webIdentity, 'audience of the token', 'a token for the audience assay-audience', ({ parameters }) => {
        const { aud } = claims(parameters.WebIdentityToken)
        return [aud].flat().includes('assay-audience') ? undefined : shown(aud)
      }),
    ],
  }),
  checkAtProvider('identity-token-lives-as-long-as-configured', {
    requirement: ['cloud.root.identity-token.ttl', 'cloud.root.identity-token-ttl.number'],
    given: federated,
    when: asWorker,
    then: [tokenOf(1800)],
  }),
  checkAtProvider('identity-token-lives-as-long-as-a-duration-says', {
    requirement: ['cloud.root.identity-token-ttl.duration', 'cloud.spelling.duration'],
    given: federatedBy({}),
    when: writeRoot(identity({ identity_token_ttl: '30m' })),
    then: [
      allOf('the duration is taken, and an identity token lives so long', [succeeds, next(asWorker, tokenOf(1800))]),
    ],
  }),
  checkAtProvider('identity-token-lives-an-hour-by-default', {
    requirement: 'cloud.root.identity-token-ttl.default',
    given: federatedBy({}),
    when: asWorker,
    then: [tokenOf(3600)],
  }),
  checkAtProvider('session-is-opened-by-the-assumed-role', {
    requirement: 'cloud.root.identity-token.role',
    given: federated,
    when: asWorker,
    // At the provider, the session of a role can open another one by `AssumeRole` only, so neither half can fail alone.
    then: [allOf('`AssumeRole` is called, and gives a session', [called('AssumeRole'), givesSession])],
  }),
  checkAtProvider('calls-are-signed-for-the-region', {
    requirement: 'cloud.root.region.used',
    given: rootedWith(least('federation_token')),
    when: sts(),
    then: [
      everyCall('every call of the session is signed for eu-north-1', /^GetFederationToken$/, ({ region }) =>
        region === 'eu-north-1' ? undefined : region,
      ),
    ],
  }),
  check('calls-are-signed-for-the-region-of-the-environment-where-none-is-configured', {
    requirement: 'cloud.root.region.environment',
    needs: [...needs, 'environment'],
    given: [...mountedAlone(), writeRoot(without(rootBody(), 'region')), reached, ...role(least('federation_token'))],
    when: sts(),
    then: [
      everyCall(
        'every call of the session is signed for the region of the environment, or for us-east-1',
        /^GetFederationToken$/,
        ({ region }, scope) => (region === fallbackRegion(scope) ? undefined : region),
      ),
    ],
  }),
  ...(
    [
      ['iam', rootedWithAny('iam_user'), creds(), /User|AccessKey/],
      ['sts', rootedWith(least('federation_token')), sts(), /GetFederationToken/],
    ] as const
  ).map(([service, given, when, actions]) =>
    checkAtProvider(`${service}-calls-go-to-the-${service}-endpoint`, {
      requirement: `cloud.root.${service}-endpoint.used`,
      given,
      when,
      then: [
        everyCall(`every ${service} call is made at \`${service}_endpoint\``, actions, ({ action, endpoint }) =>
          endpoint === service ? undefined : `${action} at the ${endpoint} endpoint`,
        ),
      ],
    }),
  ),
]

const madeName = (words: string, isWanted: (name: string, fill: (text: string) => string) => boolean): Expectation =>
  user('name', `has a name: ${words}`, ({ name }, scope) =>
    isWanted(name, (text) => scope.fill(text)) ? undefined : name,
  )
/** The documents do not name the capabilities that the endpoint needs, so a caller who gets 403 proves nothing about
 * names. */
const ofAllowed = (expectation: Expectation): Expectation => ({
  ...expectation,
  judge(seen, before) {
    const { asked, status } = seen.reply
    if (status === 403)
      throw new StepFailed('step-denied', { asked, answer: '403', as: 'the token that the check made' }, seen.reply)
    return expectation.judge(seen, before)
  },
})
const templated = (
  iam: readonly TemplatePart[],
  type: 'iam_user' | 'federation_token' = 'iam_user',
): readonly Step[] => [
  ...mountedAlone(),
  template(iam),
  writeRoot(rootBody({ username_template: '{template}' })),
  ...role(least(type)),
]

/** A server may filter, shorten or extend derived names (reading 69). */
function isOf(user: string, name: string): boolean {
  const [safe, seen] = [user, name].map((text) => text.replaceAll(/[^A-Za-z0-9]/g, '')) as [string, string]
  return seen.includes(safe.slice(0, 10)) || seen.includes(safe.slice(-10))
}

/** Compares only what surrounds the input: another check judges its value. */
const isFramed = (name: string): boolean => /^assay-.*-name$/.test(name)
const framedName = madeName('assay-…-name', isFramed)
/** Shows that names follow a template, then configures this template. */
const templatedNext = (iam: readonly TemplatePart[]): readonly Step[] => [
  ...templated(namedAfterRole),
  shownBefore(creds(), framedName, 'cloud/fields-root/user-name-is-made-by-the-template'),
  template(iam),
  writeRoot(rootBody({ username_template: '{template}' })),
]

const sessionUser = (words: string, isWanted: (name: string, scope: Scope) => boolean): Expectation =>
  sent('GetFederationToken', 'Name', `a Name with ${words}`, ({ parameters: { Name = '' } }, scope) =>
    isWanted(Name, scope) ? undefined : `Name ${Name}`,
  )
const framedSession = sessionUser('the text of the template', isFramed)
const longestOfSession = 32
/** Saves the display name of the caller, taken from the name of a user, as `{display}`. A server may have no name for
 * the caller, or one that is too long for sessions. */
const displayed = action(
  'a user of the role is called after the caller, who is `display`',
  { touches: [creds()], provides: ['display'] },
  async (scope) => {
    const reply = await scope.send(creds())
    if (!isSuccess(reply)) throw stepRefused(reply)
    const name = (await madeUsers(scope)).at(-1)?.name ?? ''
    const display = /^x-(.+)-y$/.exec(name)?.[1]
    if (display === undefined || name.length > longestOfSession)
      throw DoesNotApply.shown(reply, `${reply.asked} shows no name of the caller that fits a session`)
    scope.save('display', display)
  },
)

const names = [
  checkAtProvider('policy-name-is-the-role-in-names-of-sessions', {
    requirement: 'cloud.root.username-template.sts-inputs',
    given: [
      ...templated(namedAfterRole, 'federation_token'),
      shownBefore(sts(), framedSession, 'cloud/fields-root/session-user-name-is-made-by-the-template'),
      template(['x-', { input: 'PolicyName' }, '-y']),
      writeRoot(rootBody({ username_template: '{template}' })),
    ],
    when: sts(),
    // The earlier template had the name of the role in it, too, so `isFramed` excludes its names.
    then: [sessionUser('the name of the role', (name) => name.includes(roleName) && !isFramed(name))],
  }),
  checkAtProvider('display-name-is-the-caller-in-names-of-sessions', {
    requirement: 'cloud.root.username-template.sts-inputs',
    given: [
      ...templatedNext(['x-', { input: 'DisplayName' }, '-y']),
      displayed,
      ...role(least('federation_token'), 'other'),
    ],
    when: sts({}, 'other'),
    then: [sessionUser('the name of the caller', (name, scope) => isOf(scope.value('display'), name))],
  }),
  checkAtProvider('user-name-is-made-by-the-template', {
    requirement: 'cloud.root.username-template.used',
    given: templated(namedAfterRole),
    when: creds(),
    then: [framedName],
  }),
  checkAtProvider('session-user-name-is-made-by-the-template', {
    requirement: 'cloud.root.username-template.sts-used',
    given: templated(namedAfterRole, 'federation_token'),
    when: sts(),
    then: [framedSession],
  }),
  checkAtProvider('policy-name-is-the-role', {
    requirement: 'cloud.root.username-template.policy-name',
    given: templatedNext(['x-', { input: 'PolicyName' }, '-y']),
    when: creds(),
    then: [madeName('that of the role', (name, fill) => name === `x-${fill(`{use}${roleName}`)}-y`)],
  }),
  check('display-name-is-the-caller', {
    requirement: 'cloud.root.username-template.display-name',
    needs: [...needs, 'entity'],
    given: [
      ...templatedNext(['x-', { input: 'DisplayName' }, '-y']),
      ...aclPolicy('{access}', [{ path: `{mount}/creds/${roleName}`, capabilities: ['create', 'read', 'update'] }]),
      loginUser('user', ['{access}']),
      login('user', 'session'),
    ],
    when: { ...creds(), as: 'session' },
    then: [
      ofAllowed(madeName('that of the caller', (name, fill) => /^x-.+-y$/.test(name) && isOf(fill('{user}'), name))),
    ],
  }),
]

const recoverable = { kind: 'failure', action: 'GetFederationToken' } as const
const tries = (most: number, action: 'GetFederationToken' | 'CreateUser' = 'GetFederationToken'): Expectation =>
  ofCalls(`the provider is asked at most ${most === 1 ? 'once' : `${most} times`}`, (log, { reply }) => {
    const { length } = log.filter((call) => call.action === action)
    if (length === 0)
      throw new StepFailed('provider-shows-no', { what: `call of ${action}`, asked: reply.asked }, reply)
    return length <= most
      ? undefined
      : mismatch(reply, 'number of tries at the provider', `${most} at most`, String(length))
  })
const retries = (
  [
    ['no-retry-with-max-retries-0', 'most', 0, 9, tries(1)],
    ['two-retries-with-max-retries-2', 'most', 2, 9, tries(3)],
    ['two-faults-do-no-harm-with-max-retries-2', 'recovers', 2, 2, succeeds],
    ['one-fault-does-no-harm-with-max-retries-minus-1', 'sdk-default', -1, 1, succeeds],
  ] as const
).map(([id, requirement, max_retries, times, then]) =>
  checkAtProvider(id, {
    requirement: `cloud.root.max-retries.${requirement}`,
    given: [
      ...rooted({}, { max_retries }),
      ...role({ credential_type: 'federation_token', policy_document: allowing('s3:GetObject') }),
      script({ ...recoverable, times }),
    ],
    when: { ...sts(), once: true },
    then: [then],
  }),
)

const userRetries = checkAtProvider('no-user-is-tried-again-with-max-retries-0', {
  requirement: 'cloud.root.max-retries.most',
  given: [
    ...rooted({}, { max_retries: 0 }),
    ...anyRole('iam_user'),
    script({ ...recoverable, action: 'CreateUser', times: 9 }),
  ],
  when: { ...creds(), once: true },
  then: [tries(1, 'CreateUser')],
})

const deniedOnce = checkAtProvider('denied-call-is-not-repeated-with-max-retries-0', {
  requirement: 'cloud.root.max-retries.denied',
  given: [...rootedWith(least('federation_token')), script({ kind: 'denied', action: 'GetFederationToken', times: 9 })],
  when: { ...sts(), once: true },
  then: [tries(1)],
})

export default topic('cloud/fields-root', {
  about: 'The fields of the root configuration: the values that are read, and their effect at the provider.',
  names: ['mount', 'user', 'access'],
  checks: [...reads, ...refusals, ...federation, ...used, ...names, ...retries, userRetries, deniedOnce],
})
