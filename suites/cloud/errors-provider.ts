import { allowing } from '../../fixtures/cloud/policies.ts'
import type { Expectation, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import { isSuccess, mismatch, post, refused } from '../../harness/vocabulary/index.ts'
import { readOnly } from './full-roles.ts'
import { assumable, creds, least, role, rooted, rotateRoot, sts, twin } from './given.ts'
import { script } from './provider.ts'
import { staticBody, staticPath, withUser } from './static-roles.ts'
import { listed, ofCalls, wholeUser } from './then.ts'
import { topic } from './topic.ts'
import { checkAtProvider } from './witnessed.ts'
import { accountStays, rootStays, staticRoleStays } from './witnesses.ts'

/** How often the fault is repeated: more often than any client retries. */
const always = 1000
const everything = script({ kind: 'denied', times: always })

/** A second mount has the same role for the control. Its account at the provider is another one, without the fault. */
const beside = (body: JsonObject): readonly Step[] => [
  ...twin,
  { ...post('{twin}/roles/worker', body), words: 'the other mount has the same role' },
  ...rooted(assumable),
  ...role(body),
]

const sessions = (['assumed_role', 'federation_token', 'session_token'] as const).map((type) => {
  const word = type.replaceAll('_', '-')
  // The roles that can be assumed belong to one account, so the twin cannot be the control of this type.
  const control = type === 'assumed_role' ? {} : { control: { ...sts(), path: '{twin}/sts/worker' } }
  return checkAtProvider(`${word}-is-refused-where-the-provider-refuses`, {
    requirement: `cloud.${word}.provider-refusal`,
    given: [
      ...(type === 'assumed_role' ? [...rooted(assumable), ...role(least(type))] : beside(least(type))),
      everything,
    ],
    when: sts(),
    then: [refused(accountStays)],
    ...control,
  })
})

/** A server may replace a refused call by another one and succeed. Then the user has to have everything that the role
 * says. */
const wholeOrRefused = (whole: Expectation): Expectation => ({
  ...whole,
  words: `the request is refused, or ${whole.words}`,
  judge: (seen, before) => (isSuccess(seen.reply) ? whole.judge(seen, before) : undefined),
})
const document = allowing('s3:GetObject')
const user = (fields: JsonObject): JsonObject => ({ credential_type: 'iam_user', ...fields })

const lacking = (
  [
    ['document', 'PutUserPolicy', user({ policy_document: document }), { documents: [document] }],
    ['attached-policy', 'AttachUserPolicy', user({ policy_arns: [readOnly] }), { attached: [readOnly] }],
    [
      'group',
      'AddUserToGroup',
      user({ policy_document: document, iam_groups: ['devs'] }),
      { documents: [document], groups: ['devs'] },
    ],
  ] as const
).map(([word, action, body, wanted]) =>
  checkAtProvider(`user-without-its-${word}-is-not-given`, {
    requirement: 'cloud.iam-user.provider-refusal',
    given: [
      ...rooted({ groups: [{ name: 'devs' }] }),
      ...role(body),
      script({ kind: 'denied', action, times: always }),
    ],
    when: creds(),
    then: [wholeOrRefused(wholeUser(wanted))],
  }),
)

/** Root credentials are stored without being validated, so the write must cause no call at the provider. */
const notAsked = ofCalls('the provider is not called', (log, { reply }) =>
  log.length === 0 ? undefined : mismatch(reply, 'calls at the provider', 'none', listed(log)),
)

export default topic('cloud/errors-provider', {
  about: 'The replies to requests for which the provider refuses a call.',
  names: ['mount', 'twin'],
  checks: [
    ...sessions,
    checkAtProvider('user-is-refused-where-the-provider-refuses', {
      requirement: 'cloud.iam-user.provider-refusal',
      given: [...beside(least('iam_user')), everything],
      when: creds(),
      then: [refused(accountStays)],
      control: { ...creds(), path: '{twin}/creds/worker' },
    }),
    ...lacking,
    checkAtProvider('rotation-is-refused-where-the-provider-refuses', {
      requirement: 'cloud.rotate-root.provider-refusal',
      given: [...twin, ...rooted(), everything],
      when: rotateRoot,
      then: [refused(rootStays, accountStays)],
      control: { ...rotateRoot, path: '{twin}/config/rotate-root' },
    }),
    checkAtProvider('static-role-is-refused-where-the-provider-refuses', {
      requirement: 'cloud.static-role.provider-refusal',
      given: [...withUser(), script({ kind: 'denied', action: 'CreateAccessKey', times: always })],
      when: post(staticPath, staticBody()),
      then: [refused(staticRoleStays, accountStays)],
    }),
    checkAtProvider('root-configuration-asks-the-provider-nothing', {
      requirement: 'cloud.root.no-call',
      given: rooted(),
      when: post('{mount}/config/root', {
        ...{ access_key: '{accessKey}', secret_key: '{secretKey}', region: 'eu-west-1' },
        ...{ iam_endpoint: '{iam}', sts_endpoint: '{sts}' },
      }),
      then: [notAsked],
    }),
  ],
})
