import type { Operation, Step } from '../../harness/vocabulary/index.ts'
import { check, status, succeeds, topic } from '../../harness/vocabulary/index.ts'
import { creds, least, mountedAlone, role, rootBody, rootedWith, sts, writeRole, writeRoot } from './given.ts'
import { needs } from './provider.ts'
import { called } from './then.ts'

const nameOf = (length: number): string => `assay-${'n'.repeat(length - 6)}`

/** Names of the one kind have this length; those of the other are short. */
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
  readonly when: ReturnType<typeof creds>
  readonly action: string
  readonly prefix: string
  /** The fault that has another call made. */
  readonly otherCall: string
}
const kinds: readonly Kind[] = [
  {
    word: 'user-name',
    requirement: 'username',
    type: 'iam_user',
    longest: 64,
    when: creds(),
    action: 'CreateUser',
    prefix: 'username',
    otherCall: 'iam-user-no-user',
  },
  {
    word: 'sts-user-name',
    requirement: 'sts-username',
    type: 'federation_token',
    longest: 32,
    when: sts(),
    action: 'GetFederationToken',
    prefix: 'sts-username',
    otherCall: 'federation-token-calls-session',
  },
]

const given = ({ type }: Kind, length: number): readonly Step[] => [
  ...mountedAlone(),
  type === 'iam_user' ? templateOf(length, short) : templateOf(short, length),
  writeRoot(rootBody({ username_template: '{template}' })),
  ...role(least(type)),
]

const names = kinds.flatMap((kind) => {
  const { word, requirement, type, longest, when, action, prefix, otherCall } = kind
  return [
    check(`${word}-of-${longest}-is-used`, {
      requirement: `cloud.${requirement}.${longest}`,
      needs,
      given: given(kind, longest),
      when,
      then: [called(action)],
      mutants: [`cloud/${prefix}-${longest}-refused`, `cloud/${otherCall}`],
    }),
    check(`${word}-of-${longest + 1}-answers-500`, {
      requirement: `cloud.${requirement}.${longest + 1}`,
      needs,
      given: given(kind, longest + 1),
      when: { ...when, once: true },
      then: [status(500)],
      mutants: [
        `cloud/${prefix}-${longest + 1}-taken`,
        `cloud/${prefix}-${longest + 1}-400`,
        'cloud/root-template-unused',
        // Where no user is made, no name is too long.
        ...(type === 'iam_user' ? [`cloud/${otherCall}`] : []),
      ],
    }),
  ]
})

const longRole = 'r'.repeat(60)

export default topic('cloud/limits', {
  about: 'Lengths of generated user names.',
  names: ['mount'],
  checks: [
    ...names,
    check('default-names-fit-a-long-role', {
      requirement: 'cloud.username-template.default-fits',
      needs,
      given: [...rootedWith(least('iam_user')), writeRole(least('iam_user'), longRole)],
      when: creds(longRole),
      then: [succeeds],
      mutants: ['cloud/default-template-too-long'],
    }),
  ],
})
