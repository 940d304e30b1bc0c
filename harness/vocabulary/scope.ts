import type { Dialect } from './dialect.ts'
import type { Exchange, JsonObject, Operation, Reply } from './exchange.ts'
import type { Facts } from './target.ts'

/** What a running check can see and do. The harness records, retries and redacts everything that is sent through it. */
export interface Scope {
  /** Returns the value of a name: a throw-away name of the topic, or a value that a step saved. Throws if the name is
   * unknown. */
  value(name: string): string
  has(name: string): boolean
  save(name: string, value: string, options?: { secret?: boolean }): void
  /** Fills in `{name}` templates. */
  fill(template: string): string
  send(exchange: Exchange): Promise<Reply>
  /** Returns the JSON bodies of this check's successful POST requests to a path, in order and with templates filled
   * in. */
  served(path: string): readonly JsonObject[]
  /** Performs a step (an exchange, an operation of the dialect, an action); throws `StepFailed` if it does not succeed. */
  perform(step: Step): Promise<void>
  readonly dialect: Dialect
  readonly facts: Facts
  /** The target's clock. `pass` moves the clock of a reference server forward, and waits on any other server. */
  readonly time: { now(): Promise<number>; pass(seconds: number, why: string): Promise<void> }
  /** Repeats the request until the reply satisfies `until` or `seconds` have passed (default: `patience`), and returns
   * the last reply. While the target does not reply, or only with replies of the way, polling goes on until the target
   * has had its time to settle; then this throws. */
  poll(exchange: Exchange, until: (reply: Reply) => boolean | Promise<boolean>, seconds?: number): Promise<Reply>
  /** Seconds that the target is given to settle. */
  readonly patience: number
  /** Seconds within which anything that the documents call immediate should have happened; at most `patience`. */
  readonly immediate: number
  /** Makes sure that the operator has a token that is valid on a cluster now: one of the profile's, or a root token
   * that is generated with key shares. `as: 'operator'` uses it from then on. Resolves to true if the cluster accepted
   * a known token at once, so that hardly any time has passed. Throws `StepFailed`. */
  admit(cluster: string): Promise<boolean>
  /** The replies that last showed that a cluster has no such role as a request ends. There is none if nobody has looked yet,
   * if the run may have given it one since, or if others may give it roles. */
  readonly endedRoles: { shown(end: Exchange): Reply | undefined; note(end: Exchange, reply: Reply): void }
  /** Registers a function that closes what the check has opened; it is called when the check is over, whatever its
   * outcome. */
  atEnd(close: () => void | Promise<void>): void
  /** Returns what the profile provides for a need; undefined if it provides nothing. */
  provided<T>(need: string): T | undefined
  /** Records an exchange with something other than the target, because that is evidence, too. Returns its index among
   * all exchanges of the check, if it is recorded. */
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

/** A step that needs code: races, waiting, ceremonies. Actions are rare, and each has a name. */
export interface Action {
  readonly kind: 'action'
  readonly words: string
  /** For `plan`: every exchange that the action may send. */
  readonly touches: readonly Exchange[]
  /** Operations of the dialect that the action may perform; `plan` shows their requests, too. */
  readonly performs?: readonly Operation[]
  readonly provides?: readonly string[]
  /** The address of the check that decides what this step relies on. */
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
  /** True if the body of its request cannot be read. */
  readonly isMalformed?: true
  run(scope: Scope): Promise<Reply>
}
