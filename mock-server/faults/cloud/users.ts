/** Faults of credentials of the type iam_user: what the provider is told, what replies contain, and how leases end. */
import type { Context } from '../../engines/cloud/context.ts'
import { revokeUser } from '../../engines/cloud/handlers/credentials.ts'
import { leaseOf } from '../../engines/cloud/handlers/lease.ts'
import type { Provider } from '../../engines/cloud/provider/provider.ts'
import type { Ask } from '../../engines/cloud/rules/credentials.ts'
import { credentialTypes } from '../../engines/cloud/rules/types.ts'
import type { RootConfig } from '../../engines/cloud/store.ts'
import type { Call, Lease, Reply } from '../../kernel/contracts.ts'
import { Refusal } from '../../kernel/http/refusal.ts'
import { during, withMethods } from '../with-methods.ts'
import {
  after,
  type CloudFault,
  calling,
  fault,
  faults,
  gets,
  type Here,
  inTable,
  issuing,
  kebab,
  madeUp,
  nameIn,
  on,
  remembering,
  showing,
  whenRefused,
} from './cloud-operations.ts'

const administrator = 'arn:aws:iam::aws:policy/AdministratorAccess'
const getsUser = gets('iam_user')

type User = Context['rules']['user']
/** Changes what a user gets from its role. */
const given = <Name extends keyof User>(name: Name, change: (before: User[Name]) => User[Name]) =>
  inTable('user', (before) => ({ [name]: change(before[name]) }))
const inline = (change: (document: string, ask: Ask) => string | undefined) =>
  given('inline', (before) => (ask) => {
    const document = before(ask)
    return document === undefined ? undefined : change(document, ask)
  })
type Tags = Readonly<Record<string, string>>
const tags = (change: (entry: readonly [string, string]) => readonly [string, string]) =>
  given(
    'tags',
    (before) =>
      (ask): Tags =>
        Object.fromEntries(Object.entries(before(ask)).map(change)),
  )
const besideDocument =
  <Value>(run: (ask: Ask) => Value | undefined) =>
  (ask: Ask): Value | undefined =>
    ask.role.given.policy_document ? run(ask) : undefined

const furnishing: readonly CloudFault[] = faults({
  'iam-user-policy-arns-dropped': 'policy_arns are not attached to users.',
  'iam-user-policy-arns-first-only': 'Only the first of policy_arns is attached to users.',
  'iam-user-policy-arns-two-at-most': 'At most two of policy_arns are attached to users.',
  'iam-user-tags-two-at-most': 'At most two of iam_tags are sent.',
  'iam-user-groups-two-at-most': 'Users are added to at most two groups.',
  'iam-user-policy-document-dropped': 'policy_document is not put on users.',
  'iam-user-policy-document-altered': 'policy_document is put on users with every Allow changed to Deny.',
  'iam-user-policy-document-in-ascii': 'Characters of policy_document outside ASCII become question marks.',
  'iam-user-groups-dropped': 'Users are not added to groups.',
  'iam-user-groups-first-only': 'Users are added to the first group only.',
  'iam-user-tags-dropped': 'iam_tags are not sent.',
  'iam-user-tag-values-dropped': 'iam_tags are sent with empty values.',
  'iam-user-tag-keys-altered': 'The keys of iam_tags are sent in lower case.',
  'iam-user-tag-values-encoded': 'Spaces in the values of iam_tags are sent as plus signs.',
  'iam-user-tag-values-cut': 'Values of iam_tags are cut at their first equals sign.',
  'iam-user-tags-beside-document-only': 'iam_tags are sent only for roles with a policy_document.',
  'iam-user-path-beside-document-only': 'user_path is sent only for roles with a policy_document.',
  'iam-user-path-shortened': 'Only the first part of user_path is sent.',
  'iam-user-path-dropped': 'user_path is not sent.',
  'iam-user-path-default': 'Users are created at the path /system/ if the role has no user_path.',
  'iam-user-boundary-dropped': 'permissions_boundary_arn is not sent.',
  'iam-user-boundary-beside-document-only': 'permissions_boundary_arn is sent only for roles with a policy_document.',
  'iam-user-boundary-always': 'Users get a permissions boundary even if the role has no permissions_boundary_arn.',
  'iam-user-document-beside-arns-dropped': 'policy_document is not put on users that have policy_arns.',
  'iam-user-is-administrator': 'Every user also has the policy AdministratorAccess.',
}).by({
  'iam-user-policy-arns-dropped': given('attached', () => () => []),
  'iam-user-policy-arns-first-only': given('attached', (before) => (ask) => before(ask).slice(0, 1)),
  'iam-user-policy-arns-two-at-most': given('attached', (before) => (ask) => before(ask).slice(0, 2)),
  'iam-user-tags-two-at-most': given(
    'tags',
    (before) => (ask) => Object.fromEntries(Object.entries(before(ask)).slice(0, 2)),
  ),
  'iam-user-groups-two-at-most': given('groups', (before) => (ask) => before(ask).slice(0, 2)),
  'iam-user-policy-document-dropped': inline(() => undefined),
  'iam-user-policy-document-altered': inline((document) =>
    document.replaceAll(/("Effect"\s*:\s*)"Allow"/g, '$1"Deny"'),
  ),
  'iam-user-policy-document-in-ascii': inline((document) => document.replaceAll(/[\u0080-\uffff]/g, '?')),
  'iam-user-groups-dropped': given('groups', () => () => []),
  'iam-user-groups-first-only': given('groups', (before) => (ask) => before(ask).slice(0, 1)),
  'iam-user-tags-dropped': given('tags', () => () => ({})),
  'iam-user-tag-values-dropped': tags(([key]) => [key, '']),
  'iam-user-tag-keys-altered': tags(([key, value]) => [key.toLowerCase(), value]),
  'iam-user-tag-values-encoded': tags(([key, value]) => [key, value.replaceAll(' ', '+')]),
  'iam-user-tag-values-cut': tags(([key, value]) => [key, value.replace(/=.*/s, '')]),
  'iam-user-tags-beside-document-only': given('tags', (before) => (ask) => besideDocument(before)(ask) ?? {}),
  'iam-user-path-beside-document-only': given('path', besideDocument),
  'iam-user-path-shortened': given('path', (before) => (ask) => before(ask)?.replace(/^(\/[^/]*\/).*$/, '$1')),
  'iam-user-path-dropped': given('path', () => () => undefined),
  'iam-user-path-default': given('path', (before) => (ask) => before(ask) ?? '/system/'),
  'iam-user-boundary-dropped': given('boundary', () => () => undefined),
  'iam-user-boundary-beside-document-only': given('boundary', besideDocument),
  'iam-user-boundary-always': given('boundary', (before) => (ask) => before(ask) ?? administrator),
  'iam-user-document-beside-arns-dropped': inline((document, { role }) =>
    role.given.policy_arns?.length ? undefined : document,
  ),
  'iam-user-is-administrator': given('attached', (before) => (ask) => [...before(ask), administrator]),
})

