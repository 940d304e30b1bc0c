/** Makes faults of policies. */
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engines/policies/context.ts'
import { tryDocument } from '../../engines/policies/documents.ts'
import { isOnPath } from '../../engines/policies/governing.ts'
import type { Field, GoverningKind, KindRules, PathRules } from '../../engines/policies/rules.ts'
import { type Fields, type Kind, kinds, type Policy } from '../../engines/policies/store.ts'
import type { GovernedRequest } from '../../kernel/acl/policy-source.ts'
import type { Call, Reply, Token } from '../../kernel/contracts.ts'
import { type Form, faultsOf, type Handle, type Scene } from '../fault.ts'

export const { around, extended, fault, faults, noting, ofKernel, rule, stored } = faultsOf<Context>(
  'sys/policies',
  'policies',
)
export type Here = Scene<Context>

export const nounOf: Readonly<Record<Kind, string>> = { acl: 'an ACL policy', rgp: 'an RGP', egp: 'an EGP' }
export const governingKinds = ['rgp', 'egp'] as const satisfies readonly GoverningKind[]

export const inKind = (kind: Kind, change: (rules: KindRules) => Partial<KindRules>) =>
  rule(({ kinds: all }) => ({ kinds: { ...all, [kind]: { ...all[kind], ...change(all[kind]) } } }))
export const inPaths = (changed: Partial<PathRules>) => rule(({ paths }) => ({ paths: { ...paths, ...changed } }))

const pathOf = { read: 'GET', write: 'POST', remove: 'DELETE' } as const
export type Operation = keyof typeof pathOf

/** What a request is about. */
export interface Asked {
  readonly kind: Kind
  readonly call: Call
  readonly name: string
  readonly found: Policy | undefined
}

const asked = (kind: Kind, call: Call, { store, rules }: Context): Asked => {
  const name = rules.nameFrom(call.params.name ?? '')
  return { kind, call, name, found: store.find(kind, name) }
}

export const withCall = (call: Call, changed: Partial<Call>): Call =>
  Object.assign(Object.create(call) as Call, changed)
export const withBody = (call: Call, fields: object): Call => withCall(call, { body: { ...call.body, ...fields } })
export const withName = (call: Call, name: string): Call => withCall(call, { params: { ...call.params, name } })
export const withData = (reply: Reply, change: (data: object) => object): Reply =>
  reply.kind === 'data' && reply.data ? { ...reply, data: change(reply.data) } : reply

type Next = (changed?: Call) => ReturnType<Handle>

/** Handles an operation on one policy in another way, if `isMeant`. */
export const on = (
  operation: Operation,
  kind: Kind,
  isMeant: (what: Asked, here: Here) => boolean,
  does: (what: Asked, next: Next, here: Here) => ReturnType<Handle>,
) =>
  around(`${pathOf[operation]} ${kind}/:name*`, {
    when: (call, here) => isMeant(asked(kind, call, here.context), here),
    does: (call, next, here) => does(asked(kind, call, here.context), (changed = call) => next(changed), here),
  })

/** Does something else after an operation, unless it was refused. */
export const after = (
  operation: Operation,
  kind: Kind,
  isMeant: (what: Asked, here: Here) => boolean,
  act: (what: Asked, here: Here) => void,
) =>
  on(operation, kind, isMeant, async (what, next, here) => {
    const reply = await next()
    act(what, here)
    return reply
  })

/** Writes something else than the request says. */
export const writing = (
  kind: Kind,
  isMeant: (what: Asked, here: Here) => boolean,
  change: (what: Asked, here: Here) => object,
) => on('write', kind, isMeant, (what, next, here) => next(withBody(what.call, change(what, here))))

/** Accepts a write that the engine refuses: it writes valid fields, and then stores the others. */
export const accepting = (
  kind: Kind,
  isMeant: (what: Asked, here: Here) => boolean,
  valid: (what: Asked) => object,
  fields: (what: Asked) => Partial<Record<Field, unknown>>,
) =>
  on('write', kind, isMeant, async (what, next, { context }) => {
    const reply = await next(withBody(what.call, valid(what)))
    const stored = context.store.find(kind, what.name)
    if (stored) context.store.put(parsed(kind, { ...stored, ...fields(what) } as Policy, context))
    return reply
  })

