import { Cursor, hclEscapes } from '../../../kernel/acl/cursor.ts'
import { readPattern } from './matching.ts'
import { and, comparisons, not, or, xor } from './operators.ts'

/** What a document can refer to, by its first name. */
export interface Facts {
  readonly request: object
  readonly token: object
  readonly identity: object
}

export interface RuleDocument {
  /** Tells whether `main` is true. */
  passes(facts: Facts): boolean
}

/** The values of the names before this one in the document, and of the roots. */
type Scope = ReadonlyMap<string, unknown>
type Expression = (scope: Scope) => unknown

const roots: readonly (keyof Facts)[] = ['request', 'token', 'identity']
const isRoot = (name: string): boolean => roots.some((root) => root === name)
const literals: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
const operatorWords = ['and', 'or', 'xor', 'not', 'is', 'in', 'contains', 'matches', 'else', 'rule', 'when']
const foreign = ['import', 'param', 'func', 'for', 'if', 'case', 'return', 'any', 'all', 'filter', 'map', 'print']
const identifier = /[\p{L}_][\p{L}\p{N}_]*/uy
const number = /-?\d+(?:\.\d+)?/y

/** Parses a document. Throws only `PolicySyntaxError`, which has line and column. */
export function parseRules(text: string): RuleDocument {
  const cursor = new Cursor(text)
  const statements = new Map<string, Expression>()
  for (cursor.skipSpace(); !cursor.done; cursor.skipSpace()) {
    const at = cursor.at
    const name = nameAt(cursor)
    if (isRoot(name) || Object.hasOwn(literals, name) || statements.has(name)) {
      cursor.fail(`"${name}" has a value already`, at)
    }
    cursor.skipSpace()
    if (cursor.text.startsWith('==', cursor.at) || !cursor.skip('=')) {
      cursor.fail(`expected "=" after "${name}", found ${cursor.found()}`)
    }
    statements.set(name, statement(cursor, statements))
    cursor.skipSpace()
    cursor.skip(';')
  }
  if (!statements.has('main')) cursor.fail('the document has no rule "main"')
  return { passes: (facts) => valuesOf(statements, facts).get('main') === true }
}

/** Evaluates the names in the order of the document. A name must come before its uses, so no document can recurse. */
function valuesOf(statements: ReadonlyMap<string, Expression>, facts: Facts): Scope {
  const values = new Map<string, unknown>(Object.entries(facts))
  for (const [name, expression] of statements) values.set(name, expression(values))
  return values
}

function nameAt(cursor: Cursor): string {
  const at = cursor.at
  const name = cursor.take(identifier)
  if (name === '') cursor.fail(`expected a name, found ${cursor.found()}`)
  if (foreign.includes(name)) cursor.fail(`"${name}" is not part of the language that this server speaks`, at)
  if (operatorWords.includes(name)) cursor.fail(`"${name}" cannot stand here`, at)
  return name
}

type Known = ReadonlyMap<string, Expression>

function statement(cursor: Cursor, known: Known): Expression {
  cursor.skipSpace()
  if (!word(cursor, 'rule')) return disjunction(cursor, known)
  const condition = word(cursor, 'when') ? disjunction(cursor, known) : undefined
  cursor.skipSpace()
  const open = cursor.at
  if (!cursor.skip('{')) cursor.fail(`expected "{" after "rule", found ${cursor.found()}`)
  const body = disjunction(cursor, known)
  cursor.skipSpace()
  if (!cursor.skip('}')) {
    cursor.fail(
      cursor.done ? 'this rule is not closed' : `expected "}" or an operator, found ${cursor.found()}`,
      cursor.done ? open : cursor.at,
    )
  }
  return condition ? (scope) => (condition(scope) === true ? body(scope) : true) : body
}

/** Moves past the operator, in one or more words, if it is here. */
function word(cursor: Cursor, spelling: string): boolean {
  const start = cursor.at
  for (const part of spelling.split(' ')) {
    cursor.skipSpace()
    const isWord = /^\w/.test(part)
    if (isWord ? cursor.take(identifier) === part : cursor.skip(part)) continue
    cursor.at = start
    return false
  }
  return true
}

function disjunction(cursor: Cursor, known: Known): Expression {
  const first = conjunction(cursor, known)
  const rest: { readonly join: typeof or; readonly right: Expression }[] = []
  for (;;) {
    const join = word(cursor, 'or') || word(cursor, '||') ? or : word(cursor, 'xor') ? xor : undefined
    if (!join) break
    rest.push({ join, right: conjunction(cursor, known) })
  }
  if (rest.length === 0) return first
  return (scope) => rest.reduce((left, { join, right }) => join(left, () => right(scope)), first(scope))
}

