/** A fault of the reference server: what it does, and how it changes an engine. Engines know nothing of faults. There are
 * three forms: another rule, something around an operation, and another way to store. */
import type { Call, Reply, Route } from '../kernel/contracts.ts'
import type { ExtensionPoints } from '../kernel/extension-points.ts'
import type { Kernel } from '../kernel/kernel.ts'

export type Handle = (call: Call) => Reply | Promise<Reply>

/** What the engine works on, and what the fault remembers. The memory is a part of the state of the server: it is saved
 * as JSON, restored and reset. */
export interface Scene<Context> {
  readonly context: Context
  readonly memory: Map<string, unknown>
}

type RulesOf<Context> = Context extends { readonly rules: infer Rules } ? Rules : never

/** Replaces `context.rules`. */
export interface RuleForm<Rules> {
  readonly form: 'rule'
  change(rules: Rules): Rules
}

/** Handles an operation, such as `POST attempt`, instead of the engine; `next` is what the engine does. Further members
 * replace those of the route, such as `access`. */
export interface AroundForm<Context> extends Partial<Omit<Route, 'handle' | 'path' | 'verb'>> {
  readonly form: 'around'
  readonly operation: string
  /** The part of the reply that changes. Faults that change different parts do not hide each other. */
  readonly part?: string
  /** True if the form changes nothing, and only remembers. It then also runs while faults are watched. */
  readonly remembers?: true
  /** Returns false for calls that the fault leaves as they are. */
  when?(call: Call, scene: Scene<Context>): boolean
  does?(call: Call, next: Handle, scene: Scene<Context>): Reply | Promise<Reply>
  /** Returns who may send the request, if that is not as the route says. */
  may?(call: Call, scene: Scene<Context>): Route['access'] | undefined
}

/** Replaces a method of a store in the context, of an extension point that the engine serves, or of what the pipeline
 * uses of the kernel. */
export interface StoredForm<Context> {
  readonly form: 'stored'
  readonly of: 'context' | 'extensions' | 'kernel'
  readonly store: PropertyKey
  readonly method: PropertyKey
  /** The part of what the method does that changes. Faults that change different parts do not hide each other. */
  readonly part?: string
  readonly remembers?: true
  /** Returns false for calls that the fault leaves as they are. */
  when?(given: readonly unknown[], scene: Scene<Context>): boolean
  /** Does something instead of the method, which is `next`. */
  does(given: readonly never[], next: Method, scene: Scene<Context>): unknown
}

export type Method = (...given: never[]) => unknown
export type Form<Context> = RuleForm<RulesOf<Context>> | AroundForm<Context> | StoredForm<Context>
export type Forms<Context> = Form<Context> | readonly Forms<Context>[]

export interface Fault<Context> {
  /** The id is `<area>/<fault>`, in kebab-case. */
  readonly id: string
  readonly does: string
  /** True if a judgement that many checks share notices the fault. Then only the checks that are about the fault have
   * to name it. */
  readonly shared?: boolean
  /** The prefix of the engine, or its type if it is mounted. */
  readonly engine: string
  readonly forms: readonly Form<Context>[]
}

type Changed<Part> = Partial<Part> | ((part: Part) => Partial<Part>)
type Result<Run> = Run extends (...given: infer _All) => infer Returned ? Returned : never
type Does<Context, Run> = (given: Given<Run>, next: Run, scene: Scene<Context>) => Result<Run>
type Given<Run> = Run extends (...given: infer All) => unknown ? All : never
type When<Context, Run> = (given: Given<Run>, scene: Scene<Context>) => boolean

export const allOf = <Context>(forms: Forms<Context>): readonly Form<Context>[] =>
  'form' in forms ? [forms] : forms.flatMap(allOf)

/** Makes many faults: one table says what each of them does, and another one how. */
export const tableOf =
  <How, Made>(make: (id: string, does: string, how: How) => Made) =>
  <Id extends string>(does: Readonly<Record<Id, string>>) => ({
    by(how: Readonly<Record<Id, How>>): readonly Made[] {
      // The types compare the two tables only if no id is a pattern.
      const lost = Object.keys(how).find((id) => !Object.hasOwn(does, id))
      if (lost !== undefined) throw new TypeError(`no sentence says what the fault ${lost} does`)
      return (Object.keys(does) as Id[]).map((id) => make(id, does[id], how[id]))
    },
  })

/** Returns the functions that make faults of one engine. */
export const faultsOf = <Context extends object>(engine: string, area: string) => {
  const fault = (id: string, does: string, ...forms: readonly Forms<Context>[]): Fault<Context> => ({
    ...{ id: `${area}/${id}`, does, engine, forms: allOf(forms) },
  })
  return { fault, faults: tableOf(fault), ...formsOf<Context>() }
}

const formsOf = <Context extends object>() => ({
  rule: (changed: Changed<RulesOf<Context>>): Form<Context> => ({
    form: 'rule',
    change: (rules) => Object.assign({}, rules, typeof changed === 'function' ? changed(rules) : changed),
  }),
  around: (operation: string, changed: Omit<AroundForm<Context>, 'form' | 'operation'>): Form<Context> => ({
    ...changed,
    ...{ form: 'around', operation },
  }),
  stored: <Name extends keyof Context, Run extends keyof Context[Name]>(
    store: Name,
    method: Run,
    does: Does<Context, Context[Name][Run]>,
    when?: When<Context, Context[Name][Run]>,
    part?: string,
  ) => ({ form: 'stored', of: 'context', store, method, does, when, part }) as unknown as Form<Context>,
  /** Remembers the calls of a method. */
  noting: <Name extends keyof Context, Run extends keyof Context[Name]>(
    store: Name,
    method: Run,
    note: (given: Given<Context[Name][Run]>, scene: Scene<Context>) => void,
  ): Form<Context> => ({
    form: 'stored',
    of: 'context',
    store,
    method,
    remembers: true,
    does(given, next, scene) {
      note(given as unknown as Given<Context[Name][Run]>, scene)
      return next(...given)
    },
  }),
  extended: <Name extends keyof ExtensionPoints, Run extends keyof NonNullable<ExtensionPoints[Name]>>(
    store: Name,
    method: Run,
    does: Does<Context, NonNullable<ExtensionPoints[Name]>[Run]>,
    when?: When<Context, NonNullable<ExtensionPoints[Name]>[Run]>,
  ) => ({ form: 'stored', of: 'extensions', store, method, does, when }) as unknown as Form<Context>,
  /** `more` says when the form changes something, or that it only remembers. */
  ofKernel: <Name extends keyof Kernel, Run extends keyof Kernel[Name]>(
    store: Name,
    method: Run,
    does: Does<Context, Kernel[Name][Run]>,
    more: { readonly when?: When<Context, Kernel[Name][Run]>; readonly remembers?: true } = {},
  ) => ({ form: 'stored', of: 'kernel', store, method, does, ...more }) as unknown as Form<Context>,
})
