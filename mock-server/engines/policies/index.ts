/** The engine of policies: their endpoints, and their effect on requests. */
import type { FixedEngine } from '../../kernel/engine.ts'
import { type Mutants, mutantSet } from '../../kernel/mutant-set.ts'
import type { Services } from '../../kernel/services.ts'
import type { Context } from './context.ts'
import { defaultPolicy } from './default-policy.ts'
import { tryDocument } from './documents.ts'
import { type FactSources, factsOf } from './facts.ts'
import { createGoverning } from './governing.ts'
import { routesOf } from './routes.ts'
import { createStore, type Fields, type Kind, kinds, type Written } from './store.ts'
import { type PoliciesTables, policiesTables } from './tables.ts'

/** The policies by kind and name, without those that the server itself made. */
export type PoliciesSnapshot = Readonly<Record<Kind, Readonly<Record<string, Fields>>>>

export type PoliciesServices = Pick<Services, 'extensions' | 'policyLanguage'> &
  FactSources & {
    readonly access: Pick<Services['access'], 'forget' | 'policiesOf'>
    readonly namespaces?: Pick<Services['namespaces'], 'here'>
  }

/** Creates two engines at two prefixes. The first one saves the state of both. */
export function createPolicies(
  services: PoliciesServices,
  mutants: Mutants<PoliciesTables>,
): readonly [FixedEngine, FixedEngine] {
  const { access, extensions, namespaces, policyLanguage: language } = services
  const store = createStore()
  const context: Context = { store, tables: policiesTables, access, language }

  extensions.policies = {
    get aclRules() {
      return context.tables.acl
    },
    aclPolicies(name) {
      const entry = store.acl.entry(name)
      if (!entry) return []
      return context.tables.kinds.acl.acts[entry.state](entry.history).flatMap((written) => written.acl ?? [])
    },
    finishAcl(acl, names) {
      const hasDeleted = [...names].some((name) => store.acl.entry(name)?.state === 'deleted')
      const hasRecreated = [...names].some((name) => store.acl.entry(name)?.state === 'recreated')
      const finished = hasDeleted ? context.tables.withDeleted(acl) : acl
      return hasRecreated ? context.tables.withRecreated(finished, names) : finished
    },
    govern: createGoverning(
      context,
      (token) => access.policiesOf(token),
      (request) => factsOf(request, services),
    ),
  }

  function reset(): void {
    for (const kind of kinds) store[kind].clear()
    const isRoot = (namespaces?.here.path ?? '') === ''
    if (isRoot) put('acl', 'root', { policy: '', enforcement_level: '', paths: [] }, true)
    put('acl', 'default', { policy: defaultPolicy, enforcement_level: '', paths: [] }, true)
    access.forget()
  }

  function put(kind: Kind, name: string, fields: Fields, builtIn: boolean): void {
    store[kind].put({ name, builtIn, ...fields, ...tryDocument(kind, fields.policy, language) })
  }

  function restore(state: unknown): void {
    const saved = readSnapshot(state)
    reset()
    for (const kind of kinds) for (const [name, fields] of Object.entries(saved[kind])) put(kind, name, fields, false)
    access.forget()
  }

  const madeOf = (kind: Kind): readonly Written[] => store[kind].view(['written']).all()

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
      mutants: mutantSet(policiesTables, mutants, (tables) => {
        context.tables = tables
        access.forget()
      }),
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
