import type { CredentialType } from '../../fixtures/cloud/roles.ts'
import {
  type Action,
  DoesNotApply,
  type Exchange,
  type Expectation,
  get,
  isSuccess,
  type JsonObject,
  type Operation,
  post,
  type Step,
  status,
  stepRefused,
  succeeds,
  type TemplatePart,
  unchanged,
} from '../../harness/vocabulary/index.ts'
import { aclPolicy, token } from '../given.ts'
import { action } from '../records.ts'
import {
  anyRole,
  assumable,
  creds,
  least,
  mountedAs,
  reached,
  readerArn,
  role,
  roleName,
  rootBody,
  rooted,
  shownBefore,
  sts,
  template,
} from './given.ts'
import { account, calls } from './provider.ts'
import { parameter, sessionName, user } from './then.ts'
import { topic } from './topic.ts'
import { checkAtProvider } from './witnessed.ts'
import { accountStays } from './witnesses.ts'

const nameOf = (length: number): string => `assay-${roleName}${'n'.repeat(length - short)}`
/** The parts of a template that makes the name `nameOf(length)` from an input, the name of the role. In the shortest
 * name, nothing follows the input. */
const partsOf = (length: number): readonly TemplatePart[] => [
  'assay-',
  { input: 'PolicyName' },
  'n'.repeat(length - short),
]
const short = `assay-${roleName}`.length

/** Names of users have the length `iam`, and names of sessions the length `forSts`. */
const templatesOf = (iam: number, forSts: number): readonly Operation[] => [
  {
    ...template([nameOf(iam)], 'template', [nameOf(forSts)]),
    words: `\`template\` gives users names of ${iam} and sessions names of ${forSts} characters`,
  },
  {
    ...template(partsOf(iam), 'fromInput', partsOf(forSts)),
    words: '`fromInput` gives the same names, with the name of the role from an input',
  },
]

/** A server may refuse a template without any input, and may have inputs for names of users alone. */
function templatedRoot(mount: string): Action {
  const [constant, fromInput] = (['{template}', '{fromInput}'] as const).map((text) =>
    post(`{${mount}}/config/root`, rootBody({ username_template: text })),
  ) as [Exchange, Exchange]
  return action(
    `names of \`${mount}\` are made by \`template\`, or by \`fromInput\` where that is refused`,
    { touches: [constant] },
    async (scope) => {
      if (isSuccess(await scope.send(constant))) return
      const reply = await scope.send(fromInput)
      if (!isSuccess(reply)) throw stepRefused(reply)
    },
  )
}

interface Kind {
  readonly word: string
  readonly requirement: string
  readonly type: 'iam_user' | 'federation_token'
  readonly longest: number
  readonly from: (mount: string) => Exchange
  readonly used: (name: string) => Expectation
  /** The check that judges whether names follow the template at all. */
  readonly by: string
}
const kinds: readonly Kind[] = [
  {
    word: 'user-name',
    requirement: 'username',
    type: 'iam_user',
    longest: 64,
    from: (mount) => get(`{${mount}}/creds/${roleName}`),
    used: (name) =>
      user('name', 'has the name of the template', (made) => (made.name === name ? undefined : made.name)),
    by: 'cloud/fields-root/user-name-is-made-by-the-template',
  },
  {
    word: 'sts-user-name',
    requirement: 'sts-username',
    type: 'federation_token',
    longest: 32,
    from: (mount) => post(`{${mount}}/sts/${roleName}`, {}),
    used: (name) => parameter('GetFederationToken', 'Name', name),
    by: 'cloud/fields-root/session-user-name-is-made-by-the-template',
  },
]

/** Prepares a mount whose users (or sessions) have names of this length. Names of the other kind have another length,
 * so that each template has a condition: a server whose templates cannot distinguish the two makes a wrong name. */
const named = (
  { type }: { readonly type: CredentialType },
  length: number,
  mount: string,
  fields: JsonObject = {},
): readonly Step[] => {
  const other = length === short ? short + 1 : short
  return [
    mountedAs(mount),
    ...(type === 'iam_user' ? templatesOf(length, other) : templatesOf(other, length)),
    templatedRoot(mount),
    post(`{${mount}}/roles/${roleName}`, least(type, fields)),
    get(`{${mount}}/roles/${roleName}`),
  ]
}

