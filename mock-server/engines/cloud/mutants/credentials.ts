/** Mutants of credentials: what is asked of the provider, and what is answered. The file is long because each field of a
 * role can be lost or altered on its own. */
import type { RoleField } from '../store.ts'
import {
  type Ask,
  combined,
  type GroupPolicies,
  type SessionAction,
  type SessionRules,
  type SessionType,
} from '../tables/credentials.ts'
import { type CredentialType, credentialTypes } from '../tables/types.ts'
import { type CloudMutant, inRow, inTable, kebab, mutant } from './cells.ts'

const denied = (document: string): string => document.replaceAll(/("Effect"\s*:\s*)"Allow"/g, '$1"Deny"')
const boundary = 'arn:aws:iam::aws:policy/AdministratorAccess'

const users: readonly CloudMutant[] = [
  mutant('iam-user-policy-arns-dropped', 'policy_arns are not attached.', inTable('user', { attached: () => [] })),
  mutant(
    'iam-user-policy-arns-first-only',
    'Only the first of policy_arns is attached.',
    inTable('user', { attached: ({ role }) => (role.given.policy_arns ?? []).slice(0, 1) }),
  ),
  mutant(
    'iam-user-policy-arns-two-at-most',
    'No more than two of policy_arns are attached.',
    inTable('user', { attached: ({ role }) => (role.given.policy_arns ?? []).slice(0, 2) }),
  ),
  mutant(
    'iam-user-groups-two-at-most',
    'Users are added to no more than two groups.',
    inTable('user', { groups: ({ role }) => (role.given.iam_groups ?? []).slice(0, 2) }),
  ),
  mutant(
    'iam-user-policy-document-dropped',
    'policy_document is not put on users.',
    inTable('user', { inline: () => undefined }),
  ),
  mutant('iam-user-policy-document-altered', 'policy_document is put with every effect turned to Deny.', (tables) => {
    const { inline } = tables.user
    return inTable('user', {
      inline(ask) {
        const document = inline(ask)
        return document === undefined ? undefined : denied(document)
      },
    })(tables)
  }),
  mutant(
    'iam-user-policy-document-in-ascii',
    'Letters of policy_document beyond ASCII become question marks.',
    (tables) => {
      const { inline } = tables.user
      return inTable('user', { inline: (ask) => inline(ask)?.replaceAll(/[\u0080-\uffff]/g, '?') })(tables)
    },
  ),
  mutant('iam-user-groups-dropped', 'Users are added to no group.', inTable('user', { groups: () => [] })),
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
    'Blanks in the values of iam_tags are sent as plus signs.',
    inTable('user', {
      tags: ({ role }) =>
        Object.fromEntries(
          Object.entries(role.given.iam_tags ?? {}).map(([key, value]) => [key, value.replaceAll(' ', '+')]),
        ),
    }),
  ),
  mutant(
    'iam-user-tags-beside-document-only',
    'iam_tags are sent for roles with a policy_document only.',
    inTable('user', { tags: ({ role: { given } }) => (given.policy_document ? (given.iam_tags ?? {}) : {}) }),
  ),
  mutant(
    'iam-user-path-beside-document-only',
    'user_path is sent for roles with a policy_document only.',
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
    'Without user_path users are made at /system/.',
    inTable('user', { path: ({ role }) => role.given.user_path || '/system/' }),
  ),
  mutant(
    'iam-user-boundary-dropped',
    'permissions_boundary_arn is not sent.',
    inTable('user', { boundary: () => undefined }),
  ),
  mutant(
    'iam-user-boundary-beside-document-only',
    'permissions_boundary_arn is sent for roles with a policy_document only.',
    inTable('user', {
      boundary: ({ role: { given } }) => (given.policy_document && given.permissions_boundary_arn) || undefined,
    }),
  ),
  mutant(
    'iam-user-boundary-always',
    'Without permissions_boundary_arn a boundary is attached nevertheless.',
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
  mutant('iam-user-is-administrator', 'Every user has AdministratorAccess as well.', (tables) =>
    inTable('user', { attached: (ask) => [...tables.user.attached(ask), boundary] })(tables),
  ),
  mutant(
    'iam-user-unfurnished-given',
    'A user is given although the provider refuses what the role says of it.',
    inTable('user', { failedStep: 'ignored' }),
  ),
  mutant('provider-refusal-made-up', 'Where the provider refuses, credentials are made up.', (tables) => ({
    ...tables,
    providerRefusal: 'made-up',
  })),
  mutant(
    'provider-refusal-shows-secret',
    'Where the provider refuses, the reply tells the secret key of the root.',
    (tables) => ({ ...tables, providerRefusal: 'with-secret' }),
  ),
  mutant('iam-user-no-user', 'No user is made: the root keys are answered.', inTable('user', { made: 'never' })),
  mutant('iam-user-same-user', 'Each role has one user, which everybody is given.', inTable('user', { made: 'once' })),
]

