/** The functions that every document has. */
import { Callable, type Evaluation, EvaluationError, emptyMap, isMap, shown, typeName, Undefined } from './values.ts'

type Function = (given: readonly unknown[], evaluation: Evaluation) => unknown

function sequence(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new EvaluationError(`${name} needs a list, found ${typeName(value)}`)
}

function numberFrom(name: string, value: unknown): number {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof read === 'number' && Number.isFinite(read)) return read
  throw new EvaluationError(`${name} cannot read ${typeName(value)} ${shown(value).slice(0, 60)} as a number`)
}

function append([list, item]: readonly unknown[], evaluation: Evaluation): undefined {
  if (!Array.isArray(list)) throw new EvaluationError(`append needs a list, found ${typeName(list)}`)
  evaluation.assertOwn(list)
  list.push(item)
}

function remove([map, key]: readonly unknown[], evaluation: Evaluation): undefined {
  if (!isMap(map)) throw new EvaluationError(`delete needs a map, found ${typeName(map)}`)
  evaluation.assertOwn(map)
  delete map[shown(key)]
}

function lengthOf([value]: readonly unknown[]): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return isMap(value) ? Object.keys(value).length : sequence('length', value).length
}

const listFrom =
  (name: string, of: (map: object) => unknown[]): Function =>
  ([map], evaluation) => {
    if (!isMap(map)) throw new EvaluationError(`${name} needs a map, found ${typeName(map)}`)
    return evaluation.made(of(map))
  }

/** `range(end)`, `range(start, end)` or `range(start, end, step)`. */
function range(given: readonly unknown[], evaluation: Evaluation): readonly number[] {
  const numbers = given.map((value) => numberFrom('range', value))
  const [start = 0, end = 0, step = 1] = numbers.length === 1 ? [0, ...numbers] : numbers
  const count = Math.max(0, Math.ceil((end - start) / step))
  if (step === 0 || !Number.isFinite(count)) throw new EvaluationError('range needs a step other than 0')
  evaluation.spend(count)
  return evaluation.made(Array.from({ length: count }, (_, index) => start + index * step))
}

function truthOf([value]: readonly unknown[]): boolean {
  if (value === true || value === 'true' || value === 1) return true
  if (value === false || value === 'false' || value === 0) return false
  throw new EvaluationError(`bool cannot read ${typeName(value)} ${shown(value).slice(0, 60)}`)
}

function print(given: readonly unknown[], evaluation: Evaluation): true {
  evaluation.print(given.map(shown).join(' '))
  return true
}

const table: Readonly<Record<string, readonly [arity: number | readonly [number, number], Function]>> = {
  append: [2, append],
  bool: [1, truthOf],
  delete: [2, remove],
  float: [1, ([value]) => numberFrom('float', value)],
  int: [1, ([value]) => Math.trunc(numberFrom('int', value))],
  keys: [1, listFrom('keys', Object.keys)],
  length: [1, lengthOf],
  range: [[1, 3], range],
  string: [1, ([value], evaluation) => evaluation.text(shown(value))],
  values: [1, listFrom('values', Object.values)],
}

/** Returns a function whose result is undefined if any argument is undefined. */
export const strictly =
  (run: Function): Function =>
  (given, evaluation) =>
    given.find((value) => value instanceof Undefined) ?? run(given, evaluation)

export const builtins: Readonly<Record<string, Callable>> = {
  ...Object.fromEntries(
    Object.entries(table).map(([name, [arity, run]]) => [name, new Callable(name, arity, strictly(run))]),
  ),
  // These two also accept undefined values, and show them.
  print: new Callable('print', [0, 20], print),
  error: new Callable('error', [0, 20], (given) => {
    throw new EvaluationError(given.map(shown).join(' ') || 'the policy calls error()')
  }),
}

/** Turns JSON into values of the language that the document may change. */
export function fromJson(value: unknown, evaluation: Evaluation): unknown {
  if (Array.isArray(value)) return evaluation.made(value.map((item) => fromJson(item, evaluation)))
  if (typeof value !== 'object' || value === null) return value
  const map = evaluation.made(emptyMap())
  for (const [key, inner] of Object.entries(value)) map[key] = fromJson(inner, evaluation)
  return map
}