function conjunction(cursor: Cursor, known: Known): Expression {
  const first = comparison(cursor, known)
  const rest: Expression[] = []
  while (word(cursor, 'and') || word(cursor, '&&')) rest.push(comparison(cursor, known))
  if (rest.length === 0) return first
  return (scope) => rest.reduce((left, right) => and(left, () => right(scope)), first(scope))
}

function comparison(cursor: Cursor, known: Known): Expression {
  const left = fallback(cursor, known)
  for (const [spelling, operator] of comparisons) {
    if (!word(cursor, spelling)) continue
    const right = fallback(cursor, known)
    return (scope) => operator(left(scope), right(scope))
  }
  if (word(cursor, 'not matches')) {
    const matches = pattern(cursor)
    return (scope) => not(matches(left(scope)))
  }
  if (!word(cursor, 'matches')) return left
  const matches = pattern(cursor)
  return (scope) => matches(left(scope))
}

function pattern(cursor: Cursor): (value: unknown) => unknown {
  cursor.skipSpace()
  const at = cursor.at
  if (cursor.next !== '"') cursor.fail('the right side of "matches" must be a text in double quotes')
  const read = readPattern(cursor.quoted(hclEscapes))
  return typeof read === 'function' ? read : cursor.fail(read.problem, at)
}

function fallback(cursor: Cursor, known: Known): Expression {
  const left = unary(cursor, known)
  if (!word(cursor, 'else')) return left
  const right = cursor.nested(() => fallback(cursor, known))
  return (scope) => {
    const value = left(scope)
    return value === undefined ? right(scope) : value
  }
}

function unary(cursor: Cursor, known: Known): Expression {
  if (!word(cursor, 'not') && !word(cursor, '!')) return operand(cursor, known)
  const inner = cursor.nested(() => unary(cursor, known))
  return (scope) => not(inner(scope))
}

function operand(cursor: Cursor, known: Known): Expression {
  cursor.skipSpace()
  if (cursor.next === '"') return constant(cursor.quoted(hclEscapes))
  const digits = cursor.take(number)
  if (digits !== '') return constant(Number(digits))
  if (cursor.skip('(')) {
    const inner = cursor.nested(() => disjunction(cursor, known))
    cursor.skipSpace()
    if (!cursor.skip(')')) cursor.fail(`expected ")" or an operator, found ${cursor.found()}`)
    return inner
  }
  return cursor.skip('[') ? list(cursor, known) : reference(cursor, known)
}

const constant =
  (value: unknown): Expression =>
  () =>
    value

function list(cursor: Cursor, known: Known): Expression {
  const items: Expression[] = []
  for (;;) {
    cursor.skipSpace()
    if (cursor.skip(']')) return (scope) => items.map((item) => item(scope))
    items.push(cursor.nested(() => disjunction(cursor, known)))
    cursor.skipSpace()
    if (!cursor.skip(',') && cursor.next !== ']') cursor.fail(`expected "," or "]", found ${cursor.found()}`)
  }
}

function reference(cursor: Cursor, known: Known): Expression {
  const at = cursor.at
  const name = nameAt(cursor)
  if (Object.hasOwn(literals, name)) return constant(literals[name])
  if (!known.has(name) && !isRoot(name)) {
    cursor.fail(`unknown name "${name}"; known are ${[...roots, ...known.keys()].join(', ')}`, at)
  }
  const keys: string[] = []
  for (let key = keyAt(cursor); key !== undefined; key = keyAt(cursor)) keys.push(key)
  if (cursor.next === '(') cursor.fail('functions are not part of the language that this server speaks', at)
  return (scope) => keys.reduce(member, scope.get(name))
}

/** Reads `.name` or `["name"]`; returns undefined if neither follows. */
function keyAt(cursor: Cursor): string | undefined {
  if (cursor.skip('.'))
    return cursor.take(identifier) || cursor.fail(`expected a name after ".", found ${cursor.found()}`)
  if (!cursor.skip('[')) return undefined
  cursor.skipSpace()
  if (cursor.next !== '"') cursor.fail('expected a text in double quotes')
  const key = cursor.quoted(hclEscapes)
  cursor.skipSpace()
  if (!cursor.skip(']')) cursor.fail(`expected "]", found ${cursor.found()}`)
  return key
}

const member = (whole: unknown, key: string): unknown =>
  typeof whole === 'object' && whole !== null && Object.hasOwn(whole, key) ? Reflect.get(whole, key) : undefined