const names = kinds.flatMap((kind) => {
  const { word, requirement, longest, from, used, by } = kind
  const [fits, tooLong] = [longest, longest + 1]
  return [
    checkAtProvider(`${word}-of-${fits}-is-used`, {
      requirement: `cloud.${requirement}.${fits}`,
      given: [
        account(),
        ...named(kind, short, 'twin'),
        ...named(kind, fits, 'mount'),
        reached,
        // If names do not follow the template and its condition, their length proves nothing.
        shownBefore(from('twin'), used(nameOf(short)), by),
      ],
      when: from('mount'),
      then: [used(nameOf(fits))],
    }),
    checkAtProvider(`${word}-of-${tooLong}-answers-500`, {
      requirement: `cloud.${requirement}.${tooLong}`,
      given: [
        account(),
        ...named(kind, fits, 'twin'),
        ...named(kind, tooLong, 'mount'),
        reached,
        // If names do not follow the template, a name cannot be made too long.
        shownBefore(from('twin'), used(nameOf(fits)), by),
      ],
      when: from('mount'),
      then: [status(500), unchanged(accountStays)],
    }),
  ]
})

const [userNames] = kinds as readonly [Kind, ...Kind[]]
/** The path of a user does not count towards the length of its name. */
const withPath = checkAtProvider('user-name-of-65-beside-a-path-answers-500', {
  requirement: 'cloud.username.65',
  given: [
    account(),
    ...named(userNames, 64, 'twin'),
    ...named(userNames, 65, 'mount', { user_path: '/assay/' }),
    reached,
    shownBefore(userNames.from('twin'), userNames.used(nameOf(64)), userNames.by),
  ],
  when: userNames.from('mount'),
  then: [status(500), unchanged(accountStays)],
})

const assumedBy = (mount: string, fields: JsonObject = {}): Exchange =>
  post(`{${mount}}/sts/${roleName}`, { role_arn: readerArn, ...fields })
const assumedRole = { type: 'assumed_role' } as const
/** No document states that the generated name of a session follows the template. If it does not, its length proves
 * nothing. */
const sessionsFollowTheTemplate = action(
  'a session of an assumed role that is given no name has the name of the template',
  { touches: [assumedBy('twin')] },
  async (scope) => {
    const reply = await scope.send(assumedBy('twin'))
    if (!isSuccess(reply)) throw stepRefused(reply)
    const used = (await calls(scope)).findLast(({ action }) => action === 'AssumeRole')?.parameters.RoleSessionName
    if (used !== nameOf(longestOfSession))
      throw DoesNotApply.shown(reply, `${reply.asked} makes a session with another name than that of the template`)
  },
)
const longestOfSession = 32
const assumed = (
  [
    ['generated-session-name-of-33-answers-500', 'sts-username.33', {}, [status(500), unchanged(accountStays)]],
    [
      'given-session-name-is-used-where-a-generated-one-is-too-long',
      'assumed-role.session-name',
      { role_session_name: 'assay' },
      [sessionName('assay')],
    ],
  ] as const
).map(([id, requirement, fields, then]) =>
  checkAtProvider(id, {
    requirement: `cloud.${requirement}`,
    given: [
      account(assumable),
      ...named(assumedRole, longestOfSession, 'twin'),
      ...named(assumedRole, longestOfSession + 1, 'mount'),
      reached,
      sessionsFollowTheTemplate,
    ],
    when: assumedBy('mount', fields),
    then,
  }),
)

const longRole = 'r'.repeat(60)

export default topic('cloud/limits', {
  about: 'The length limits of generated user names.',
  names: ['mount', 'twin', 'access'],
  checks: [
    ...names,
    withPath,
    ...assumed,
    ...(
      [
        ['federation-token', least('federation_token')],
        ['assumed-role', least('assumed_role')],
      ] as const
    ).map(([word, body]) =>
      checkAtProvider(`default-session-names-fit-a-long-role-of-${word}`, {
        requirement: 'cloud.username-template.default-fits',
        given: [...rooted(assumable), ...role(body, longRole)],
        when: sts({}, longRole),
        then: [succeeds],
      }),
    ),
    checkAtProvider('default-names-fit-a-long-role', {
      requirement: 'cloud.username-template.default-fits',
      given: [...rooted(), ...anyRole('iam_user', longRole)],
      when: creds(longRole),
      then: [succeeds],
    }),
    // Names come from people and programs, and have characters that names at the provider cannot have.
    checkAtProvider('default-names-fit-a-caller-with-a-long-name', {
      requirement: 'cloud.username-template.default-fits',
      given: [
        ...rooted(),
        ...anyRole('iam_user'),
        ...aclPolicy('{access}', [{ path: `{mount}/creds/${roleName}`, capabilities: ['create', 'read', 'update'] }]),
        token('caller', ['{access}'], `Ada L. (team #1/\u00e4) ${'of the long corridor '.repeat(3)}{access}`),
      ],
      when: { ...creds(), as: 'caller' },
      then: [succeeds],
    }),
  ],
})
