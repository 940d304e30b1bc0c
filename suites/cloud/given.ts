/** The steps that prepare mounts, root credentials, roles and credentials. */
import { allowing } from '../../fixtures/cloud/policies.ts'
import { type CredentialType, fieldValues, leastRole } from '../../fixtures/cloud/roles.ts'
import type { AccountState } from '../../fixtures/servers/provider/index.ts'
import {
  type Action,
  type Ceremony,
  del,
  type Exchange,
  get,
  isSuccess,
  type Json,
  type JsonObject,
  list,
  notSuccess,
  type Operation,
  post,
  type Reply,
  readable,
  requestWords,
  restsOn,
  type Scope,
  type Step,
  StepFailed,
  shown,
  shownBefore,
  stepRefused,
  type TemplatePart,
} from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import { account, addressOf, anybodyCalled } from './provider.ts'
import { sessionName } from './then.ts'

export { shownBefore }

export const roleName = 'worker'
/** A role that can be assumed in every account that is opened with `assumable`. */
export const readerArn = 'arn:aws:iam::{account}:role/reader'
export const writerArn = 'arn:aws:iam::{account}:role/teams/writer'
export const assumable = { roles: ['reader', 'teams/writer'] } as const

/** Each check has its own mount, which is removed as a whole. */
export const mountedAs = (as: string): Operation => ({
  kind: 'operation',
  operation: 'mount',
  args: { type: 'cloud', as, leased: true },
  words: `a cloud credentials engine at \`${as}\``,
  provides: [],
})
export const mounted = mountedAs('mount')

/** Ends the leases of the mount even where the provider cannot be called any more. */
export const leasesEnded: Operation = {
  ...{ kind: 'operation', operation: 'endLeases', args: { of: 'mount' }, provides: [] },
  words: 'all leases of `mount` end',
}

export const readRoot = get('{mount}/config/root')
export const readLease = get('{mount}/config/lease')
/** The check that judges whether a root configuration can be read. */
export const rootIsRead = 'cloud/fields-root/root-configuration-is-read'
export const rotateRoot = post('{mount}/config/rotate-root')
/** The target must not retry, because that would only take time. */
export const rootBody = (fields: JsonObject = {}): JsonObject => ({
  access_key: '{accessKey}',
  secret_key: '{secretKey}',
  region: 'eu-north-1',
  iam_endpoint: '{iam}',
  sts_endpoint: '{sts}',
  max_retries: 0,
  ...fields,
})
export const writeRoot = (body: JsonObject = rootBody()): Exchange => post('{mount}/config/root', body)

/** Makes a username template, `{as}`. `sts` is the template for names of sessions, if it differs from `iam`. */
export const template = (iam: readonly TemplatePart[], as = 'template', sts?: readonly TemplatePart[]): Operation => ({
  kind: 'operation',
  operation: 'usernameTemplate',
  args: { as, iam, ...(sts ? { sts } : {}) },
  words: `\`${as}\` is a template of user names`,
  provides: [as],
})
/** A server may refuse a template without any input, because its names would not differ. */
export const namedAfterRole: readonly TemplatePart[] = ['assay-', { input: 'PolicyName' }, '-name']

export const pathOfRole = (name = roleName): string => `{mount}/roles/{use}${name}`
export const writeRole = (body: JsonObject, name = roleName): Exchange => post(pathOfRole(name), body)
export const readRole = (name = roleName): Exchange => get(pathOfRole(name))
export const deleteRole = (name = roleName): Exchange => del(pathOfRole(name))
export const listRoles: Exchange = list('{mount}/roles')
export const creds = (name = roleName): Exchange => get(`{mount}/creds/{use}${name}`)
export const sts = (fields: JsonObject = {}, name = roleName): Exchange => post(`{mount}/sts/{use}${name}`, fields)

/** The smallest valid body of a type, with further fields. */
export const least = (type: CredentialType, more: JsonObject = {}): JsonObject => ({
  ...(leastRole(type, '{account}') as JsonObject),
  ...more,
})
export const valueFor = (name: string): Json => (fieldValues('{account}') as JsonObject)[name] ?? ''

/** Writes a role and shows that it can be read. */
export const role = (body: JsonObject, name = roleName): readonly Step[] => [
  { ...writeRole(body, name), words: `a role \`${name}\` with ${listed(Object.keys(body))}` },
  found(name),
]
/** Another check judges whether a role can be read. If the reply shows nothing of the state (a 403, for example), the
 * successful write is enough. */
const found = (name: string) =>
  action(`the role \`${name}\` is found`, { touches: [readRole(name)] }, async (scope) => {
    const reply = await scope.send(readRole(name))
    if (isSuccess(reply) || isUnreadable(reply)) return
    throw restsOn(notSuccess(reply), 'cloud/transitions/post-creates-a-role', reply)
  })
function isUnreadable(reply: Reply): boolean {
  try {
    readable(reply)
    return false
  } catch {
    return true
  }
}
const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** Shows that the target uses the name of a session. Otherwise checks of its length, or of the name beside other
 * fields, prove nothing. */
export const namesAreHeeded = (name?: string): Action =>
  shownBefore(
    sts({ role_arn: readerArn, role_session_name: 'assay-session' }, name),
    sessionName('assay-session'),
    'cloud/fields-sessions/session-has-the-name',
  )

const answered = ({ asked, status, text }: Reply): string => `${asked} answered ${status} ${shown(text, 120)}`

