/** Parses statements: those of a document, and those in the bodies of functions, loops and conditions. */
import { chain } from './chains.ts'
import { expression, functionLiteral } from './expressions.ts'
import { looped } from './loops.ts'
import { type Operator, products, sums } from './operators.ts'
import { type Expression, Rule, type Scope } from './scope.ts'
import { type BodyReader, constant, type Source } from './source.ts'
import { Callable, EvaluationError, isMap, located, typeName, Undefined } from './values.ts'

/** Set if a statement ends a block early: by a returned value, or by a word that ends or continues a loop. */
type End = { readonly returned: unknown } | 'break' | 'continue'
export type Step = (scope: Scope) => End | undefined

/** The surroundings of a statement: `return` is only allowed in a function, `break` and `continue` only in a loop. */
interface Place {
  readonly isFunction: boolean
  readonly isLoop: boolean
}

export const topLevel: Place = { isFunction: false, isLoop: false }

/** Reads statements up to the closing brace. The cursor is after the opening one. */
function block(source: Source, place: Place): Step {
  const steps: Step[] = []
  const open = source.at - 1
  for (;;) {
    source.skipSpace()
    if (source.skip('}')) break
    if (source.done) source.fail('this block is not closed', open)
    steps.push(source.nested(() => statement(source, place)))
    source.skipSpace()
    source.skip(';')
  }
  return (scope) => inOrder(steps, scope)
}

function inOrder(steps: readonly Step[], scope: Scope): End | undefined {
  for (const step of steps) {
    const end = step(scope)
    if (end !== undefined) return end
  }
  return undefined
}

export const readFunction: BodyReader = (source, parameters, name) => {
  const body = source.within(parameters, () => block(source, { isFunction: true, isLoop: false }))
  return (outer) =>
    new Callable(name, parameters.length, (given) => {
      const named = Object.fromEntries(parameters.map((parameter, index) => [parameter, given[index]]))
      const end = body(outer.inner(named))
      return typeof end === 'object' ? end.returned : undefined
    })
}

export function statement(source: Source, place: Place): Step {
  source.skipSpace()
  const at = source.at
  if (source.word('if')) return condition(source, place)
  if (source.word('for')) return loop(source, place)
  if (source.word('return')) {
    if (!place.isFunction) source.fail('"return" belongs in a function', at)
    const value = expression(source)
    return (scope) => ({ returned: value(scope) })
  }
  for (const end of ['break', 'continue'] as const) {
    if (!source.word(end)) continue
    if (!place.isLoop) source.fail(`"${end}" belongs in a loop`, at)
    return () => end
  }
  if (source.word('func')) return namedFunction(source)
  return assignmentOrCall(source)
}

function namedFunction(source: Source): Step {
  source.skipSpace()
  const at = source.at
  const name = source.name()
  source.assertFree(name, at)
  source.names.add(name, 'fixed')
  const made = functionLiteral(source, name)
  return (scope) => void scope.declare(name, made(scope))
}

function condition(source: Source, place: Place): Step {
  const at = source.at
  const test = expression(source)
  source.expect('{', 'behind the condition')
  const yes = block(source, place)
  const no = source.word('else') ? otherwise(source, place) : undefined
  return (scope) => {
    scope.evaluation.spend()
    const value = test(scope)
    if (value instanceof Undefined) throw new EvaluationError(value.reason, value.offset)
    if (typeof value !== 'boolean') throw new EvaluationError(`"if" needs true or false, found ${typeName(value)}`, at)
    return value ? yes(scope) : no?.(scope)
  }
}

function otherwise(source: Source, place: Place): Step {
  if (source.word('if')) return source.nested(() => condition(source, place))
  source.expect('{', 'behind "else"')
  return block(source, place)
}

function loop(source: Source, place: Place): Step {
  const looping = looped(source, expression)
  source.expect('{', 'behind the names of "for"')
  const body = source.within(looping.names, () => block(source, { ...place, isLoop: true }))
  return (scope) => {
    const turns = looping.turns(scope)
    if (turns instanceof Undefined) throw new EvaluationError(turns.reason, turns.offset)
    for (const turn of turns.all) {
      const end = body(turn.scope)
      if (end === 'break') return undefined
      if (typeof end === 'object') return end
    }
    return undefined
  }
}

