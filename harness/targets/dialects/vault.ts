/** The dialect of HashiCorp Vault, OpenBao and compatible servers: it decides what the documents leave open. */
import { randomBytes } from 'node:crypto'
import { defined } from '../../vocabulary/defined.ts'
import type {
  Dialect,
  Exchange,
  GoverningRule,
  OperationArgs,
  OperationName,
  Performance,
  TemplatePart,
} from '../../vocabulary/index.ts'
import { del, fieldOf, get, isSuccess, list, post } from '../../vocabulary/index.ts'
import { areas, engineTypes } from './vault-areas.ts'
import { admission, replicationOff } from './vault-clusters.ts'
import { features } from './vault-features.ts'
import { aclText } from './vault-policy.ts'

type Args<Name extends OperationName> = OperationArgs[Name]

export { namePrefix } from './vault-areas.ts'

/** Throw-away tokens expire, even if the run crashes. */
const tokenTtl = '15m'

const single = (exchange: Exchange): Performance => ({ exchanges: [exchange] })
const saved = (as: string, value: string): Performance => ({ exchanges: [], values: { [as]: value } })

/** Revokes a token without an accessor by `revoke-self`, or by a path that contains the token, for servers without
 * `revoke-self`. */
const revocations = (as: string): readonly Exchange[] => [
  post('auth/token/revoke-self', {}, { as }),
  post(`auth/token/revoke/{${as}}`, {}),
]

/** Creates a token for a check, as a child of the operator's token. It is revoked by its accessor, which only the
 * reply contains; if the reply is lost, the token can be found by the display name, which is the name of the run.
 * With `orphan` the token has no parent, because a child inherits the entity of the operator. An entity that it has
 * nevertheless is saved as `{as}Entity`. */
function createToken({ as, policies = [], ...options }: Args<'createToken'>): Performance {
  const { ttl = tokenTtl, orphan = false, displayName = '{run}' } = options
  const body = {
    ...{ policies: [...policies], ttl },
    display_name: displayName,
    renewable: false,
    ...(orphan ? { no_parent: true } : {}),
  }
  return single(
    post('auth/token/create', body, {
      words: `a token \`${as}\` with the policies ${policies.join(', ') || 'default'}`,
      saves: {
        [as]: '/auth/client_token',
        [`${as}Accessor`]: '/auth/accessor',
        ...(orphan ? { [`${as}Entity`]: '/auth/entity_id' } : {}),
      },
      secrets: [as],
      mayLack: [`${as}Accessor`, `${as}Entity`],
      undo: post('auth/token/revoke-accessor', { accessor: `{${as}Accessor}` }),
      orUndo: revocations(as),
    }),
  )
}

/** Writes an ACL policy by the older path, which every version of the family has. In the oldest versions the field
 * of the text is `rules`. */
function writePolicy({ name, text }: Args<'writePolicy'>): Performance {
  const [path, policy] = [`sys/policy/${name}`, `{${text}}`]
  return single(post(path, { policy, rules: policy }, { undo: del(path) }))
}

/** Returns a governing policy in the policy language of the family. The suites need only these three. */
function governingText(rule: GoverningRule): string {
  if (rule === 'allow') return 'main = rule { true }'
  if ('denyPath' in rule) return `main = rule { request.path is not "${rule.denyPath}" }`
  // The path contains no characters that are special in a pattern. The pattern is not anchored, because the documents
  // leave open whether a request's path begins with its namespace.
  return `main = rule { request.path not matches "${rule.denyBelow}" }`
}

/** Creates an entity. It is deleted by its id, because older servers cannot delete it by name. */
const entityNamed = (as: string, policies: readonly string[] = [], space = ''): Exchange =>
  post(
    `${space}identity/entity`,
    { name: `{${as}}`, ...(policies.length > 0 ? { policies: [...policies] } : {}) },
    { saves: { [`${as}Id`]: 'id' }, undo: del(`${space}identity/entity/id/{${as}Id}`) },
  )

/** Creates a login method, a user of it and the user's entity, all three under the same throw-away name. On servers
 * that do not show the accessor of a login method, the user logs in instead, which creates an entity too, but one
 * whose name is not known before the reply. */
