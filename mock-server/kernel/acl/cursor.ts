/** Reads a document character by character, for the parsers of the policy languages. */

/** The only error that the parsers throw. Its message has the position and the problem. */
export class PolicySyntaxError extends Error {
  override readonly name = 'PolicySyntaxError'
  /** The first line is 1. */
  readonly line: number
  /** In UTF-16 units; the first column is 1. */
  readonly column: number
  constructor(problem: string, text: string, offset: number) {
    const before = text.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - before.lastIndexOf('\n')
    super(`line ${line}, column ${column}: ${problem}`)
    this.line = line
    this.column = column
  }
}

/** Describes how a language writes strings. */
export interface Escapes {
  /** Matches a run of characters that need no escape. The expression is sticky. */
  readonly text: RegExp
  /** Maps the letter after a backslash to the character that it means. */
  readonly plain: Readonly<Record<string, string>>
  /** Maps the letter after a backslash to the number of hexadecimal digits that follow it. */
  readonly coded: Readonly<Record<string, number>>
  readonly octal: boolean
}

export const hclEscapes: Escapes = {
  text: /[^"\\\n]+/y,
  plain: { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\', '"': '"' },
  coded: { x: 2, u: 4, U: 8 },
  octal: true,
}

export const jsonEscapes: Escapes = {
  text: /[^"\\\x00-\x1f]+/y,
  plain: { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '\\': '\\', '"': '"', '/': '/' },
  coded: { u: 4 },
  octal: false,
}

const deepest = 64
const blanks = /[ \t\r\n]*/y
const lineRest = /[^\n]*/y

export class Cursor {
  readonly text: string
  at = 0
  private depth = 0

  constructor(text: string) {
    this.text = text
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  get next(): string {
    return this.text.charAt(this.at)
  }

  fail(problem: string, offset = this.at): never {
    throw new PolicySyntaxError(problem, this.text, offset)
  }

  /** Describes what is at the cursor, for messages such as "expected …, found …". */
  found(): string {
    return this.done
      ? 'the end of the document'
      : JSON.stringify(String.fromCodePoint(this.text.codePointAt(this.at) ?? 0))
  }

  /** Returns the text that a sticky pattern matches here and moves past it. Returns an empty text if the pattern does
   * not match. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)?.[0] ?? ''
    this.at += match.length
    return match
  }

  /** Moves past `word` if it is here. */
  skip(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  skipBlanks(): void {
    this.take(blanks)
  }

  /** Skips blanks, comments to the end of the line (`#`, `//`) and comments between slash-star and star-slash. */
  skipSpace(): void {
    for (;;) {
      this.take(blanks)
      if (this.next === '#' || this.text.startsWith('//', this.at)) this.take(lineRest)
      else if (this.text.startsWith('/*', this.at)) {
        const end = this.text.indexOf('*/', this.at + 2)
        if (end < 0) this.fail('this comment is not closed')
        this.at = end + 2
      } else return
    }
  }

  /** Runs `inner` one level deeper. The depth is limited, because a recursive parser could overflow the stack. */
  nested<T>(inner: () => T): T {
    if (this.depth >= deepest) this.fail(`nested more than ${deepest} levels deep`)
    this.depth += 1
    const result = inner()
    this.depth -= 1
    return result
  }

  /** Reads a string in double quotes. The cursor is on the opening quote. */
  quoted(escapes: Escapes): string {
    const start = this.at
    this.at += 1
    let value = ''
    for (;;) {
      value += this.take(escapes.text)
      if (this.next === '"') break
      if (this.next !== '\\') this.fail('this string is not closed', start)
      value += this.escaped(escapes)
    }
    this.at += 1
    return value
  }

  private escaped(escapes: Escapes): string {
    const start = this.at
    this.at += 1
    const letter = this.next
    if (Object.hasOwn(escapes.plain, letter)) {
      this.at += 1
      return escapes.plain[letter] ?? ''
    }
    const digits = Object.hasOwn(escapes.coded, letter) ? (escapes.coded[letter] ?? 0) : 0
    const code =
      digits > 0
        ? this.number(this.text.slice(this.at + 1, this.at + 1 + digits), digits, 16, 1)
        : escapes.octal
          ? this.number(this.text.slice(this.at, this.at + 3), 3, 8, 0)
          : -1
    if (code < 0 || code > 0x10ffff) this.fail(`unknown escape ${JSON.stringify(`\\${letter}`)} in a string`, start)
    return String.fromCodePoint(code)
  }

  private number(digits: string, length: number, base: 8 | 16, ahead: number): number {
    const valid = base === 16 ? /^[0-9a-fA-F]+$/ : /^[0-7]+$/
    if (digits.length !== length || !valid.test(digits)) return -1
    this.at += ahead + length
    return Number.parseInt(digits, base)
  }
}
