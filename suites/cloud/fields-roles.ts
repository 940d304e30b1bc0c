import { idOf } from '../../fixtures/api/terms.ts'
import { without } from '../../fixtures/bodies.ts'
import { allowing, conditional, managedPolicy } from '../../fixtures/cloud/policies.ts'
import { prohibitedFields } from '../../fixtures/cloud/prohibited-fields.ts'
import { type CredentialType, credentialTypes } from '../../fixtures/cloud/roles.ts'
import type { Expectation, Json, JsonObject, Reply } from '../../harness/vocabulary/index.ts'
import {
  appears,
  fieldOf,
  isRefusal,
  isSuccess,
  mismatch,
  replyLacks,
  shown,
  statusSeen,
  succeeds,
  takesEffect,
} from '../../harness/vocabulary/index.ts'
import { type CheckRow, rowsOf } from '../rows.ts'
import { least, mountedAlone, readerArn, readRole, shownBefore, valueFor, writeRole, writerArn } from './given.ts'
import { topic } from './topic.ts'
import { check } from './witnessed.ts'
import { roleRefused } from './witnesses.ts'

const given = mountedAlone()

/** For each type, every field that it prohibits; the control is the same role without the field. */
const prohibited = prohibitedFields.session_token.flatMap((field) =>
  credentialTypes
    .filter((type) => prohibitedFields[type].includes(field))
    .map((type) =>
      check(`${idOf(type)}-refuses-${idOf(field)}`, {
        requirement: `cloud.role.${idOf(type)}.no-${idOf(field)}`,
        given,
        when: { ...writeRole(least(type, { [field]: valueFor(field) })), words: `a role of ${type} with \`${field}\`` },
        then: [roleRefused],
        control: writeRole(least(type)),
      }),
    ),
)

interface RequiredRow extends CheckRow {
  readonly wrong: JsonObject
  readonly right: JsonObject
}

const lacks: readonly RequiredRow[] = [
  ...rowsOf<RequiredRow>({
    'credential-type-is-required': {
      requirement: 'credential-type.required',
      wrong: without(least('iam_user'), 'credential_type'),
      right: least('iam_user'),
    },
    'an-empty-role-is-refused': { requirement: 'credential-type.required', wrong: {}, right: least('iam_user') },
    'another-credential-type-is-refused': {
      requirement: 'credential-type.closed-refused',
      wrong: least('iam_user', { credential_type: 'iam_group' }),
      right: least('iam_user'),
    },
    'assumed-role-requires-role-arns': {
      requirement: 'assumed-role.role-arns-required',
      wrong: { credential_type: 'assumed_role' },
      right: least('assumed_role'),
    },
  }),
  ...(['iam_user', 'federation_token'] as const).map((type) => ({
    id: `${idOf(type)}-requires-a-policy`,
    requirement: `${idOf(type)}.policies-required`,
    wrong: { credential_type: type },
    right: least(type),
  })),
]

const required = lacks.map(({ id, requirement, wrong, right }) =>
  check(id, {
    requirement: `cloud.role.${requirement}`,
    given,
    when: writeRole(wrong),
    then: [roleRefused],
    control: writeRole(right),
  }),
)

const typesShown = (reply: Reply): readonly Json[] =>
  isSuccess(reply)
    ? ['credential_type', 'credential_types'].flatMap((name) => (fieldOf(reply, name) ?? []) as Json)
    : []

/** A server may accept `iam_group` as another name of one of the four types, and then shows that type. */
const notThatType: Expectation = {
  words: 'the request is refused, or `iam_group` is not shown as the type of the role',
  touches: [readRole()],
  // If a read shows a type before the role is written, the read afterwards proves nothing.
  before: async (scope) => typesShown(await scope.send(readRole())).length > 0,
  async judge({ reply, scope }, before) {
    if (isRefusal(reply)) return undefined
    if (!isSuccess(reply)) return mismatch(reply, 'status', '2xx, 4xx or 5xx', statusSeen(reply))
    const read = await scope.send(readRole())
    const saw = typesShown(read)
    if (saw.length === 0 || before === true) throw replyLacks(read, 'which type was taken')
    return shown(saw).includes('iam_group')
      ? mismatch(read, 'credential_type', 'one of the four', shown(saw))
      : undefined
  },
}
const closed = check('no-role-has-another-credential-type', {
  requirement: 'cloud.role.credential-type.closed',
  given,
  when: writeRole(least('iam_user', { credential_type: 'iam_group' })),
  then: [notThatType],
  control: writeRole(least('iam_user')),
})

