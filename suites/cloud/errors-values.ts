import { idOf } from '../../fixtures/api/terms.ts'
import { allowing, managedPolicy } from '../../fixtures/cloud/policies.ts'
import type { Applies, Exchange, Expectation, Json, JsonObject } from '../../harness/vocabulary/index.ts'
import { refused } from '../../harness/vocabulary/index.ts'
import {
  assumable,
  least,
  mountedAlone,
  namedAfterRole,
  role,
  rootBody,
  rooted,
  sts,
  template,
  writeRole,
  writeRoot,
} from './given.ts'
import { topic } from './topic.ts'
import { check, checkAtProvider } from './witnessed.ts'
import { accountStays, roleRefused, rootStays } from './witnesses.ts'

interface Wrong {
  readonly field: string
  /** Distinguishes several wrong values of one field. */
  readonly way?: string
  readonly requirement: string
  readonly wrong: Exchange
  readonly right: Exchange
  readonly refusal: Expectation
  readonly applies?: Applies
}

const roles = (
  [
    ['default_sts_ttl', 'assumed_role', 'soon', '20m'],
    ['max_sts_ttl', 'federation_token', 'later', '40m'],
    ['iam_tags', 'iam_user', ['team'], ['team=assay']],
    ['session_tags', 'assumed_role', ['team'], ['team=assay']],
    ['policy_document', 'assumed_role', '{ "Statement": [', allowing('s3:GetObject')],
  ] as const
).map(
  ([field, type, wrong, right]): Wrong => ({
    field,
    requirement: `role.${idOf(field)}.invalid`,
    wrong: writeRole(least(type, { [field]: wrong as Json })),
    right: writeRole(least(type, { [field]: right as Json })),
    refusal: roleRefused,
  }),
)

const emptyFields: readonly Wrong[] = [
  {
    field: 'credential_type',
    way: 'empty',
    requirement: 'role.credential-type.empty',
    wrong: writeRole(least('iam_user', { credential_type: '' })),
    right: writeRole(least('iam_user')),
    refusal: roleRefused,
  },
  ...([[], ''] as const).map(
    (value): Wrong => ({
      field: 'role_arns',
      way: value === '' ? 'an-empty-string' : 'empty',
      requirement: 'role.role-arns.empty',
      wrong: writeRole(least('assumed_role', { role_arns: value })),
      right: writeRole(least('assumed_role')),
      refusal: roleRefused,
    }),
  ),
  {
    field: 'policy',
    requirement: 'role.legacy.policy-invalid',
    wrong: writeRole({ policy: '{ "Statement": [' }),
    right: writeRole({ policy: allowing('s3:GetObject') }),
    refusal: roleRefused,
  },
]

/** Each field gets an object, although only strings or lists of strings are valid. */
const otherTypes = (
  [
    ['policy_arns', 'iam_user', [managedPolicy('ReadOnlyAccess')]],
    ['iam_groups', 'iam_user', ['devs']],
    ['permissions_boundary_arn', 'iam_user', managedPolicy('PowerUserAccess')],
    ['user_path', 'iam_user', '/assay/'],
    ['external_id', 'assumed_role', 'assay-external'],
  ] as const
).map(
  ([field, type, right]): Wrong => ({
    field,
    way: 'an-object',
    requirement: 'role.types',
    wrong: writeRole(least(type, { [field]: { first: 'assay' } })),
    right: writeRole(least(type, { [field]: right as Json })),
    refusal: roleRefused,
    ...(field === 'external_id' ? { applies: { feature: 'cloud.external-id' } } : {}),
  }),
)

const root = (field: string, wrong: Json, right: Json): Wrong => ({
  field,
  requirement: `root.${idOf(field)}.invalid`,
  wrong: writeRoot(rootBody({ region: 'eu-west-1', [field]: wrong })),
  right: writeRoot(rootBody({ [field]: right })),
  refusal: refused(rootStays),
})

const written = [
  ...[...roles, ...emptyFields, ...otherTypes].map((one) => ({ one, given: mountedAlone() })),
  ...[
    { ...root('region', { first: 'assay' }, 'eu-central-1'), way: 'an-object', requirement: 'root.types' },
    root('max_retries', 'many', 2),
    root('username_template', '{{ broken', '{template}'),
  ].map((one) => ({ one, given: [...mountedAlone(), template(namedAfterRole), writeRoot()] })),
].map(({ one: { field, way = 'invalid', requirement, wrong, right, refusal, applies }, given }) =>
  check(`${idOf(field)}-that-is-${way}-is-refused`, {
    requirement: `cloud.${requirement}`,
    given,
    when: wrong,
    then: [refusal],
    control: right,
    ...(applies ? { applies } : {}),
  }),
)

const body: JsonObject = { role_session_name: 'assay' }

export default topic('cloud/errors-values', {
  about: 'Fields with values that are invalid for them.',
  checks: [
    ...written,
    checkAtProvider('ttl-that-is-invalid-is-refused', {
      requirement: 'cloud.sts.ttl.invalid',
      given: [...rooted(assumable), ...role(least('assumed_role'))],
      when: sts({ ...body, ttl: 'soon' }),
      then: [refused(accountStays)],
      control: sts({ ...body, ttl: '30m' }),
    }),
  ],
})