const assignments: readonly (readonly [mark: string, operator: Operator | undefined])[] = [
  ['=', undefined],
  ...[...sums, ...products].map(([mark, operator]) => [`${mark}=`, operator] as const),
]

/** Moves past `=`, `+=` and the like. */
function assignmentMark(source: Source): (typeof assignments)[number] | undefined {
  source.skipSpace()
  if (source.text.startsWith('==', source.at)) return undefined
  return assignments.find(([mark]) => source.skip(mark))
}

function assignmentOrCall(source: Source): Step {
  const at = source.at
  const name = source.name()
  const afterName = source.at
  const mark = assignmentMark(source)
  if (mark) return assignment(source, name, at, mark[1])
  const hasLinks = '.[('.includes(source.text.charAt(afterName) || ' ')
  if (!hasLinks) source.fail(`expected "=" after "${name}", found ${source.found()}`)
  source.at = at
  const called = chain(source, expression)
  const partMark = called.part && assignmentMark(source)
  if (called.part && partMark) return partAssignment(source, called.part, partMark[1], at)
  if (!called.isCall) source.fail('this statement does nothing; expected "=" or a call', at)
  return (scope) => void called.expression(scope)
}

function assignment(source: Source, name: string, at: number, operator: Operator | undefined): Step {
  const before = source.names.meaning(name)
  if (before === 'fixed' || (before && name === 'main')) source.fail(`"${name}" has a value already`, at)
  if (operator) {
    source.use(name, at)
    const value = expression(source)
    const sum: Expression = (scope) => located(at, () => operator(scope.get(name, at), value(scope), scope.evaluation))
    return (scope) => scope.assign(name, sum(scope)) as undefined
  }
  if (!before && source.word('rule')) return rule(source, name)
  const isFunction = source.word('func')
  if (isFunction) source.names.add(name, 'variable')
  const value = isFunction ? functionLiteral(source, name) : expression(source)
  source.names.add(name, 'variable')
  return (scope) => {
    scope.evaluation.spend()
    return scope.assign(name, value(scope)) as undefined
  }
}

function rule(source: Source, name: string): Step {
  source.names.add(name, 'fixed')
  const body = source.deferred(() => ruleBody(source))
  return (scope) => void scope.declare(name, new Rule(name, body, scope))
}

function ruleBody(source: Source): Expression {
  const when = source.word('when') ? expression(source) : constant(true)
  source.skipSpace()
  const open = source.at
  if (!source.skip('{')) source.fail(`expected "{" after "rule", found ${source.found()}`)
  const body = expression(source)
  source.skipSpace()
  if (!source.skip('}'))
    source.fail(
      source.done ? 'this rule is not closed' : `expected "}" or an operator, found ${source.found()}`,
      source.done ? open : source.at,
    )
  return (scope) => {
    scope.evaluation.spend()
    const isAsked = when(scope)
    if (isAsked instanceof Undefined) return isAsked
    if (typeof isAsked !== 'boolean')
      throw new EvaluationError(`"when" needs true or false, found ${typeName(isAsked)}`, open)
    return isAsked ? body(scope) : true
  }
}

function partAssignment(
  source: Source,
  { whole, key }: { readonly whole: Expression; readonly key: Expression },
  operator: Operator | undefined,
  at: number,
): Step {
  if (operator) source.fail('a part of a list or map is assigned with "="', at)
  const value = expression(source)
  return (scope) => {
    located(at, () => {
      const target = whole(scope)
      if (target instanceof Undefined) throw new EvaluationError(target.reason, target.offset)
      put(target, key(scope), value(scope), scope)
    })
    return undefined
  }
}

function put(target: unknown, key: unknown, value: unknown, { evaluation }: Scope): void {
  if (isMap(target) && (typeof key === 'string' || typeof key === 'number')) {
    evaluation.assertOwn(target)
    target[String(key)] = value
  } else if (Array.isArray(target) && typeof key === 'number' && key >= 0 && key < target.length) {
    evaluation.assertOwn(target)
    target[Math.trunc(key)] = value
  } else throw new EvaluationError(`nothing can be stored at ${typeName(key)} in ${typeName(target)}`)
}
