/** Compiles a pattern into steps, which `pattern.ts` executes. */
type Test = (character: string) => boolean
export type Step =
  | { readonly kind: 'one'; readonly test: Test }
  | { readonly kind: 'fork'; readonly ways: number[] }
  | { readonly kind: 'start' | 'end' | 'word' | 'no-word' | 'match' }

const mostSteps = 2_000
const mostRepeats = 1_000
/** Limits the steps that are written, including discarded ones. A repetition reads its atom again, so nested
 * repetitions read the innermost atom very often. */
const mostWritten = 20_000

export class PatternProblem extends Error {}

export const isWord = (character: string): boolean => /^\w$/.test(character)
const classes: Readonly<Record<string, Test>> = {
  d: (character) => /^\d$/.test(character),
  w: isWord,
  s: (character) => /^[\t\n\f\r ]$/.test(character),
  D: (character) => !/^\d$/.test(character),
  W: (character) => !isWord(character),
  S: (character) => !/^[\t\n\f\r ]$/.test(character),
}
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', a: '\x07' }

/** Reads a pattern and appends its steps in order. Each method reads one part of the pattern and appends the steps for
 * it. */
class Compiler {
  readonly steps: Step[] = []
  readonly #characters: readonly string[]
  #at = 0
  #depth = 0
  #written = 0
  #ignoresCase = false

  constructor(pattern: string) {
    this.#characters = [...pattern]
  }

  compile(): readonly Step[] {
    if (this.#skip('(?i)')) this.#ignoresCase = true
    this.#alternatives()
    if (this.#next === ')') throw new PatternProblem('")" without "("')
    this.#add({ kind: 'match' })
    return this.steps
  }

  get #next(): string {
    return this.#characters[this.#at] ?? ''
  }

  #skip(text: string): boolean {
    if (this.#characters.slice(this.#at, this.#at + text.length).join('') !== text) return false
    this.#at += text.length
    return true
  }

  #add(step: Step): number {
    if (this.steps.length >= mostSteps || this.#written++ > mostWritten)
      throw new PatternProblem(`the pattern needs more than ${mostSteps} steps`)
    return this.steps.push(step) - 1
  }

  #fork(...ways: number[]): { ways: number[] } {
    const step = { kind: 'fork' as const, ways }
    this.#add(step)
    return step
  }

  /** Writes a fork before each alternative, and after it a jump to the end. */
  #alternatives(): void {
    const jumps: { ways: number[] }[] = []
    for (;;) {
      const fork = this.#fork(this.steps.length + 1)
      this.#sequence()
      if (!this.#skip('|')) break
      jumps.push(this.#fork())
      fork.ways.push(this.steps.length)
    }
    for (const jump of jumps) jump.ways.push(this.steps.length)
  }

  #sequence(): void {
    while (this.#next !== '' && this.#next !== '|' && this.#next !== ')') {
      const from = this.#at
      const first = this.steps.length
      this.#atom()
      this.#repeat(from, first)
    }
  }

  /** Reads a repetition, if there is one. Its atom is read again, and its steps are written as often as the repetition
   * requires. */
  #repeat(from: number, first: number): void {
    const counted = this.#counts()
    if (!counted) return
    const [least, most] = counted
    const after = this.#at
    this.steps.length = first
    const again = (): void => {
      this.#at = from
      this.#atom()
    }
    for (let n = 0; n < least; n++) again()
    if (most === undefined) {
      const fork = this.#fork(this.steps.length + 1)
      const place = this.steps.length - 1
      again()
      this.#fork(place)
      fork.ways.push(this.steps.length)
    } else {
      const forks = Array.from({ length: most - least }, () => {
        const fork = this.#fork(this.steps.length + 1)
        again()
        return fork
      })
      for (const fork of forks) fork.ways.push(this.steps.length)
    }
    this.#at = after
    if (this.#counts()) throw new PatternProblem('a repetition cannot be repeated')
  }

