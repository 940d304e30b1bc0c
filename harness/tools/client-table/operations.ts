/** The operations of clients, in the order in which each client runs them against a fresh server. */
import type { MockServer } from '../../../mock-server/server.ts'

/** A client as a map of methods, each of which accepts one object, or a path and an object. */
export type Client = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>

/** The client of `@litehex/node-vault`, with a separate client for each engine. */
export interface Parts {
  readonly all: Client
  readonly kv: Client
  readonly kv2: Client
  readonly transit: Client
}

/** Values that earlier steps of a client save for later ones. */
export interface Memory {
  readonly server: MockServer
  nonce: string
  token: string
  accessor: string
}

type Step<Kind> = (client: Kind, memory: Memory) => Promise<unknown>

export interface Operation {
  readonly name: string
  /** True if this server does not have the operation and refuses it. */
  readonly absent?: boolean
  readonly nodeVault?: Step<Client>
  readonly litehex?: Step<Parts>
  /** The arguments of the command line clients. */
  readonly command?: readonly string[]
}

/** Calls a method by its name. Rejects if the client does not have the method. */
const call =
  (method: string, ...given: readonly unknown[]) =>
  (client: Client): Promise<unknown> =>
    method in client
      ? (client[method]?.(...given) ?? Promise.reject(new Error(method)))
      : Promise.reject(new Error(method))
const all =
  (method: string, ...given: readonly unknown[]) =>
  ({ all: client }: Parts): Promise<unknown> =>
    call(method, ...given)(client)
const kv =
  (method: string, given: object) =>
  ({ kv: client }: Parts): Promise<unknown> =>
    call(method, given)(client)
const kv2 =
  (method: string, given: object = {}) =>
  ({ kv2: client }: Parts): Promise<unknown> =>
    call(method, { mountPath: 'two', path: 'a', ...given })(client)

