/** Mutants of credentials: what is requested from the provider, and what replies contain. */

import {
  type Ask,
  combined,
  type GroupPolicies,
  type SessionAction,
  type SessionRules,
  type SessionType,
} from '../../engines/cloud/rules/credentials.ts'
import { hoursAsMinutes } from '../../engines/cloud/rules/static-roles.ts'
import { type CredentialType, credentialTypes } from '../../engines/cloud/rules/types.ts'
import type { RoleField } from '../../engines/cloud/store.ts'
import { type CloudMutant, inRow, inTable, kebab, mutant } from './cells.ts'

const denied = (document: string): string => document.replaceAll(/("Effect"\s*:\s*)"Allow"/g, '$1"Deny"')
const boundary = 'arn:aws:iam::aws:policy/AdministratorAccess'

const users: readonly CloudMutant[] = [
  mutant(
    'iam-user-policy-arns-dropped',
    'policy_arns are not attached to users.',
    inTable('user', { attached: () => [] }),
  ),
  mutant(
    'iam-user-policy-arns-first-only',
    'Only the first of policy_arns is attached to users.',
    inTable('user', { attached: ({ role }) => (role.given.policy_arns ?? []).slice(0, 1) }),
  ),
  mutant(
    'iam-user-policy-arns-two-at-most',
    'At most two of policy_arns are attached to users.',
    inTable('user', { attached: ({ role }) => (role.given.policy_arns ?? []).slice(0, 2) }),
  ),
  mutant(
    'iam-user-tags-two-at-most',
    'At most two of iam_tags are sent.',
    inTable('user', { tags: ({ role }) => Object.fromEntries(Object.entries(role.given.iam_tags ?? {}).slice(0, 2)) }),
  ),
  mutant(
    'iam-user-shared-at-once',
    'Requests for credentials of a role at the same time return the same user.',
    inTable('user', { made: 'once-at-a-time' }),
  ),
  mutant(
    'iam-user-groups-two-at-most',
    'Users are added to at most two groups.',
    inTable('user', { groups: ({ role }) => (role.given.iam_groups ?? []).slice(0, 2) }),
  ),
  mutant(
    'iam-user-policy-document-dropped',
    'policy_document is not put on users.',
    inTable('user', { inline: () => undefined }),
  ),
  mutant(
    'iam-user-policy-document-altered',
    'policy_document is put on users with every Allow changed to Deny.',
    (tables) => {
      const { inline } = tables.user
      return inTable('user', {
        inline(ask) {
          const document = inline(ask)
          return document === undefined ? undefined : denied(document)
        },
      })(tables)
    },
  ),
  mutant(
    'iam-user-policy-document-in-ascii',
    'Characters of policy_document outside ASCII become question marks.',
    (tables) => {
      const { inline } = tables.user
      return inTable('user', { inline: (ask) => inline(ask)?.replaceAll(/[\u0080-\uffff]/g, '?') })(tables)
    },
  ),
  mutant('iam-user-groups-dropped', 'Users are not added to groups.', inTable('user', { groups: () => [] })),
  mutant(
    'iam-user-groups-first-only',
    'Users are added to the first group only.',
    inTable('user', { groups: ({ role }) => (role.given.iam_groups ?? []).slice(0, 1) }),
  ),
  mutant('iam-user-tags-dropped', 'iam_tags are not sent.', inTable('user', { tags: () => ({}) })),
  mutant(
    'iam-user-tag-values-dropped',
    'iam_tags are sent with empty values.',
    inTable('user', {
      tags: ({ role }) => Object.fromEntries(Object.keys(role.given.iam_tags ?? {}).map((key) => [key, ''])),
    }),
  ),
  mutant(
    'iam-user-tag-keys-altered',
    'The keys of iam_tags are sent in lower case.',
    inTable('user', {
      tags: ({ role }) =>
        Object.fromEntries(Object.entries(role.given.iam_tags ?? {}).map(([key, value]) => [key.toLowerCase(), value])),
    }),
  ),
  mutant(
    'iam-user-tag-values-encoded',
    'Spaces in the values of iam_tags are sent as plus signs.',
    inTable('user', {
      tags: ({ role }) =>
        Object.fromEntries(
          Object.entries(role.given.iam_tags ?? {}).map(([key, value]) => [key, value.replaceAll(' ', '+')]),
        ),
    }),
  ),
  mutant(
    'iam-user-tags-beside-document-only',
    'iam_tags are sent only for roles with a policy_document.',
    inTable('user', { tags: ({ role: { given } }) => (given.policy_document ? (given.iam_tags ?? {}) : {}) }),
  ),
  mutant(
    'iam-user-path-beside-document-only',
    'user_path is sent only for roles with a policy_document.',
    inTable('user', {
      path: ({ role: { given } }) => (given.policy_document && given.user_path) || undefined,
    }),
  ),
  mutant(
    'iam-user-path-shortened',
    'Only the first part of user_path is sent.',
    inTable('user', { path: ({ role }) => role.given.user_path?.replace(/^(\/[^/]*\/).*$/, '$1') || undefined }),
  ),
  mutant('iam-user-path-dropped', 'user_path is not sent.', inTable('user', { path: () => undefined })),
  mutant(
    'iam-user-path-default',
    'Users are created at the path /system/ if the role has no user_path.',
    inTable('user', { path: ({ role }) => role.given.user_path || '/system/' }),
  ),
  mutant(
    'iam-user-boundary-dropped',
    'permissions_boundary_arn is not sent.',
    inTable('user', { boundary: () => undefined }),
  ),
  mutant(
    'iam-user-boundary-beside-document-only',
    'permissions_boundary_arn is sent only for roles with a policy_document.',
    inTable('user', {
      boundary: ({ role: { given } }) => (given.policy_document && given.permissions_boundary_arn) || undefined,
    }),
  ),
  mutant(
    'iam-user-boundary-always',
    'Users get a permissions boundary even if the role has no permissions_boundary_arn.',
    inTable('user', { boundary: ({ role }) => role.given.permissions_boundary_arn || boundary }),
  ),
  mutant(
    'iam-user-document-beside-arns-dropped',
    'policy_document is not put on users that have policy_arns.',
    (tables) => {
      const { inline } = tables.user
      return inTable('user', { inline: (ask) => (ask.role.given.policy_arns?.length ? undefined : inline(ask)) })(
        tables,
      )
    },
  ),
  mutant('iam-user-is-administrator', 'Every user also has the policy AdministratorAccess.', (tables) =>
    inTable('user', { attached: (ask) => [...tables.user.attached(ask), boundary] })(tables),
  ),
  mutant(
    'iam-user-unfurnished-given',
    'A user is returned although the provider refused to give it the policies or groups of the role.',
    inTable('user', { failedStep: 'ignored' }),
  ),
  mutant(
    'provider-refusal-made-up',
    'If the provider refuses a request, made-up credentials are returned.',
    (tables) => ({
      ...tables,
      providerRefusal: 'made-up',
    }),
  ),
  mutant(
    'provider-refusal-shows-secret',
    'If the provider refuses a request, the reply contains the secret key of the root configuration.',
    (tables) => ({ ...tables, providerRefusal: 'with-secret' }),
  ),
  mutant(
    'iam-user-no-user',
    'No user is created: the keys of the root configuration are returned.',
    inTable('user', { made: 'never' }),
  ),
  mutant(
    'iam-user-signed-by-first-root',
    'Users are made with the root credentials that made the first user.',
    inTable('user', { signedBy: 'first' }),
  ),
  mutant(
    'iam-user-same-user',
    'All requests for credentials of a role return the same user.',
    inTable('user', { made: 'once' }),
  ),
]

