/** Finds what the users and sessions at the provider have otherwise than their role and their request say, whatever check
 * asked for them. */
import { isDeepStrictEqual } from 'node:util'
import type { LoggedCall, SeenUser } from '../../fixtures/servers/provider/index.ts'
import { secondsAsked } from '../../fixtures/servers/provider/lifetimes.ts'
import type { Conditions, Flaw, Json, JsonObject, Scope, Seen } from '../../harness/vocabulary/index.ts'
import { fieldOf, isSuccess, mismatch, shown } from '../../harness/vocabulary/index.ts'
import { secondsIn } from '../numbers.ts'
import { hasProvider, peeked, usersAtFirst } from './provider.ts'
import { sameMeaning } from './same-policies.ts'
import { arnsIn, documentsIn, holdsPairs, madePolicies, pairsOf, tagsIn, unescaped } from './then.ts'

/** A part of a user or session: the row that says what it is, its name, what is wanted, and what there is instead. */
type Part = readonly [row: string, what: string, wanted: unknown, saw: unknown, isSame?: boolean]

/** Policies that a server made for a user or session count by their documents. */
interface Made {
  readonly documents: ReadonlyMap<string, string>
}

const entriesOf = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? (value as readonly Json[]) : String(value ?? '').split(','))
    .map((one) => String(one).trim())
    .filter((one) => one !== '')

const textOf = (value: Json | undefined): string | undefined => (value === undefined ? undefined : String(value))
const documentsOf = (value: Json | undefined): readonly string[] => (value === undefined ? [] : [String(value)])

/** Returns the tags of a list of `key=value` or of a map. */
const tagsOf = (value: Json | undefined): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? pairsOf(value as JsonObject) : entriesOf(value)

function partsOfUser(user: SeenUser, role: JsonObject, { documents }: Made): readonly Part[] {
  const texts = [...Object.values(user.inline), ...user.attached.flatMap((arn) => documents.get(arn) ?? [])]
  const attached = user.attached.filter((arn) => !documents.has(arn)).toSorted()
  const { policy, arn, policy_document: document = policy, policy_arns: arns = arn } = role
  const [ofDocument, ofArns] = [
    policy === undefined ? 'iam-user.policy-document' : 'legacy.policy-used',
    arn === undefined ? 'iam-user.policy-arns' : 'legacy.arn-used',
  ]
  const { user_path: path, permissions_boundary_arn: boundary } = role
  const [wanted, tags] = [documentsOf(document), tagsOf(role.iam_tags)]
  return [
    [ofDocument, 'policy documents', wanted, texts, sameMeaning(texts, wanted)],
    [ofArns, 'attached policies', entriesOf(arns).toSorted(), attached],
    ['iam-user.groups', 'groups', entriesOf(role.iam_groups).toSorted(), user.groups.toSorted()],
    ['iam-user.tags', 'tags', tags, pairsOf(user.tags), holdsPairs(user.tags, tags)],
    [path === undefined ? 'iam-user.path-default' : 'iam-user.path', 'path', path ?? '/', user.path],
    [boundary === undefined ? 'iam-user.no-boundary' : 'iam-user.boundary', 'boundary', boundary, user.boundary],
    ['iam-user.nothing-more', 'number of keys', 1, user.keys.length],
  ]
}

const sessionActions: Readonly<Record<string, string>> = {
  assumed_role: 'AssumeRole',
  federation_token: 'GetFederationToken',
  session_token: 'GetSessionToken',
}

/** No document says how a provider's own limits, or those of a role, change what is asked for. */
function secondsParts(type: string, call: LoggedCall, role: JsonObject, body: JsonObject): readonly Part[] {
  const [asked, usual, most] = [body.ttl, role.default_sts_ttl, role.max_sts_ttl].map((value) =>
    value === undefined ? undefined : secondsIn(value),
  )
  const wanted = asked ?? usual ?? 3600
  const isFree = wanted >= 900 && wanted <= (most ?? 3600)
  const isKnown = [body.ttl, role.default_sts_ttl, role.max_sts_ttl].every(
    (value) => value === undefined || secondsIn(value) !== undefined,
  )
  const aspect = asked !== undefined ? 'request' : usual !== undefined ? 'role-default' : 'default'
  return isFree && isKnown ? [[`${type}.ttl.${aspect}`, 'seconds', wanted, secondsAsked(call)]] : []
}