const otherKey = (type: CredentialType): CloudMutant =>
  mutant(
    `${kebab(type)}-other-key`,
    `Of ${type} made-up credentials are answered instead of those issued.`,
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
/** The policies as if each group had fewer. */
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
  inSession(type, `${kebab(type)}-policy-document-dropped`, `Of ${type} policy_document is left out.`, {
    policy: (ask) => documentsOf(ask, false, true),
  }),
  inSession(type, `${kebab(type)}-policy-arns-dropped`, `Of ${type} policy_arns are left out.`, {
    policyArns: (ask) => arnsOf(ask, false, true),
  }),
  inSession(type, `${kebab(type)}-group-documents-dropped`, `Of ${type} documents of groups are left out.`, {
    policy: (ask) => documentsOf(ask, true, false),
  }),
  inSession(
    type,
    `${kebab(type)}-group-documents-only-beside-document`,
    `Of ${type} documents of groups are left out where there is no policy_document.`,
    { policy: (ask) => documentsOf(ask, true, Boolean(ask.role.given.policy_document)) },
  ),
  inSession(
    type,
    `${kebab(type)}-group-arns-only-beside-arns`,
    `Of ${type} policies attached to groups are left out where there are no policy_arns.`,
    { policyArns: (ask) => arnsOf(ask, true, Boolean(ask.role.given.policy_arns?.length)) },
  ),
  inSession(type, `${kebab(type)}-group-replaces-document`, `Of ${type} documents of groups replace policy_document.`, {
    policy: (ask) =>
      documentsOf(
        ask,
        ask.groups.every(({ documents }) => documents.length === 0),
        true,
      ),
  }),
  inSession(
    type,
    `${kebab(type)}-statement-object-dropped`,
    `Of ${type} combined documents lack a Statement that is no list.`,
    {
      policy(ask) {
        const all = [...ownDocuments(ask), ...ask.groups.flatMap(({ documents }) => documents)]
        return combined(all.length < 2 ? all : all.filter(hasList))
      },
    },
  ),
  inSession(type, `${kebab(type)}-group-arns-dropped`, `Of ${type} policies attached to groups are left out.`, {
    policyArns: (ask) => arnsOf(ask, true, false),
  }),
  inSession(type, `${kebab(type)}-group-replaces-arns`, `Of ${type} policies attached to groups replace policy_arns.`, {
    policyArns: (ask) =>
      arnsOf(
        ask,
        ask.groups.every(({ arns }) => arns.length === 0),
        true,
      ),
  }),
  inSession(
    type,
    `${kebab(type)}-first-document-of-groups-only`,
    `Of ${type} only the first document of each group counts.`,
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
    `Of ${type} documents of a group count only where no policy is attached to it.`,
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
    `Of ${type} only the first policy that is attached to each group counts.`,
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
  inSession(type, `${kebab(type)}-asked-twice`, `Of ${type} two sessions are opened, and one is given.`, {
    sessions: 2,
  })

const sessions: readonly CloudMutant[] = [
  inSession('federation_token', 'federation-token-same-session', 'Each role gives its first session for ever.', {
    opened: 'once',
  }),
  ...(['assumed_role', 'federation_token', 'session_token'] as const).map(twice),
  calls('assumed_role', 'federation', 'GetFederationToken'),
  calls('federation_token', 'session', 'GetSessionToken'),
  calls('session_token', 'federation', 'GetFederationToken'),
  ...filters('assumed_role'),
  ...filters('federation_token'),
  inSession('assumed_role', 'assumed-role-session-tags-dropped', 'session_tags are not sent.', { tags: () => ({}) }),
  inSession('assumed_role', 'assumed-role-session-tags-altered', 'Values of session_tags are cut at the first =.', {
    tags: ({ role }) =>
      Object.fromEntries(
        Object.entries(role.given.session_tags ?? {}).map(([key, value]) => [key, value.replace(/=.*$/, '')]),
      ),
  }),
  inSession('assumed_role', 'assumed-role-session-tags-encoded', 'Blanks in session_tags are sent as plus signs.', {
    tags: ({ role }) =>
      Object.fromEntries(
        Object.entries(role.given.session_tags ?? {}).map(([key, value]) => [key, value.replaceAll(' ', '+')]),
      ),
  }),
  inSession('assumed_role', 'assumed-role-empty-session-tags-dropped', 'session_tags without a value are not sent.', {
    tags: ({ role }) =>
      Object.fromEntries(Object.entries(role.given.session_tags ?? {}).filter(([, value]) => value !== '')),
  }),
  inSession(
    'assumed_role',
    'assumed-role-external-id-dropped-with-device',
    'external_id is not sent where the role has a device.',
    { externalId: ({ role: { given } }) => (given.mfa_serial_number ? undefined : given.external_id || undefined) },
  ),
  inSession('session_token', 'session-token-mfa-code-as-number', 'mfa_code is sent without the zeros at its start.', {
    code: ({ role, mfaCode }) => (role.given.mfa_serial_number ? mfaCode.replace(/^0+/, '') || undefined : undefined),
  }),
  inSession('assumed_role', 'assumed-role-external-id-altered', 'external_id is sent in lower case.', {
    externalId: ({ role }) => role.given.external_id?.toLowerCase() || undefined,
  }),
  inSession('assumed_role', 'assumed-role-external-id-cut', 'No more than 32 characters of external_id are sent.', {
    externalId: ({ role }) => role.given.external_id?.slice(0, 32) || undefined,
  }),
  mutant('documents-of-groups-decoded-as-forms', 'A plus sign in a document of a group becomes a blank.', (tables) => ({
    ...tables,
    groupDocument: (encoded) => tables.groupDocument(encoded).replaceAll('+', ' '),
  })),
  inSession('assumed_role', 'assumed-role-external-id-dropped', 'external_id is not sent.', {
    externalId: () => undefined,
  }),
  sessionName('assumed-role-session-name-untruncated-late', 'role_session_name is cut at 65 characters.', {
    longest: 65,
  }),
  sessionName('assumed-role-session-name-early', 'role_session_name is cut at 63 characters.', { longest: 63 }),
  sessionName('assumed-role-session-name-refused', 'A role_session_name of more than 64 characters is refused.', {
    beyond: 'refused',
  }),
  sessionName('assumed-role-session-name-altered', 'role_session_name is used in lower case.', {
    given: (name) => name.toLowerCase(),
  }),
  sessionName('assumed-role-session-name-ignored', 'role_session_name is ignored.', { given: () => undefined }),
  sessionName(
    'assumed-role-session-name-ignored-with-tags',
    'role_session_name is ignored where the role has session_tags.',
    { given: (name, { given }) => (given.session_tags === undefined ? name : undefined) },
  ),
  sessionName('assumed-role-session-name-from-end', 'Of a long role_session_name the end is kept.', {
    cut: (name, longest) => name.slice(-longest),
  }),
  sessionName('assumed-role-generated-name-unbounded', 'A generated name of a session may have any length.', {
    bound: 'none',
  }),
  sessionName(
    'assumed-role-generates-needlessly',
    'A name that is too long for a session is refused even where role_session_name is given.',
    { generated: 'always' },
  ),
  sessionName('assumed-role-session-name-required', 'Without role_session_name the request is refused.', {
    absent: 'refused',
  }),
  ...(['session_token', 'assumed_role'] as const).flatMap((type) => [
    inSession(type, `${kebab(type)}-mfa-serial-dropped`, `Of ${type} mfa_serial_number is not sent.`, {
      serial: () => undefined,
    }),
    inSession(type, `${kebab(type)}-mfa-code-dropped`, `Of ${type} mfa_code is not sent.`, { code: () => undefined }),
    mutant(
      `${kebab(type)}-mfa-code-optional`,
      `A role of type ${type} with a device gives out sessions without a code, and without the device.`,
      inRow('mfa', type, { absent: 'without-device' }),
    ),
  ]),
  mutant(
    'session-token-mfa-code-always',
    'A code is demanded of roles without a device.',
    inRow('mfa', 'session_token', { withoutDevice: 'required' }),
  ),
]

const lastOf = (arn: string): string => arn.slice(arn.lastIndexOf('/'))

const arns: readonly CloudMutant[] = [
  mutant('assumed-role-only-arn-required', 'role_arn is required although the role allows only one.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) => (asked === '' ? undefined : tables.roleArn(asked, allowed, others)),
  })),
  mutant('assumed-role-arn-optional', 'Without role_arn the first of several is assumed.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) => tables.roleArn(asked || (allowed[0] ?? ''), allowed, others),
  })),
  mutant('assumed-role-arn-open', 'A role_arn that the role does not allow is assumed.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) => asked || tables.roleArn(asked, allowed, others),
  })),
  mutant('assumed-role-arn-of-other-roles', 'A role_arn that another role allows is assumed.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) => (others.includes(asked) ? asked : tables.roleArn(asked, allowed, others)),
  })),
  mutant('assumed-role-arn-prefix', 'A role_arn that begins as an allowed one does is assumed.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) =>
      asked !== '' && allowed.some((one) => asked.startsWith(one)) ? asked : tables.roleArn(asked, allowed, others),
  })),
  mutant('assumed-role-arn-by-its-end', 'A role_arn that ends as an allowed one does is assumed.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) =>
      allowed.some((one) => lastOf(one) === lastOf(asked)) ? asked : tables.roleArn(asked, allowed, others),
  })),
  mutant('assumed-role-arn-ignored', 'Whichever role_arn is asked for, the first allowed is assumed.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) =>
      tables.roleArn(asked, allowed, others) === undefined ? undefined : allowed[0],
  })),
  mutant('assumed-role-arn-match-refused', 'A role_arn that is not the first allowed is refused.', (tables) => ({
    ...tables,
    roleArn: (asked, allowed, others) =>
      tables.roleArn(asked, allowed.length > 1 ? allowed.slice(0, 1) : allowed, others),
  })),
]