/** Does something after a write was refused for one of its fields. */
export const afterRefusal = (kind: Kind, act: (what: Asked, here: Here) => void) =>
  on(
    'write',
    kind,
    ({ name }, { context }) => {
      const { namesake, reserved } = context.rules.kinds[kind]
      return !reserved[name]?.includes('write') && !(namesake && context.store.find(namesake, name))
    },
    async (what, next, here) => {
      try {
        return await next()
      } catch (error) {
        act(what, here)
        throw error
      }
    },
  )

/** Returns the policy with these fields. Its text may be invalid. */
export const parsed = (
  kind: Kind,
  { name, policy, enforcement_level, paths }: Fields & { readonly name: string },
  { language }: Context,
): Policy => ({
  ...{ kind, name, builtIn: false, policy, enforcement_level, paths },
  ...tryDocument(kind, policy, language),
})

/** What happened to a policy. */
export interface Past {
  readonly kind: Kind
  readonly name: string
  /** `recreated`: a policy with this name had been deleted before. `refused`: its creation was refused. */
  readonly state: 'created' | 'recreated' | 'updated' | 'deleted' | 'refused'
  /** The write before the last one. If the policy was created again, it is the last write before the deletion. */
  readonly before?: Fields
  readonly now: Fields
  /** The number of the last write, counted from the creation. */
  readonly nth: number
}

const keyOf = (kind: Kind, name: string): string => `past ${kind} ${name}`
const fieldsOf = ({ policy, enforcement_level, paths }: Fields): Fields => ({ policy, enforcement_level, paths })
export const pastOf = (kind: Kind, name: string, { memory }: Here): Past | undefined =>
  memory.get(keyOf(kind, name)) as Past | undefined
export const pastsOf = (kind: Kind, { memory }: Here): readonly Past[] =>
  [...memory.values()].filter((one) => (one as Past | undefined)?.kind === kind) as Past[]
export const setPast = (past: Past, { memory }: Here): void => void memory.set(keyOf(past.kind, past.name), past)

function afterPut({ kind, name, ...written }: Policy, past: Past | undefined): Past {
  const now = fieldsOf(written)
  const isNew = !past || past.state === 'refused'
  if (isNew) return { kind, name, now, state: 'created', nth: 1 }
  if (past.state === 'deleted') return { kind, name, now, state: 'recreated', before: past.now, nth: 1 }
  return { kind, name, now, state: 'updated', before: past.now, nth: past.nth + 1 }
}

export const remembers = (kind: Kind): readonly Form<Context>[] => [
  noting('store', 'put', ([policy], here) => {
    if (policy.kind === kind && !policy.builtIn) setPast(afterPut(policy, pastOf(kind, policy.name, here)), here)
  }),
  noting('store', 'remove', ([of, name], here) => {
    const found = of === kind ? here.context.store.find(kind, name) : undefined
    // It may have been written before the fault was loaded.
    if (found && !found.builtIn)
      setPast({ ...(pastOf(kind, name, here) ?? afterPut(found, undefined)), state: 'deleted' }, here)
  }),
]

/** Returns the fields that are in effect, or undefined for those that are stored. */
export type Effect = (past: Past) => readonly Fields[] | undefined

const others = (effect: Effect, past: Past): readonly Fields[] | undefined => {
  const instead = effect(past)
  const isGone = past.state === 'deleted' || past.state === 'refused'
  return instead && !isDeepStrictEqual(instead, isGone ? [] : [past.now]) ? instead : undefined
}

/** The names on a token, in lower case. */
export const namesOn = (token: Token | undefined, { context }: Here): readonly string[] =>
  token ? context.access.policiesOf(token).map((name) => name.toLowerCase()) : []

function instead(kind: Kind, effect: Effect, past: Past | undefined, { context }: Here): readonly Policy[] | undefined {
  const fields = past && others(effect, past)
  return fields?.map((one) => parsed(kind, { ...one, name: past?.name ?? '' }, context))
}

