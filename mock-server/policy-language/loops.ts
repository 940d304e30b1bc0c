/** Reads and evaluates loops: the collections of `for`, and `any`, `all`, `filter` and `map`. */
import { and, or } from './operators.ts'
import type { Expression, Scope } from './scope.ts'
import type { Source } from './source.ts'
import { type Evaluation, EvaluationError, emptyMap, isMap, located, typeName, Undefined } from './values.ts'

export const quantifiers = ['any', 'all', 'filter', 'map'] as const
export type Quantifier = (typeof quantifiers)[number]

/** One item of a list or one entry of a map, with the scope in which the body of the loop is evaluated. */
interface Turn {
  readonly key: unknown
  readonly value: unknown
  readonly scope: Scope
}

export interface Looped {
  readonly names: readonly string[]
  /** Returns the turns of the loop, or `Undefined` if the collection does not exist. */
  readonly turns: (scope: Scope) => { readonly isMap: boolean; readonly all: Iterable<Turn> } | Undefined
}

type Reader = (source: Source) => Expression

/** Reads `<collection> as <name>` or `<collection> as <key>, <value>`. A single name is the value of a list item, or
 * the key of a map entry. */
export function looped(source: Source, read: Reader): Looped {
  const offset = source.at
  const collection = read(source)
  if (!source.word('as')) source.fail(`expected "as", found ${source.found()}`)
  const first = loopName(source)
  source.skipSpace()
  const second = source.skip(',') ? loopName(source) : undefined
  return {
    names: second === undefined ? [first] : [first, second],
    turns(scope) {
      const whole = collection(scope)
      if (whole instanceof Undefined) return whole
      if (!Array.isArray(whole) && !isMap(whole))
        throw new EvaluationError(`only lists and maps can be looped over, found ${typeName(whole)}`, offset)
      const isOfMap = !Array.isArray(whole)
      const one = (key: unknown, value: unknown): Turn => {
        scope.evaluation.spend()
        const named = second === undefined ? { [first]: isOfMap ? key : value } : { [first]: key, [second]: value }
        return { key, value, scope: scope.inner(named) }
      }
      // The loop covers the items that existed at its start, even if its body changes the list.
      const items = isOfMap ? Object.entries(whole) : [...whole.entries()]
      scope.evaluation.spend(items.length / 10)
      return { isMap: isOfMap, all: lazily(items, one) }
    },
  }
}

function* lazily(items: readonly (readonly [unknown, unknown])[], one: (key: unknown, value: unknown) => Turn) {
  for (const [key, value] of items) yield one(key, value)
}

function loopName(source: Source): string {
  source.skipSpace()
  const at = source.at
  const name = source.name()
  if (source.names.meaning(name) === 'fixed') source.fail(`"${name}" has a value already`, at)
  return name
}

/** Reads `any <collection> as <name> { <expression> }` and the like, after the first word. */
export function quantified(source: Source, quantifier: Quantifier, read: Reader, offset: number): Expression {
  const loop = looped(source, read)
  source.expect('{', `behind the names of "${quantifier}"`)
  const body = source.within(loop.names, () => read(source))
  source.expect('}', 'or an operator')
  return (scope) => {
    const turns = loop.turns(scope)
    if (turns instanceof Undefined) return turns
    return located(offset, () => results[quantifier](turns, body, scope.evaluation))
  }
}

type Turns = Exclude<ReturnType<Looped['turns']>, Undefined>

const results: Readonly<Record<Quantifier, (turns: Turns, body: Expression, evaluation: Evaluation) => unknown>> = {
  any({ all }, body) {
    let result: unknown = false
    for (const { scope } of all) {
      result = or(result, () => body(scope))
      if (result === true) return true
    }
    return result
  },
  all({ all }, body) {
    let result: unknown = true
    for (const { scope } of all) {
      result = and(result, () => body(scope))
      if (result !== true) return result
    }
    return result
  },
  filter(turns, body, evaluation) {
    const kept: Turn[] = []
    for (const turn of turns.all) {
      const result = body(turn.scope)
      if (result instanceof Undefined) return result
      if (typeof result !== 'boolean')
        throw new EvaluationError(`"filter" needs true or false, found ${typeName(result)}`)
      if (result) kept.push(turn)
    }
    if (!turns.isMap) return evaluation.made(kept.map(({ value }) => value))
    const map = evaluation.made(emptyMap())
    for (const { key, value } of kept) map[String(key)] = value
    return map
  },
  map({ all }, body, evaluation) {
    const made: unknown[] = []
    for (const { scope } of all) made.push(body(scope))
    return evaluation.made(made)
  },
}