function createUser({ as, policies: wanted, entityPolicies }: Args<'createUser'>): Performance {
  const [password, policies] = [randomBytes(12).toString('hex'), [...wanted]]
  return {
    exchanges: [
      post(`sys/auth/{${as}}`, { type: 'userpass' }, { undo: del(`sys/auth/{${as}}`) }),
      // All login methods are read, because older servers answer 405 to a GET of a single one.
      get('sys/auth', { saves: { [`${as}Mount`]: `/data/{${as}}~1/accessor` }, mayLack: [`${as}Mount`] }),
      // Older servers support only `policies`, the shorter name of the field.
      post(`auth/{${as}}/users/{${as}}`, { password, token_policies: policies, policies }),
      { ...entityNamed(as, entityPolicies), ifKnown: `${as}Mount` },
      post(
        'identity/entity-alias',
        { name: `{${as}}`, canonical_id: `{${as}Id}`, mount_accessor: `{${as}Mount}` },
        { ifKnown: `${as}Mount` },
      ),
      post(
        `auth/{${as}}/login/{${as}}`,
        { password: `{${as}Password}` },
        {
          ...{ as: 'nobody', unlessKnown: `${as}Mount` },
          saves: { [`${as}Id`]: '/auth/entity_id', [`${as}Token`]: '/auth/client_token' },
          secrets: [`${as}Token`],
          undo: del(`identity/entity/id/{${as}Id}`),
          orUndo: revocations(`${as}Token`),
        },
      ),
    ],
    values: { [`${as}Password`]: password },
    secrets: [`${as}Password`],
  }
}

/** Logs a user in. The token needs no undo: it is revoked when the login method is disabled. */
function login({ user, as }: Args<'login'>): Performance {
  return single(
    post(
      `auth/{${user}}/login/{${user}}`,
      { password: `{${user}Password}` },
      {
        as: 'nobody',
        words: `\`${user}\` logs in`,
        saves: { [as]: '/auth/client_token', [`${as}Accessor`]: '/auth/accessor', [`${as}Entity`]: '/auth/entity_id' },
        secrets: [as],
        mayLack: [`${as}Accessor`, `${as}Entity`],
      },
    ),
  )
}

/** Creates an enforcement, so that every login of a user requires a code of one of the MFA methods. `methods` has
 * the scope names of their ids; `as` is the name of the enforcement, as a template. */
function enforceLogin({ as, user, methods, by }: Args<'enforceLogin'>): Performance {
  const path = `identity/mfa/login-enforcement/${as}`
  const whose = {
    entity: { identity_entity_ids: [`{${user}Id}`] },
    mount: { auth_method_accessors: [`{${user}Mount}`] },
    group: { identity_group_ids: [`{${user}GroupId}`] },
  }
  const body = { mfa_method_ids: methods.map((id) => `{${id}}`), ...whose[by] }
  const enforcing = post(path, body, { undo: del(path) })
  return by === 'group' ? { exchanges: [groupOf(user), enforcing] } : single(enforcing)
}

/** Creates a group whose only member is the entity of a user. */
const groupOf = (user: string): Exchange =>
  post(
    'identity/group',
    { name: `{${user}}`, member_entity_ids: [`{${user}Id}`] },
    { saves: { [`${user}GroupId`]: 'id' }, undo: del(`identity/group/id/{${user}GroupId}`) },
  )

/** Sends the code together with the login, so that one exchange shows whether it is accepted. If the login is not
 * complete, the reply has an empty token. */
function loginWithCode({ user, method, code, as }: Args<'loginWithCode'>): Performance {
  return single(
    post(
      `auth/{${user}}/login/{${user}}`,
      { password: `{${user}Password}` },
      {
        as: 'nobody',
        words: `\`${user}\` logs in with a code`,
        headers: { 'X-Vault-MFA': `{${method}}:{${code}}` },
        saves: { [as]: '/auth/client_token' },
        secrets: [as],
      },
    ),
  )
}

/** Mounts an engine. `defaultTtl` and `maxTtl` set the lifetimes of its leases; if absent, those of the system
 * apply. */
function mount({ type, as, defaultTtl, maxTtl, leased = false }: Args<'mount'>): Performance {
  const config = defined({ default_lease_ttl: defaultTtl, max_lease_ttl: maxTtl })
  const body = { type: engineTypes[type] ?? type, ...(Object.keys(config).length > 0 ? { config } : {}) }
  const mounting = post(`sys/mounts/{${as}}`, body, { undo: del(`sys/mounts/{${as}}`) })
  return { exchanges: leased ? [mounting, endingLeases(as)] : [mounting] }
}

