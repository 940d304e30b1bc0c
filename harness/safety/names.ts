/** Throw-away names, and the values that fill the templates of a check. */
import {
  type Exchange,
  fieldOf,
  isSuccess,
  type Reply,
  requestOf,
  StepFailed,
  sizeBounds,
  statusSeen,
} from '../vocabulary/index.ts'

const longest = 60

/** Returns the prefix of every throw-away name of a run: `assay-<run>`. */
export const runPrefixOf = (runId: string): string => `assay-${runId.toLowerCase()}`

/** Returns whether a name contains the prefix of this run, as opposed to a run whose id merely begins alike. */
export function bears(runId: string, name: string): boolean {
  const prefix = runPrefixOf(runId)
  const at = name.indexOf(prefix)
  return at >= 0 && !/[a-z0-9]/.test(name.charAt(at + prefix.length))
}

/** Returns a name that is unique to a check: `assay-<run>-<n>-<name>`. It is lower case (policy names are case-folded),
 * has at most 60 characters, and consists of letters, digits and hyphens. `hasCapital`: the word has a capital letter. */
export function throwAwayName(runId: string, n: number, name: string, hasCapital = false): string {
  const lower = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const word = hasCapital ? capitalised(lower) : lower
  return `${runPrefixOf(runId)}-${n}-${word}`.slice(0, longest).replace(/(?<!-)-+$/, '')
}

const capitalised = (word: string): string => word.replace(/[a-z]/, (letter) => letter.toUpperCase())

/** Returns a path below a throw-away mount with capital letters in these names of objects of the mount. `use` may stand
 * before a name. */
function withCapitals(path: string, names: ReadonlySet<string>, use = ''): string {
  const [mount = '', ...parts] = path.split('/')
  if (names.size === 0 || !isThrowAway(mount)) return path
  const named = (part: string): string => {
    const name = part.startsWith(use) ? part.slice(use.length) : part
    return names.has(name) ? part.slice(0, part.length - name.length) + capitalised(name) : part
  }
  return [mount, ...parts.map(named)].join('/')
}

/** Replaces the part of throw-away names that differs from check to check by a star: `assay-*-<name>`. */
export const withoutNumbers = (runId: string, text: string): string =>
  text.replace(new RegExp(`${runPrefixOf(runId)}-\\d+`, 'g'), 'assay-*')

/** Returns whether a name is a throw-away name of any run. */
export const isThrowAway = (name: string): boolean => /^assay-[a-z0-9]+-\d+-/.test(name)

/** Returns whether the whole name is a throw-away name of that run. */
export const isNameOf = (runId: string, name: string): boolean =>
  new RegExp(`^${escaped(runPrefixOf(runId))}-[0-9]{1,9}-[A-Za-z0-9][A-Za-z0-9-]{0,79}$`).test(name)

/** Returns the id of the run from a throw-away name, or undefined for any other name. */
export const runIn = (name: string): string | undefined => /^assay-([a-z0-9]+)-\d+-/.exec(name)?.[1]

/** Escapes a text for use in a regular expression. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const name = /(?<!\{)\{([A-Za-z][\w-]*)\}(?!\})/g

/** Replaces each `{name}` by its value. Braces in a value are not filled again; doubled braces, and braces around
 * anything but a name (JSON, policy texts), are kept. */
export function fillTemplate(template: string, find: (name: string) => string): string {
  return template.includes('{') ? template.replace(name, (_whole, key: string) => find(key)) : template
}

/** The names of a check and their values: throw-away names, and values that replies have provided. */
export class CheckNames {
  readonly #values = new Map<string, string>()
  readonly #throwAway: ReadonlySet<string>
  readonly #capitals: ReadonlySet<string>
  /** True if something had a name with a capital letter. */
  haveCapitals = false
  /** Names that a reply should have provided and did not, with the error to throw when they are needed. */
  readonly #lost = new Map<string, StepFailed>()

  /** `n` is unique among the checks of the run. */
  constructor(runId: string, n: number, throwAway: readonly string[], capitals: ReadonlySet<string> = new Set()) {
    this.#throwAway = new Set(throwAway)
    this.#capitals = capitals
    this.#values.set('run', runPrefixOf(runId))
    this.#values.set('use', '')
    for (const name of throwAway) this.#values.set(name, throwAwayName(runId, n, name, capitals.has(name)))
  }

  isThrowAway(name: string): boolean {
    return this.#throwAway.has(name)
  }

  get(name: string): string | undefined {
    return this.#values.get(name)
  }

  value(name: string): string {
    const value = this.#values.get(name)
    this.haveCapitals ||= this.#throwAway.has(name) && this.#capitals.has(name)
    if (value !== undefined) return value
    const lost = this.#lost.get(name)
    if (lost !== undefined) throw lost
    throw new TypeError(`unknown name \`${name}\`; known are ${[...this.#values.keys()].join(', ')}`)
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** Returns all names with their values, in the order in which they became known. */
  entries(): readonly (readonly [string, string])[] {
    return [...this.#values]
  }

  isLost(name: string): boolean {
    return this.#lost.has(name)
  }

  set(name: string, value: string): void {
    this.#values.set(name, value)
  }

  fill(template: string): string {
    return fillTemplate(template, (name) => this.value(name))
  }

  /** Returns a path with its names filled in. */
  path(template: string): string {
    const filled = this.fill(template)
    const path = withCapitals(filled, this.#capitals, this.#values.get('use'))
    this.haveCapitals ||= path !== filled
    return path
  }

  each(texts: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, this.fill(text)]))
  }

  /** Returns whether every name in a template has a value. */
  readonly isKnown = (template: string): boolean => {
    let known = true
    fillTemplate(template, (name) => {
      known &&= this.#values.has(name)
      return ''
    })
    return known
  }

  /** Returns the values that a reply provides for the names that its exchange saves. A name without a value in the
   * reply loses its earlier value. */
  learn(reply: Reply, { saves = {} }: Exchange): readonly (readonly [string, string])[] {
    return Object.entries(saves).flatMap(([name, field]): readonly (readonly [string, string])[] => {
      const value = isSuccess(reply) ? fieldOf(reply, this.fill(field)) : undefined
      const isLong = typeof value === 'string' && value.length > sizeBounds.savedValue.value
      if (!isLong && ['string', 'number', 'boolean'].includes(typeof value)) return [[name, String(value)]]
      this.#values.delete(name)
      this.#lost.set(name, isLong ? tooLong(reply, name, value.length) : lacking(reply, name))
      return []
    })
  }
}

/** The errors keep only the parts of the reply that their messages need, so that bodies do not fill the memory. */
const lacking = (reply: Reply, name: string): StepFailed =>
  new StepFailed('not-shown', { asked: reply.asked, answer: statusSeen(reply), what: `\`${name}\`` }, answerOf(reply))
const answerOf = (reply: Reply) => ({ ...requestOf(reply), status: reply.status })
const tooLong = (reply: Reply, name: string, length: number): StepFailed => {
  const most = sizeBounds.savedValue.value
  return new StepFailed('value-too-long', { asked: reply.asked, name, length, most }, requestOf(reply))
}
