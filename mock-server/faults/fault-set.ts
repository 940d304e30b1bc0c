/** Loads faults into an opened engine, and watches which of them would change what it does. */
import type { Route, Verb } from '../kernel/contracts.ts'
import type { ExtensionPoints } from '../kernel/extension-points.ts'
import { type StatePart, stateOf } from '../kernel/state/state-part.ts'
import type { AroundForm, Fault, Form, Method, RuleForm, Scene, StoredForm } from './fault.ts'
import { type Mutant, type MutantSet, mutantSet, type OnMet } from './rule-set.ts'
import { withMethods } from './with-methods.ts'

/** What faults can change of an engine. */
export interface FaultyEngine {
  readonly context: object
  routes(): readonly Route[]
  readonly extensions: ExtensionPoints
  readonly kernel: object
  /** Serves these routes from now on. */
  serve(routes: readonly Route[]): void
}

type Context = { rules?: object } & Record<PropertyKey, object>
type AnyFault = Fault<Context>
type Meet = (id: string, cell: string) => void

const isOf =
  <Kind extends Form<Context>['form']>(kind: Kind) =>
  (form: Form<Context>): form is Extract<Form<Context>, { form: Kind }> =>
    form.form === kind

/** The faults that change rules, by all faults of an engine. The lists are kept, because they tell which cells change. */
const rulesOf = new WeakMap<readonly AnyFault[], readonly Mutant<object>[]>()

function ruleFaults(faults: readonly AnyFault[]): readonly Mutant<object>[] {
  const known = rulesOf.get(faults)
  if (known) return known
  const found = faults.flatMap(({ id, does, forms }) => {
    const rules: readonly RuleForm<object>[] = forms.filter(isOf('rule'))
    if (rules.length === 0) return []
    return { id, does, change: (from: object) => rules.reduce((changed, rule) => rule.change(changed), from) }
  })
  rulesOf.set(faults, found)
  return found
}

/** Returns one route for each verb, so that each operation has a route of its own. */
const operationsIn = (routes: readonly Route[]): readonly (Route & { readonly verb: Verb })[] =>
  routes.flatMap((route) => [route.verb].flat().map((verb) => changed(route, { verb })))

/** Returns the same route with other members. A getter of the route still runs at each request. */
const changed = <Members extends Partial<Route>>(route: Route, members: Members): Route & Members =>
  Object.create(route, Object.getOwnPropertyDescriptors(members)) as Route & Members

/** Returns the members of a route that a form replaces. */
function replacedBy({
  form,
  operation,
  part,
  remembers,
  when,
  does,
  may,
  ...members
}: AroundForm<Context>): Partial<Route> {
  return members
}

function around(route: Route, form: AroundForm<Context>, scene: Scene<Context>): Route {
  return changed(route, {
    ...replacedBy(form),
    ...(form.may ? { accessFor: (call) => form.may?.(call, scene) ?? route.accessFor?.(call) ?? route.access } : {}),
    handle: (call) =>
      form.does && form.when?.(call, scene) !== false ? form.does(call, route.handle, scene) : route.handle(call),
  })
}

/** Returns the same route, which calls `meet` when the fault would change something. */
function watchedRoute(route: Route, form: AroundForm<Context>, scene: Scene<Context>, meet: () => void): Route {
  if (form.remembers) return around(route, form, scene)
  const isReplaced = Object.keys(replacedBy(form)).length > 0
  return changed(route, {
    available(facts) {
      if (isReplaced) meet()
      return route.available?.(facts) !== false
    },
    accessFor(call) {
      if (form.may?.(call, scene) !== undefined) meet()
      return route.accessFor?.(call) ?? route.access
    },
    handle(call) {
      if (form.does && form.when?.(call, scene) !== false) meet()
      return route.handle(call)
    },
  })
}

export interface FaultSet extends MutantSet {
  unload(): void
  /** What the loaded faults remember. */
  readonly memory: StatePart
}

/** Keeps what faults remember, by the id of the fault. */
class Memories {
  readonly #byId = new Map<string, Map<string, unknown>>()

  of(id: string): Map<string, unknown> {
    const memory = this.#byId.get(id) ?? new Map<string, unknown>()
    this.#byId.set(id, memory)
    return memory
  }

  clear(): void {
    this.#byId.clear()
  }

