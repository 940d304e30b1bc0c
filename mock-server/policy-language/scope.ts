/** The names of a document: those that are known while it is parsed, and their values while it is evaluated. */
import { type Evaluation, EvaluationError, located, Undefined } from './values.ts'

export type Expression = (scope: Scope) => unknown

/** A rule is evaluated once, when its value is first needed. */
export class Rule {
  readonly #name: string
  readonly #body: Expression
  readonly #scope: Scope
  #state: 'new' | 'busy' | 'done' = 'new'
  #value: unknown

  constructor(name: string, body: Expression, scope: Scope) {
    this.#name = name
    this.#body = body
    this.#scope = scope
  }

  get value(): unknown {
    if (this.#state === 'busy') throw new EvaluationError(`the rule "${this.#name}" refers to itself`)
    if (this.#state === 'new') {
      this.#state = 'busy'
      this.#value = this.#scope.evaluation.deeper(() => this.#body(this.#scope))
      this.#state = 'done'
    }
    return this.#value
  }
}

/** The values of names. An assignment changes the innermost scope that has the name, or else this scope. */
export class Scope {
  readonly evaluation: Evaluation
  readonly #parent: Scope | undefined
  readonly #values = new Map<string, unknown>()

  constructor(evaluation: Evaluation, parent?: Scope) {
    this.evaluation = evaluation
    this.#parent = parent
  }

  inner(values: Readonly<Record<string, unknown>> = {}): Scope {
    const scope = new Scope(this.evaluation, this)
    for (const [name, value] of Object.entries(values)) scope.declare(name, value)
    return scope
  }

  #holderOf(name: string): Scope | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#parent) if (scope.#values.has(name)) return scope
    return undefined
  }

  get(name: string, offset: number): unknown {
    const holder = this.#holderOf(name)
    if (!holder) throw new EvaluationError(`"${name}" is used before it has a value`, offset)
    const value = holder.#values.get(name)
    const settled = value instanceof Rule ? located(offset, () => value.value) : value
    return settled === undefined ? new Undefined(`"${name}" has no value`, offset) : settled
  }

  declare(name: string, value: unknown): void {
    this.#values.set(name, value)
  }

  assign(name: string, value: unknown): void {
    ;(this.#holderOf(name) ?? this).declare(name, value)
  }
}

/** Whether a name can be assigned again: only variables can. */
export type Meaning = 'variable' | 'fixed'

/** The names that are known at a position in the document. */
export class Names {
  readonly #parent: Names | undefined
  readonly #own = new Map<string, Meaning>()

  constructor(parent?: Names) {
    this.#parent = parent
  }

  meaning(name: string): Meaning | undefined {
    return this.#own.get(name) ?? this.#parent?.meaning(name)
  }

  add(name: string, meaning: Meaning): void {
    this.#own.set(name, meaning)
  }

  all(): readonly string[] {
    return [...(this.#parent?.all() ?? []), ...this.#own.keys()]
  }
}