/** Mounts a plugin in the way of servers before 1.0. */
function mountByName({ type: name, as }: Args<'mountByName'>): Performance {
  const body = { type: 'plugin', plugin_name: name, config: { plugin_name: name } }
  return single(post(`sys/mounts/{${as}}`, body, { undo: del(`sys/mounts/{${as}}`) }))
}

/** Returns an exchange whose undo force-revokes all leases of a mount. This undo has to run before the unmount, because
 * a lease that cannot be revoked would block the unmount. */
const endingLeases = (as: string): Exchange =>
  get(`sys/mounts/{${as}}/tune`, {
    words: `leases of \`${as}\` are given up before it is unmounted`,
    undo: leasesEnd(as),
  })
const leasesEnd = (of: string): Exchange => post(`sys/leases/revoke-force/{${of}}`)

const templateText = (parts: readonly TemplatePart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : `{{.${part.input}}}`)).join('')

/** Saves a template of user names under `as`. If `sts` is given, sessions have another template than users. */
function usernameTemplate({ as, ...parts }: Args<'usernameTemplate'>): Performance {
  const iam = templateText(parts.iam)
  const sts = templateText(parts.sts ?? parts.iam)
  const value = iam === sts ? iam : `{{ if (eq .Type "STS") }}${sts}{{ else }}${iam}{{ end }}`
  return saved(as, value)
}

const operations: Dialect['operations'] = {
  createToken,
  aclDocument: (args) => saved(args.as, aclText(args.rules, args.language)),
  governingDocument: (args) => saved(args.as, governingText(args.rule)),
  writePolicy,
  override: (args) => saved(args.as, 'X-Vault-Policy-Override'),
  createUser,
  createEntity: (args) => single(entityNamed(args.as, [], args.in)),
  createNamespace: (args) =>
    single(post(`sys/namespaces/{${args.as}}`, {}, { undo: del(`sys/namespaces/{${args.as}}`) })),
  login,
  enforceLogin,
  releaseLogin: (args) => single(del(`identity/mfa/login-enforcement/${args.as}`)),
  loginWithCode,
  mount,
  mountByName,
  usernameTemplate,
  revokeLease: (args) => single(post('sys/leases/revoke', { lease_id: `{${args.lease}}`, sync: true })),
  signPath: (args) => saved(args.as, `sign/${args.role}`),
  endLeases: (args) => single(leasesEnd(args.of)),
  leaseField: (args) => saved(args.as, '/lease_id'),
  capabilities: (args) => single(post('sys/capabilities-self', { paths: [args.path] }, { as: args.token })),

  health: () => single(get('sys/health', { as: 'nobody', once: true })),
  sealStatus: () => single(get('sys/seal-status', { as: 'nobody' })),
  revokeSelf: () => single(post('auth/token/revoke-self', {})),
  lookupSelf: () => single(get('auth/token/lookup-self')),
  capabilitiesSelf: (args) => single(post('sys/capabilities-self', { paths: [...args.paths] })),
  listGoverning: () => single(list('sys/policies/rgp')),
  replicationStatus: () => single(get('sys/replication/dr/status', { as: 'nobody' })),

  inventory: () => ({ exchanges: inventory }),
  tokenByAccessor: (args) => single(post('auth/token/lookup-accessor', { accessor: args.accessor })),
  revokeAccessor: (args) => single(post('auth/token/revoke-accessor', { accessor: args.accessor })),
}

/** The exchanges that list objects, one for each kind. `words` is the name of the kind. */
const inventory: readonly Exchange[] = [
  list('sys/policies/acl', { words: 'acl policies' }),
  list('sys/policies/rgp', { words: 'rgp policies' }),
  list('sys/policies/egp', { words: 'egp policies' }),
  get('sys/mounts', { words: 'mounts' }),
  get('sys/auth', { words: 'auth mounts' }),
  list('identity/entity/name', { words: 'entities' }),
  list('auth/token/accessors', { words: 'token accessors' }),
  list('sys/plugins/catalog/auth', { words: 'auth plugins' }),
  list('sys/plugins/catalog/database', { words: 'database plugins' }),
  list('sys/plugins/catalog/secret', { words: 'secret plugins' }),
  list('identity/mfa/login-enforcement', { words: 'login enforcements' }),
  list('sys/mfa/method', { words: 'MFA methods by name' }),
  list('identity/mfa/method/totp', { words: 'TOTP methods by id' }),
  list('sys/namespaces', { words: 'namespaces' }),
]

