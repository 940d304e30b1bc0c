/** The engine `approle` logs machines in by a role id and a secret id. */
import { isWithin } from '../../kernel/auth/addresses.ts'
import { grantLogin } from '../../kernel/auth/login.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import type { EngineInstance, MountableEngine } from '../../kernel/engine.ts'
import { requiredText, textField } from '../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Mount } from '../../kernel/mounts/mount.ts'
import type { Services } from '../../kernel/services.ts'
import { defaults, roleFrom, roleView, single } from './fields.ts'
import { nameIn, secretIdRoutes } from './secret-ids.ts'
import { createStore, type Role, type SecretId, type Store } from './store.ts'

interface Context {
  readonly store: Store
  readonly mount: Mount
  readonly services: Services
}

function write(call: Call, { store, services }: Context): Reply {
  const name = nameIn(call)
  const known = store.roles.get(name)
  const roleId = textField(call.body, 'role_id') || known?.roleId || services.mint.uuid()
  assertUnused(roleId, name, store)
  store.roles.set(name, { ...roleFrom(call.body, known ?? { ...defaults, roleId }), roleId })
  return done
}

function assertUnused(roleId: string, name: string, { roles }: Store): void {
  if ([...roles].some(([other, role]) => other !== name && role.roleId === roleId))
    throw badRequest('role_id is already in use by another role')
}

/** The message does not say which id is wrong, so that a caller cannot find out which role ids exist. */
const refused = () => badRequest('invalid role or secret ID')

function assertWithin(blocks: readonly string[], { peer }: Call): void {
  if (!isWithin(blocks, peer)) throw badRequest(`source address "${peer}" unauthorized through CIDR restrictions`)
}

function login(call: Call, { store, mount, services }: Context): Reply {
  const roleId = requiredText(call.body, 'role_id')
  const found = [...store.roles].find(([, role]) => role.roleId === roleId)
  if (!found) throw refused()
  const [name, role] = found
  let secret: SecretId | undefined
  if (role.bindSecretId) {
    secret = store.find(name, { id: requiredText(call.body, 'secret_id') })
    if (!secret) throw refused()
    assertWithin(secret.blocks, call)
    store.spend(secret)
  }
  assertWithin(role.secretIdBlocks, call)
  const grant = {
    ...{ alias: roleId, displayName: mount.path.slice(0, -1).replaceAll('/', '-') },
    meta: { ...secret?.metadata, role_name: name },
    settings: { ...role, blocks: secret && secret.tokenBlocks.length > 0 ? secret.tokenBlocks : role.blocks },
  }
  return grantLogin(grant, call, mount, services)
}

function routesOf(context: Context): readonly Route[] {
  const { store } = context
  const load = (call: Call): Role => {
    const role = store.roles.get(nameIn(call))
    if (!role) throw new Refusal('not-found')
    return role
  }
  const change = (call: Call, to: (role: Role) => Role): Reply => {
    store.roles.set(nameIn(call), to(load(call)))
    return done
  }
  const at = (verb: Route['verb'], path: string, handle: (call: Call) => Reply): Route => ({
    ...{ verb, path, access: 'token', handle },
  })

  /** Some fields of a role have endpoints of their own, such as `role/:name/token-ttl`. */
  const alone = single.flatMap(({ of, names }): readonly Route[] => {
    const name = names.at(-1) ?? ''
    const path = `role/:name/${name.replaceAll('_', '-')}`
    return [
      at('GET', path, (call) => ({
        kind: 'data',
        data: Object.fromEntries(names.map((one) => [one, load(call)[of]])),
      })),
      at('POST', path, (call) => {
        requiredText({ [name]: String(call.body[name] ?? call.body[names[0] ?? ''] ?? '') }, name)
        return change(call, (role) => roleFrom(call.body, role))
      }),
      at('DELETE', path, (call) => change(call, (role) => ({ ...role, [of]: defaults[of] }))),
    ]
  })
  return [
    at('LIST', 'role', () => ({ kind: 'data', data: { keys: [...store.roles.keys()].sort() } })),
    at('GET', 'role/:name', (call) => ({ kind: 'data', data: roleView(load(call)) })),
    { ...at('POST', 'role/:name', (call) => write(call, context)), exists: (call) => store.roles.has(nameIn(call)) },
    at('DELETE', 'role/:name', (call) => {
      store.removeRole(nameIn(call))
      return done
    }),
    at('GET', 'role/:name/role-id', (call) => ({ kind: 'data', data: { role_id: load(call).roleId } })),
    at('POST', 'role/:name/role-id', (call) => {
      const roleId = requiredText(call.body, 'role_id')
      assertUnused(roleId, nameIn(call), store)
      return change(call, (role) => ({ ...role, roleId }))
    }),
    ...alone,
    ...secretIdRoutes({ store, services: context.services, load }),
    // Lookups ignore expired secret ids, so there is nothing to tidy.
    at('POST', 'tidy/secret-id', () => ({
      ...{ kind: 'data', data: null, status: 202 },
      warnings: ['Nothing is left to tidy.'],
    })),
    { verb: 'POST', path: 'login', access: 'anyone', login: true, handle: (call) => login(call, context) },
  ]
}

export const createApprole = (services: Services): MountableEngine => ({
  type: 'approle',
  kind: 'auth',
  open(mount): EngineInstance {
    const store = createStore(services.clock)
    return {
      routes: routesOf({ store, mount, services }),
      inventory: () => ({ roles: [...store.roles.keys()] }),
      state: store,
    }
  },
})
