/** The values of the language, and the limits of one evaluation. Strings, numbers, true, false, null and lists are
 * those of JavaScript; maps are objects. */

/** The value of something that does not exist. It contains the reason, so that a policy that fails can say why. */
export class Undefined {
  readonly reason: string
  /** The offset of the expression in the document. */
  readonly offset: number
  constructor(reason: string, offset: number) {
    this.reason = reason
    this.offset = offset
  }
}

/** Ends an evaluation. The policy fails, and the caller is shown the reason. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError'
  offset: number | undefined
  constructor(problem: string, offset?: number) {
    super(problem)
    this.offset = offset
  }
}

/** Adds the position in the document to an error that has none yet. */
export function located<T>(offset: number, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof EvaluationError) error.offset ??= offset
    throw error
  }
}

/** A function of the language: a builtin, a function of an import, or one that the document defines. */
export class Callable {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly run: (given: readonly unknown[], evaluation: Evaluation) => unknown
  constructor(name: string, arity: number | readonly [least: number, most: number], run: Callable['run']) {
    this.name = name
    ;[this.least, this.most] = typeof arity === 'number' ? [arity, arity] : arity
    this.run = run
  }
}

export type MapValue = Record<string, unknown>

const mostSteps = 500_000
const longestText = 1_000_000
const deepestCalls = 64
const mostPrinted = 20

/** One evaluation of a document. It limits the steps that the evaluation takes, because documents come from callers. */
export class Evaluation {
  /** Milliseconds since the epoch. It does not change during an evaluation. */
  readonly now: number
  readonly printed: string[] = []
  /** The lists and maps that the document made. It may change only these. */
  readonly own = new WeakSet<object>()
  #steps = 0
  #depth = 0

  constructor(now: number) {
    this.now = now
  }

  spend(steps = 1): void {
    this.#steps += steps
    if (this.#steps > mostSteps) throw new EvaluationError(`the policy takes more than ${mostSteps} steps`)
  }

  deeper<T>(inner: () => T): T {
    if (this.#depth >= deepestCalls)
      throw new EvaluationError(`rules and functions call each other more than ${deepestCalls} levels deep`)
    this.#depth++
    try {
      return inner()
    } finally {
      this.#depth--
    }
  }

  print(line: string): void {
    if (this.printed.length < mostPrinted) this.printed.push(line.slice(0, 200))
  }

  /** Registers a list or map as one that the document may change, and counts steps by its size. */
  made<T extends object>(value: T): T {
    this.spend(Array.isArray(value) ? value.length / 10 : 1)
    this.own.add(value)
    return value
  }

  text(value: string): string {
    this.spend(value.length / 100)
    if (value.length > longestText) throw new EvaluationError(`a text is longer than ${longestText} characters`)
    return value
  }

  /** Joins texts, after checking that the result is not too long. */
  joined(parts: readonly string[], separator: string): string {
    const length = parts.reduce((sum, part) => sum + part.length + separator.length, 0)
    if (length > longestText + separator.length)
      throw new EvaluationError(`a text is longer than ${longestText} characters`)
    this.spend(parts.length)
    return this.text(parts.join(separator))
  }

  assertOwn(value: object): void {
    if (!this.own.has(value))
      throw new EvaluationError('this value comes from the request; a policy can change only lists and maps of its own')
  }
}

export const isMap = (value: unknown): value is MapValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isSpecial(value)

const isSpecial = (value: object): boolean => value instanceof Undefined || value instanceof Callable

/** Returns the name of the type of a value, for messages and `types.type_of`. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Undefined) return 'undefined'
  if (value instanceof Callable) return 'func'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'string' ? 'string' : 'map'
}

/** Returns a value as text, for `print` and `string`. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Undefined || value instanceof Callable) return typeName(value)
  try {
    return JSON.stringify(value, (_key, inner: unknown) =>
      inner instanceof Object && isSpecial(inner) ? typeName(inner) : inner,
    )
  } catch {
    throw new EvaluationError('this value contains itself, so it cannot be written as a text')
  }
}

export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]))
  if (!isMap(left) || !isMap(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  )
}

export const emptyMap = (): MapValue => Object.create(null) as MapValue