const otherKey = (type: CredentialType): CloudMutant =>
  mutant(
    `${kebab(type)}-other-key`,
    `Made-up credentials are returned for ${type} instead of those that the provider issued.`,
    inTable('replies', { [type]: 'made-up' }),
  )

const calls = (type: SessionType, id: string, action: SessionAction): CloudMutant =>
  mutant(`${kebab(type)}-calls-${id}`, `${action} is called for ${type}.`, inTable('actions', { [type]: action }))

const inSession = (type: SessionType, id: string, does: string, cells: Partial<SessionRules>): CloudMutant =>
  mutant(id, does, inRow('sessions', type, cells))

const ownDocuments = ({ role }: Ask): readonly string[] =>
  role.given.policy_document ? [role.given.policy_document] : []
const documentsOf = (ask: Ask, own: boolean, others: boolean): string | undefined =>
  combined([...(own ? ownDocuments(ask) : []), ...(others ? ask.groups.flatMap(({ documents }) => documents) : [])])
/** Replaces parts of the policies of each group by what `left` returns. */
const fewer = (ask: Ask, left: (group: GroupPolicies) => Partial<GroupPolicies>): Ask => ({
  ...ask,
  groups: ask.groups.map((group) => ({ ...group, ...left(group) })),
})
const hasList = (document: string): boolean =>
  Array.isArray((JSON.parse(document) as { Statement?: unknown }).Statement)