function partsOfSession(
  type: string,
  call: LoggedCall,
  { role, body, made }: { readonly role: JsonObject; readonly body: JsonObject; readonly made: Made },
): readonly Part[] {
  const { parameters } = call
  const [word, isAssumed] = [type.replace('_', '-'), type === 'assumed_role']
  const [arns, texts] = [entriesOf(role.policy_arns), documentsOf(role.policy_document)]
  const own = arnsIn(parameters).filter((arn) => !made.documents.has(arn))
  const seen = documentsIn(parameters, made.documents)
  // A session policy of an assumed role only restricts it, and groups bring policies of their own.
  const isFiltered =
    type !== 'session_token' && role.iam_groups === undefined && (!isAssumed || arns.length + texts.length > 0)
  const [roleArn = textOf(body.role_arn), ...others] = body.role_arn === undefined ? entriesOf(role.role_arns) : []
  const [tags, tagsSeen] = [tagsOf(role.session_tags), tagsIn(parameters)]
  return [
    ...secondsParts(word, call, role, body),
    ...(isFiltered
      ? ([
          [`${word}.policy-arns`, 'PolicyArns', arns.toSorted(), own.toSorted()],
          [`${word}.policy-document`, 'policy documents', texts, seen, sameMeaning(seen, texts)],
        ] as const)
      : []),
    ...(isAssumed
      ? ([
          [
            'assumed-role.arn-assumed',
            'RoleArn',
            roleArn,
            parameters.RoleArn,
            others.length > 0 || roleArn === parameters.RoleArn,
          ],
          ['assumed-role.external-id', 'ExternalId', textOf(role.external_id), parameters.ExternalId],
          ['assumed-role.session-tags', 'Tags', tags, pairsOf(tagsSeen), holdsPairs(tagsSeen, tags)],
        ] as const)
      : []),
    ...(type === 'session_token' && role.mfa_serial_number !== undefined
      ? ([
          ['session-token.mfa-serial', 'SerialNumber', textOf(role.mfa_serial_number), parameters.SerialNumber],
          ['session-token.mfa-code', 'TokenCode', textOf(body.mfa_code), parameters.TokenCode],
        ] as const)
      : []),
  ]
}

const makesUsers = /^(CreateUser|AttachUserPolicy|PutUserPolicy|AddUserToGroup|PutUserPermissionsBoundary)$/

/** Where no key was ever made, nobody asked for a user. */
function furtherCall(log: readonly LoggedCall[]): LoggedCall | undefined {
  const taken = log.filter(({ outcome }) => outcome === 'ok')
  return taken.some(({ action }) => action === 'CreateAccessKey')
    ? undefined
    : taken.find(({ action }) => makesUsers.test(action))
}

interface Request {
  readonly role: JsonObject
  readonly body: JsonObject
  readonly type: string
}

/** Returns what a request for credentials and its role say. Undefined if it is none, if the role was written more than once,
 * or if it is not by the root credentials that sessions are asked for. */
function requestIn({ reply: { asked }, scope }: Seen): Request | undefined {
  const [, path = '', mount = '', name] = /^(?:GET|POST) (([^/]+)\/(?:creds|sts)\/([^/?]+))$/.exec(asked) ?? []
  const [role, ...others] = name === undefined ? [] : scope.served(`${mount}/roles/${name}`)
  const isOfRole = scope.served(`${mount}/config/root`).some((root) => root.role_arn !== undefined)
  if (!role || others.length > 0 || isOfRole) return undefined
  const type = role.credential_type ?? 'iam_user'
  return { role, body: asked.startsWith('POST ') ? (scope.served(path).at(-1) ?? {}) : {}, type: String(type) }
}

/** Returns which of the users that were there before have got something other than keys. */
function changedUser(scope: Scope, users: readonly SeenUser[]): string | undefined {
  const rightsOf = ({ path, boundary, attached, inline, groups }: SeenUser) => [
    ...[path, boundary, inline],
    ...[attached.toSorted(), groups.toSorted()],
  ]
  const now = new Map(users.map((one) => [one.name, rightsOf(one)]))
  return usersAtFirst(scope).find((one) => !isDeepStrictEqual(now.get(one.name), rightsOf(one)))?.name
}

type Peeked = Awaited<ReturnType<typeof peeked>>

