/** This dialect fills what the documents leave open as HashiCorp Vault, OpenBao and compatible servers do. The file is long
 * because each operation of the suites has its requests here. */
import { randomBytes } from 'node:crypto'
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

/** Throw-away tokens end by themselves, whatever happens to the run. */
const tokenTtl = '15m'

const one = (exchange: Exchange): Performance => ({ exchanges: [exchange] })
const saved = (as: string, value: string): Performance => ({ exchanges: [], values: { [as]: value } })

/** A token without an accessor takes back itself, or is revoked by its own text, which is a path on servers that serve no
 * `revoke-self`. */
const revocations = (as: string): readonly Exchange[] => [
  post('auth/token/revoke-self', {}, { as }),
  post(`auth/token/revoke/{${as}}`, {}),
]

/** A token made for a check. It is a child of the operator's token; its accessor, known only from the reply, is what
 * takes it back, so it carries the run's prefix in its display name for the case that the reply is never seen. With
 * `orphan` it is nobody's child: a child has the entity of the operator, where the operator has one. What entity it has
 * all the same is `{as}Entity`. */
function createToken({ as, policies = [], ttl = tokenTtl, orphan = false }: Args<'createToken'>): Performance {
  const body = {
    ...{ policies: [...policies], ttl },
    display_name: '{run}',
    renewable: false,
    ...(orphan ? { no_parent: true } : {}),
  }
  return one(
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

/** An ACL policy by the older path, which every version of the family has; the oldest call the text `rules`. */
function writePolicy({ name, text }: Args<'writePolicy'>): Performance {
  const [path, policy] = [`sys/policy/${name}`, `{${text}}`]
  return one(post(path, { policy, rules: policy }, { undo: del(path) }))
}

/** Governing policies are written in this family's policy language; these three are all that the suites need. */
function governingText(rule: GoverningRule): string {
  if (rule === 'allow') return 'main = rule { true }'
  if ('denyPath' in rule) return `main = rule { request.path is not "${rule.denyPath}" }`
  // A path has nothing that a pattern would read in another way than a text. Whether it begins with its namespace is open.
  return `main = rule { request.path not matches "${rule.denyBelow}" }`
}

/** Taken back by its id, which older servers know, too. */
const entityNamed = (as: string): Exchange =>
  post(
    'identity/entity',
    { name: `{${as}}` },
    { saves: { [`${as}Id`]: 'id' }, undo: del(`identity/entity/id/{${as}Id}`) },
  )

/** A user of a login method that is mounted for it alone, with an entity, all three under the user's own throw-away
 * name. A login would make an entity too, but one whose name nobody knows before the reply: that is for servers that do
 * not show by which accessor the entity is tied to the method. */
function createUser({ as, policies: wanted }: Args<'createUser'>): Performance {
  const [password, policies] = [randomBytes(12).toString('hex'), [...wanted]]
  return {
    exchanges: [
      post(`sys/auth/{${as}}`, { type: 'userpass' }, { undo: del(`sys/auth/{${as}}`) }),
      // Older servers answer 405 to a GET of one login method.
      get('sys/auth', { saves: { [`${as}Mount`]: `/data/{${as}}~1/accessor` }, mayLack: [`${as}Mount`] }),
      // Older servers know the policies of a user by the shorter name only.
      post(`auth/{${as}}/users/{${as}}`, { password, token_policies: policies, policies }),
      { ...entityNamed(as), ifKnown: `${as}Mount` },
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

/** The token ends with the login method that issued it. */
function login({ user, as }: Args<'login'>): Performance {
  return one(
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

/** Every login of a user is asked for a code of one of some MFA methods; `methods` are the scope names of their ids. `as` is
 * the name of the enforcement, as a template. */
function enforceLogin({ as, user, methods, by }: Args<'enforceLogin'>): Performance {
  const path = `identity/mfa/login-enforcement/${as}`
  const whose = {
    entity: { identity_entity_ids: [`{${user}Id}`] },
    mount: { auth_method_accessors: [`{${user}Mount}`] },
    group: { identity_group_ids: [`{${user}GroupId}`] },
  }
  const body = { mfa_method_ids: methods.map((id) => `{${id}}`), ...whose[by] }
  const enforcing = post(path, body, { undo: del(path) })
  return by === 'group' ? { exchanges: [groupOf(user), enforcing] } : one(enforcing)
}

/** Makes a group whose only member is the entity of a user. */
const groupOf = (user: string): Exchange =>
  post(
    'identity/group',
    { name: `{${user}}`, member_entity_ids: [`{${user}Id}`] },
    { saves: { [`${user}GroupId`]: 'id' }, undo: del(`identity/group/id/{${user}GroupId}`) },
  )

/** The code travels with the login itself, so that one exchange decides. Where the login goes on without a code, the
 * reply has an empty token. */
function loginWithCode({ user, method, code, as }: Args<'loginWithCode'>): Performance {
  return one(
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

/** `defaultTtl` and `maxTtl` tune the lifetimes of the mount; without them the system's hold. */
function mount({ type, as, defaultTtl, maxTtl, leased = false }: Args<'mount'>): Performance {
  const config = {
    ...(defaultTtl === undefined ? {} : { default_lease_ttl: defaultTtl }),
    ...(maxTtl === undefined ? {} : { max_lease_ttl: maxTtl }),
  }
  const body = { type: engineTypes[type] ?? type, ...(Object.keys(config).length > 0 ? { config } : {}) }
  const mounting = post(`sys/mounts/{${as}}`, body, { undo: del(`sys/mounts/{${as}}`) })
  return { exchanges: leased ? [mounting, endingLeases(as)] : [mounting] }
}

/** Mounts a plugin as servers before 1.0 do. */
function mountByName({ type: name, as }: Args<'mountByName'>): Performance {
  const body = { type: 'plugin', plugin_name: name, config: { plugin_name: name } }
  return one(post(`sys/mounts/{${as}}`, body, { undo: del(`sys/mounts/{${as}}`) }))
}

/** A lease that cannot be revoked blocks the unmount: before it, all that are left are given up. */
const endingLeases = (as: string): Exchange =>
  get(`sys/mounts/{${as}}/tune`, {
    words: `leases of \`${as}\` are given up before it is unmounted`,
    undo: post(`sys/leases/revoke-force/{${as}}`),
  })

const templateText = (parts: readonly TemplatePart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : `{{.${part.input}}}`)).join('')

/** Under `as`: a template of user names, one for users and, where `sts` is given, another for sessions. */
function usernameTemplate({ as, ...parts }: Args<'usernameTemplate'>): Performance {
  const iam = templateText(parts.iam)
  const sts = templateText(parts.sts ?? parts.iam)
  const value = iam === sts ? iam : `{{ if (eq .Type "STS") }}${sts}{{ else }}${iam}{{ end }}`
  return saved(as, value)
}

const operations: Dialect['operations'] = {
  createToken,
  aclDocument: (args) => saved(args.as, aclText(args.rules)),
  governingDocument: (args) => saved(args.as, governingText(args.rule)),
  writePolicy,
  override: (args) => saved(args.as, 'X-Vault-Policy-Override'),
  createUser,
  createEntity: (args) => one(entityNamed(args.as)),
  createNamespace: (args) => one(post(`sys/namespaces/{${args.as}}`, {}, { undo: del(`sys/namespaces/{${args.as}}`) })),
  login,
  enforceLogin,
  releaseLogin: (args) => one(del(`identity/mfa/login-enforcement/${args.as}`)),
  loginWithCode,
  mount,
  mountByName,
  usernameTemplate,
  revokeLease: (args) => one(post('sys/leases/revoke', { lease_id: `{${args.lease}}`, sync: true })),
  signPath: (args) => saved(args.as, `sign/${args.role}`),
  leaseField: (args) => saved(args.as, '/lease_id'),
  capabilities: (args) => one(post('sys/capabilities-self', { paths: [args.path] }, { as: args.token })),

  health: () => one(get('sys/health', { as: 'nobody', once: true })),
  sealStatus: () => one(get('sys/seal-status', { as: 'nobody' })),
  revokeSelf: () => one(post('auth/token/revoke-self', {})),
  lookupSelf: () => one(get('auth/token/lookup-self')),
  capabilitiesSelf: (args) => one(post('sys/capabilities-self', { paths: [...args.paths] })),
  listGoverning: () => one(list('sys/policies/rgp')),
  replicationStatus: () => one(get('sys/replication/dr/status', { as: 'nobody' })),

  inventory: () => ({ exchanges: inventory }),
  tokenByAccessor: (args) => one(post('auth/token/lookup-accessor', { accessor: args.accessor })),
  revokeAccessor: (args) => one(post('auth/token/revoke-accessor', { accessor: args.accessor })),
}

/** One list a kind of object; the words are the kind's name. */
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

/** Mounts go before the plugins that they run, and enforcements before the methods that they ask for. */
const removals: NonNullable<Dialect['removals']> = [
  { kind: 'login enforcements', ways: [del('identity/mfa/login-enforcement/{name}')] },
  { kind: 'MFA methods by name', ways: [del('sys/mfa/method/totp/{name}')] },
  // A lease that cannot be revoked blocks the unmount.
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
  lists: [{ method: 'POST', path: 'auth/:mount/users/:name', lists: { policies: [], token_policies: [] } }],
  takesTurns: ['sys/plugins/catalog'],
  admission,
  restorations: { 'replication-off': replicationOff },
  removals,
}