const arnsOf = ({ role, groups }: Ask, own: boolean, others: boolean): readonly string[] => [
  ...(own ? (role.given.policy_arns ?? []) : []),
  ...(others ? groups.flatMap(({ arns }) => arns) : []),
]

const filters = (type: 'assumed_role' | 'federation_token'): readonly CloudMutant[] => [
  inSession(type, `${kebab(type)}-policy-document-dropped`, `For ${type}, policy_document is not sent.`, {
    policy: (ask) => documentsOf(ask, false, true),
  }),
  inSession(
    type,
    `${kebab(type)}-policy-document-in-ascii`,
    `For ${type}, characters of policy documents outside ASCII become question marks.`,
    { policy: (ask) => documentsOf(ask, true, true)?.replaceAll(/[\u0080-\uffff]/g, '?') },
  ),
  inSession(type, `${kebab(type)}-policy-arns-two-at-most`, `For ${type}, at most two of policy_arns are sent.`, {
    policyArns: (ask) => [...arnsOf(ask, true, false).slice(0, 2), ...arnsOf(ask, false, true)],
  }),
  inSession(type, `${kebab(type)}-groups-two-at-most`, `For ${type}, the documents of at most two groups are sent.`, {
    policy: (ask) => documentsOf({ ...ask, groups: ask.groups.slice(0, 2) }, true, true),
  }),
  inSession(type, `${kebab(type)}-policy-arns-dropped`, `For ${type}, policy_arns are not sent.`, {
    policyArns: (ask) => arnsOf(ask, false, true),
  }),
  inSession(type, `${kebab(type)}-group-documents-dropped`, `For ${type}, policy documents of groups are not sent.`, {
    policy: (ask) => documentsOf(ask, true, false),
  }),
  inSession(
    type,
    `${kebab(type)}-group-documents-only-beside-document`,
    `For ${type}, policy documents of groups are sent only if the role has a policy_document.`,
    { policy: (ask) => documentsOf(ask, true, Boolean(ask.role.given.policy_document)) },
  ),
  inSession(
    type,
    `${kebab(type)}-group-arns-only-beside-arns`,
    `For ${type}, policies attached to groups are sent only if the role has policy_arns.`,
    { policyArns: (ask) => arnsOf(ask, true, Boolean(ask.role.given.policy_arns?.length)) },
  ),
  inSession(
    type,
    `${kebab(type)}-group-replaces-document`,
    `For ${type}, policy documents of groups replace policy_document.`,
    {
      policy: (ask) =>
        documentsOf(
          ask,
          ask.groups.every(({ documents }) => documents.length === 0),
          true,
        ),
    },
  ),
  inSession(
    type,
    `${kebab(type)}-statement-object-dropped`,
    `For ${type}, documents whose Statement is not a list are lost when documents are combined.`,
    {
      policy(ask) {
        const all = [...ownDocuments(ask), ...ask.groups.flatMap(({ documents }) => documents)]
        return combined(all.length < 2 ? all : all.filter(hasList))
      },
    },
  ),
  inSession(type, `${kebab(type)}-group-arns-dropped`, `For ${type}, policies attached to groups are not sent.`, {
    policyArns: (ask) => arnsOf(ask, true, false),
  }),
  inSession(
    type,
    `${kebab(type)}-group-replaces-arns`,
    `For ${type}, policies attached to groups replace policy_arns.`,
    {
      policyArns: (ask) =>
        arnsOf(
          ask,
          ask.groups.every(({ arns }) => arns.length === 0),
          true,
        ),
    },
  ),
  inSession(
    type,
    `${kebab(type)}-first-document-of-groups-only`,
    `For ${type}, only the first policy document of each group is sent.`,
    {
      policy: (ask) =>
        documentsOf(
          fewer(ask, ({ documents }) => ({ documents: documents.slice(0, 1) })),
          true,
          true,
        ),
    },
  ),
  inSession(
    type,
    `${kebab(type)}-documents-of-groups-only-without-arns`,
    `For ${type}, policy documents of a group are sent only if no policy is attached to the group.`,
    {
      policy: (ask) =>
        documentsOf(
          fewer(ask, ({ documents, arns }) => ({ documents: arns.length === 0 ? documents : [] })),
          true,
          true,
        ),
    },
  ),
  inSession(
    type,
    `${kebab(type)}-first-arn-of-groups-only`,
    `For ${type}, only the first policy attached to each group is sent.`,
    {
      policyArns: (ask) =>
        arnsOf(
          fewer(ask, ({ arns }) => ({ arns: arns.slice(0, 1) })),
          true,
          true,
        ),
    },
  ),
]

