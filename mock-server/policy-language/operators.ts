/** Applies the operators of the language to two values. */
import { compilePattern, type Pattern } from './pattern.ts'
import { type Evaluation, EvaluationError, isMap, isSame, typeName, Undefined } from './values.ts'

export type Operator = (left: unknown, right: unknown, evaluation: Evaluation) => unknown

const mismatch = (word: string, left: unknown, right: unknown): never => {
  throw new EvaluationError(`"${word}" cannot be applied to ${typeName(left)} and ${typeName(right)}`)
}

/** Returns an operator whose result is undefined if either side is undefined. */
const strict =
  (operator: Operator): Operator =>
  (left, right, evaluation) => {
    if (left instanceof Undefined) return left
    return right instanceof Undefined ? right : operator(left, right, evaluation)
  }

const order = (left: string, right: string): number => (left < right ? -1 : Number(left > right))

const ordered = (word: string, holds: (difference: number) => boolean): Operator =>
  strict((left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return holds(left - right)
    if (typeof left === 'string' && typeof right === 'string') return holds(order(left, right))
    return mismatch(word, left, right)
  })

function has(word: string, whole: unknown, part: unknown, evaluation: Evaluation): boolean {
  if (Array.isArray(whole)) {
    evaluation.spend(whole.length / 10)
    return whole.some((item) => isSame(item, part))
  }
  if (typeof part !== 'string') return mismatch(word, whole, part)
  if (typeof whole === 'string') return whole.includes(part)
  return isMap(whole) ? Object.hasOwn(whole, part) : mismatch(word, whole, part)
}

/** Negates a truth value; the opposite of undefined is undefined. */
export function not(value: unknown): unknown {
  if (value instanceof Undefined) return value
  if (typeof value !== 'boolean') throw new EvaluationError(`"not" needs true or false, found ${typeName(value)}`)
  return !value
}

const negated =
  (operator: Operator): Operator =>
  (left, right, evaluation) =>
    not(operator(left, right, evaluation))

/** Recently compiled patterns, by their text. */
const patterns = new Map<string, Pattern>()

function patternOf(text: string): Pattern {
  const known = patterns.get(text)
  if (known) return known
  const compiled = compilePattern(text)
  if ('problem' in compiled) throw new EvaluationError(compiled.problem)
  if (patterns.size >= 100) patterns.clear()
  patterns.set(text, compiled)
  return compiled
}

const equal = strict(isSame)
const within = strict((left, right, evaluation) => has('in', right, left, evaluation))
const contains = strict((left, right, evaluation) => has('contains', left, right, evaluation))
const matches = strict((left, right, evaluation) => {
  if (typeof left !== 'string' || typeof right !== 'string') return mismatch('matches', left, right)
  const pattern = patternOf(right)
  evaluation.spend((left.length * pattern.size) / 100)
  return pattern.matches(left)
})

/** The parser tries the operators in this order, so a longer spelling comes before its own prefix. */
export const comparisons: readonly (readonly [spelling: string, operator: Operator])[] = [
  ['is not', negated(equal)],
  ['is', equal],
  ['==', equal],
  ['!=', negated(equal)],
  ['<=', ordered('<=', (difference) => difference <= 0)],
  ['>=', ordered('>=', (difference) => difference >= 0)],
  ['<', ordered('<', (difference) => difference < 0)],
  ['>', ordered('>', (difference) => difference > 0)],
  ['not in', negated(within)],
  ['in', within],
  ['not contains', negated(contains)],
  ['contains', contains],
  ['not matches', negated(matches)],
  ['matches', matches],
]

const isEmpty = (value: unknown): unknown => {
  if (value instanceof Undefined) return value
  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0
  if (isMap(value)) return Object.keys(value).length === 0
  throw new EvaluationError(`"is empty" needs a string, list or map, found ${typeName(value)}`)
}

/** Operators that follow a single value. They are tried before the comparisons, because some start with the spelling of
 * a comparison. */
export const questions: readonly (readonly [spelling: string, operator: (value: unknown) => unknown])[] = [
  ['is not defined', (value) => value instanceof Undefined],
  ['is defined', (value) => !(value instanceof Undefined)],
  ['is not empty', (value) => not(isEmpty(value))],
  ['is empty', isEmpty],
]

const numeric = (word: string, combine: (left: number, right: number) => number): Operator =>
  strict((left, right) => {
    if (typeof left !== 'number' || typeof right !== 'number') return mismatch(word, left, right)
    if (right === 0 && (word === '/' || word === '%')) throw new EvaluationError('division by zero')
    return combine(left, right)
  })

const plus = strict((left, right, evaluation) => {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left === 'string' && typeof right === 'string') return evaluation.text(left + right)
  if (Array.isArray(left) && Array.isArray(right)) return evaluation.made([...left, ...right])
  return mismatch('+', left, right)
})

export const sums: readonly (readonly [spelling: string, operator: Operator])[] = [
  ['+', plus],
  ['-', numeric('-', (left, right) => left - right)],
]

export const products: readonly (readonly [spelling: string, operator: Operator])[] = [
  ['*', numeric('*', (left, right) => left * right)],
  ['/', numeric('/', (left, right) => left / right)],
  ['%', numeric('%', (left, right) => left % right)],
]

function truth(word: string, value: unknown): unknown {
  if (typeof value === 'boolean' || value instanceof Undefined) return value
  throw new EvaluationError(`"${word}" needs true or false, found ${typeName(value)}`)
}

/** Evaluates from left to right. If the left side is false or undefined, it is the result; otherwise the right side
 * is. */
export const and = (left: unknown, right: () => unknown): unknown =>
  truth('and', left) === true ? truth('and', right()) : left

/** Returns true if either side is true, even if the other one is undefined. */
export const or = (left: unknown, right: () => unknown): unknown => {
  if (truth('or', left) === true) return true
  const other = truth('or', right())
  if (other === true) return true
  return left instanceof Undefined ? left : other
}

export const xor = (left: unknown, right: () => unknown): unknown => {
  const other = truth('xor', right())
  if (truth('xor', left) instanceof Undefined) return left
  return other instanceof Undefined ? other : left !== other
}