const legacyPolicy = allowing('s3:GetObject')
const legacyArn = managedPolicy('ReadOnlyAccess')
const legacy: Readonly<Record<'policy' | 'arn', JsonObject>> = {
  policy: { policy: legacyPolicy },
  arn: { arn: legacyArn },
}
const others: JsonObject = {
  credential_type: 'iam_user',
  policy_document: legacyPolicy,
  policy_arns: [legacyArn],
  role_arns: [readerArn],
  iam_groups: ['devs'],
  iam_tags: ['team=assay'],
  default_sts_ttl: '20m',
  max_sts_ttl: '40m',
  session_tags: { team: 'assay' },
  external_id: 'assay-external',
  user_path: '/assay/',
  permissions_boundary_arn: managedPolicy('PowerUserAccess'),
  mfa_serial_number: 'arn:aws:iam::123456789012:mfa/assay',
}
/** The features of the fields that a target may lack. */
const featureOf: Readonly<Record<string, string>> = {
  session_tags: 'cloud.session-tags',
  external_id: 'cloud.external-id',
  mfa_serial_number: 'cloud.mfa',
}
const mixtures = (['policy', 'arn'] as const).flatMap((old) =>
  Object.entries(others).map(([field, value]) => [old, field, value] as const),
)
const mixed = mixtures.map(([old, field, value]) =>
  check(`legacy-${old}-is-not-mixed-with-${idOf(field)}`, {
    requirement: 'cloud.role.legacy.not-mixed',
    given,
    when: writeRole({ ...legacy[old], [field]: value }),
    then: [roleRefused],
    control: writeRole(legacy[old]),
    ...(featureOf[field] ? { applies: { feature: featureOf[field] } } : {}),
  }),
)

/** Values as they are in use: a document with line breaks, and names behind a path. */
const longArn = managedPolicy('job-function/Billing')
const inUse: Readonly<Record<CredentialType, JsonObject>> = {
  iam_user: { policy_document: conditional('assay'), permissions_boundary_arn: longArn },
  assumed_role: { role_arns: [writerArn] },
  federation_token: { policy_document: conditional('assay') },
  session_token: {},
}
const taken = credentialTypes.map((type: CredentialType) =>
  check(`${idOf(type)}-is-accepted`, {
    requirement: `cloud.role.${idOf(type)}.taken`,
    given,
    when: writeRole(least(type, inUse[type])),
    then: [takesEffect(readRole())],
  }),
)
/** Only the write is judged here; the checks of sessions judge what the filter does. */
const filtersTaken = (['assumed_role', 'federation_token'] as const).map((type) =>
  check(`${idOf(type)}-takes-policy-arns`, {
    requirement: `cloud.role.${idOf(type)}.policy-arns-taken`,
    given: [
      ...given,
      shownBefore(writeRole(least(type), 'other'), succeeds, `cloud/fields-roles/${idOf(type)}-is-accepted`),
    ],
    when: writeRole({ ...without(least(type), 'policy_document'), policy_arns: [legacyArn, longArn] }),
    then: [takesEffect(readRole())],
  }),
)
const legacyTaken = Object.entries({ policy: conditional('assay'), arn: longArn }).map(([old, value]) =>
  check(`legacy-${old}-is-accepted`, {
    requirement: `cloud.role.legacy.${old}`,
    given,
    when: writeRole({ [old]: value }),
    then: [appears(readRole())],
  }),
)

export default topic('cloud/fields-roles', {
  about: 'The required and the prohibited fields of a role, by credential type.',
  checks: [...prohibited, ...required, closed, ...mixed, ...taken, ...filtersTaken, ...legacyTaken],
})