const sessionName = (id: string, does: string, cells: Parameters<typeof inRow<'names', 'session'>>[2]): CloudMutant =>
  mutant(id, does, inRow('names', 'session', cells))

const twice = (type: SessionType): CloudMutant =>
  inSession(
    type,
    `${kebab(type)}-asked-twice`,
    `For ${type}, two sessions are opened at the provider, and one of them is returned.`,
    {
      sessions: 2,
    },
  )

const sessions: readonly CloudMutant[] = [
  inSession(
    'federation_token',
    'federation-token-same-session',
    'All requests for credentials of a role return its first session.',
    {
      opened: 'once',
    },
  ),
  ...(['assumed_role', 'federation_token', 'session_token'] as const).map(twice),
  calls('assumed_role', 'federation', 'GetFederationToken'),
  calls('federation_token', 'session', 'GetSessionToken'),
  calls('session_token', 'federation', 'GetFederationToken'),
  ...filters('assumed_role'),
  ...filters('federation_token'),
  mutant(
    'assumed-role-groups-only-beside-policies',
    'For assumed_role, policies of groups are sent only if the role has policies of its own.',
    (tables) => {
      const { policy, policyArns } = tables.sessions.assumed_role
      const isBare = ({ role: { given } }: Ask) => !(given.policy_document || given.policy_arns?.length)
      return inRow('sessions', 'assumed_role', {
        policy: (ask) => (isBare(ask) ? undefined : policy(ask)),
        policyArns: (ask) => (isBare(ask) ? [] : policyArns(ask)),
      })(tables)
    },
  ),
  mutant(
    'requests-as-the-first',
    'Each session of a role has the role_arn and the ttl of the first request.',
    (tables) => ({ ...tables, requests: 'first' }),
  ),
  inSession('assumed_role', 'assumed-role-session-tags-dropped', 'session_tags are not sent.', { tags: () => ({}) }),
  inSession(
    'assumed_role',
    'assumed-role-session-tags-altered',
    'Values of session_tags are cut at their first equals sign.',
    {
      tags: ({ role }) =>
        Object.fromEntries(
          Object.entries(role.given.session_tags ?? {}).map(([key, value]) => [key, value.replace(/=.*$/, '')]),
        ),
    },
  ),
  inSession(
    'assumed_role',
    'assumed-role-session-tags-encoded',
    'Spaces in the values of session_tags are sent as plus signs.',
    {
      tags: ({ role }) =>
        Object.fromEntries(
          Object.entries(role.given.session_tags ?? {}).map(([key, value]) => [key, value.replaceAll(' ', '+')]),
        ),
    },
  ),
  inSession(
    'assumed_role',
    'assumed-role-empty-session-tags-dropped',
    'session_tags with an empty value are not sent.',
    {
      tags: ({ role }) =>
        Object.fromEntries(Object.entries(role.given.session_tags ?? {}).filter(([, value]) => value !== '')),
    },
  ),
  inSession(
    'assumed_role',
    'assumed-role-external-id-dropped-with-device',
    'external_id is not sent if the role has an mfa_serial_number.',
    { externalId: ({ role: { given } }) => (given.mfa_serial_number ? undefined : given.external_id || undefined) },
  ),
  inSession('session_token', 'session-token-mfa-code-as-number', 'mfa_code is sent without its leading zeros.', {
    code: ({ role, mfaCode }) => (role.given.mfa_serial_number ? mfaCode.replace(/^0+/, '') || undefined : undefined),
  }),
  inSession('assumed_role', 'assumed-role-external-id-altered', 'external_id is sent in lower case.', {
    externalId: ({ role }) => role.given.external_id?.toLowerCase() || undefined,
  }),
  inSession('assumed_role', 'assumed-role-external-id-cut', 'Only the first 32 characters of external_id are sent.', {
    externalId: ({ role }) => role.given.external_id?.slice(0, 32) || undefined,
  }),
  mutant(
    'documents-of-groups-decoded-as-forms',
    'A plus sign in a policy document of a group becomes a space.',
    (tables) => ({
      ...tables,
      groupDocument: (encoded) => tables.groupDocument(encoded).replaceAll('+', ' '),
    }),
  ),
  inSession('assumed_role', 'assumed-role-external-id-dropped', 'external_id is not sent.', {
    externalId: () => undefined,
  }),
  sessionName(
    'assumed-role-session-name-untruncated-late',
    'role_session_name is cut after 65 characters instead of 64.',
    {
      longest: 65,
    },
  ),
  sessionName('assumed-role-session-name-early', 'role_session_name is cut after 63 characters instead of 64.', {
    longest: 63,
  }),
  sessionName('assumed-role-session-name-refused', 'A role_session_name of more than 64 characters is refused.', {
    beyond: 'refused',
  }),
  sessionName('assumed-role-session-name-altered', 'role_session_name is sent in lower case.', {
    given: (name) => name.toLowerCase(),
  }),
  sessionName('assumed-role-session-name-ignored', 'role_session_name is ignored.', { given: () => undefined }),
  sessionName(
    'assumed-role-session-name-ignored-with-tags',
    'role_session_name is ignored if the role has session_tags.',
    { given: (name, { given }) => (given.session_tags === undefined ? name : undefined) },
  ),
  sessionName(
    'assumed-role-session-name-from-end',
    'A long role_session_name is cut at its beginning instead of its end.',
    {
      cut: (name, longest) => name.slice(-longest),
    },
  ),
  sessionName('assumed-role-generated-name-unbounded', 'The length of generated session names is not limited.', {
    bound: 'none',
  }),
  sessionName(
    'assumed-role-generates-needlessly',
    'A generated session name that is too long is refused even if role_session_name is given.',
    { generated: 'always' },
  ),
  sessionName('assumed-role-session-name-required', 'A request without role_session_name is refused.', {
    absent: 'refused',
  }),
  ...(['session_token', 'assumed_role'] as const).flatMap((type) => [
    inSession(type, `${kebab(type)}-mfa-serial-dropped`, `For ${type}, mfa_serial_number is not sent.`, {
      serial: () => undefined,
    }),
    inSession(type, `${kebab(type)}-mfa-code-dropped`, `For ${type}, mfa_code is not sent.`, { code: () => undefined }),
    mutant(
      `${kebab(type)}-mfa-code-optional`,
      `For ${type} with an mfa_serial_number, a request without mfa_code succeeds and opens a session without MFA.`,
      inRow('mfa', type, { absent: 'without-device' }),
    ),
  ]),
  mutant(
    'session-token-mfa-code-always',
    'mfa_code is required even if the role has no mfa_serial_number.',
    inRow('mfa', 'session_token', { withoutDevice: 'required' }),
  ),
]

