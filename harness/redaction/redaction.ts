import { NumberTable } from '../safety/number-table.ts'
import { sizeBounds, withExcerptsCut } from '../vocabulary/index.ts'
import { Finder, type Span } from './finder.ts'
import { hashOf } from './key-windows.ts'
import { formsOf, isCode, longestSecret, shortestSecret, wrappedForms } from './secret-encodings.ts'
import { asWritten, type SeenSecret, type Shape, shapesIn } from './seen-secrets.ts'
import { squeezed, united, type View, viewsOf } from './text-views.ts'

export interface Redactor {
  /** Learns a secret: every encoding of it is redacted from then on. Values shorter than six characters or longer than
   * 64 Ki are ignored. `kind` appears in its place: `[redacted:token]`. */
  learn(value: string, kind?: string): void
  /** Learns secrets that another redactor has learnt, without a limit on their number. */
  admit(secrets: readonly SeenSecret[]): void
  redact(text: string): string
  /** Redacts the whole text, and returns the redacted form of its beginning up to `edge`. */
  redactTo(text: string, edge: number): string
  holdsSecret(text: string): boolean
  /** Returns all learnt values, in order. */
  values(): string[]
  /** True if there were more secrets than can be searched for, so that nothing that a target says may be shown any
   * more. */
  readonly isFull: boolean
  /** Returns the values learnt since the last call, to be passed on to another redactor. */
  drain(): SeenSecret[]
}

const { secretsLearnt, secretCharacters } = sizeBounds

/** A text with more tokens and keys than this is hostile: all are still replaced, but further ones are not learnt as
 * values. */
const mostShapes = 1000

/** Headers repeat thousands of times, so results of short texts are cached, and those of longer texts are not. The cache is
 * emptied when it is full: times never come again, and would fill it. */
const longestCached = 256
const mostCached = 4096

/** Replaces a text that was crafted to take too long; none of it is shown. */
const withheld = '[withheld: it takes too long to look for secrets in it]'

/** The secrets that a redactor has learnt. Encodings are computed when they are first needed. */
class LearntSecrets {
  readonly #kinds = new Map<string, string>()
  readonly finder = new Finder()
  /** Searches texts whose separators were removed. */
  readonly separated = new Finder(this.finder)
  readonly cutOff = new CutSecrets()
  #waiting: [string, string][] = []
  #fresh: SeenSecret[] = []
  #characters = 0
  isFull = false

  get size(): number {
    return this.#kinds.size
  }

