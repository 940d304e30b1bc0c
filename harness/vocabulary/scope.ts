import type { Dialect } from './dialect.ts'
import type { Exchange, JsonObject, Operation, Reply } from './exchange.ts'
import type { Facts } from './target.ts'

/** A running check sees and does everything through its scope. Everything it sends is recorded, retried and redacted
 * by the harness. */
export interface Scope {
  /** The value of a name: a throw-away name of the topic, or something a step saved. Throws on an unknown name. */
  value(name: string): string
  has(name: string): boolean
  save(name: string, value: string, options?: { secret?: boolean }): void
  /** Fills `{name}` templates. */
  fill(template: string): string
  send(exchange: Exchange): Promise<Reply>
  /** The JSON bodies of the requests of this check that were served at a path, templates filled in, in their order. */
  served(path: string): readonly JsonObject[]
  /** Performs a step (an exchange, an operation of the dialect, an action); throws `StepFailed` if it does not succeed. */
  perform(step: Step): Promise<void>
  readonly dialect: Dialect
  readonly facts: Facts
  /** Time as the target sees it. `pass` moves the clock of a reference server and waits on any other. */
  readonly time: { now(): Promise<number>; pass(seconds: number, why: string): Promise<void> }
  /** Asks again and again until the reply is as it must be, or `seconds` have passed (as long as the target is given to
   * settle unless told otherwise). A target that does not answer meanwhile, or by a reply of the way, is asked again, until
   * it has been given its time to settle. Gives the last reply; throws `StepFailed` where there was none. */
  poll(exchange: Exchange, until: (reply: Reply) => boolean, seconds?: number): Promise<Reply>
  /** The target is given this many seconds to settle. */
  readonly patience: number
  /** Anything that the documents call immediate should have happened within this many seconds; the patience at most. */
  readonly immediate: number
  /** Makes sure that the operator has a token that works on a cluster now: one of the profile's, or a root token newly made
   * with key shares. `as: 'operator'` uses it from then on. True if the cluster accepted a known token at once, so that hardly
   * any time has passed. Throws `StepFailed`. */
  admit(cluster: string): Promise<boolean>
  /** Closes what the check itself opened, once it is over, whatever its outcome. */
  atEnd(close: () => void | Promise<void>): void
  /** What the profile provides beyond a URL and a token, by name; undefined where it does not. */
  provided<T>(need: string): T | undefined
  /** Puts on the record what something beside the target was asked, and what it answered: that is evidence, too. Gives
   * the place of that exchange among all of the check, where it is recorded. */
  note(asked: AskedBeside): number | undefined
}

/** An exchange with something that the profile provides. */
export interface AskedBeside {
  readonly words: string
  readonly method: string
  readonly url: string
  readonly body?: string
  readonly status: number
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  readonly durationMs: number
}

/** A step that needs code: races, waiting, ceremonies. Rare, and named. */
export interface Action {
  readonly kind: 'action'
  readonly words: string
  /** For `plan`: every exchange the action may send. */
  readonly touches: readonly Exchange[]
  /** The action may perform these operations of the dialect, whose requests `plan` shows, too. */
  readonly performs?: readonly Operation[]
  readonly provides?: readonly string[]
  /** The address of the check that decides what this step needs to see. */
  readonly restsOn?: string
  run(scope: Scope): Promise<void>
}

export type Step = Exchange | Operation | Action

/** A `when` that needs code. */
export interface Ceremony {
  readonly kind: 'ceremony'
  readonly words: string
  readonly touches: readonly Exchange[]
  readonly performs?: readonly Operation[]
  readonly provides?: readonly string[]
  run(scope: Scope): Promise<Reply>
}

/** The target lacks something that the documents leave to it, such as a field of a reply that they do not show: the check
 * is `not-applicable`. */
export class DoesNotApply extends Error {
  override readonly name = 'DoesNotApply'
}