function partsIn({ reply, scope }: Seen, { role, body, type }: Request, { log, account }: Peeked): readonly Part[] {
  const made = { documents: madePolicies(log, scope) }
  const text = unescaped(reply)
  const action = sessionActions[type]
  if (action === undefined) {
    const user = account.users.find(({ keys }) => keys.some(({ id }) => text.includes(id)))
    return user ? partsOfUser(user, role, made) : []
  }
  const call = log.findLast((one) => one.action === action && one.outcome === 'ok')
  const isShown = account.sessions.some(({ id }) => text.includes(id))
  if (!call || !isShown) return []
  const further = furtherCall(log)?.action
  const row = `${type.replace('_', '-')}.nothing-more`
  return [...partsOfSession(type, call, { role, body, made }), [row, 'further call', undefined, further]]
}

const sessionWords = ['assumed-role', 'federation-token', 'session-token']
const filteredWords = ['assumed-role', 'federation-token']

/** Requests that change keys of one user, and nothing else at the provider. */
const ofKeys = [
  [/^POST [^/]+\/config\/rotate-root$/, 'root', 'rotate-root.only-keys'],
  [/^POST [^/]+\/static-roles\/[^/]+$/, 'static role', 'static-role.only-its-user'],
] as const

/** Returns a user who was not there before and never got a key: credentials have one, and a server may leave such a user behind
 * only where a call of it failed. One whose key is gone may be on the way out, as the lease has ended. */
function strayUser(scope: Scope, { log, account }: Peeked): string | undefined {
  const known = new Set(usersAtFirst(scope).map(({ name }) => name))
  for (const { action, parameters } of log) if (action === 'CreateAccessKey') known.add(String(parameters.UserName))
  if (log.some(({ outcome }) => outcome !== 'ok')) return undefined
  return account.users.find(({ name, keys }) => keys.length === 0 && !known.has(name))?.name
}

export const asAsked: Conditions = {
  requirements: [
    ...['policy-document', 'policy-arns', 'groups', 'tags', 'path-default', 'path', 'no-boundary', 'boundary'].map(
      (row) => `iam-user.${row}`,
    ),
    ...['iam-user.nothing-more', 'legacy.policy-used', 'legacy.arn-used'],
    ...['rotate-root.returns-key', ...ofKeys.map(([, , row]) => row)],
    ...sessionWords.flatMap((word) => [`${word}.ttl.request`, `${word}.ttl.default`, `${word}.nothing-more`]),
    ...filteredWords.flatMap((word) =>
      ['ttl.role-default', 'policy-arns', 'policy-document'].map((row) => `${word}.${row}`),
    ),
    ...['arn-assumed', 'external-id', 'session-tags'].map((row) => `assumed-role.${row}`),
    ...['session-token.mfa-serial', 'session-token.mfa-code'],
  ].map((row) => `cloud.${row}`),
  async flawsIn(seen): Promise<readonly Flaw[]> {
    const { reply, scope } = seen
    if (!isSuccess(reply) || !hasProvider(scope) || !scope.has('account')) return []
    const request = requestIn(seen)
    const [, ofWhat, rowOfKeys] = ofKeys.find(([asked]) => asked.test(reply.asked)) ?? []
    if (!request && rowOfKeys === undefined) return []
    const now = await peeked(scope)
    const of = request?.type.replace('_', ' ') ?? ofWhat
    const row = request ? `${request.type.replace('_', '-')}.nothing-more` : String(rowOfKeys)
    const isOfSession = request !== undefined && sessionActions[request.type] !== undefined
    const others: readonly Part[] = [
      [row, 'changed users beside those', undefined, changedUser(scope, now.account.users)],
      // Sessions are held to the calls that were made for them.
      [row, 'further users beside those', undefined, isOfSession ? undefined : strayUser(scope, now)],
    ]
    const keyId = fieldOf(reply, 'access_key') ?? undefined
    const returned: Part = ['rotate-root.returns-key', 'new key', 'one', keyId, keyId !== undefined]
    return [
      ...(request ? partsIn(seen, request, now) : []),
      ...(rowOfKeys === 'rotate-root.only-keys' ? [returned] : []),
      ...others,
    ]
      .filter(([, , wanted, saw, isSame = isDeepStrictEqual(wanted, saw)]) => !isSame)
      .map(([row, what, wanted, saw]) => ({
        ...mismatch(reply, `${what} of the ${of} at the provider`, shown(wanted ?? 'none'), shown(saw ?? 'none')),
        requirement: `cloud.${row}`,
        isSecond: true,
      }))
  },
}
