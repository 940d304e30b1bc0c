import { without } from '../../fixtures/bodies.ts'
import type { Expectation, JsonObject } from '../../harness/vocabulary/index.ts'
import {
  fieldOf,
  isSuccess,
  mismatch,
  next,
  notSuccess,
  post,
  refused,
  restsOn,
  shown,
  takesEffect,
} from '../../harness/vocabulary/index.ts'
import { expectation } from '../records.ts'
import {
  assumable,
  least,
  mountedAlone,
  readRoot,
  rootBody,
  rooted,
  rootedWith,
  rootIsRead,
  sts,
  writeRole,
  writeRoot,
} from './given.ts'
import { assertShowsRoot } from './shown.ts'
import { staticBody, staticPath } from './static-roles.ts'
import { sent } from './then.ts'
import { topic } from './topic.ts'
import { check, checkAtProvider } from './witnessed.ts'
import { accountStays, roleRefused, rootStays } from './witnesses.ts'

const lacking = (feature: string) => ({ without: `cloud.${feature}` })

const requiredKeys = (
  [
    ['access-key', 'access_key'],
    ['secret-key', 'secret_key'],
  ] as const
).map(([word, name]) =>
  check(`older-root-requires-the-${word}`, {
    requirement: `cloud.root.older.${word}`,
    applies: lacking('optional-root-keys'),
    given: [...mountedAlone(), writeRoot(rootBody({ region: 'eu-west-1' }))],
    when: writeRoot(without(rootBody(), name)),
    then: [refused(rootStays)],
    control: writeRoot(),
  }),
)

/** No audience is shown, whether the field is refused or ignored. */
const showsNoAudience = expectation('no `identity_token_audience` is shown', ({ reply, scope }) => {
  if (!isSuccess(reply)) throw restsOn(notSuccess(reply), rootIsRead, reply)
  const saw = fieldOf(reply, 'identity_token_audience') ?? ''
  if (saw !== '') return mismatch(reply, 'identity_token_audience', 'none', shown(saw))
  assertShowsRoot(reply, scope)
  return undefined
})
const withAudience = (keys: JsonObject): JsonObject => ({
  ...keys,
  role_arn: 'arn:aws:iam::{account}:role/reader',
  identity_token_audience: 'assay-audience',
})

/** No call has this value in a parameter with this name. Tags that the server adds have other values (reading 70). */
function unsent(name: RegExp, value: string, words: string): Expectation {
  const expectation = sent('AssumeRole', words, `no ${words}`, ({ parameters }) =>
    Object.keys(parameters).find((key) => name.test(key) && parameters[key] === value),
  )
  return {
    ...expectation,
    words: `no ${words} is sent`,
    judge: (seen, before) => (isSuccess(seen.reply) ? expectation.judge(seen, before) : undefined),
  }
}

export default topic('cloud/versions', {
  about: 'What the older form of the engine lacks, and what only the enterprise edition has.',
  checks: [
    ...requiredKeys,
    check('newer-root-needs-no-keys', {
      requirement: ['cloud.root.keys-optional', 'cloud.spelling.written-default'],
      given: mountedAlone(),
      when: writeRoot({ region: 'eu-north-1', iam_endpoint: '{iam}', sts_endpoint: '{sts}' }),
      then: [takesEffect(readRoot)],
    }),
    check('older-form-has-no-session-token', {
      requirement: 'cloud.role.older.no-session-token',
      applies: lacking('session-token'),
      given: mountedAlone(),
      when: writeRole(least('session_token')),
      then: [roleRefused],
      control: writeRole(least('iam_user')),
    }),
    checkAtProvider('older-form-has-no-static-roles', {
      requirement: 'cloud.static-role.older',
      applies: lacking('static-roles'),
      given: rooted({ users: [{ name: 'adopted' }] }),
      when: post(staticPath, staticBody()),
      then: [refused(accountStays)],
      control: writeRole(least('iam_user')),
    }),
    check('older-form-shows-no-audience', {
      requirement: 'cloud.root.older.no-audience',
      applies: lacking('identity-tokens'),
      given: [...mountedAlone(), writeRoot()],
      when: writeRoot(withAudience(rootBody())),
      then: [next(readRoot, showsNoAudience)],
    }),
    ...(
      [
        ['session-tags', { session_tags: ['team=assay'] }, /^Tags\..*Key$/, 'team', 'session tag'],
        ['external-id', { external_id: 'assay-external' }, /^ExternalId$/, 'assay-external', 'external id'],
      ] as const
    ).map(([id, fields, name, value, words]) =>
      checkAtProvider(`older-form-sends-no-${id}`, {
        requirement: `cloud.role.older.no-${id}`,
        applies: lacking(id),
        given: [...rootedWith(least('assumed_role'), assumable), { ...tolerant(fields) }],
        when: sts(),
        then: [unsent(name, value, words)],
      }),
    ),
    check('community-shows-no-audience', {
      requirement: 'cloud.root.enterprise-only',
      applies: { editions: ['community'] },
      given: [...mountedAlone(), writeRoot()],
      when: writeRoot(withAudience({ region: 'eu-north-1' })),
      then: [next(readRoot, showsNoAudience)],
    }),
  ],
})

/** Writes the role again with these fields, which the server may refuse or ignore. */
function tolerant(fields: JsonObject) {
  const exchange = writeRole(least('assumed_role', fields))
  return {
    kind: 'action' as const,
    words: `the role is written with ${shown(fields)}, which may be refused`,
    touches: [exchange],
    async run(scope: Parameters<Expectation['judge']>[0]['scope']) {
      await scope.send(exchange)
    },
  }
}