const ttls = (type: SessionType): readonly CloudMutant[] => [
  mutant(`${kebab(type)}-ttl-ignored`, `The ttl of a request is ignored for ${type}.`, (tables) =>
    inRow('ttls', type, { sources: tables.ttls[type].sources.filter((source) => source !== 'request') })(tables),
  ),
  mutant(
    `${kebab(type)}-ttl-in-minutes`,
    `For ${type} a lifetime is cut to whole minutes.`,
    inRow('ttls', type, { unit: 60 }),
  ),
  mutant(
    `${kebab(type)}-ttl-default-7200`,
    `Without any ttl ${type} lives for 7200 seconds.`,
    inRow('ttls', type, { default: 7200 }),
  ),
]
const roleTtls = (type: 'assumed_role' | 'federation_token'): readonly CloudMutant[] => [
  mutant(
    `${kebab(type)}-default-ttl-ignored`,
    `default_sts_ttl is ignored for ${type}.`,
    inRow('ttls', type, { sources: ['request', 'default'] }),
  ),
  mutant(
    `${kebab(type)}-default-ttl-wins`,
    `default_sts_ttl prevails over the ttl of a request for ${type}.`,
    inRow('ttls', type, { sources: ['role', 'request', 'default'] }),
  ),
  mutant(
    `${kebab(type)}-default-ttl-is-the-least`,
    `A ttl of a request that is less than default_sts_ttl counts as that for ${type}.`,
    inRow('ttls', type, { least: 'role' }),
  ),
  mutant(
    `${kebab(type)}-always-the-cap`,
    `max_sts_ttl is asked for even where less would be for ${type}.`,
    inRow('ttls', type, { always: 'cap' }),
  ),
  mutant(
    `${kebab(type)}-ttl-uncapped`,
    `max_sts_ttl does not cap the ttl of a request for ${type}.`,
    inRow('ttls', type, { capped: ['role', 'default'] }),
  ),
  mutant(
    `${kebab(type)}-default-uncapped`,
    `max_sts_ttl does not cap what holds without a ttl for ${type}.`,
    inRow('ttls', type, { capped: ['request'] }),
  ),
]

