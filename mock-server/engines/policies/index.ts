/** The engine of policies: their endpoints, and their effect on requests. */
import type { FixedEngine } from '../../kernel/engine.ts'
import type { Services } from '../../kernel/services.ts'
import type { Context } from './context.ts'
import { defaultPolicy } from './default-policy.ts'
import { tryDocument } from './documents.ts'
import { type FactSources, factsOf } from './facts.ts'
import { createGoverning, govern } from './governing.ts'
import { routesOf } from './routes.ts'
import { policiesRules } from './rules.ts'
import { type Fields, type Kind, kinds, type Policy, PolicyStore } from './store.ts'

/** The policies by kind and name, without those that the server itself made. */
export type PoliciesSnapshot = Readonly<Record<Kind, Readonly<Record<string, Fields>>>>

export type PoliciesServices = Pick<Services, 'extensions' | 'policyLanguage'> &
  FactSources & {
    readonly access: Pick<Services['access'], 'forget' | 'policiesOf'>
    readonly namespaces?: Pick<Services['namespaces'], 'here'>
  }

/** Creates two engines at two prefixes. The first one saves the state of both. */
export function createPolicies(services: PoliciesServices): readonly [FixedEngine, FixedEngine] {
  const { access, extensions, namespaces, policyLanguage: language } = services
  // The ACLs with a policy are compiled again after it has changed.
  const store = new PolicyStore((kind, name) => {
    if (kind === 'acl') context.access.forget(name)
  })
  const governing = createGoverning(
    () => context,
    (request) => factsOf(request, services),
  )
  const context: Context = { store, governing, rules: policiesRules, access, language }
  extensions.policies = {
    aclPolicies: (name) => [context.store.find('acl', name)?.acl ?? []].flat(),
    govern: (request) => govern(request, context),
  }

  function reset(): void {
    store.clear()
    const isRoot = (namespaces?.here.path ?? '') === ''
    if (isRoot) put('acl', 'root', { policy: '', enforcement_level: '', paths: [] }, true)
    put('acl', 'default', { policy: defaultPolicy, enforcement_level: '', paths: [] }, true)
    access.forget()
  }

  function put(kind: Kind, name: string, fields: Fields, builtIn: boolean): void {
    store.put({ kind, name, builtIn, ...fields, ...tryDocument(kind, fields.policy, language) })
  }

  function restore(state: unknown): void {
    const saved = readSnapshot(state)
    reset()
    for (const kind of kinds) for (const [name, fields] of Object.entries(saved[kind])) put(kind, name, fields, false)
    access.forget()
  }

  const madeOf = (kind: Kind): readonly Policy[] => store.all(kind).filter(({ builtIn }) => !builtIn)

  reset()
  const [first, older] = routesOf(context)
  return [
    {
      ...first,
      state: {
        snapshot: (): PoliciesSnapshot =>
          byKind((kind) => Object.fromEntries(madeOf(kind).map((written) => [written.name, fieldsOf(written)]))),
        restore,
        reset,
      },
      inventory: () => byKind((kind) => madeOf(kind).map((written) => written.name)),
      context,
    },
    older,
  ]
}

const byKind = <T>(of: (kind: Kind) => T): Record<Kind, T> => ({ acl: of('acl'), rgp: of('rgp'), egp: of('egp') })

const fieldsOf = ({ policy, enforcement_level, paths }: Fields): Fields => ({ policy, enforcement_level, paths })

function readSnapshot(state: unknown): PoliciesSnapshot {
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (isObject(state) && kinds.every((kind) => kind in state && isObject(Reflect.get(state, kind)))) {
    return state as PoliciesSnapshot
  }
  throw new TypeError('this is not a snapshot of policies: expected an object with acl, rgp and egp')
}
