/** The seeded state: what a test of a client starts from. It is written by requests that any client could send, so it
 * is the same as if a client had written it. */
import type { Answer, IncomingRequest } from '../kernel/http/request-context.ts'
import { assertNames, isObject } from './options.ts'

type Fields = Readonly<Record<string, unknown>>

/** A mount. Its fields are those of the request to `sys/mounts/:path` or `sys/auth/:path`. */
export interface SeededMount {
  readonly type: string
  readonly description?: string
  readonly config?: Fields
  readonly options?: Readonly<Record<string, string>>
  readonly local?: boolean
  readonly seal_wrap?: boolean
}

/** A policy. With `paths` it is an EGP; with `enforcement_level` and no `paths` it is an RGP; otherwise it is an ACL
 * policy. */
export interface SeededPolicy {
  readonly policy: string
  readonly enforcement_level?: string
  readonly paths?: string | readonly string[]
}

export interface SeededUser {
  readonly password: string
  readonly policies?: readonly string[]
  readonly ttl?: string | number
  readonly max_ttl?: string | number
  /** The path of the auth mount; `userpass` by default. */
  readonly mount?: string
}

export interface SeededEntity {
  readonly policies?: readonly string[]
  readonly metadata?: Readonly<Record<string, string>>
  readonly disabled?: boolean
  /** Login names by the path of their auth mount: `{ userpass: 'ada' }`. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** A token. Its fields are those of the request to `auth/token/create`. */
export interface SeededToken {
  readonly policies?: readonly string[]
  readonly ttl?: string | number
  readonly explicit_max_ttl?: string | number
  readonly period?: string | number
  readonly num_uses?: number
  readonly renewable?: boolean
  readonly display_name?: string
  readonly meta?: Readonly<Record<string, string>>
  readonly no_default_policy?: boolean
}

export interface SeededNamespace {
  readonly custom_metadata?: Readonly<Record<string, string>>
}

/** The parts of the state. The server writes them in this order. */
export interface SeededState {
  /** Namespaces by path, such as `team-a` or `team-a/inner`. Use paths of `writes` to write into them. */
  readonly namespaces?: Readonly<Record<string, SeededNamespace>>
  /** Mounts by path: `{ pki: 'pki', 'auth/staff': 'userpass' }`. A string is the type of the mount. */
  readonly mounts?: Readonly<Record<string, string | SeededMount>>
  /** Policies by name. A string is the text of an ACL policy. */
  readonly policies?: Readonly<Record<string, string | SeededPolicy>>
  /** Users by name. The auth mount of a user is created if `mounts` does not have it. */
  readonly users?: Readonly<Record<string, SeededUser>>
  /** Roles by mount and name: `{ 'pki/web': { allow_any_name: true } }` is written to `pki/roles/web`. */
  readonly roles?: Readonly<Record<string, Fields>>
  /** Entities by name. */
  readonly entities?: Readonly<Record<string, SeededEntity>>
  /** Tokens by their id, which has no dots: `{ 'app-token': { policies: ['app'] } }`. */
  readonly tokens?: Readonly<Record<string, SeededToken>>
  /** The bodies of further requests by path: `{ 'secret/app': { user: 'ada' } }`. */
  readonly writes?: Readonly<Record<string, Fields>>
}

/** The known fields of the entries of each part; undefined if all fields are accepted. */
const fieldsOf: Readonly<Record<keyof SeededState, readonly string[] | undefined>> = {
  namespaces: ['custom_metadata'],
  mounts: ['type', 'description', 'config', 'options', 'local', 'seal_wrap'],
  policies: ['policy', 'enforcement_level', 'paths'],
  users: ['password', 'policies', 'ttl', 'max_ttl', 'mount'],
  roles: undefined,
  entities: ['policies', 'metadata', 'disabled', 'aliases'],
  tokens: [
    ...['policies', 'ttl', 'explicit_max_ttl', 'period', 'num_uses', 'renewable', 'display_name', 'meta'],
    'no_default_policy',
  ],
  writes: undefined,
}

/** The parts of a seeded state, in the order in which they are written. */
export const seededParts = Object.keys(fieldsOf) as readonly (keyof SeededState)[]

/** Returns the parts of a seeded state among the options of a server. */
export const seededStateOf = (options: SeededState): SeededState =>
  Object.fromEntries(seededParts.flatMap((part) => (options[part] === undefined ? [] : [[part, options[part]]])))

/** Throws a RangeError on an invalid entry. It names the entry and what is allowed there. */
export function assertSeededState(state: SeededState): void {
  for (const part of seededParts) {
    const entries: unknown = state[part]
    if (entries === undefined) continue
    if (!isObject(entries)) throw new RangeError(`${part} must be an object, with an entry for each name`)
    for (const [name, entry] of Object.entries(entries)) assertEntry(part, name, entry)
  }
}

function assertEntry(part: keyof SeededState, name: string, entry: unknown): void {
  if (typeof entry === 'string' && (part === 'mounts' || part === 'policies')) return
  if (!isObject(entry)) throw new RangeError(`${part}, "${name}": an object is expected`)
  const known = fieldsOf[part]
  if (known) assertNames(`field of ${part}, "${name}":`, entry, known)
}

export type Serve = (incoming: IncomingRequest) => Answer | Promise<Answer>

/** Returns a function that sends requests with the token. It rejects with a RangeError that has the answer if a request
 * is refused. */
const sender =
  (serve: Serve, token: string) =>
  async (method: string, path: string, body?: object, about = path): Promise<Fields> => {
    const answer = await serve({
      method,
      url: `/v1/${path.split('/').map(encodeURIComponent).join('/')}`,
      headers: { 'x-vault-token': token },
      body: body && Buffer.from(JSON.stringify(body)),
    })
    const text = answer.body?.toString() ?? ''
    if (answer.status >= 300)
      throw new RangeError(`${about} was refused: ${method} ${path} answered ${answer.status} ${text.trim()}`)
    return text === '' ? {} : (JSON.parse(text) as Fields)
  }

type Send = ReturnType<typeof sender>

async function plantMounts(send: Send, { mounts = {}, users = {} }: SeededState): Promise<void> {
  const forUsers = [...new Set(Object.values(users).map(({ mount = 'userpass' }) => `auth/${mount}`))]
  const all = { ...Object.fromEntries(forUsers.map((path) => [path, 'userpass'])), ...mounts }
  for (const [path, mount] of Object.entries(all))
    await send(
      'POST',
      path.startsWith('auth/') ? `sys/${path}` : `sys/mounts/${path}`,
      typeof mount === 'string' ? { type: mount } : mount,
      `mounts, "${path}"`,
    )
}

/** Creates the namespaces sorted by path, so that a namespace is created before those below it. */
async function plantNamespaces(send: Send, { namespaces = {} }: SeededState): Promise<void> {
  for (const [given, fields] of Object.entries(namespaces).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const path = given.replaceAll(/^\/+|\/+$/g, '')
    const above = path.slice(0, path.lastIndexOf('/') + 1)
    await send('POST', `${above}sys/namespaces/${path.slice(above.length)}`, fields, `namespaces, "${given}"`)
  }
}

function kindOf(policy: SeededPolicy): 'acl' | 'rgp' | 'egp' {
  if (policy.paths !== undefined) return 'egp'
  return policy.enforcement_level === undefined ? 'acl' : 'rgp'
}

async function plantEntities(send: Send, entities: NonNullable<SeededState['entities']>): Promise<void> {
  if (Object.keys(entities).length === 0) return
  const { data: mounts = {} } = (await send('GET', 'sys/auth')) as {
    data?: Readonly<Record<string, { readonly accessor: string }>>
  }
  for (const [name, { aliases = {}, ...fields }] of Object.entries(entities)) {
    const about = `entities, "${name}"`
    const { data } = await send('POST', 'identity/entity', { name, ...fields }, about)
    for (const [mount, alias] of Object.entries(aliases)) {
      const accessor = mounts[`${mount.replace(/\/+$/, '')}/`]?.accessor
      if (!accessor)
        throw new RangeError(`${about}: no auth mount "${mount}"; known are ${Object.keys(mounts).join(', ')}`)
      const body = { name: alias, mount_accessor: accessor, canonical_id: (data as { readonly id: string }).id }
      await send('POST', 'identity/entity-alias', body, about)
    }
  }
}

/** Writes a state by requests with the root token. */
export async function plant(state: SeededState, serve: Serve, rootToken: string): Promise<void> {
  const send = sender(serve, rootToken)
  const { policies = {}, users = {}, roles = {}, entities = {}, tokens = {}, writes = {} } = state
  await plantNamespaces(send, state)
  await plantMounts(send, state)
  for (const [name, given] of Object.entries(policies)) {
    const policy = typeof given === 'string' ? { policy: given } : given
    await send('POST', `sys/policies/${kindOf(policy)}/${name}`, policy, `policies, "${name}"`)
  }
  for (const [name, { mount = 'userpass', ...user }] of Object.entries(users))
    await send('POST', `auth/${mount}/users/${name}`, user, `users, "${name}"`)
  for (const [path, role] of Object.entries(roles)) {
    const slash = path.lastIndexOf('/')
    if (slash < 1) throw new RangeError(`roles, "${path}": the name must consist of mount and role, such as "pki/web"`)
    await send('POST', `${path.slice(0, slash)}/roles/${path.slice(slash + 1)}`, role, `roles, "${path}"`)
  }
  await plantEntities(send, entities)
  for (const [id, token] of Object.entries(tokens))
    await send('POST', 'auth/token/create', { id, no_parent: true, ...token }, `tokens, "${id}"`)
  for (const [path, body] of Object.entries(writes)) await send('POST', path, body, `writes, "${path}"`)
}
