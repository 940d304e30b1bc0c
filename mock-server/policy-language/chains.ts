/** Reads a name with its links: fields, indexes, slices and calls. */
import type { Expression, Scope } from './scope.ts'
import { constant, type Source } from './source.ts'
import { Callable, EvaluationError, isMap, located, typeName, Undefined } from './values.ts'

type Reader = (source: Source) => Expression

interface Link {
  readonly kind: 'field' | 'index' | 'slice' | 'call'
  readonly apply: (value: unknown, scope: Scope) => unknown
  /** The key of a field or an index. */
  readonly key?: Expression
}

export interface Chain {
  readonly expression: Expression
  /** True if the last link is a call. */
  readonly isCall: boolean
  /** Set if the chain ends in a field or an index, so that it can be assigned: the list or map, and the key in it. */
  readonly part?: { readonly whole: Expression; readonly key: Expression }
}

/** Reads the links after a literal or a closing bracket. */
export function linked(source: Source, read: Reader, base: Expression, start: number): Expression {
  const links: Link[] = []
  for (let link = linkAt(source, read, start); link; link = linkAt(source, read, start)) links.push(link)
  return links.reduce<Expression>((whole, link) => (scope) => link.apply(whole(scope), scope), base)
}

/** Reads a name and its links. */
export function chain(source: Source, read: Reader): Chain {
  source.skipSpace()
  const offset = source.at
  const name = source.name()
  const literal = source.literal(name)
  if (literal !== undefined) return { expression: constant(literal), isCall: false }
  source.use(name, offset)
  const keys: string[] = []
  const links: Link[] = []
  let isFixed = true
  for (let link = linkAt(source, read, offset); link; link = linkAt(source, read, offset)) {
    links.push(link)
    isFixed &&= link.fixedKey !== undefined
    if (isFixed && link.fixedKey !== undefined) {
      keys.push(link.fixedKey)
      source.assertField(name, keys, offset)
    }
  }
  const upTo =
    (count: number): Expression =>
    (scope) => {
      scope.evaluation.spend()
      let value = scope.get(name, offset)
      for (let index = 0; index < count; index++) value = links[index]?.apply(value, scope)
      return value
    }
  const last = links.at(-1)
  return {
    expression: upTo(links.length),
    isCall: last?.kind === 'call',
    ...(last?.key ? { part: { whole: upTo(links.length - 1), key: last.key } } : {}),
  }
}

/** Reads one link: `.field`, `["key"]`, `[1:2]` or `(…)`. */
function linkAt(source: Source, read: Reader, start: number): (Link & { readonly fixedKey?: string }) | undefined {
  const offset = source.at
  if (source.skip('.')) {
    const field = source.fieldName()
    return { ...fieldLink(field, source.text.slice(start, source.at), start), fixedKey: field }
  }
  if (source.skip('(')) {
    const given = source.nested(() => listed(source, read))
    return callLink(given, source.text.slice(start, offset), start)
  }
  if (!source.skip('[')) return undefined
  source.skipSpace()
  const fixed = /"([^"\\\n]*)"\s*\]/y
  fixed.lastIndex = source.at
  const fixedKey = fixed.exec(source.text)?.[1]
  const link = source.nested(() => bracket(source, read, start))
  return fixedKey === undefined ? link : { ...link, fixedKey }
}

function listed(source: Source, read: Reader): readonly Expression[] {
  const items: Expression[] = []
  for (;;) {
    source.skipSpace()
    if (source.skip(')')) return items
    items.push(read(source))
    source.skipSpace()
    if (!source.skip(',') && source.next !== ')') source.fail(`expected "," or ")", found ${source.found()}`)
  }
}

const fieldLink = (field: string, words: string, offset: number): Link => ({
  kind: 'field',
  key: constant(field),
  apply: (value) => member(value, field, words, offset),
})

function bracket(source: Source, read: Reader, start: number): Link {
  source.skipSpace()
  const from = source.next === ':' ? constant(0) : read(source)
  source.skipSpace()
  if (source.skip(':')) {
    source.skipSpace()
    const to = source.next === ']' ? undefined : read(source)
    source.expect(']', 'behind a slice')
    return { kind: 'slice', apply: (value, scope) => slice(value, from(scope), to?.(scope), scope, start) }
  }
  if (!source.skip(']')) source.fail(`expected "]", found ${source.found()}`)
  const words = source.text.slice(start, source.at)
  return { kind: 'index', key: from, apply: (value, scope) => member(value, from(scope), words, start) }
}

function member(whole: unknown, key: unknown, words: string, offset: number): unknown {
  if (whole instanceof Undefined) return whole
  if (key instanceof Undefined) return key
  const nothing = () => new Undefined(`${words} has no value`, offset)
  if (Array.isArray(whole) || typeof whole === 'string') return itemOf(whole, key, words, offset) ?? nothing()
  if (!isMap(whole)) throw new EvaluationError(`${words}: ${typeName(whole)} has no fields`, offset)
  const name = typeof key === 'number' ? String(key) : key
  if (typeof name !== 'string') throw new EvaluationError(`${words}: a key is a string, found ${typeName(key)}`, offset)
  return Object.hasOwn(whole, name) && whole[name] !== undefined ? whole[name] : nothing()
}

function itemOf(whole: string | readonly unknown[], key: unknown, words: string, offset: number): unknown {
  if (typeof key === 'number' && Number.isInteger(key)) return whole.at(key)
  throw new EvaluationError(`${words}: a ${typeName(whole)} has no fields; its parts are numbered from 0`, offset)
}

function slice(whole: unknown, from: unknown, to: unknown, scope: Scope, offset: number): unknown {
  const undefinedOne = [whole, from, to].find((value) => value instanceof Undefined)
  if (undefinedOne) return undefinedOne
  if (typeof from !== 'number' || (to !== undefined && typeof to !== 'number'))
    throw new EvaluationError('the bounds of a slice are numbers', offset)
  if (typeof whole === 'string') return whole.slice(from, to)
  if (Array.isArray(whole)) return scope.evaluation.made(whole.slice(from, to))
  throw new EvaluationError(`only a list or a string has slices, found ${typeName(whole)}`, offset)
}

const callLink = (given: readonly Expression[], words: string, offset: number): Link => ({
  kind: 'call',
  apply(value, scope) {
    if (value instanceof Undefined) return value
    if (!(value instanceof Callable)) throw new EvaluationError(`${words} is not a function`, offset)
    assertCount(value, given.length, words, offset)
    const values = given.map((one) => one(scope))
    const { evaluation } = scope
    const result = located(offset, () => evaluation.deeper(() => value.run(values, evaluation)))
    return result === undefined ? new Undefined(`${words}() returns nothing`, offset) : result
  },
})

function assertCount({ least, most }: Callable, given: number, words: string, offset: number): void {
  if (given >= least && given <= most) return
  const wanted = least === most ? least : `${least} to ${most}`
  throw new EvaluationError(`${words} takes ${wanted} values, found ${given}`, offset)
}
