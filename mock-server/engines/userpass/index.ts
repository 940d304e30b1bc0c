/** The engine `userpass` logs users in by name and password. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { grantLogin } from '../../kernel/auth/login.ts'
import {
  noSettings,
  settingsFrom,
  settingsView,
  type TokenSettings,
  tokenFieldsWith,
} from '../../kernel/auth/token-fields.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import type { EngineInstance, MountableEngine } from '../../kernel/engine.ts'
import { requiredText } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Mount } from '../../kernel/mounts/mount.ts'
import type { Services } from '../../kernel/services.ts'
import { stateOf } from '../../kernel/state/state-part.ts'

interface User extends TokenSettings {
  readonly salt: string
  readonly digest: string
}

const fields = tokenFieldsWith('policies', 'ttl', 'max_ttl', 'bound_cidrs')

const digestOf = (salt: string, password: string): string => createHmac('sha256', salt).update(password).digest('hex')
const nameIn = (call: Call): string => (call.params.name ?? '').toLowerCase()

interface Context {
  readonly users: Map<string, User>
  readonly mount: Mount
  readonly services: Services
}

function load(call: Call, { users }: Context): User {
  const user = users.get(nameIn(call))
  if (!user) throw new Refusal('not-found')
  return user
}
function secretOf(call: Call, { services }: Context): Pick<User, 'salt' | 'digest'> {
  const salt = services.mint.uuid()
  return { salt, digest: digestOf(salt, requiredText(call.body, 'password')) }
}
function write(call: Call, context: Context): Reply {
  const { users } = context
  if (call.body.password_hash)
    throw badRequest('password_hash: this reference server takes passwords only, in the field password')
  const known = users.get(nameIn(call))
  const secret = known && call.body.password === undefined ? known : secretOf(call, context)
  const { salt, digest } = secret
  users.set(nameIn(call), settingsFrom(call.body, { ...noSettings, ...known, salt, digest }, fields))
  return done
}
function read(call: Call, context: Context): Reply {
  const user = { ...noSettings, ...load(call, context) }
  const { policies, ttl, maxTtl } = user
  return { kind: 'data', data: { ...settingsView(user), policies, ttl, max_ttl: maxTtl } }
}
/** Calls `part` only if the user exists. */
function change(call: Call, part: () => Partial<User>, context: Context): Reply {
  context.users.set(nameIn(call), { ...load(call, context), ...part() })
  return done
}
function remove(call: Call, { users }: Context): Reply {
  users.delete(nameIn(call))
  return done
}

function login(call: Call, { mount, services, users }: Context): Reply {
  const name = nameIn(call)
  const user = users.get(name)
  const digest = digestOf(user?.salt ?? '', requiredText(call.body, 'password'))
  if (!user || !timingSafeEqual(Buffer.from(digest), Buffer.from(user.digest)))
    throw badRequest('invalid username or password')
  const grant = {
    alias: name,
    displayName: `${mount.path.slice(0, -1).replaceAll('/', '-')}-${name}`,
    meta: { username: name },
    settings: { ...noSettings, ...user },
  }
  return grantLogin(grant, call, mount, services)
}

const routesOf = (context: Context): readonly Route[] => [
  {
    verb: 'LIST',
    path: 'users',
    access: 'token',
    handle: () => ({ kind: 'data', data: { keys: [...context.users.keys()].sort() } }),
  },
  { verb: 'GET', path: 'users/:name', access: 'token', handle: (call) => read(call, context) },
  {
    verb: 'POST',
    path: 'users/:name',
    access: 'token',
    exists: (call) => context.users.has(nameIn(call)),
    handle: (call) => write(call, context),
  },
  { verb: 'DELETE', path: 'users/:name', access: 'token', handle: (call) => remove(call, context) },
  {
    verb: 'POST',
    path: 'users/:name/password',
    access: 'token',
    handle: (call) => change(call, () => secretOf(call, context), context),
  },
  {
    verb: 'POST',
    path: 'users/:name/policies',
    access: 'token',
    handle: (call) => change(call, () => ({ policies: settingsFrom(call.body, noSettings, fields).policies }), context),
  },
  { verb: 'POST', path: 'login/:name', access: 'anyone', login: true, handle: (call) => login(call, context) },
]

export const createUserpass = (services: Services): MountableEngine => ({
  type: 'userpass',
  kind: 'auth',
  open(mount): EngineInstance {
    const users = new Map<string, User>()
    return {
      routes: routesOf({ users, mount, services }),
      inventory: () => ({ users: [...users.keys()] }),
      state: stateOf(users),
    }
  },
})