const lastOf = (arn: string): string => arn.slice(arn.lastIndexOf('/'))

const arns: readonly CloudMutant[] = [
  mutant('assumed-role-only-arn-required', 'role_arn is required even if the role allows only one.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) => (asked === '' ? undefined : tables.roleArn(asked, allowed, others)),
  })),
  mutant(
    'assumed-role-arn-optional',
    'Without role_arn, the first of several allowed roles is assumed instead of a refusal.',
    (tables) => ({
      ...tables,
      roleArn: (asked, allowed, others) => tables.roleArn(asked || (allowed[0] ?? ''), allowed, others),
    }),
  ),
  mutant('assumed-role-arn-open', 'A role_arn that the role does not allow is assumed.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) => asked || tables.roleArn(asked, allowed, others),
  })),
  mutant('assumed-role-arn-of-other-roles', 'A role_arn that another role allows is assumed.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) => (others.includes(asked) ? asked : tables.roleArn(asked, allowed, others)),
  })),
  mutant('assumed-role-arn-prefix', 'A role_arn that begins with an allowed one is assumed.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) =>
      asked !== '' && allowed.some((one) => asked.startsWith(one)) ? asked : tables.roleArn(asked, allowed, others),
  })),
  mutant(
    'assumed-role-arn-by-its-end',
    'A role_arn with the same last part as an allowed one is assumed.',
    (tables) => ({
      ...tables,
      roleArn: (asked, allowed, others) =>
        allowed.some((one) => lastOf(one) === lastOf(asked)) ? asked : tables.roleArn(asked, allowed, others),
    }),
  ),
  mutant(
    'assumed-role-arn-ignored',
    'The first allowed role is assumed, whichever allowed role_arn is requested.',
    (tables) => ({
      ...tables,
      roleArn: (asked, allowed, others) =>
        tables.roleArn(asked, allowed, others) === undefined ? undefined : allowed[0],
    }),
  ),
  mutant('assumed-role-arn-match-refused', 'Every allowed role_arn except the first is refused.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) =>
      tables.roleArn(asked, allowed.length > 1 ? allowed.slice(0, 1) : allowed, others),
  })),
]

