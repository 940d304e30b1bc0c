/** The engine `userpass`: a user name and a password give a token with an entity. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { grantLogin } from '../../kernel/auth/login.ts'
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { done } from '../../kernel/contracts.ts'
import type { EngineInstance, MountableEngine } from '../../kernel/engine.ts'
import { listField, requiredText } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Mount } from '../../kernel/mounts/mount.ts'
import type { Services } from '../../kernel/services.ts'
import { stateOf } from '../../kernel/state/state-part.ts'

interface User {
  readonly salt: string
  readonly digest: string
  readonly policies: readonly string[]
  readonly ttl: number
  readonly maxTtl: number
}

const digestOf = (salt: string, password: string): string => createHmac('sha256', salt).update(password).digest('hex')
const nameIn = (call: Call): string => (call.params.name ?? '').toLowerCase()

/** The endpoints of one mount work on this context. */
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
const policiesOf = (call: Call): readonly string[] | undefined =>
  (listField(call.body, 'token_policies') ?? listField(call.body, 'policies'))?.map((name) => name.toLowerCase())

function write(call: Call, context: Context): Reply {
  const { users } = context
  const known = users.get(nameIn(call))
  const secret = known && call.body.password === undefined ? known : secretOf(call, context)
  users.set(nameIn(call), {
    salt: secret.salt,
    digest: secret.digest,
    policies: policiesOf(call) ?? known?.policies ?? [],
    ttl: durationField(call.body, 'token_ttl') ?? durationField(call.body, 'ttl') ?? known?.ttl ?? 0,
    maxTtl: durationField(call.body, 'token_max_ttl') ?? durationField(call.body, 'max_ttl') ?? known?.maxTtl ?? 0,
  })
  return done
}
function read(call: Call, context: Context): Reply {
  const { policies, ttl, maxTtl } = load(call, context)
  const data = { policies, token_policies: policies, ttl, token_ttl: ttl, max_ttl: maxTtl, token_max_ttl: maxTtl }
  return { kind: 'data', data }
}
/** `part` runs after it is known that the user exists. */
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
    policies: user.policies,
    ttl: user.ttl,
    maxTtl: user.maxTtl,
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
    handle: (call) => change(call, () => ({ policies: policiesOf(call) ?? [] }), context),
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
