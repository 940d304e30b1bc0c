/** Faults of sessions: which are opened, with what, and for how long. */
import { isDeepStrictEqual } from 'node:util'
import { nameOf, requestOf } from '../../engines/cloud/handlers/credentials.ts'
import type { Provider } from '../../engines/cloud/provider/provider.ts'
import {
  type Ask,
  combined,
  type GroupPolicies,
  type Lifetimes,
  type SessionAction,
  type SessionRules,
  type SessionType,
} from '../../engines/cloud/rules/credentials.ts'
import type { Role, RoleField } from '../../engines/cloud/store.ts'
import type { Reply } from '../../kernel/contracts.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import {
  asRole,
  bodyOf,
  byRules,
  type CloudFault,
  calling,
  creds,
  fault,
  faults,
  gets,
  inRow,
  inTable,
  isSet,
  issuing,
  kebab,
  nameIn,
  on,
  refusing,
  remembering,
  roleAt,
  rule,
  sending,
  typeAt,
} from './cloud-operations.ts'

const inSession = (type: SessionType, id: string, does: string, cells: Partial<SessionRules>): CloudFault =>
  fault(id, does, inRow('sessions', type, cells))

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

const filters = (type: 'assumed_role' | 'federation_token'): readonly CloudFault[] => [
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

const twice = (provider: Provider): Provider => ({
  ...provider,
  async sts(action, input) {
    const first = await provider.sts(action, input)
    await provider.sts(action, input)
    return first
  },
})
/** Loses or changes values of session_tags. */
const sessionTags = (id: string, does: string, change: (value: string) => string | undefined): CloudFault =>
  inSession('assumed_role', id, does, {
    tags: ({ role }) =>
      Object.fromEntries(
        Object.entries(role.given.session_tags ?? {}).flatMap(([key, value]) => {
          const changed = change(value)
          return changed === undefined ? [] : [[key, changed]]
        }),
      ),
  })
const isBare = ({ role: { given } }: Ask): boolean => !(given.policy_document || given.policy_arns?.length)

const opening: readonly CloudFault[] = [
  ...faults({
    'federation-token-same-session': 'All requests for credentials of a role return its first session.',
    'assumed-role-groups-only-beside-policies':
      'For assumed_role, policies of groups are sent only if the role has policies of its own.',
    'requests-as-the-first': 'Each session of a role has the role_arn and the ttl of the first request.',
    'documents-of-groups-decoded-as-forms': 'A plus sign in a policy document of a group becomes a space.',
  }).by({
    'federation-token-same-session': [
      on(
        issuing,
        gets('federation_token'),
        async (call, next, { memory }) => {
          const reply = await next(call)
          if (reply.kind === 'data' && !memory.has(nameIn(call))) memory.set(nameIn(call), reply.data)
          return reply
        },
        { remembers: true },
      ),
      on(
        issuing,
        (call, here) => gets('federation_token')(call, here) && here.memory.has(nameIn(call)),
        (call, _next, { memory }): Reply => ({
          ...{ kind: 'data', data: memory.get(nameIn(call)) as object },
          lease: { ttl: 3600, renewable: false, revoke() {} },
        }),
      ),
    ],
    'assumed-role-groups-only-beside-policies': inRow('sessions', 'assumed_role', ({ policy, policyArns }) => ({
      policy: (ask) => (isBare(ask) ? undefined : policy(ask)),
      policyArns: (ask) => (isBare(ask) ? [] : policyArns(ask)),
    })),
    'requests-as-the-first': [
      on(
        issuing,
        (call, here) => roleAt(call, here) !== undefined && !here.memory.has(nameIn(call)),
        (call, next, { memory }) => {
          memory.set(nameIn(call), bodyOf(call))
          return next(call)
        },
        { remembers: true },
      ),
      sending(issuing, (_body, call, { memory }) => {
        const { role_arn, ttl } = (memory.get(nameIn(call)) ?? {}) as { role_arn?: unknown; ttl?: unknown }
        return { ...(role_arn === undefined ? {} : { role_arn }), ...(ttl === undefined ? {} : { ttl }) }
      }),
    ],
    'documents-of-groups-decoded-as-forms': calling(
      issuing,
      (call, here) =>
        gets('assumed_role', 'federation_token')(call, here) && isSet(roleAt(call, here)?.given.iam_groups),
      (provider) => ({
        ...provider,
        async iam(action, input) {
          const reply = await provider.iam(action, input)
          if (!('PolicyDocument' in reply)) return reply
          const decoded = decodeURIComponent(reply.PolicyDocument ?? '').replaceAll('+', ' ')
          return { ...reply, PolicyDocument: encodeURIComponent(decoded) }
        },
      }),
    ),
  }),
  ...(['assumed_role', 'federation_token', 'session_token'] as const).map((type) =>
    fault(
      `${kebab(type)}-asked-twice`,
      `For ${type}, two sessions are opened at the provider, and one of them is returned.`,
      calling(issuing, gets(type), twice),
    ),
  ),
  ...(
    [
      ['assumed_role', 'federation', 'GetFederationToken'],
      ['federation_token', 'session', 'GetSessionToken'],
      ['session_token', 'federation', 'GetFederationToken'],
    ] as readonly (readonly [SessionType, string, SessionAction])[]
  ).map(([type, id, action]) =>
    fault(`${kebab(type)}-calls-${id}`, `${action} is called for ${type}.`, inTable('actions', { [type]: action })),
  ),
  ...filters('assumed_role'),
  ...filters('federation_token'),
]

const fields: readonly CloudFault[] = [
  sessionTags('assumed-role-session-tags-dropped', 'session_tags are not sent.', () => undefined),
  sessionTags(
    'assumed-role-session-tags-altered',
    'Values of session_tags are cut at their first equals sign.',
    (value) => value.replace(/=.*$/, ''),
  ),
  sessionTags(
    'assumed-role-session-tags-encoded',
    'Spaces in the values of session_tags are sent as plus signs.',
    (value) => value.replaceAll(' ', '+'),
  ),
  sessionTags(
    'assumed-role-empty-session-tags-dropped',
    'session_tags with an empty value are not sent.',
    (value) => value || undefined,
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
  inSession('assumed_role', 'assumed-role-external-id-dropped', 'external_id is not sent.', {
    externalId: () => undefined,
  }),
]

const assumes = gets('assumed_role')
/** Handles requests for an assumed role with another role_session_name. */
const sessionName = (change: (name: string, role: Role | undefined) => string | undefined) =>
  sending(issuing, ({ role_session_name: name }, call, here) =>
    typeof name === 'string' && name !== '' && assumes(call, here)
      ? { role_session_name: change(name, roleAt(call, here)) }
      : {},
  )
const cut = (longest: number) => inRow('names', 'longest', { role_session_name: longest })

const names: readonly CloudFault[] = faults({
  'assumed-role-session-name-untruncated-late': 'role_session_name is cut after 65 characters instead of 64.',
  'assumed-role-session-name-early': 'role_session_name is cut after 63 characters instead of 64.',
  'assumed-role-session-name-refused': 'A role_session_name of more than 64 characters is refused.',
  'assumed-role-session-name-altered': 'role_session_name is sent in lower case.',
  'assumed-role-session-name-ignored': 'role_session_name is ignored.',
  'assumed-role-session-name-ignored-with-tags': 'role_session_name is ignored if the role has session_tags.',
  'assumed-role-session-name-from-end': 'A long role_session_name is cut at its beginning instead of its end.',
  'assumed-role-generated-name-unbounded': 'The length of generated session names is not limited.',
  'assumed-role-generates-needlessly':
    'A generated session name that is too long is refused even if role_session_name is given.',
  'assumed-role-session-name-required': 'A request without role_session_name is refused.',
}).by({
  'assumed-role-session-name-untruncated-late': cut(65),
  'assumed-role-session-name-early': cut(63),
  'assumed-role-session-name-refused': refusing(
    issuing,
    (call, here) => String(bodyOf(call).role_session_name ?? '').length > 64 && assumes(call, here),
  ),
  'assumed-role-session-name-altered': sessionName((name) => name.toLowerCase()),
  'assumed-role-session-name-ignored': sessionName(() => undefined),
  'assumed-role-session-name-ignored-with-tags': sessionName((name, role) =>
    role?.given.session_tags === undefined ? name : undefined,
  ),
  'assumed-role-session-name-from-end': sessionName((name) => name.slice(-64)),
  'assumed-role-generated-name-unbounded': byRules(
    issuing,
    (call, here) => !bodyOf(call).role_session_name && assumes(call, here),
    ({ names: before }) => ({ names: { ...before, bounded: (name) => name } }),
  ),
  'assumed-role-generates-needlessly': on(
    issuing,
    (call, here) => Boolean(bodyOf(call).role_session_name) && assumes(call, here),
    (call, next, { context }) => {
      nameOf(context, 'STS', requestOf(context, call))
      return next(call)
    },
  ),
  'assumed-role-session-name-required': refusing(
    issuing,
    (call, here) => !bodyOf(call).role_session_name && assumes(call, here),
  ),
})

const withoutDevice = (role: Role | undefined): Role | undefined => {
  if (!role?.given.mfa_serial_number) return role
  const { mfa_serial_number, ...given } = role.given
  return { ...role, given }
}
const devices: readonly CloudFault[] = [
  ...(['session_token', 'assumed_role'] as const).flatMap((type) => [
    inSession(type, `${kebab(type)}-mfa-serial-dropped`, `For ${type}, mfa_serial_number is not sent.`, {
      serial: () => undefined,
    }),
    inSession(type, `${kebab(type)}-mfa-code-dropped`, `For ${type}, mfa_code is not sent.`, { code: () => undefined }),
    fault(
      `${kebab(type)}-mfa-code-optional`,
      `For ${type} with an mfa_serial_number, a request without mfa_code succeeds and opens a session without MFA.`,
      asRole(issuing, (role, call, here) =>
        typeAt(call, here) === type && !bodyOf(call).mfa_code ? withoutDevice(role) : role,
      ),
    ),
  ]),
  fault(
    'session-token-mfa-code-always',
    'mfa_code is required even if the role has no mfa_serial_number.',
    refusing(issuing, (call, here) => gets('session_token')(call, here) && !bodyOf(call).mfa_code),
  ),
]

/** Returns the role as requests without a role_arn or an mfa_code met it when it was first written. */
function asFirst(role: Role, first: Role, { role_arn: arn, mfa_code: code }: Record<string, unknown>): Role {
  const arns = first.given.role_arns
  const one = !arn && arns?.length === 1 ? { ...role, given: { ...role.given, role_arns: arns } } : role
  return !code && !first.given.mfa_serial_number ? (withoutDevice(one) ?? one) : one
}
const conditions = fault(
  'role-conditions-of-its-first-write',
  'Whether role_arn and mfa_code are required is decided by the role as it was first written.',
  [
    remembering(['POST roles/:name'], (call, here) => {
      if (!here.memory.has(nameIn(call))) here.memory.set(nameIn(call), roleAt(call, here))
    }),
    asRole(issuing, (role, call, { memory }) => {
      const first = memory.get(nameIn(call)) as Role | undefined
      return role && first && !isDeepStrictEqual(first, role) ? asFirst(role, first, bodyOf(call)) : role
    }),
  ],
)

const lastOf = (arn: string): string => arn.slice(arn.lastIndexOf('/'))
type RoleArn = (asked: string, allowed: readonly string[]) => string | undefined
const roleArn = (change: (before: RoleArn) => RoleArn) => rule(({ roleArn: before }) => ({ roleArn: change(before) }))

const arns: readonly CloudFault[] = faults({
  'assumed-role-only-arn-required': 'role_arn is required even if the role allows only one.',
  'assumed-role-arn-optional': 'Without role_arn, the first of several allowed roles is assumed instead of a refusal.',
  'assumed-role-arn-open': 'A role_arn that the role does not allow is assumed.',
  'assumed-role-arn-of-other-roles': 'A role_arn that another role allows is assumed.',
  'assumed-role-arn-prefix': 'A role_arn that begins with an allowed one is assumed.',
  'assumed-role-arn-by-its-end': 'A role_arn with the same last part as an allowed one is assumed.',
  'assumed-role-arn-ignored': 'The first allowed role is assumed, whichever allowed role_arn is requested.',
  'assumed-role-arn-match-refused': 'Every allowed role_arn except the first is refused.',
}).by({
  'assumed-role-only-arn-required': roleArn(
    (before) => (asked, allowed) => (asked === '' ? undefined : before(asked, allowed)),
  ),
  'assumed-role-arn-optional': roleArn((before) => (asked, allowed) => before(asked || (allowed[0] ?? ''), allowed)),
  'assumed-role-arn-open': roleArn((before) => (asked, allowed) => asked || before(asked, allowed)),
  'assumed-role-arn-of-other-roles': asRole(issuing, (role, call, here) => {
    const { role_arn: asked } = bodyOf(call)
    const own = role?.given.role_arns ?? []
    const others = [...here.context.store.roles.values()].flatMap(({ given }) => given.role_arns ?? [])
    if (!role || typeof asked !== 'string' || own.includes(asked) || !others.includes(asked)) return role
    return { ...role, given: { ...role.given, role_arns: [...own, asked] } }
  }),
  'assumed-role-arn-prefix': roleArn(
    (before) => (asked, allowed) =>
      asked !== '' && allowed.some((one) => asked.startsWith(one)) ? asked : before(asked, allowed),
  ),
  'assumed-role-arn-by-its-end': roleArn(
    (before) => (asked, allowed) =>
      allowed.some((one) => lastOf(one) === lastOf(asked)) ? asked : before(asked, allowed),
  ),
  'assumed-role-arn-ignored': roleArn(
    (before) => (asked, allowed) => (before(asked, allowed) === undefined ? undefined : allowed[0]),
  ),
  'assumed-role-arn-match-refused': roleArn(
    (before) => (asked, allowed) => before(asked, allowed.length > 1 ? allowed.slice(0, 1) : allowed),
  ),
})

type Lifetime = (asked: Lifetimes) => number
const lifetime = (type: SessionType, id: string, does: string, change: (before: Lifetime) => Lifetime): CloudFault =>
  fault(
    id,
    `For ${type}, ${does}`,
    inTable('lifetimes', (before) => ({ [type]: change(before[type]) })),
  )

const ttls = (type: SessionType): readonly CloudFault[] => [
  lifetime(
    type,
    `${kebab(type)}-ttl-ignored`,
    'the ttl of a request is ignored.',
    (before) => (asked) => before({ ...asked, request: undefined }),
  ),
  lifetime(type, `${kebab(type)}-ttl-in-minutes`, 'lifetimes are cut to whole minutes.', (before) => (asked) => {
    const seconds = before(asked)
    return seconds - (seconds % 60)
  }),
  lifetime(
    type,
    `${kebab(type)}-ttl-an-hour-at-most`,
    'lifetimes above an hour are cut to an hour.',
    (before) => (asked) => Math.min(before(asked), 3600),
  ),
  lifetime(
    type,
    `${kebab(type)}-ttl-default-7200`,
    'the default lifetime is 7200 seconds.',
    (before) => (asked) =>
      before({ ...asked, request: asked.request ?? (asked.role === undefined ? 7200 : undefined) }),
  ),
]
const roleTtls = (type: 'assumed_role' | 'federation_token'): readonly CloudFault[] => [
  lifetime(
    type,
    `${kebab(type)}-default-ttl-ignored`,
    'default_sts_ttl is ignored.',
    (before) => (asked) => before({ ...asked, role: undefined }),
  ),
  lifetime(
    type,
    `${kebab(type)}-default-ttl-wins`,
    'default_sts_ttl overrides the ttl of a request.',
    (before) => (asked) => before({ ...asked, request: asked.role ?? asked.request }),
  ),
  lifetime(
    type,
    `${kebab(type)}-default-ttl-is-the-least`,
    'a ttl of a request below default_sts_ttl is raised to default_sts_ttl.',
    (before) => (asked) =>
      before({ ...asked, request: asked.request === undefined ? undefined : Math.max(asked.request, asked.role ?? 0) }),
  ),
  fault(
    `${kebab(type)}-ttl-hours-as-minutes`,
    `For ${type}, a ttl in hours is read as minutes.`,
    sending(issuing, ({ ttl }, call, here) =>
      typeof ttl === 'string' && gets(type)(call, here) ? { ttl: ttl.replace(/h$/, 'm') } : {},
    ),
  ),
  lifetime(
    type,
    `${kebab(type)}-always-the-cap`,
    'the lifetime is max_sts_ttl even if a shorter one applies.',
    (before) => (asked) => asked.cap ?? before(asked),
  ),
  lifetime(
    type,
    `${kebab(type)}-ttl-uncapped`,
    'max_sts_ttl does not limit the ttl of a request.',
    (before) => (asked) => before(asked.request === undefined ? asked : { ...asked, cap: undefined }),
  ),
  lifetime(
    type,
    `${kebab(type)}-default-uncapped`,
    'max_sts_ttl does not limit the lifetime of sessions that are requested without ttl.',
    (before) => (asked) => before(asked.request === undefined ? { ...asked, cap: undefined } : asked),
  ),
]

const withDevice = (type: 'assumed_role' | 'session_token'): CloudFault =>
  fault(
    `${kebab(type)}-ttl-ignored-with-device`,
    `For ${type}, the ttl of a request is ignored if the role has an mfa_serial_number.`,
    sending(issuing, (_body, call, here) =>
      gets(type)(call, here) && roleAt(call, here)?.given.mfa_serial_number ? { ttl: undefined } : {},
    ),
  )
const refusesTheCap = (type: 'assumed_role' | 'federation_token'): CloudFault =>
  fault(
    `${kebab(type)}-refuses-the-cap`,
    `For ${type}, a ttl of a request that equals max_sts_ttl is refused.`,
    refusing(issuing, (call, here) => {
      const cap = roleAt(call, here)?.given.max_sts_ttl
      return Boolean(cap) && parseDuration(bodyOf(call).ttl) === cap && gets(type)(call, here)
    }),
  )

const isSession = gets('assumed_role', 'federation_token', 'session_token')
const lacking = (id: string, name: RoleField): CloudFault =>
  fault(
    `creds-of-sessions-${id}`,
    `Sessions from GET creds are opened without the ${name} of the role.`,
    asRole(creds, (role, call, here) => {
      if (role?.given[name] === undefined || !isSession(call, here)) return role
      const { [name]: lost, ...given } = role.given
      return { ...role, given }
    }),
  )
const byCreds: readonly CloudFault[] = [
  lacking('without-document', 'policy_document'),
  lacking('without-arns', 'policy_arns'),
  lacking('without-groups', 'iam_groups'),
  lacking('without-external-id', 'external_id'),
  lacking('without-tags', 'session_tags'),
  lacking('without-default-ttl', 'default_sts_ttl'),
  lacking('uncapped', 'max_sts_ttl'),
  fault(
    'creds-of-sessions-assume-the-first',
    'GET creds assumes the first of several allowed roles instead of refusing the request.',
    sending(creds, ({ role_arn }, call, here) => {
      const { role_arns = [] } = roleAt(call, here)?.given ?? {}
      return role_arn === undefined && role_arns.length > 1 && isSession(call, here) ? { role_arn: role_arns[0] } : {}
    }),
  ),
  lacking('without-device', 'mfa_serial_number'),
]

export const ofSessions: readonly CloudFault[] = [
  ...opening,
  ...fields,
  ...names,
  ...devices,
  ...arns,
  conditions,
  ...byCreds,
  ...(['assumed_role', 'federation_token', 'session_token'] as const).flatMap(ttls),
  ...(['assumed_role', 'federation_token'] as const).flatMap(roleTtls),
  ...(['assumed_role', 'federation_token'] as const).map(refusesTheCap),
  ...(['assumed_role', 'session_token'] as const).map(withDevice),
]