const ttls = (type: SessionType): readonly CloudMutant[] => [
  mutant(`${kebab(type)}-ttl-ignored`, `For ${type}, the ttl of a request is ignored.`, (tables) =>
    inRow('ttls', type, { sources: tables.ttls[type].sources.filter((source) => source !== 'request') })(tables),
  ),
  mutant(
    `${kebab(type)}-ttl-in-minutes`,
    `For ${type}, lifetimes are cut to whole minutes.`,
    inRow('ttls', type, { unit: 60 }),
  ),
  mutant(
    `${kebab(type)}-ttl-an-hour-at-most`,
    `For ${type}, lifetimes above an hour are cut to an hour.`,
    inRow('ttls', type, { most: 3600 }),
  ),
  mutant(
    `${kebab(type)}-ttl-default-7200`,
    `For ${type}, the default lifetime is 7200 seconds.`,
    inRow('ttls', type, { default: 7200 }),
  ),
]
const roleTtls = (type: 'assumed_role' | 'federation_token'): readonly CloudMutant[] => [
  mutant(
    `${kebab(type)}-default-ttl-ignored`,
    `For ${type}, default_sts_ttl is ignored.`,
    inRow('ttls', type, { sources: ['request', 'default'] }),
  ),
  mutant(
    `${kebab(type)}-default-ttl-wins`,
    `For ${type}, default_sts_ttl overrides the ttl of a request.`,
    inRow('ttls', type, { sources: ['role', 'request', 'default'] }),
  ),
  mutant(
    `${kebab(type)}-default-ttl-is-the-least`,
    `For ${type}, a ttl of a request below default_sts_ttl is raised to default_sts_ttl.`,
    inRow('ttls', type, { least: 'role' }),
  ),
  mutant(
    `${kebab(type)}-ttl-hours-as-minutes`,
    `For ${type}, a ttl in hours is read as minutes.`,
    inRow('ttls', type, { read: hoursAsMinutes }),
  ),
  mutant(
    `${kebab(type)}-always-the-cap`,
    `For ${type}, the lifetime is max_sts_ttl even if a shorter one applies.`,
    inRow('ttls', type, { always: 'cap' }),
  ),
  mutant(
    `${kebab(type)}-ttl-uncapped`,
    `For ${type}, max_sts_ttl does not limit the ttl of a request.`,
    inRow('ttls', type, { capped: ['role', 'default'] }),
  ),
  mutant(
    `${kebab(type)}-default-uncapped`,
    `For ${type}, max_sts_ttl does not limit the lifetime of sessions that are requested without ttl.`,
    inRow('ttls', type, { capped: ['request'] }),
  ),
]