const effects: Readonly<Record<Kind, (effect: Effect) => Form<Context>>> = {
  acl: (effect) =>
    extended(
      'policies',
      'aclPolicies',
      ([name], next, here) =>
        instead('acl', effect, pastOf('acl', name, here), here)?.flatMap(({ acl }) => acl ?? []) ?? next(name),
      ([name], here) => instead('acl', effect, pastOf('acl', name, here), here) !== undefined,
    ),
  rgp: (effect) =>
    stored(
      'governing',
      'rgpsOf',
      ([request], next, here) => {
        if (request.only === 'endpoints') return []
        const own = next(request)
        return namesOn(request.call.token, here).flatMap(
          (name) =>
            instead('rgp', effect, pastOf('rgp', name, here), here) ?? own.filter((policy) => policy.name === name),
        )
      },
      ([{ call }], here) =>
        namesOn(call.token, here).some((name) => instead('rgp', effect, pastOf('rgp', name, here), here)),
    ),
  egp: (effect) =>
    stored(
      'governing',
      'egps',
      (_given, next, here) => {
        const changed = pastsOf('egp', here).filter((past) => others(effect, past))
        return [
          ...next().filter(({ name }) => !changed.some((past) => past.name === name)),
          ...changed.flatMap((past) => instead('egp', effect, past, here) ?? []),
        ]
      },
      (_, here) => pastsOf('egp', here).some((past) => others(effect, past) !== undefined),
    ),
}

/** Lets something else take effect than what is stored. */
export const inEffect = (kind: Kind, effect: Effect): readonly Form<Context>[] => [
  ...remembers(kind),
  effects[kind](effect),
]
/** The same, after one kind of event. */
export const inEffectWhen = (kind: Kind, state: Past['state'], effect: (past: Past) => readonly Fields[]) =>
  inEffect(kind, (past) => (past.state === state ? effect(past) : undefined))

/** Changes the EGPs that govern a request, and the order in which they are evaluated. */
export const choosing = (
  change: (own: readonly Policy[], request: GovernedRequest, here: Here) => readonly Policy[],
  when?: (request: GovernedRequest) => boolean,
) =>
  stored(
    'governing',
    'egpsOf',
    ([request], next, here) => change(next(request), request, here),
    ([request], { context }) =>
      request.only !== 'roles' && context.store.all('egp').length > 0 && when?.(request) !== false,
  )

/** Spares requests from EGPs, or from those of which `keeps` returns no path that matches. */
export const sparing = (
  isSpared: (call: Call, request: GovernedRequest) => boolean,
  keeps: (paths: readonly string[]) => readonly string[] = () => [],
) =>
  choosing(
    (own, request, { context }) =>
      isSpared(request.call, request)
        ? own.filter(({ paths }) => isOnPath(keeps(paths), request, context.rules.paths))
        : own,
    (request) => isSpared(request.call, request),
  )

/** Changes the RGPs of a token that govern a request. */
export const choosingRgps = (change: (own: readonly Policy[]) => readonly Policy[], when?: (call: Call) => boolean) =>
  stored(
    'governing',
    'rgpsOf',
    ([request], next) => change(next(request)),
    ([{ call }], here) =>
      here.context.store.all('rgp').length > 0 &&
      namesOn(call.token, here).some((name) => here.context.store.find('rgp', name)) &&
      when?.(call) !== false,
  )

export const isStar = ({ paths }: Pick<Fields, 'paths'>): boolean => paths.join() === '*'
export const isOfLogin = (token: Token | undefined): boolean => (token?.path ?? '').includes('login')

export interface Listed {
  readonly keys: readonly string[]
  readonly name_path_map?: Readonly<Record<string, readonly { readonly path: string; readonly glob: boolean }[]>>
}

/** Changes the reply to LIST. */
export const listing = (
  kind: Kind,
  change: (listed: Listed, here: Here) => Partial<Listed>,
  when?: (here: Here) => boolean,
) =>
  around(`LIST ${kind}`, {
    ...(when ? { when: (_: Call, here: Here) => when(here) } : {}),
    does: async (call, next, here) =>
      withData(await next(call), (data) => {
        const { keys, name_path_map: map } = { ...(data as Listed), ...change(data as Listed, here) }
        // A list with empty `keys` would be a 404.
        const shown = keys?.length === 0 && map && Object.keys(map).length > 0 ? null : keys
        return { ...(shown === undefined ? {} : { keys: shown }), ...(map ? { name_path_map: map } : {}) }
      }),
  })

export type PathMap = NonNullable<Listed['name_path_map']>
export const mapping = (change: (shown: PathMap[string], name: string, here: Here) => PathMap[string]) =>
  listing('egp', ({ name_path_map = {} }, here) => ({
    name_path_map: Object.fromEntries(
      Object.entries(name_path_map).map(([name, shown]) => [name, change(shown, name, here)]),
    ),
  }))

export const namesakes = ({ kind, name }: Asked, { context }: Here): readonly Policy[] =>
  kinds.filter((other) => other !== kind).flatMap((other) => context.store.find(other, name) ?? [])
