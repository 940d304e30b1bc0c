import { type Exchange, eachRefused, isNothingSeen, refused, type Step } from '../../harness/vocabulary/index.ts'
import { aclPolicy, token } from '../given.ts'
import { action } from '../records.ts'
import { callersOf } from '../replication/activation.ts'
import { activated, caughtUp, replicating, replicationNames, roleCheck, updated } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import { operationToken } from '../replication/operation-token.ts'
import { callersByKeyOf } from '../replication/public-keys.ts'
import { takenTwice } from '../replication/readiness.ts'
import { lacking } from '../replication/required.ts'
import { promote, updatePrimary } from '../replication/roles.ts'
import { follows } from '../replication/then/data.ts'
import { stays } from '../replication/then/roles.ts'
import { hasCome, inTouch } from '../replication/then/sentinels.ts'
import { openStatusInModes, openStatusOf } from '../replication/then/status-fields.ts'
import { roleStays } from '../replication/then/witnesses.ts'
import { clearing, falseToken } from './operation-tokens.ts'
import { topic } from './topic.ts'

const given = [...replicating(dr), operationToken()]
const field = 'dr_operation_token'
const withToken = (exchange: Exchange, name: string): Exchange => ({
  ...exchange,
  body: { ...(exchange.body as Record<string, string>), [field]: `{${name}}` },
})
const withFalseToken = (exchange: Exchange): Exchange => withToken(exchange, 'falseOperation')

/** `client` is a token of the primary that may send any request about DR replication. The secondary has a copy of the
 * token. */
const client: readonly Step[] = [
  ...aclPolicy('{access}-client', [
    { path: 'sys/replication/dr/*', capabilities: ['create', 'read', 'update', 'delete', 'sudo'] },
  ]),
  token('client', ['{access}-client']),
]

const rootMade = token('root', ['root'])
/** A token with the policy root is no operation token either. An operator without it cannot make one, and a server need
 * not show accessors. */
const root = action(
  '`root` is a token of the primary with the policy root, and `accessor` the accessor of `client`, or both are `client` where replies show no accessor',
  { performs: [rootMade], provides: ['root', 'accessor'] },
  async (scope) => {
    const client = scope.value('client')
    scope.save('accessor', scope.has('clientAccessor') ? scope.value('clientAccessor') : client, { secret: true })
    try {
      await scope.perform(rootMade)
    } catch (error) {
      if (!isNothingSeen(error)) throw error
      scope.save('root', client, { secret: true })
    }
  },
)

/** Values that authorize something else, or nothing, besides a token of a client. `nonce` and `share` belong to the attempt
 * that issued the operation token. */
const otherValues = ['root', 'accessor', 'nonce', 'share'] as const

/** Promotion is forced, so that only the operation token decides whether it is accepted, and no safety check.
 * Update-primary has no control, because its expectation promotes the secondary: only a promotion shows whether the
 * secondary has forgotten its primary. An update has succeeded in a step of `given`. */
const authorized = (
  [
    { id: 'promote', exchange: promote(dr), given, then: [stays(dr, 'second')], control: { control: promote(dr) } },
    {
      id: 'update-primary',
      exchange: clearing,
      given: [
        ...inTouch(dr),
        operationToken(),
        activated(dr, 'second', 'main', { again: '-again' }),
        updated(dr),
        hasCome(dr),
      ],
      then: [follows(dr, { from: 'main', to: 'second' })],
      control: {},
    },
  ] as const
).flatMap(({ id, exchange, given, then, control }) => [
  roleCheck(`${id}-without-operation-token-is-refused`, {
    requirement: dr.requirement(`${id}.operation-token-required`),
    given,
    when: lacking(field, exchange),
    then,
    ...control,
  }),
  roleCheck(`${id}-with-a-false-operation-token-is-refused`, {
    requirement: dr.requirement(`${id}.operation-token-valid`),
    given: [...given, falseToken],
    when: withFalseToken(exchange),
    then,
    ...control,
  }),
])

/** Judges the same requests by their replies. */
const answered = (
  [
    ['promote', promote(dr)],
    ['update-primary', clearing],
  ] as const
).flatMap(([id, exchange]) => [
  roleCheck(`${id}-without-operation-token-is-answered-by-a-refusal`, {
    requirement: dr.requirement(`${id}.operation-token-required`),
    given,
    when: lacking(field, exchange),
    then: [refused(roleStays(dr, 'second'))],
    control: exchange,
  }),
  roleCheck(`${id}-with-a-false-operation-token-is-answered-by-a-refusal`, {
    requirement: dr.requirement(`${id}.operation-token-valid`),
    given: [...given, falseToken],
    when: withFalseToken(exchange),
    then: [refused(roleStays(dr, 'second'))],
    control: exchange,
  }),
  roleCheck(`${id}-with-a-blank-operation-token-is-answered-by-a-refusal`, {
    requirement: dr.requirement(`${id}.operation-token-valid`),
    // A server could remember that somebody was authorized before. A promotion is authorized once only.
    given: [...given, ...(id === 'promote' ? [] : [takenTwice(dr, exchange, 'second')])],
    when: { ...exchange, body: { ...(exchange.body as Record<string, string>), [field]: '' } },
    then: [refused(roleStays(dr, 'second'))],
    control: exchange,
  }),
  roleCheck(`${id}-with-a-client-token-as-operation-token-is-answered-by-a-refusal`, {
    requirement: dr.requirement(`${id}.operation-token-valid`),
    given: [...client, root, ...given, caughtUp(dr)],
    when: withToken(exchange, 'client'),
    then: [
      eachRefused(
        otherValues.map((name) => withToken(exchange, name)),
        roleStays(dr, 'second'),
      ),
    ],
    control: exchange,
  }),
])

/** The requests above are a forced promotion and an update with a blank token. */
const otherForms = [
  roleCheck('unforced-promote-without-operation-token-is-answered-by-a-refusal', {
    requirement: dr.requirement('promote.operation-token-required'),
    given: [...given, caughtUp(dr)],
    when: lacking(field, promote(dr, 'second', {})),
    then: [refused(roleStays(dr, 'second'))],
    control: promote(dr),
  }),
  roleCheck('update-primary-by-an-activation-token-alone-is-answered-by-a-refusal', {
    requirement: dr.requirement('update-primary.operation-token-required'),
    given: [...given, activated(dr, 'second', 'main', { again: '-again' })],
    when: lacking(field, updatePrimary(dr)),
    then: [refused(roleStays(dr, 'second'))],
    control: updatePrimary(dr),
  }),
]

export default topic('dr-replication/access', {
  about: 'Who may request activation tokens, and which requests a DR secondary accepts only with its operation token.',
  safety: 'disruptive',
  names: [...replicationNames, 'access'],
  checks: [
    openStatusOf(dr),
    ...openStatusInModes(dr),
    ...callersOf(dr),
    ...callersByKeyOf(dr),
    ...authorized,
    ...answered,
    ...otherForms,
  ],
})