  values(): string[] {
    return [...this.#kinds.keys()]
  }

  /** No limit applies to what is admitted. */
  learn(value: string, kind: string, isAdmitted: boolean): void {
    const known = this.#kinds
    if (value.length < shortestSecret || value.length > longestSecret || known.has(value)) return
    const isTooMany = known.size >= secretsLearnt.value || this.#characters + value.length > secretCharacters.value
    if (!isAdmitted && isTooMany) {
      this.isFull = true
      return
    }
    this.#characters += value.length
    known.set(value, kind)
    this.#fresh.push({ value, kind })
    const trimmed = value.trim()
    if (trimmed !== value) this.learn(trimmed, kind, isAdmitted)
    // The trimmed value also matches where the spaces are.
    if (trimmed === value || !known.has(trimmed)) this.#waiting.push([value, kind])
  }

  /** Makes the secrets that were learnt meanwhile searchable. Returns whether there were any. */
  settle(): boolean {
    if (this.#waiting.length === 0) return false
    for (const [value, kind] of this.#waiting) {
      const { usual, rare, separated: withoutSeparators } = formsOf(value)
      this.cutOff.add(usual, kind)
      for (const form of [...usual, ...rare]) this.finder.addExact(form, kind, isCode(value))
      for (const { text, isPublic } of wrappedForms(value)) this.finder.addWrapped(text, kind, isPublic)
      for (const form of withoutSeparators) this.separated.addExact(form, kind)
    }
    this.#waiting = []
    return true
  }

  drain(): SeenSecret[] {
    const drained = this.#fresh
    this.#fresh = []
    return drained
  }
}

/** Creates a redactor that replaces secrets by value, in every encoding, and by their look. */
export function createRedactor(initial: readonly string[] = []): Redactor {
  const secrets = new LearntSecrets()
  /** The redacted forms of short texts, valid until another secret is learnt. */
  const cache = new Map<string, string>()

  const settle = (): void => {
    if (secrets.settle()) cache.clear()
  }

  function learntShapes(text: string): readonly Shape[] {
    const shapes = shapesIn(text)
    // A key found by its look is learnt as a value, because it may also occur in another encoding.
    for (const { start, end, label, isWhole } of shapes.slice(0, mostShapes))
      if (isWhole) secrets.learn(asWritten(text.slice(start, end)), label, false)
    settle()
    return shapes
  }

  function redact(text: string): string {
    settle()
    const before = cache.get(text)
    if (before !== undefined) return before
    const knownBefore = secrets.size
    const redacted = redactTo(withExcerptsCut(text, redactTo))
    if (text.length > longestCached || secrets.size !== knownBefore) return redacted
    if (cache.size >= mostCached) cache.clear()
    cache.set(text, redacted)
    return redacted
  }

  function redactTo(text: string, edge = text.length): string {
    const withoutShapes = replaced({ text, edge }, learntShapes(text))
    const plainSpans = secrets.finder.find(withoutShapes.text)
    const withoutPlain = plainSpans && replaced(withoutShapes, plainSpans)
    const viewSpans = withoutPlain && spansInViews(withoutPlain.text, secrets, learntShapes)
    const withoutViews = viewSpans && replaced(withoutPlain, viewSpans)
    const cutSpans = withoutViews && secrets.cutOff.find(withoutViews.text)
    if (!cutSpans) return withheld
    const redacted = replaced(withoutViews, cutSpans)
    return redacted.text.slice(0, redacted.edge)
  }

  // These and admitted ones come from the operator's configuration or from another redactor, so no limit applies.
  for (const value of initial) secrets.learn(value, 'secret', true)
  return {
    learn: (value, kind = 'secret') => secrets.learn(value, kind, false),
    admit(others) {
      for (const { value, kind } of others) secrets.learn(value, kind, true)
    },
    get isFull() {
      return secrets.isFull
    },
    redact,
    redactTo,
    holdsSecret: (text) => redact(text) !== text,
    values: () => secrets.values(),
    drain: () => secrets.drain(),
  }
}

type ShapesIn = (text: string) => readonly Shape[]

/** Finds secrets that appear only when the text is decoded, or when separators are removed. */
function spansInViews(text: string, secrets: LearntSecrets, shapesOf: ShapesIn): Span[] | undefined {
  const found: Span[] = []
  for (const view of viewsOf(text)) {
    const spans = spansInView(view, view.text === text, secrets, shapesOf)
    if (!spans) return undefined
    for (const span of spans) found.push(span)
  }
  return united(found)
}

/** Finds the secrets in one view of a text, as spans of the original text. The original itself (`isItself`) was searched
 * before, except for its form without separators. */
function spansInView(
  { text, origin }: View,
  isItself: boolean,
  { finder, separated }: LearntSecrets,
  shapesOf: ShapesIn,
): Span[] | undefined {
  const plainSpans = isItself ? [] : finder.find(text)
  const bare = squeezed(text)
  const separatedSpans = separated.find(bare.text)
  if (!plainSpans || !separatedSpans) return undefined
  const shapes = isItself ? [] : shapesOf(text)
  return [...[...shapes, ...plainSpans].map(origin), ...separatedSpans.map((span) => origin(bare.origin(span)))]
}

/** A text, and the offset where the part that will be shown ends. */
interface Edged {
  readonly text: string
  readonly edge: number
}

function replaced({ text, edge }: Edged, spans: readonly Span[]): Edged {
  if (spans.length === 0) return { text, edge }
  let out = ''
  let from = 0
  let moved = edge
  for (const { start, end, label } of spans) {
    out += `${text.slice(from, start)}[redacted:${label}]`
    from = end
    // A secret that crosses the edge is shown as redacted.
    if (start < edge) moved = end <= edge ? out.length + edge - end : out.length
  }
  return { text: out + text.slice(from), edge: moved }
}

/** Matches the mark that this suite writes where it cuts a text. */
const cutMark = /… \((?:cut: )?\d+ (?:characters|bytes)/g

/** Shorter beginnings reveal nothing, and would match the ends of ordinary words. */
const shortestBeginning = 4
/** The most comparisons that one text may cost. */
const mostSteps = 500_000

/** Of a longer beginning, only so many characters are compared. */
const longestBeginning = 64

/** Finds beginnings of secrets at the ends of texts that were cut before the secret was known. */
class CutSecrets {
  /** The beginnings of the usual encodings of all secrets. */
  readonly #beginnings: { readonly text: string; readonly label: string }[] = []
  /** For each beginning, by the hash of its first characters: its number, and the length of the whole encoding. */
  readonly #table = new NumberTable(2)
  #longest = 0

  /** Adds the encodings of one secret. */
  add(all: readonly string[], label: string): void {
    for (const form of all) {
      this.#table.add(hashOf(form, 0, shortestBeginning), this.#beginnings.length, form.length)
      this.#beginnings.push({ text: beginningOf(form), label })
      this.#longest = Math.max(this.#longest, form.length)
    }
  }

  /** Returns the spans in order, or undefined if the search would take too long. */
  find(text: string): Span[] | undefined {
    const spans: Span[] = []
    const steps = { left: mostSteps }
    cutMark.lastIndex = 0
    for (let mark = cutMark.exec(text); mark; mark = cutMark.exec(text)) {
      const end = mark.index
      const first = Math.max(spans.at(-1)?.end ?? 0, end - this.#longest, 0)
      for (let start = first; start <= end - shortestBeginning; start++) {
        const label = this.#labelAt(text, start, end, steps)
        if (label !== undefined) {
          spans.push({ start, end, label })
          break
        }
        if (steps.left < 0) return undefined
      }
    }
    return spans
  }

  /** Returns the label of an encoding that begins at `start` and was cut at `end`. */
  #labelAt(text: string, start: number, end: number, steps: { left: number }): string | undefined {
    const table = this.#table
    const hash = hashOf(text, start, start + shortestBeginning)
    const shown = text.slice(start, Math.min(end, start + longestBeginning))
    steps.left -= 1
    for (let row = table.first(hash); row !== undefined; row = table.next(row)) {
      steps.left -= 1
      if (table.hash(row) !== hash || table.value(row, 1) < end - start) continue
      const beginning = this.#beginnings[table.value(row, 0)]
      if (beginning?.text.startsWith(shown)) return beginning.label
    }
    return undefined
  }
}

/** Returns the beginning as a text of its own, because a slice would keep the whole in memory. */
const beginningOf = (form: string): string =>
  form.length <= longestBeginning ? form : Buffer.from(form.slice(0, longestBeginning), 'utf16le').toString('utf16le')