/** A role in the legacy format, which gives users or sessions depending on the path of the request. */
const legacy: JsonObject = { policy: allowing('s3:GetObject') }
/** Writes a role for checks that do not depend on its format. If the type is refused, which other checks judge, a
 * legacy role is written. */
const anyKind = (type: 'iam_user' | 'federation_token', name: string) => {
  const [typed, untyped] = [writeRole(least(type), name), writeRole(legacy, name)]
  return {
    words: `a role \`${name}\` of type \`${type}\` or, where that is refused, one with the legacy \`policy\``,
    touches: [typed, untyped],
    /** The last reply, and a summary of all replies. */
    async write(scope: Scope) {
      const written = await scope.send(typed)
      if (isSuccess(written)) return { reply: written, told: answered(written) }
      const reply = await scope.send(untyped)
      return { reply, told: `${answered(written)}, and with the legacy \`policy\` ${answered(reply)}` }
    },
  }
}

export const anyRole = (type: 'iam_user' | 'federation_token', name = roleName): readonly Step[] => {
  const { words, touches, write } = anyKind(type, name)
  const action: Action = {
    ...{ kind: 'action', words, touches },
    async run(scope) {
      const { reply } = await write(scope)
      if (!isSuccess(reply)) throw stepRefused(reply)
    },
  }
  return [action, found(name)]
}
export const nameWithHyphens = `${roleName}-of-builds`
const worker = anyKind('iam_user', nameWithHyphens)
export const writeAnyRole: Ceremony = {
  kind: 'ceremony',
  words: `${requestWords(post(pathOfRole(nameWithHyphens)))}: ${worker.words}`,
  touches: worker.touches,
  run: async (scope) => (await worker.write(scope)).reply,
}

/** The mount comes first, because checks with other accounts can share it. */
export const mountedAlone = (state: AccountState = {}): readonly Step[] => [mounted, account(state)]
/** A mount whose root credentials belong to an account at the provider, which the target can reach. */
export const rooted = (state: AccountState = {}, fields: JsonObject = {}): readonly Step[] => [
  ...mountedAlone(state),
  { ...writeRoot(rootBody(fields)), words: 'root credentials are the key of that user' },
  reached,
]
export const rootedWith = (body: JsonObject, state: AccountState = {}, fields: JsonObject = {}): readonly Step[] => [
  ...rooted(state, fields),
  ...role(body),
]

export const rootedWithAny = (type: Parameters<typeof anyRole>[0], state: AccountState = {}): readonly Step[] => [
  ...rooted(state),
  ...anyRole(type),
]

/** The same request to a further mount, which is at `twin`. */
export function onTwin(exchange: Exchange): Exchange {
  return { ...exchange, path: exchange.path.replace('{mount}', '{twin}') }
}

/** A further mount at `twin`, with the root credentials of an account of its own. */
export const twin: readonly Step[] = [account(), mountedAs('twin'), onTwin(writeRoot())]

/** These requests leave nothing at the provider: the role to assume and the user to adopt are not in the account, so
 * the provider is called and refuses. A session name is given where possible, since a server may generate names that
 * are too long. */
const trials: readonly (readonly Exchange[])[] = [
  ...[
    { credential_type: 'federation_token', policy_document: allowing('s3:*') },
    { credential_type: 'assumed_role', role_arns: ['arn:aws:iam::{account}:role/trial'] },
    { policy: allowing('s3:*') },
  ].map((body) => [writeRole(body, 'trial'), sts({ role_session_name: 'assay' }, 'trial')]),
  [post('{mount}/static-roles/{use}trial', { username: 'trial', rotation_period: 3600 })],
]
/** The requests that delete the roles of the trials, so that later checks do not find them. */
const trialsEnd = [deleteRole('trial'), del('{mount}/static-roles/{use}trial')]
/** The outcome by control URL of the provider: undefined if the target called the provider, otherwise what is known. */
const reaching = new Map<string, Promise<Silence | undefined>>()
/** What a target that did not call the provider replied, and whether it accepted a role that it cannot serve without a
 * call. */
interface Silence {
  readonly answers: string
  readonly wasAsked: boolean
}

/** Makes the target call the provider, once per run. A target that cannot call it is not judged. */
export const reached = action(
  'the target can reach the provider',
  { touches: [...trials.flat(), ...trialsEnd] },
  async (scope) => {
    const { control, iam } = addressOf(scope)
    const known = reaching.get(control) ?? triedAndEnded(scope)
    reaching.set(control, known)
    const silence = await known
    if (silence === undefined) return
    throw new StepFailed('provider-not-called', { address: iam, ...silence })
  },
)

async function triedAndEnded(scope: Scope): Promise<Silence | undefined> {
  const silence = await tried(scope)
  for (const exchange of trialsEnd) await scope.send(exchange)
  return silence
}

async function tried(scope: Scope): Promise<Silence | undefined> {
  const answers: string[] = []
  let wasToCall = false
  for (const trial of trials) {
    for (const exchange of trial) {
      if (await anybodyCalled(scope)) return undefined
      const reply = await scope.send({ ...exchange, once: true })
      answers.push(answered(reply))
      if (reply.status >= 400) break
      wasToCall ||= exchange === trial.at(0)
    }
  }
  if (await anybodyCalled(scope)) return undefined
  return { answers: answers.join(', '), wasAsked: wasToCall }
}