const furnished = new Set(['AttachUserPolicy', 'PutUserPolicy', 'AddUserToGroup'])
const unfurnished = (provider: Provider): Provider => ({
  ...provider,
  iam: (action, input) => {
    const called = provider.iam(action, input)
    return furnished.has(action) ? called.catch(() => ({}) as never) : called
  },
})

const byProvider = (error: unknown): error is Refusal =>
  error instanceof Refusal && ['upstream-failed', 'upstream-throttled'].includes(error.code)
const issued = (keys: object, lease: Partial<Lease>): Reply => ({
  kind: 'data',
  data: { ...keys, security_token: null, session_token: null },
  lease: { ttl: 3600, renewable: false, revoke() {}, ...lease },
})

interface Shared {
  readonly data: object
  readonly username: string
}
/** The requests for users that are being handled, by role. */
const underWay = new WeakMap<Context, Map<string, Promise<Reply>>>()

const making: readonly CloudFault[] = [
  ...faults({
    'iam-user-shared-at-once': 'Requests for credentials of a role at the same time return the same user.',
    'iam-user-unfurnished-given':
      'A user is returned although the provider refused to give it the policies or groups of the role.',
    'provider-refusal-made-up': 'If the provider refuses a request, made-up credentials are returned.',
    'provider-refusal-shows-secret':
      'If the provider refuses a request, the reply contains the secret key of the root configuration.',
    'iam-user-no-user': 'No user is created: the keys of the root configuration are returned.',
    'iam-user-signed-by-first-root': 'Users are made with the root credentials that made the first user.',
    'iam-user-same-user': 'All requests for credentials of a role return the same user.',
  }).by({
    'iam-user-shared-at-once': on(issuing, getsUser, (call, next, { context }) => {
      const all = underWay.get(context) ?? new Map<string, Promise<Reply>>()
      underWay.set(context, all)
      const name = nameIn(call)
      const reply = all.get(name) ?? Promise.resolve(next(call)).finally(() => all.delete(name))
      all.set(name, reply)
      return reply
    }),
    'iam-user-unfurnished-given': calling(issuing, getsUser, unfurnished),
    'provider-refusal-made-up': whenRefused(
      issuing,
      () => true,
      (_call, { context }, error) => (byProvider(error) ? issued(madeUp(context), {}) : undefined),
    ),
    'provider-refusal-shows-secret': whenRefused(
      issuing,
      () => true,
      (_call, { context }, error) => {
        if (byProvider(error))
          throw new Refusal(error.code, {
            message: `${error.facts.message}, signed by ${context.store.root?.secret_key}`,
          })
      },
    ),
    'iam-user-no-user': on(issuing, getsUser, (_call, _next, { context }) => {
      const { lease: ttl, lease_max: maxTtl } = leaseOf(context)
      const { access_key, secret_key } = context.store.root ?? {}
      return issued({ access_key, secret_key }, { ttl: Math.min(ttl, maxTtl), maxTtl, renewable: true })
    }),
    'iam-user-signed-by-first-root': [
      remembering(issuing, (_call, { context, memory }, reply) => {
        if (reply.kind === 'data' && reply.lease?.kept && !memory.has('root')) memory.set('root', context.store.root)
      }),
      on(
        issuing,
        (call, here) => {
          const first = here.memory.get('root') as RootConfig | undefined
          return getsUser(call, here) && first !== undefined && first.access_key !== here.context.store.root?.access_key
        },
        (call, next, { context, memory }) => {
          const { access_key, secret_key } = memory.get('root') as RootConfig
          return signing(
            context,
            (config) => ({ ...config, access_key, secret_key }),
            () => next(call),
          )
        },
      ),
    ],
    'iam-user-same-user': [
      on(
        issuing,
        getsUser,
        async (call, next, { memory }) => {
          const reply = await next(call)
          if (reply.kind !== 'data' || memory.has(nameIn(call))) return reply
          const { username } = (reply.lease?.kept ?? {}) as { username?: string }
          memory.set(nameIn(call), { data: reply.data, username })
          return reply
        },
        { remembers: true },
      ),
      on(
        issuing,
        (call, here) => getsUser(call, here) && here.memory.has(nameIn(call)),
        (call, _next, { context, memory }) => {
          const { data, username } = memory.get(nameIn(call)) as Shared
          const { lease: ttl, lease_max: maxTtl } = leaseOf(context)
          const revoke = (): Promise<void> => revokeUser(context, username)
          return issued(data, { ttl: Math.min(ttl, maxTtl), maxTtl, renewable: true, revoke, kept: { username } })
        },
      ),
    ],
  }),
  ...credentialTypes.map((type) =>
    fault(
      `${kebab(type)}-other-key`,
      `Made-up credentials are returned for ${type} instead of those that the provider issued.`,
      showing(issuing, gets(type), (fields, { context }) => ({
        ...fields,
        ...madeUp(context),
        ...(type === 'iam_user' ? {} : { security_token: context.random.token(200) }),
        ...(type === 'iam_user' || !('session_token' in fields) ? {} : { session_token: context.random.token(200) }),
      })),
    ),
  ),
]