/** The order matters: mounts have to be removed before the plugins that they run, and enforcements before the MFA
 * methods that they require. */
const removals: NonNullable<Dialect['removals']> = [
  { kind: 'login enforcements', ways: [del('identity/mfa/login-enforcement/{name}')] },
  { kind: 'MFA methods by name', ways: [del('sys/mfa/method/totp/{name}')] },
  // If a lease that cannot be revoked blocks the unmount, all leases are force-revoked, and the unmount is repeated.
  {
    kind: 'mounts',
    ways: [del('sys/mounts/{name}'), post('sys/leases/revoke-force/{name}'), del('sys/mounts/{name}')],
  },
  { kind: 'auth mounts', ways: [del('sys/auth/{name}')] },
  ...['auth', 'database', 'secret'].map((type) => ({
    kind: `${type} plugins`,
    ways: [
      del(`sys/plugins/catalog/${type}/{name}`),
      del(`sys/plugins/catalog/${type}/{name}`, { query: { version: '{version}' } }),
    ],
    versions: get('sys/plugins/catalog'),
  })),
  { kind: 'entities', ways: [del('identity/entity/name/{name}')] },
  ...['acl', 'rgp', 'egp'].map((kind) => ({ kind: `${kind} policies`, ways: [del(`sys/policies/${kind}/{name}`)] })),
  { kind: 'namespaces', ways: [del('sys/namespaces/{name}')] },
]

const nodes: NonNullable<Dialect['nodes']> = {
  leader: get('sys/leader', { as: 'nobody', once: true }),
  unforwarded: { 'x-vault-no-request-forwarding': '1' },
  // A reply that is to be wrapped has to be stored, so a standby node sends such a read on.
  atActive: { 'x-vault-wrap-ttl': '60s' },
  // What a token keeps in its cubbyhole concerns nobody else, and the policy `default` allows it.
  mark: (value) => ({
    write: post('cubbyhole/{mark}', { value }),
    read: get('cubbyhole/{mark}'),
    remove: del('cubbyhole/{mark}'),
  }),
  knowsNoActive: ({ status, text }) =>
    status === 500 && text.length < 1000 && text.includes('not active but active cluster node not found'),
}

/** The query string chooses the status of the health reply, for each state of the node. */
const chosenStatus = '299'
const statesOfNode = ['active', 'standby', 'performancestandby', 'drsecondary', 'sealed', 'uninit']
const queries: NonNullable<Dialect['queries']> = {
  exchange: get('sys/health', {
    as: 'nobody',
    query: Object.fromEntries(statesOfNode.map((state) => [`${state}code`, chosenStatus])),
  }),
  arrived: (reply) =>
    typeof fieldOf(reply, 'standby') === 'boolean' ? reply.status === Number(chosenStatus) : undefined,
}

export const vault: Dialect = {
  ...{ id: 'vault', prefix: '/v1', tokenHeader: 'X-Vault-Token', majors: [0, 1, 2], areas, features, operations },
  product: {
    exchange: get('sys', { query: { help: '1' } }),
    read(reply) {
      const help = isSuccess(reply) ? fieldOf(reply, 'help') : undefined
      return typeof help === 'string' ? /built-in to\s+([A-Za-z][\w-]{0,40})\b/.exec(help)?.[1] : undefined
    },
    numbered: ['Vault'],
  },
  queries,
  lists: [{ method: 'POST', path: 'auth/:mount/users/:name', lists: { policies: [], token_policies: [] } }],
  takesTurns: ['sys/plugins/catalog'],
  admission,
  restorations: { 'replication-off': replicationOff },
  nodes,
  removals,
  marked: [
    // The methods that an enforcement uses cannot be deleted.
    { list: list('identity/mfa/login-enforcement') },
    { list: list('identity/entity/name') },
    { list: list('identity/mfa/method/totp'), field: 'issuer' },
  ],
}
