/** The names of a check and their values: throw-away names, and what replies have given. */
import { runPrefixOf, throwAwayName } from '../safety/names.ts'
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
import { fillTemplate } from './template.ts'

export class CheckNames {
  readonly #values = new Map<string, string>()
  /** Names that a reply should have given and did not, and what is to be said where they are needed. */
  readonly #lost = new Map<string, StepFailed>()

  /** `n` is a number that no other check of the run has. */
  constructor(runId: string, n: number, throwAway: readonly string[]) {
    this.#values.set('run', runPrefixOf(runId))
    for (const name of throwAway) this.#values.set(name, throwAwayName(runId, n, name))
  }

  get(name: string): string | undefined {
    return this.#values.get(name)
  }

  value(name: string): string {
    const value = this.#values.get(name)
    if (value !== undefined) return value
    const lost = this.#lost.get(name)
    if (lost !== undefined) throw lost
    throw new TypeError(`no name \`${name}\` here: known are ${[...this.#values.keys()].join(', ')}`)
  }

  has(name: string): boolean {
    return this.#values.has(name)
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

  each(texts: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, this.fill(text)]))
  }

  /** Tells whether every name in a template has a value. */
  readonly isKnown = (template: string): boolean => {
    let known = true
    fillTemplate(template, (name) => {
      known &&= this.#values.has(name)
      return ''
    })
    return known
  }

  /** Learns what a reply gives for the names that its exchange saves. A name that it does not give loses its value. */
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

/** The error keeps only the parts of the reply that its words need, so that bodies do not fill memory. */
const lacking = (reply: Reply, name: string): StepFailed =>
  new StepFailed('not-shown', { asked: reply.asked, answer: statusSeen(reply), what: `\`${name}\`` }, requestOf(reply))
const tooLong = (reply: Reply, name: string, length: number): StepFailed => {
  const most = sizeBounds.savedValue.value
  return new StepFailed('value-too-long', { asked: reply.asked, name, length, most }, requestOf(reply))
}
