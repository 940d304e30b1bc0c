/** Policies: their endpoints, and what they do to requests. */
import type { Acl } from '../../kernel/acl/index.ts'
import type { Token } from '../../kernel/contracts.ts'
import { defaultPolicy } from './default-policy.ts'
import { tryDocument } from './documents.ts'
import { createGoverning, type GovernedRequest, type Verdict } from './governing.ts'
import { createGrants } from './grants.ts'
import { type PrefixedRoutes, routesOf } from './routes.ts'
import { createStore, type Fields, type Kind, kinds } from './store.ts'
import { type PoliciesTables, policiesTables } from './tables.ts'

export { mutants } from './mutants/index.ts'
export { type PoliciesTables, policiesTables } from './tables.ts'

/** What the engine asks of the kernel. */
export interface PoliciesServices {
  /** The names of a token's own policies and its entity's. */
  readonly access: { policiesOf(token: Token): readonly string[] }
  /** By entity id: values by name, such as `identity.entity.name`. */
  readonly entities: { templating(id: string): Readonly<Record<string, string>> }
}

/** By kind and name, without what the server itself made. */
export type PoliciesSnapshot = Readonly<Record<Kind, Readonly<Record<string, Fields>>>>

export interface Policies {
  readonly routes: readonly PrefixedRoutes[]
  /** Compiled, and always of the present text of each policy; a name without a policy grants nothing. The same list and
   * the same identity object make the next call cheap. */
  acl(names: readonly string[], identity?: Readonly<Record<string, string>>): Acl
  /** The verdict of the RGPs of the token and the EGPs of the path. Root tokens are not governed. */
  govern(request: GovernedRequest): Verdict
  snapshot(): PoliciesSnapshot
  /** Throws `TypeError` if it is no snapshot. */
  restore(state: unknown): void
  reset(): void
  /** Names that callers made, by kind. */
  inventory(): Readonly<Record<Kind, readonly string[]>>
  /** The rules from now on: the engine's own, or those with cells that a mutant changed. */
  useTables(tables: PoliciesTables): void
}

export function createPolicies(services: PoliciesServices): Policies {
  const store = createStore()
  let current = policiesTables
  const tables = () => current
  const grants = createGrants(store, tables)
  const governing = createGoverning(store, tables, {
    policiesOf: (token) => services.access.policiesOf(token),
    identityOf: (token) => services.entities.templating(token.entityId),
  })

  function forget(): void {
    grants.clear()
    governing.changed()
  }

  function reset(): void {
    for (const kind of kinds) store[kind].clear()
    put('acl', 'root', { policy: '', enforcement_level: '', paths: [] }, true)
    put('acl', 'default', { policy: defaultPolicy, enforcement_level: '', paths: [] }, true)
    forget()
  }

  function put(kind: Kind, name: string, fields: Fields, builtIn: boolean): void {
    store[kind].put({ name, builtIn, ...fields, ...tryDocument(kind, fields.policy) })
  }

  const routes = routesOf({
    store,
    tables,
    changed(kind, name, state) {
      if (kind === 'egp') governing.changed()
      if (kind === 'acl' && current.recompiles[state]) grants.drop(name)
    },
  })
  reset()

  const snapshot = (): PoliciesSnapshot =>
    byKind((kind) => Object.fromEntries(madeOf(kind).map((written) => [written.name, fieldsOf(written)])))

  function restore(state: unknown): void {
    const kept = readSnapshot(state)
    reset()
    for (const kind of kinds) {
      for (const [name, fields] of Object.entries(kept[kind])) put(kind, name, fields, false)
    }
    forget()
  }

  const inventory = () => byKind((kind) => madeOf(kind).map((written) => written.name))

  function useTables(changed: PoliciesTables): void {
    current = changed
    forget()
  }

  return {
    routes,
    acl: grants.acl,
    govern: governing.govern,
    snapshot,
    restore,
    reset,
    inventory,
    useTables,
  }

  function madeOf(kind: Kind) {
    return store[kind].view(['written']).all()
  }
}

const byKind = <T>(of: (kind: Kind) => T): Record<Kind, T> => ({ acl: of('acl'), rgp: of('rgp'), egp: of('egp') })

const fieldsOf = ({ policy, enforcement_level, paths }: Fields): Fields => ({ policy, enforcement_level, paths })

function readSnapshot(state: unknown): PoliciesSnapshot {
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (isObject(state) && kinds.every((kind) => kind in state && isObject(Reflect.get(state, kind)))) {
    return state as PoliciesSnapshot
  }
  throw new TypeError('this is no snapshot of policies: an object with acl, rgp and egp is expected')
}