/** Runs something while the provider is called with another configuration. */
const signing = <Result>(context: Context, change: (config: RootConfig) => RootConfig, run: () => Result): Result => {
  const { providers } = context
  return during(
    context,
    { providers: withMethods(providers, { for: (config: RootConfig) => providers.for(change(config)) }) },
    run,
  )
}

type Revoke = () => Promise<void>
/** Ends the lease of a user in another way. */
const revoking = (
  revoke: (user: { readonly username: string; readonly role: string }, usual: Revoke, here: Here, call: Call) => Revoke,
) =>
  after(issuing, getsUser, (call, here, reply) => {
    if (reply.kind !== 'data' || !reply.lease) return undefined
    const { username = '' } = (reply.lease.kept ?? {}) as { username?: string }
    const usual = async (): Promise<void> => reply.lease?.revoke()
    const changed = revoke({ username, role: nameIn(call) }, usual, here, call)
    return { ...reply, lease: { ...reply.lease, revoke: changed } }
  })
const leaving = (isLeft: (role: string, here: Here) => boolean) =>
  revoking(({ username, role }, usual, here) => async () => {
    if (isLeft(role, here)) here.context.store.users.delete(username)
    else await usual()
  })

const ending: readonly CloudFault[] = faults({
  'config-lease-zero': 'If config/lease was not written, replies with credentials show a lease_duration of 0.',
  'lease-revocation-takes-all': 'Revoking one lease deletes the users of all leases.',
  'lease-revocation-leaves-users-of-groups': 'Revoking a lease does not delete its user if the user is in a group.',
  'lease-revocation-needs-the-role': 'Revoking a lease does not delete its user if the role was deleted.',
  'lease-revocation-signs-old-root': 'Revoking a lease uses the root credentials with which its user was created.',
  'lease-revocation-leaves-user': 'Revoking a lease does not delete its user.',
}).by({
  'config-lease-zero': after(
    issuing,
    (call, here) => getsUser(call, here) && here.context.store.lease === undefined,
    (_call, _here, reply) => (reply.kind === 'data' ? { ...reply, topLevel: { lease_duration: 0 } } : undefined),
  ),
  'lease-revocation-takes-all': revoking((_user, usual, { context }) => async () => {
    for (const name of [...context.store.users]) await revokeUser(context, name)
    await usual()
  }),
  'lease-revocation-leaves-users-of-groups': leaving(
    (role, { context }) => (context.store.roles.get(role)?.given.iam_groups ?? []).length > 0,
  ),
  'lease-revocation-needs-the-role': leaving((role, { context }) => !context.store.roles.has(role)),
  'lease-revocation-signs-old-root': revoking((_user, usual, { context }) => {
    const { root } = context.store
    return () => signing(context, (config) => root ?? config, usual)
  }),
  'lease-revocation-leaves-user': leaving(() => true),
})

export const ofUsers: readonly CloudFault[] = [...furnishing, ...making, ...ending]
