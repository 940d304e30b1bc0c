/** Reads expressions, in order of precedence: the functions for operators that bind weakly call those for operators
 * that bind more strongly. */
import { hclEscapes } from '../kernel/acl/cursor.ts'
import { chain, linked } from './chains.ts'
import { quantified, quantifiers } from './loops.ts'
import { and, comparisons, not, type Operator, or, products, questions, sums, xor } from './operators.ts'
import { compilePattern } from './pattern.ts'
import type { Expression } from './scope.ts'
import { constant, type Source } from './source.ts'
import { EvaluationError, emptyMap, located, typeName, Undefined } from './values.ts'

const number = /(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?)/y

export function expression(source: Source): Expression {
  const offset = source.at
  const first = conjunction(source)
  const rest: { readonly join: typeof or; readonly right: Expression }[] = []
  for (;;) {
    const join = source.word('or') || source.word('||') ? or : source.word('xor') ? xor : undefined
    if (!join) break
    rest.push({ join, right: conjunction(source) })
  }
  if (rest.length === 0) return first
  return (scope) => {
    let value = first(scope)
    for (const { join, right } of rest) value = located(offset, () => join(value, () => right(scope)))
    return value
  }
}

function conjunction(source: Source): Expression {
  const offset = source.at
  const first = comparison(source)
  const rest: Expression[] = []
  while (source.word('and') || source.word('&&')) rest.push(comparison(source))
  if (rest.length === 0) return first
  return (scope) => {
    let value = first(scope)
    for (const right of rest) value = located(offset, () => and(value, () => right(scope)))
    return value
  }
}

const binary =
  (offset: number, operator: Operator, left: Expression, right: Expression): Expression =>
  (scope) => {
    scope.evaluation.spend()
    return located(offset, () => operator(left(scope), right(scope), scope.evaluation))
  }

function comparison(source: Source): Expression {
  const left = fallback(source)
  source.skipSpace()
  const offset = source.at
  for (const [spelling, operator] of questions)
    if (source.word(spelling)) return (scope) => located(offset, () => operator(left(scope)))
  const found = comparisons.find(([spelling]) => source.word(spelling))
  if (!found) return left
  const [spelling, operator] = found
  if (spelling.endsWith('matches')) assertPattern(source)
  return binary(offset, operator, left, fallback(source))
}

/** Refuses an invalid pattern as soon as the document is written, if the pattern is a literal. */
function assertPattern(source: Source): void {
  source.skipSpace()
  const { at } = source
  if (source.next !== '"') return
  const compiled = compilePattern(source.quoted(hclEscapes))
  if ('problem' in compiled) source.fail(compiled.problem, at)
  source.at = at
}

/** Reads `x else y`, whose value is y if x is undefined. */
function fallback(source: Source): Expression {
  const left = chained(source, sums, (inner) => chained(inner, products, unary))
  // An `else` after a block belongs to its `if`, and is read elsewhere.
  if (!source.word('else') && !source.word('??')) return left
  const right = source.nested(() => fallback(source))
  return (scope) => {
    const value = left(scope)
    return value instanceof Undefined ? right(scope) : value
  }
}

/** Reads operators of one precedence, which apply from left to right. */
function chained(source: Source, operators: typeof sums, operand: (source: Source) => Expression): Expression {
  let left = operand(source)
  for (;;) {
    source.skipSpace()
    const offset = source.at
    const found = operators.find(([spelling]) => source.next === spelling && source.text.charAt(source.at + 1) !== '=')
    if (!found) return left
    source.at++
    left = binary(offset, found[1], left, operand(source))
  }
}

function unary(source: Source): Expression {
  source.skipSpace()
  const offset = source.at
  if (source.next === '-' || source.next === '+') {
    const isMinus = source.next === '-'
    source.at++
    const inner = source.nested(() => unary(source))
    return (scope) => located(offset, () => signed(inner(scope), isMinus))
  }
  if (!source.word('not') && !(source.text.charAt(source.at + 1) !== '=' && source.word('!'))) return operand(source)
  const inner = source.nested(() => unary(source))
  return (scope) => located(offset, () => not(inner(scope)))
}

function signed(value: unknown, isMinus: boolean): unknown {
  if (value instanceof Undefined) return value
  if (typeof value !== 'number') throw new EvaluationError(`a sign needs a number, found ${typeName(value)}`)
  return isMinus ? -value : value
}

function operand(source: Source): Expression {
  source.skipSpace()
  const at = source.at
  const digits = source.take(number)
  if (digits !== '') return constant(Number(digits))
  const literal = literalAt(source)
  if (literal) return linked(source, expression, literal, at)
  if (source.word('func')) return functionLiteral(source)
  if (source.word('undefined')) return constant(new Undefined('the document says undefined', at))
  const quantifier = quantifiers.find((word) => source.word(word))
  if (quantifier) return source.nested(() => quantified(source, quantifier, expression, at))
  return source.nested(() => chain(source, expression)).expression
}

function literalAt(source: Source): Expression | undefined {
  if (source.next === '"') return constant(source.quoted(hclEscapes))
  if (source.skip('[')) return list(source)
  if (source.skip('{')) return map(source)
  if (!source.skip('(')) return undefined
  const inner = source.nested(() => expression(source))
  source.expect(')', 'or an operator')
  return inner
}

function list(source: Source): Expression {
  const items: Expression[] = []
  for (;;) {
    source.skipSpace()
    if (source.skip(']')) break
    items.push(source.nested(() => expression(source)))
    source.skipSpace()
    if (!source.skip(',') && source.next !== ']') source.fail(`expected "," or "]", found ${source.found()}`)
  }
  return (scope) => scope.evaluation.made(items.map((item) => item(scope)))
}

function map(source: Source): Expression {
  const entries: { readonly key: Expression; readonly value: Expression; readonly offset: number }[] = []
  for (;;) {
    source.skipSpace()
    if (source.skip('}')) break
    const offset = source.at
    const key = source.nested(() => expression(source))
    source.expect(':', 'behind the key of a map')
    entries.push({ key, value: source.nested(() => expression(source)), offset })
    source.skipSpace()
    if (!source.skip(',') && source.next !== '}') source.fail(`expected "," or "}", found ${source.found()}`)
  }
  return (scope) => {
    const made = scope.evaluation.made(emptyMap())
    for (const { key, value, offset } of entries) made[keyOf(key(scope), offset)] = value(scope)
    return made
  }
}

function keyOf(key: unknown, offset: number): string {
  if (typeof key === 'string' || typeof key === 'number') return String(key)
  throw new EvaluationError(`the key of a map must be a string or a number, found ${typeName(key)}`, offset)
}

/** Reads a function after the word `func`. */
export function functionLiteral(source: Source, name = 'a function'): Expression {
  source.expect('(', 'behind "func"')
  const parameters: string[] = []
  for (;;) {
    source.skipSpace()
    if (source.skip(')')) break
    const at = source.at
    const parameter = source.name()
    if (parameters.includes(parameter) || source.names.meaning(parameter) === 'fixed')
      source.fail(`"${parameter}" has a value already`, at)
    parameters.push(parameter)
    source.skipSpace()
    if (!source.skip(',') && source.next !== ')') source.fail(`expected "," or ")", found ${source.found()}`)
  }
  source.expect('{', 'behind the parameters')
  return source.nested(() => source.deferred(() => source.readFunction(source, parameters, name)))
}