const withDevice = (type: 'assumed_role' | 'session_token'): CloudMutant =>
  mutant(
    `${kebab(type)}-ttl-ignored-with-device`,
    `For ${type}, the ttl of a request is ignored if the role has an mfa_serial_number.`,
    inRow('ttls', type, { withDevice: 'ignored' }),
  )
const refusesTheCap = (type: 'assumed_role' | 'federation_token'): CloudMutant =>
  mutant(
    `${kebab(type)}-refuses-the-cap`,
    `For ${type}, a ttl of a request that equals max_sts_ttl is refused.`,
    inRow('ttls', type, { atCap: 'refused' }),
  )

const lacking = (id: string, names: readonly RoleField[]): CloudMutant =>
  mutant(
    `creds-of-sessions-${id}`,
    `Sessions from GET creds are opened without the ${names.join(' and ')} of the role.`,
    inTable('lacks', { creds: names }),
  )
const byCreds: readonly CloudMutant[] = [
  lacking('without-document', ['policy_document']),
  lacking('without-arns', ['policy_arns']),
  lacking('without-groups', ['iam_groups']),
  lacking('without-external-id', ['external_id']),
  lacking('without-tags', ['session_tags']),
  lacking('without-default-ttl', ['default_sts_ttl']),
  lacking('uncapped', ['max_sts_ttl']),
  mutant(
    'creds-of-sessions-assume-the-first',
    'GET creds assumes the first of several allowed roles instead of refusing the request.',
    inTable('implied', { creds: 'first' }),
  ),
  lacking('without-device', ['mfa_serial_number']),
]

export const ofCredentials: readonly CloudMutant[] = [
  ...users,
  ...credentialTypes.map(otherKey),
  ...sessions,
  ...arns,
  ...byCreds,
  ...(['assumed_role', 'federation_token', 'session_token'] as const).flatMap(ttls),
  ...(['assumed_role', 'federation_token'] as const).flatMap(roleTtls),
  ...(['assumed_role', 'federation_token'] as const).map(refusesTheCap),
  ...(['assumed_role', 'session_token'] as const).map(withDevice),
]
