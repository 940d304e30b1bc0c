/** A document while it is parsed: the position in the text, and the names that are known there. */
import { Cursor, hclEscapes } from '../kernel/acl/cursor.ts'
import { builtins } from './builtins.ts'
import { properties, type Shape, unknownField } from './properties.ts'
import { type Expression, Names, type Scope } from './scope.ts'
import type { Callable } from './values.ts'

const literalWords: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
/** These words are part of the language, so they cannot be names. */
// biome-ignore format: one list reads better than thirty lines
const reserved: ReadonlySet<string> = new Set([
  'and', 'or', 'xor', 'not', 'is', 'in', 'contains', 'matches', 'else', 'rule', 'when', 'as', 'any', 'all', 'filter', 'map',
  'import', 'param', 'default', 'func', 'for', 'if', 'return', 'break', 'continue', 'case', 'undefined',
])
const identifier = /[\p{L}_][\p{L}\p{N}_]*/uy

/** Reads the body of a function literal after its opening brace. The parameters are names in it. */
export type BodyReader = (source: Source, parameters: readonly string[], name: string) => (scope: Scope) => Callable

export class Source extends Cursor {
  names = new Names()
  /** True while something is parsed that is evaluated later, so it may use names that are defined later. */
  isDeferred = false
  readonly readFunction: BodyReader
  readonly shapes = new Map<string, Shape>(Object.entries(properties))
  readonly #unresolved: { readonly name: string; readonly offset: number }[] = []

  constructor(text: string, readFunction: BodyReader) {
    super(text)
    this.readFunction = readFunction
    for (const name of [...Object.keys(properties), ...Object.keys(builtins), ...Object.keys(literalWords)])
      this.names.add(name, 'fixed')
  }

  /** Moves past the words and returns true if they come next; otherwise returns false. */
  word(spelling: string): boolean {
    const start = this.at
    for (const part of spelling.split(' ')) {
      this.skipSpace()
      const isWord = /^\w/.test(part)
      if (isWord ? this.take(identifier) === part : this.skip(part)) continue
      this.at = start
      return false
    }
    return true
  }

  expect(mark: string, place: string): void {
    this.skipSpace()
    if (!this.skip(mark)) this.fail(`expected "${mark}" ${place}, found ${this.found()}`)
  }

  /** Reads a name that is not a reserved word. The cursor is at its first letter. */
  name(): string {
    const at = this.at
    const name = this.take(identifier)
    if (name === '') this.fail(`expected a name, found ${this.found()}`)
    if (name === 'case' || name === 'import' || name === 'param')
      this.fail(`"${name}" is not part of the language here`, at)
    if (reserved.has(name)) this.fail(`"${name}" cannot stand here`, at)
    return name
  }

  /** Reads the name of a field, which may be any word. */
  fieldName(): string {
    return this.take(identifier) || this.fail(`expected a name after ".", found ${this.found()}`)
  }

  quotedText(): string {
    this.skipSpace()
    if (this.next !== '"') this.fail('expected a text in double quotes')
    return this.quoted(hclEscapes)
  }

  literal(name: string): boolean | null | undefined {
    return Object.hasOwn(literalWords, name) ? literalWords[name] : undefined
  }

  assertFree(name: string, offset: number): void {
    if (this.names.meaning(name)) this.fail(`"${name}" has a value already`, offset)
  }

  /** Runs `read` in an inner scope of names, in which the parameters are variables. */
  within<T>(parameters: readonly string[], read: () => T): T {
    const outer = this.names
    this.names = new Names(outer)
    for (const name of parameters) this.names.add(name, 'variable')
    try {
      return read()
    } finally {
      this.names = outer
    }
  }

  deferred<T>(read: () => T): T {
    const was = this.isDeferred
    this.isDeferred = true
    try {
      return read()
    } finally {
      this.isDeferred = was
    }
  }

  /** Records the use of a name, and fails if it is unknown. Code that is evaluated later may use a name that is defined
   * further down. */
  use(name: string, offset: number): void {
    if (this.names.meaning(name)) return
    if (this.isDeferred) this.#unresolved.push({ name, offset })
    else this.#unknown(name, offset)
  }

  #unknown(name: string, offset: number): never {
    const known = this.names.all().filter((one) => !Object.hasOwn(literalWords, one))
    return this.fail(`unknown name "${name}"; known are ${known.join(', ')}`, offset)
  }

  /** Fails if a name was used that the document never defines. */
  assertResolved(): void {
    for (const { name, offset } of this.#unresolved) if (!this.names.meaning(name)) this.#unknown(name, offset)
  }

  /** Fails if the property or import has no such field. */
  assertField(name: string, keys: readonly string[], offset: number): void {
    const shape = this.shapes.get(name)
    const unknown = shape && unknownField(name, shape, keys)
    if (unknown) this.fail(`${unknown.path} has no field "${unknown.key}"; it has ${unknown.known.join(', ')}`, offset)
  }
}

export const constant =
  (value: unknown): Expression =>
  () =>
    value