  /** Reads `*`, `+`, `?` or `{…}`. A `?` after it is skipped, because it makes no difference to whether a text
   * matches. */
  #counts(): readonly [least: number, most: number | undefined] | undefined {
    const known = { '*': [0, undefined], '+': [1, undefined], '?': [0, 1] } as const
    const sign = this.#next
    if (sign === '*' || sign === '+' || sign === '?') {
      this.#at++
      this.#skip('?')
      return known[sign]
    }
    const rest = this.#characters.slice(this.#at, this.#at + 12).join('')
    const [whole, from, comma, to] = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(rest) ?? []
    if (whole === undefined) return undefined
    this.#at += whole.length
    this.#skip('?')
    const least = Number(from)
    const most = comma === '' ? least : to === '' ? undefined : Number(to)
    if (least > mostRepeats || (most ?? 0) > mostRepeats || (most ?? least) < least)
      throw new PatternProblem(`the repetition ${whole} is invalid; at most ${mostRepeats} are counted`)
    return [least, most]
  }

  #atom(): void {
    const character = this.#next
    this.#at++
    if (character === '(') this.#group()
    else if (character === '^') this.#add({ kind: 'start' })
    else if (character === '$') this.#add({ kind: 'end' })
    else if (character === '.') this.#one((one) => one !== '\n')
    else if (character === '[') this.#one(this.#set())
    else if (character === '\\') this.#escape()
    else if ('*+?'.includes(character)) throw new PatternProblem(`nothing to repeat before "${character}"`)
    else this.#one(this.#literal(character))
  }

  #group(): void {
    if (this.#skip('?') && !this.#skip(':') && !this.#named())
      throw new PatternProblem(
        'of the groups that begin with "(?", only "(?:", "(?P<name>" and "(?i)" at the start are served',
      )
    if (this.#depth >= 32) throw new PatternProblem('groups are nested more than 32 levels deep')
    this.#depth++
    this.#alternatives()
    this.#depth--
    if (!this.#skip(')')) throw new PatternProblem('"(" without ")"')
  }

  #named(): boolean {
    const rest = this.#characters.slice(this.#at, this.#at + 80).join('')
    const name = /^P?<\w+>/.exec(rest)?.[0] ?? ''
    this.#at += name.length
    return name !== ''
  }

  #one(test: Test): void {
    this.#add({ kind: 'one', test })
  }

  #literal(wanted: string): Test {
    if (!this.#ignoresCase) return (character) => character === wanted
    return (character) => character.toLowerCase() === wanted.toLowerCase()
  }

  #escape(): void {
    if (this.#next === 'b' || this.#next === 'B') this.#add({ kind: this.#next === 'b' ? 'word' : 'no-word' })
    else if (this.#next === 'A' || this.#next === 'z') this.#add({ kind: this.#next === 'A' ? 'start' : 'end' })
    else {
      const escaped = this.#escaped()
      this.#one(typeof escaped === 'string' ? this.#literal(escaped) : escaped)
      return
    }
    this.#at++
  }

  /** Reads what follows a backslash: a class, or one character. */
  #escaped(): Test | string {
    const letter = this.#next
    this.#at++
    if (Object.hasOwn(classes, letter)) return classes[letter] as Test
    if (Object.hasOwn(controls, letter)) return controls[letter] as string
    if (letter === '' || /[A-Za-z0-9]/.test(letter))
      throw new PatternProblem(`the escape "\\${letter}" is not served in patterns`)
    return letter
  }

  /** Reads a set after its opening bracket. */
  #set(): Test {
    const isNegated = this.#skip('^')
    const parts: Test[] = []
    for (let isFirst = true; this.#next !== ']' || isFirst; isFirst = false) {
      if (this.#next === '') throw new PatternProblem('"[" without "]"')
      parts.push(this.#setPart())
    }
    this.#at++
    return (character) => parts.some((part) => part(character)) !== isNegated
  }

  #setPart(): Test {
    if (this.#next === '[' && this.#characters[this.#at + 1] === ':')
      throw new PatternProblem('named sets such as "[:alpha:]" are not served')
    const from = this.#setCharacter()
    if (typeof from !== 'string') return from
    const isRange = this.#next === '-' && this.#characters[this.#at + 1] !== ']'
    if (!isRange) return this.#literal(from)
    this.#at++
    const to = this.#setCharacter()
    if (typeof to !== 'string' || to < from) throw new PatternProblem(`the range from "${from}" is invalid`)
    const inside = (character: string): boolean => character >= from && character <= to
    if (!this.#ignoresCase) return inside
    return (character) => inside(character.toLowerCase()) || inside(character.toUpperCase())
  }

  #setCharacter(): Test | string {
    const character = this.#next
    this.#at++
    return character === '\\' ? this.#escaped() : character
  }
}

/** Throws a `PatternProblem` if the pattern is invalid or uses unsupported syntax. */
export const stepsOf = (pattern: string): readonly Step[] => new Compiler(pattern).compile()
