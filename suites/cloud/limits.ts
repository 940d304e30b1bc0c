import type { Exchange, Expectation, Operation, Step } from '../../harness/vocabulary/index.ts'
import { get, post, status, succeeds, topic, unchanged } from '../../harness/vocabulary/index.ts'
import {
  anyRole,
  assumable,
  creds,
  least,
  mountedAs,
  reached,
  role,
  roleName,
  rootBody,
  rooted,
  shownBefore,
  sts,
} from './given.ts'
import { account, needs } from './provider.ts'
import { parameter, user } from './then.ts'
import { check } from './witnessed.ts'
import { accountStays } from './witnesses.ts'

const nameOf = (length: number): string => `assay-${'n'.repeat(length - 6)}`

/** Names of the one kind have this length; names of the other kind are short. */
const templateOf = (iam: number, forSts: number): Operation => ({
  kind: 'operation',
  operation: 'usernameTemplate',
  args: { as: 'template', iam: [nameOf(iam)], sts: [nameOf(forSts)] },
  words: `\`template\` gives users names of ${iam} and sessions names of ${forSts} characters`,
  provides: ['template'],
})
const short = 12

interface Kind {
  readonly word: string
  readonly requirement: string
  readonly type: 'iam_user' | 'federation_token'
  readonly longest: number
  readonly from: (mount: string) => Exchange
  /** The name is used as the template makes it. */
  readonly used: (name: string) => Expectation
  /** The check that judges whether names follow the template at all. */
  readonly by: string
  readonly prefix: string
}
const kinds: readonly Kind[] = [
  {
    word: 'user-name',
    requirement: 'username',
    type: 'iam_user',
    longest: 64,
    from: (mount) => get(`{${mount}}/creds/${roleName}`),
    used: (name) => user('has the name of the template', (made) => (made.name === name ? undefined : made.name)),
    by: 'cloud/fields-root/user-name-is-made-by-the-template',
    prefix: 'username',
  },
  {
    word: 'sts-user-name',
    requirement: 'sts-username',
    type: 'federation_token',
    longest: 32,
    from: (mount) => post(`{${mount}}/sts/${roleName}`, {}),
    used: (name) => parameter('GetFederationToken', 'Name', name),
    by: 'cloud/fields-root/session-user-name-is-made-by-the-template',
    prefix: 'sts-username',
  },
]

/** A mount with that name whose users have names of this length. */
const named = ({ type }: Kind, length: number, mount: string): readonly Step[] => [
  mountedAs(mount),
  type === 'iam_user' ? templateOf(length, short) : templateOf(short, length),
  post(`{${mount}}/config/root`, rootBody({ username_template: '{template}' })),
  post(`{${mount}}/roles/${roleName}`, least(type)),
  get(`{${mount}}/roles/${roleName}`),
]

const names = kinds.flatMap((kind) => {
  const { word, requirement, longest, from, used, by, prefix } = kind
  const [fits, tooLong] = [longest, longest + 1]
  return [
    check(`${word}-of-${fits}-is-used`, {
      requirement: `cloud.${requirement}.${fits}`,
      needs,
      given: [
        account(),
        ...named(kind, short, 'twin'),
        ...named(kind, fits, 'mount'),
        reached,
        // If names do not follow the template, their length shows nothing.
        shownBefore(from('twin'), used(nameOf(short)), by),
      ],
      when: from('mount'),
      then: [used(nameOf(fits))],
      mutants: [`cloud/${prefix}-${fits}-refused`],
    }),
    check(`${word}-of-${tooLong}-answers-500`, {
      requirement: `cloud.${requirement}.${tooLong}`,
      needs,
      given: [
        account(),
        ...named(kind, fits, 'twin'),
        ...named(kind, tooLong, 'mount'),
        reached,
        // If names do not follow the template, none can be too long.
        shownBefore(from('twin'), used(nameOf(fits)), by),
      ],
      when: from('mount'),
      then: [status(500), unchanged(accountStays)],
      mutants: [`cloud/${prefix}-${tooLong}-taken`, `cloud/${prefix}-${tooLong}-400`, 'cloud/refusals-call'],
    }),
  ]
})

const longRole = 'r'.repeat(60)

export default topic('cloud/limits', {
  about: 'The length limits of generated user names.',
  names: ['mount', 'twin'],
  checks: [
    ...names,
    ...(
      [
        ['federation-token', least('federation_token'), []],
        [
          'assumed-role',
          least('assumed_role'),
          ['cloud/assumed-role-session-name-required', 'cloud/assumed-role-only-arn-required'],
        ],
      ] as const
    ).map(([word, body, more]) =>
      check(`default-session-names-fit-a-long-role-of-${word}`, {
        requirement: 'cloud.username-template.default-fits',
        needs,
        given: [...rooted(assumable), ...role(body, longRole)],
        when: sts({}, longRole),
        then: [succeeds],
        mutants: ['cloud/default-sts-template-too-long', ...more],
      }),
    ),
    check('default-names-fit-a-long-role', {
      requirement: 'cloud.username-template.default-fits',
      needs,
      given: [...rooted(), ...anyRole('iam_user', longRole)],
      when: creds(longRole),
      then: [succeeds],
      mutants: ['cloud/default-template-too-long'],
    }),
  ],
})