  /** As a part of the state, the memories stay those that the loaded faults use. */
  readonly state: StatePart = {
    snapshot: () => {
      const kept = [...this.#byId].filter(([, memory]) => memory.size > 0)
      return kept.length === 0 ? undefined : kept.map(([id, memory]) => [id, [...memory]])
    },
    restore: (saved) => {
      this.state.reset()
      for (const [id, entries] of (saved ?? []) as [string, unknown][]) stateOf(this.of(id)).restore(entries)
    },
    reset: () => {
      for (const memory of this.#byId.values()) memory.clear()
    },
  }
}

/** Says what is replaced in an engine, and how to undo it. */
class Replacements {
  readonly #engine: FaultyEngine
  readonly #undo: (() => void)[] = []
  /** The methods of stores that are replaced, by the store. */
  readonly #methods = new Map<object, Record<PropertyKey, unknown>>()

  constructor(engine: FaultyEngine) {
    this.#engine = engine
  }

  undo(): void {
    while (this.#undo.length > 0) this.#undo.pop()?.()
    this.#methods.clear()
  }

  member(holder: Context, name: PropertyKey, value: object): void {
    const before = holder[name] as object
    this.#undo.push(() => Object.assign(holder, { [name]: before }))
    Object.assign(holder, { [name]: value })
  }

  method({ of, store, method }: StoredForm<Context>, make: (next: Method) => Method): void {
    const { context, extensions, kernel } = this.#engine
    const holder = { context, extensions, kernel }[of] as Context
    const before = holder[store] as Record<PropertyKey, unknown>
    const own = this.#methods.get(before) ?? {}
    const next = (before[method] as Method).bind(before) as Method
    own[method] = make(own[method] ? (own[method] as Method) : next)
    if (this.#methods.has(before)) return
    const changed = withMethods(before, own)
    this.#methods.set(changed, own)
    this.member(holder, store, changed)
  }

  /** Applies `change` to the route of each form that concerns an operation. */
  routes(
    among: readonly AnyFault[],
    change: (route: Route, form: AroundForm<Context>, fault: AnyFault) => Route,
  ): void {
    const engine = this.#engine
    const forms = among.flatMap((fault) => fault.forms.filter(isOf('around')).map((form) => ({ form, fault })))
    if (forms.length === 0) return
    const operations = operationsIn(engine.routes())
    for (const { form, fault } of forms)
      if (!operations.some(({ verb, path }) => `${verb} ${path}` === form.operation))
        throw new Error(`${fault.id}: ${fault.engine} has no operation ${form.operation}`)
    this.#undo.push(() => engine.serve(engine.routes()))
    engine.serve(
      operations.map((route) =>
        forms
          .filter(({ form }) => form.operation === `${route.verb} ${route.path}`)
          .reduce<Route>((changed, { form, fault }) => change(changed, form, fault), route),
      ),
    )
  }
}

/** `faultsOf` returns the faults of this engine, always in the same list. */
export function faultSet(engine: FaultyEngine, faultsOf: () => readonly Fault<never>[]): FaultSet {
  const context = engine.context as Context
  const faults = (): readonly AnyFault[] => faultsOf() as readonly Fault<object>[] as readonly AnyFault[]
  const memories = new Memories()
  const replaced = new Replacements(engine)

  const sceneOf = ({ id }: AnyFault): Scene<Context> => ({ context, memory: memories.of(id) })
  function unload(): void {
    replaced.undo()
    memories.clear()
  }
  function applyStored(form: StoredForm<Context>, scene: Scene<Context>): void {
    replaced.method(
      form,
      (next) =>
        (...given) =>
          form.when?.(given, scene) === false ? next(...given) : form.does(given, next, scene),
    )
  }
  const rules = () =>
    mutantSet(
      context.rules ?? {},
      () => ruleFaults(faults()),
      (changed) => replaced.member(context, 'rules', changed),
    )

  return {
    unload,
    get ids() {
      return faults().map(({ id }) => id)
    },
    load(wanted) {
      unload()
      const loaded = faults().filter(({ id }) => wanted.has(id))
      if (loaded.length === 0) return
      rules().load(wanted)
      for (const fault of loaded)
        for (const form of fault.forms.filter(isOf('stored'))) applyStored(form, sceneOf(fault))
      replaced.routes(loaded, (route, form, fault) => around(route, form, sceneOf(fault)))
    },
    watch(onMet: OnMet) {
      unload()
      const met = new Set<string>()
      const meet: Meet = (id, cell) => {
        if (met.has(`${id} ${cell}`)) return
        met.add(`${id} ${cell}`)
        onMet(id, cell)
      }
      rules().watch(onMet)
      for (const fault of faults())
        for (const form of fault.forms.filter(isOf('stored')))
          if (form.remembers) applyStored(form, sceneOf(fault))
          else
            replaced.method(form, (next) => (...given) => {
              if (form.when?.(given, sceneOf(fault)) !== false)
                meet(fault.id, [`${String(form.store)}.${String(form.method)}`, form.part].join(' '))
              return next(...given)
            })
      replaced.routes(faults(), (route, form, fault) =>
        watchedRoute(route, form, sceneOf(fault), () => meet(fault.id, [form.operation, form.part].join(' '))),
      )
    },
    memory: memories.state,
  }
}