const fieldOf = (reply: unknown, ...names: readonly string[]): string => {
  let value = reply
  for (const name of names) value = (value as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

const operationsOf = (named: Readonly<Record<string, Omit<Operation, 'name'>>>): readonly Operation[] =>
  Object.entries(named).map(([name, ways]) => ({ name, ...ways }))

const role = { role_name: 'app' }
const server: readonly Operation[] = operationsOf({
  health: { nodeVault: call('health'), litehex: all('health') },
  'seal status': { nodeVault: call('status'), litehex: all('sealStatus'), command: ['status'] },
  'initialization status': {
    ...{ nodeVault: call('initialized'), litehex: all('initialized'), command: ['operator', 'init', '-status'] },
  },
  leader: { nodeVault: call('leader') },
  'list nodes': { nodeVault: call('read', 'sys/ha-status'), command: ['operator', 'members'] },
  'help on a path': { nodeVault: call('help', 'sys/mounts'), command: ['path-help', 'sys/mounts'] },
})

const mounts: readonly Operation[] = operationsOf({
  'list mounts': { nodeVault: call('mounts'), litehex: all('mounts'), command: ['secrets', 'list', '-detailed'] },
  'mount key-value, version 1': {
    nodeVault: call('mount', { mount_point: 'one', type: 'kv' }),
    litehex: all('mount', { mountPath: 'one', type: 'kv' }),
    command: ['secrets', 'enable', '-path=one', '-version=1', 'kv'],
  },
  'mount key-value, version 2': {
    nodeVault: call('mount', { mount_point: 'two', type: 'kv', options: { version: '2' } }),
    litehex: all('mount', { mountPath: 'two', type: 'kv-v2' }),
    command: ['secrets', 'enable', '-path=two', 'kv-v2'],
  },
  'read a mount': {
    nodeVault: call('read', 'sys/mounts/two'),
    litehex: all('engineInfo', { mountPath: 'two' }),
    command: ['read', 'sys/mounts/two'],
  },
  'read the settings of a mount': {
    nodeVault: call('read', 'sys/mounts/two/tune'),
    litehex: all('tune', { mountPath: 'two' }),
    command: ['read', 'sys/mounts/two/tune'],
  },
  'change the settings of a mount': {
    nodeVault: call('write', 'sys/mounts/one/tune', { description: 'first' }),
    litehex: all('tuneMount', { mountPath: 'one', description: 'first' }),
    command: ['secrets', 'tune', '-description=first', 'one'],
  },
})

const values: readonly Operation[] = operationsOf({
  'version 1: write': {
    nodeVault: call('write', 'one/a', { x: '1' }),
    litehex: kv('write', { mountPath: 'one', path: 'a', data: { x: '1' } }),
    command: ['kv', 'put', 'one/a', 'x=1'],
  },
  'version 1: read': {
    nodeVault: call('read', 'one/a'),
    litehex: kv('read', { mountPath: 'one', path: 'a' }),
    command: ['kv', 'get', 'one/a'],
  },
  'version 1: list': {
    nodeVault: call('list', 'one'),
    litehex: kv('list', { mountPath: 'one', path: '' }),
    command: ['kv', 'list', 'one'],
  },
  'version 1: delete': {
    nodeVault: call('delete', 'one/a'),
    litehex: kv('delete', { mountPath: 'one', path: 'a' }),
    command: ['kv', 'delete', 'one/a'],
  },
  'version 2: write': {
    nodeVault: call('write', 'two/data/a', { data: { x: '1' } }),
    litehex: kv2('write', { data: { x: '1' } }),
    command: ['kv', 'put', 'two/a', 'x=1'],
  },
  'version 2: read': { nodeVault: call('read', 'two/data/a'), litehex: kv2('read'), command: ['kv', 'get', 'two/a'] },
  'version 2: patch': {
    nodeVault: call('update', 'two/data/a', { data: { y: '2' } }),
    litehex: kv2('patch', { data: { y: '2' } }),
    command: ['kv', 'patch', 'two/a', 'y=2'],
  },
  'version 2: read subkeys': { nodeVault: call('read', 'two/subkeys/a'), litehex: kv2('subKeys') },
  'version 2: list': {
    nodeVault: call('list', 'two/metadata'),
    litehex: kv2('list', { path: '' }),
    command: ['kv', 'list', 'two'],
  },
  'version 2: write metadata': {
    nodeVault: call('write', 'two/metadata/a', { custom_metadata: { owner: 'team' } }),
    litehex: kv2('writeMetadata', { custom_metadata: { owner: 'team' } }),
    command: ['kv', 'metadata', 'put', '-custom-metadata=owner=team', 'two/a'],
  },
  'version 2: patch metadata': {
    nodeVault: call('update', 'two/metadata/a', { max_versions: 9 }),
    litehex: kv2('patchMetadata', { max_versions: 9 }),
    command: ['kv', 'metadata', 'patch', '-max-versions=9', 'two/a'],
  },
  'version 2: read metadata': {
    nodeVault: call('read', 'two/metadata/a'),
    litehex: kv2('readMetadata'),
    command: ['kv', 'metadata', 'get', 'two/a'],
  },
  'version 2: delete a version': {
    nodeVault: call('write', 'two/delete/a', { versions: [1] }),
    litehex: kv2('delete', { versions: [1] }),
    command: ['kv', 'delete', '-versions=1', 'two/a'],
  },
  'version 2: undelete a version': {
    nodeVault: call('write', 'two/undelete/a', { versions: [1] }),
    litehex: kv2('undelete', { versions: [1] }),
    command: ['kv', 'undelete', '-versions=1', 'two/a'],
  },
  'version 2: roll back': { command: ['kv', 'rollback', '-version=1', 'two/a'] },
  'version 2: destroy a version': {
    nodeVault: call('destroySecretVersions', { mount_point: 'two', path: 'a', versions: [1] }),
    litehex: kv2('destroy', { versions: [1] }),
    command: ['kv', 'destroy', '-versions=1', 'two/a'],
  },
  'version 2: delete the latest version': {
    nodeVault: call('delete', 'two/data/a'),
    litehex: kv2('deleteLatest'),
    command: ['kv', 'delete', 'two/a'],
  },
  'version 2: delete all versions and the metadata': {
    nodeVault: call('delete', 'two/metadata/a'),
    litehex: kv2('deleteMetadata'),
    command: ['kv', 'metadata', 'delete', 'two/a'],
  },
  'version 2: change the settings of the mount': {
    nodeVault: call('write', 'two/config', { max_versions: 5 }),
    litehex: kv2('config', { max_versions: 5 }),
    command: ['write', 'two/config', 'max_versions=5'],
  },
  'version 2: read the settings of the mount': { nodeVault: call('read', 'two/config'), litehex: kv2('readConfig') },
  'move a mount': {
    nodeVault: call('remount', { from: 'one', to: 'three' }),
    command: ['secrets', 'move', 'one', 'three'],
  },
  unmount: {
    nodeVault: call('unmount', { mount_point: 'two' }),
    litehex: all('unmount', { mountPath: 'two' }),
    command: ['secrets', 'disable', 'two'],
  },
  'write a value to `cubbyhole`': {
    nodeVault: call('write', 'cubbyhole/a', { x: '1' }),
    litehex: all('write', { path: 'cubbyhole/a', data: { x: '1' } }),
    command: ['write', 'cubbyhole/a', 'x=1'],
  },
})

const document = 'path "secret/*" { capabilities = ["read"] }'
const access: readonly Operation[] = operationsOf({
  'list policies': { nodeVault: call('policies'), command: ['policy', 'list'] },
  'write a policy': {
    nodeVault: call('addPolicy', { name: 'app', rules: document }),
    command: ['write', 'sys/policies/acl/app', `policy=${document}`],
  },
  'read a policy': { nodeVault: call('getPolicy', { name: 'app' }), command: ['policy', 'read', 'app'] },
  'delete a policy': { nodeVault: call('removePolicy', { name: 'app' }), command: ['policy', 'delete', 'app'] },
  'list login methods': { nodeVault: call('auths'), command: ['auth', 'list', '-detailed'] },
  'enable `userpass`': {
    nodeVault: call('enableAuth', { mount_point: 'userpass', type: 'userpass' }),
    command: ['auth', 'enable', 'userpass'],
  },
  'write a user': {
    nodeVault: call('write', 'auth/userpass/users/ann', { password: 'pw' }),
    command: ['write', 'auth/userpass/users/ann', 'password=pw'],
  },
  'log in with a password': {
    nodeVault: call('userpassLogin', { username: 'ann', password: 'pw' }),
    command: ['login', '-no-store', '-method=userpass', 'username=ann', 'password=pw'],
  },
  'enable `approle`': {
    nodeVault: call('enableAuth', { mount_point: 'approle', type: 'approle' }),
    command: ['auth', 'enable', 'approle'],
  },
  'write a role': {
    nodeVault: call('addApproleRole', { ...role, policies: 'app', secret_id_bound_cidrs: '127.0.0.0/8' }),
    command: ['write', 'auth/approle/role/app', 'policies=app', 'secret_id_bound_cidrs=127.0.0.0/8'],
  },
  'read a role': { nodeVault: call('getApproleRole', role), command: ['read', 'auth/approle/role/app'] },
  'list roles': { nodeVault: call('approleRoles'), command: ['list', 'auth/approle/role'] },
  'choose a role id': {
    nodeVault: call('updateApproleRoleId', { ...role, role_id: 'app' }),
    command: ['write', 'auth/approle/role/app/role-id', 'role_id=app'],
  },
  'read the role id': { nodeVault: call('getApproleRoleId', role) },
  'create a secret id': {
    nodeVault: call('getApproleRoleSecret', role),
    command: ['write', 'auth/approle/role/app/custom-secret-id', 'secret_id=mine'],
  },
  'list accessors of secret ids': {
    nodeVault: call('approleSecretAccessors', role),
    command: ['list', 'auth/approle/role/app/secret-id'],
  },
  'log in with a role and a secret id': {
    async nodeVault(client) {
      await call('write', 'auth/approle/role/app/custom-secret-id', { secret_id: 'mine' })(client)
      return call('approleLogin', { role_id: 'app', secret_id: 'mine' })(client)
    },
    command: ['write', 'auth/approle/login', 'role_id=app', 'secret_id=mine'],
  },
  'delete a role': { nodeVault: call('deleteApproleRole', role), command: ['delete', 'auth/approle/role/app'] },
  'move a login method': {
    nodeVault: call('remount', { from: 'auth/userpass', to: 'auth/staff' }),
    command: ['auth', 'move', 'auth/userpass', 'auth/staff'],
  },
  'disable a login method': {
    nodeVault: call('disableAuth', { mount_point: 'staff' }),
    command: ['auth', 'disable', 'staff'],
  },
  'write a group': {
    nodeVault: call('write', 'identity/group', { name: 'crew', policies: ['app'] }),
    litehex: all('write', { path: 'identity/group', data: { name: 'crew', policies: ['app'] } }),
    command: ['write', 'identity/group', 'name=crew', 'policies=app'],
  },
})

const tokens: readonly Operation[] = operationsOf({
  'create a token': {
    async nodeVault(client, memory) {
      const reply = await call('tokenCreate', { policies: ['app'], ttl: '1h' })(client)
      memory.token = fieldOf(reply, 'auth', 'client_token')
      memory.accessor = fieldOf(reply, 'auth', 'accessor')
      return reply
    },
    command: ['token', 'create', '-id=chosen', '-policy=app', '-ttl=1h'],
  },
  'look up a token': {
    nodeVault: (client, { token }) => call('tokenLookup', { token })(client),
    command: ['token', 'lookup', 'chosen'],
  },
  'look up a token by its accessor': {
    nodeVault: (client, { accessor }) => call('tokenLookupAccessor', { accessor })(client),
  },
  'look up the token of the client': { nodeVault: call('tokenLookupSelf'), command: ['token', 'lookup'] },
  'renew a token': {
    nodeVault: (client, { token }) => call('tokenRenew', { token })(client),
    command: ['token', 'renew', 'chosen'],
  },
  'read the capabilities of a token': {
    nodeVault: call('write', 'sys/capabilities-self', { paths: ['secret/a'] }),
    command: ['token', 'capabilities', 'chosen', 'secret/a'],
  },
  'list accessors': { nodeVault: call('tokenAccessors'), command: ['list', 'auth/token/accessors'] },
  'revoke a token': {
    nodeVault: (client, { token }) => call('tokenRevoke', { token })(client),
    command: ['token', 'revoke', 'chosen'],
  },
  'create an orphan': { nodeVault: call('tokenCreateOrphan', {}), command: ['token', 'create', '-orphan'] },
  'write a token role': {
    nodeVault: call('addTokenRole', { ...role, allowed_policies: 'app' }),
    command: ['write', 'auth/token/roles/app', 'allowed_policies=app'],
  },
  'read a token role': { nodeVault: call('getTokenRole', role), command: ['read', 'auth/token/roles/app'] },
  'list token roles': { nodeVault: call('tokenRoles'), command: ['list', 'auth/token/roles'] },
  'create a token with a role': { nodeVault: call('tokenCreateRole', role), command: ['token', 'create', '-role=app'] },
  'delete a token role': { nodeVault: call('removeTokenRole', role), command: ['delete', 'auth/token/roles/app'] },
  'unwrap an answer': {
    async nodeVault(client, { server: { rootToken, url } }) {
      const headers = { 'x-vault-token': rootToken, 'x-vault-wrap-ttl': '60' }
      const wrapped = await fetch(`${url}/v1/sys/wrapping/wrap`, { method: 'POST', headers, body: '{"x":1}' })
      const token = fieldOf(await wrapped.json(), 'wrap_info', 'token')
      return call('unwrap', { token })(client)
    },
    command: ['token', 'create', '-wrap-ttl=60s'],
  },
})

const operator: readonly Operation[] = [
  ...operationsOf({
    'start generating a root token': {
      async nodeVault(client, memory) {
        const reply = await call('generateRootInit', {})(client)
        memory.nonce = fieldOf(reply, 'nonce')
        return reply
      },
      command: ['operator', 'generate-root', '-init'],
    },
    'start generating a root token with a chosen one-time password': {
      litehex: all('startRootGeneration', { otp: 'x'.repeat(26) }),
    },
    'read the progress of generating a root token': {
      litehex: all('getRootGenerationProgress'),
      command: ['operator', 'generate-root', '-status'],
    },
    'provide a key share for the root token': {
      nodeVault: (client, { nonce, server: { keyShares } }) =>
        call('generateRootUpdate', { key: keyShares[0], nonce })(client),
    },
    'cancel generating a root token': {
      nodeVault: call('generateRootCancel'),
      litehex: all('cancelRootGeneration'),
      command: ['operator', 'generate-root', '-cancel'],
    },
    'rotate the key': { nodeVault: call('rotate'), command: ['operator', 'rotate'] },
    'read the status of the key': { nodeVault: call('read', 'sys/key-status'), command: ['operator', 'key-status'] },
    'start replacing the root key': {
      nodeVault: call('write', 'sys/rekey/init', { secret_shares: 1, secret_threshold: 1 }),
      command: ['operator', 'rekey', '-init', '-key-shares=1', '-key-threshold=1'],
    },
    'cancel replacing the root key': {
      nodeVault: call('delete', 'sys/rekey/init'),
      command: ['operator', 'rekey', '-cancel'],
    },
    'list plugins': { nodeVault: call('read', 'sys/plugins/catalog'), command: ['plugin', 'list'] },
    'list audit devices': { nodeVault: call('audits'), litehex: all('listDevices') },
  }),
  {
    ...{ name: 'enable an audit device', absent: true },
    nodeVault: call('enableAudit', { name: 'file', type: 'file' }),
    litehex: all('enableDevice', { path: 'file', type: 'file', options: { path: '/dev/null' } }),
    command: ['audit', 'enable', 'file', 'file_path=/dev/null'],
  },
  { name: 'describe the host', absent: true, litehex: all('hostInfo') },
]

const second = { common_name: '2', key_type: 'ec', issuer_name: 'second' }
const engines: readonly Operation[] = [
  ...operationsOf({
    'mount `pki`': {
      nodeVault: call('mount', { mount_point: 'pki', type: 'pki' }),
      litehex: all('mount', { mountPath: 'pki', type: 'pki' }),
      command: ['secrets', 'enable', 'pki'],
    },
    'generate a root certificate': {
      nodeVault: call('write', 'pki/root/generate/internal', { common_name: 'ca' }),
      litehex: all('write', { path: 'pki/root/generate/internal', data: { common_name: 'ca' } }),
      command: ['write', 'pki/root/generate/internal', 'common_name=ca'],
    },
    'write a role for certificates': {
      nodeVault: call('write', 'pki/roles/web', { allow_any_name: true, key_type: 'ec', key_bits: 256, ttl: '1h' }),
      litehex: all('write', {
        path: 'pki/roles/web',
        data: { allow_any_name: true, key_type: 'ec', key_bits: 256, ttl: '1h' },
      }),
      command: ['write', 'pki/roles/web', 'allow_any_name=true', 'key_type=ec', 'key_bits=256', 'ttl=1h'],
    },
    'issue a certificate': {
      nodeVault: call('write', 'pki/issue/web', { common_name: 'a.example.com' }),
      litehex: all('write', { path: 'pki/issue/web', data: { common_name: 'a.example.com' } }),
      command: ['write', 'pki/issue/web', 'common_name=a.example.com'],
    },
    'list certificates': {
      nodeVault: call('list', 'pki/certs'),
      litehex: all('list', { path: 'pki/certs' }),
      command: ['list', 'pki/certs'],
    },
    'patch one field of a role': {
      nodeVault: call('update', 'pki/roles/web', { ttl: '2h' }),
      command: ['patch', 'pki/roles/web', 'ttl=2h'],
    },
    'generate a second root certificate': {
      nodeVault: call('write', 'pki/issuers/generate/root/internal', second),
      litehex: all('write', { path: 'pki/issuers/generate/root/internal', data: second }),
      command: ['write', 'pki/issuers/generate/root/internal', 'common_name=2', 'key_type=ec', 'issuer_name=second'],
    },
    'list issuers': {
      nodeVault: call('list', 'pki/issuers'),
      litehex: all('list', { path: 'pki/issuers' }),
      command: ['list', 'pki/issuers'],
    },
    'change an issuer': {
      nodeVault: call('update', 'pki/issuer/second', { leaf_not_after_behavior: 'truncate' }),
      command: ['patch', 'pki/issuer/second', 'leaf_not_after_behavior=truncate'],
    },
    'issue a certificate with the second issuer': {
      nodeVault: call('write', 'pki/issuer/second/issue/web', { common_name: 'a.example.com' }),
      litehex: all('write', { path: 'pki/issuer/second/issue/web', data: { common_name: 'a.example.com' } }),
      command: ['write', 'pki/issuer/second/issue/web', 'common_name=a.example.com'],
    },
    'generate a key': {
      nodeVault: call('write', 'pki/keys/generate/internal', { key_type: 'ec' }),
      litehex: all('write', { path: 'pki/keys/generate/internal', data: { key_type: 'ec' } }),
      command: ['write', 'pki/keys/generate/internal', 'key_type=ec'],
    },
    'mount a second `pki`': { command: ['secrets', 'enable', '-path=below', 'pki'] },
    'issue an intermediate': {
      command: ['pki', 'issue', '-issuer_name=one', '/pki/issuer/second', '/below/', 'common_name=one', 'key_type=ec'],
    },
    'list intermediates': { command: ['pki', 'list-intermediates', '/pki/issuer/second', '/below/'] },
    'verify a signature': { command: ['pki', 'verify-sign', '/pki/issuer/second', '/below/issuer/one'] },
    'reissue an intermediate': {
      command: [
        'pki',
        'reissue',
        '-issuer_name=two',
        '/pki/issuer/second',
        '/below/issuer/one',
        '/below/',
        'key_type=ec',
      ],
    },
  }),
  {
    ...{ name: 'encrypt with `transit`', absent: true },
    nodeVault: call('encryptData', { name: 'a', plaintext: 'eA==' }),
    litehex: ({ transit }) => call('encrypt', { mountPath: 'transit', name: 'a', plaintext: 'eA==' })(transit),
    command: ['write', 'transit/encrypt/a', 'plaintext=eA=='],
  },
  {
    ...{ name: 'generate credentials for a database', absent: true },
    nodeVault: call('generateDatabaseCredentials', { databasePath: 'database', name: 'a' }),
    command: ['read', 'database/creds/a'],
  },
  ...operationsOf({
    seal: { nodeVault: call('seal'), litehex: all('seal'), command: ['operator', 'seal'] },
    unseal: {
      nodeVault: (client, { server: { keyShares } }) => call('unseal', { key: keyShares[0] })(client),
      litehex: ({ all: client }, { server: { keyShares } }) => call('unseal', { key: keyShares[0] })(client),
    },
  }),
]

export const operations: Readonly<Record<string, readonly Operation[]>> = {
  'the server': server,
  mounts,
  values,
  'policies, logins and groups': access,
  tokens,
  operators: operator,
  'other engines, and the seal': engines,
}