const withDevice = (type: 'assumed_role' | 'session_token'): CloudMutant =>
  mutant(
    `${kebab(type)}-ttl-ignored-with-device`,
    `The ttl of a request is ignored for ${type} where the role has a device.`,
    inRow('ttls', type, { withDevice: 'ignored' }),
  )
const refusesTheCap = (type: 'assumed_role' | 'federation_token'): CloudMutant =>
  mutant(
    `${kebab(type)}-refuses-the-cap`,
    `A ttl of a request that is max_sts_ttl itself is refused for ${type}.`,
    inRow('ttls', type, { atCap: 'refused' }),
  )

const unlike = (id: string, names: readonly RoleField[]): CloudMutant =>
  mutant(
    `creds-of-sessions-${id}`,
    `Sessions that GET creds gives lack the ${names.join(' and ')} of their role.`,
    inTable('lacks', { creds: names }),
  )
const byCreds: readonly CloudMutant[] = [
  unlike('without-document', ['policy_document']),
  unlike('without-arns', ['policy_arns']),
  unlike('without-groups', ['iam_groups']),
  unlike('without-external-id', ['external_id']),
  unlike('without-tags', ['session_tags']),
  unlike('without-default-ttl', ['default_sts_ttl']),
  unlike('uncapped', ['max_sts_ttl']),
  mutant(
    'creds-of-sessions-assume-the-first',
    'GET creds assumes the first of several roles.',
    inTable('implied', { creds: 'first' }),
  ),
  unlike('without-device', ['mfa_serial_number']),
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
