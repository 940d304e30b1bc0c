import type { AskedRequest, Exchange, Reply } from './exchange.ts'
import type { Applies } from './requirement.ts'
import type { Ceremony, Scope, Step } from './scope.ts'
import { type Area, areas, type Kind, kinds, type Need, type SafetyClass } from './words.ts'

/** One way in which what was seen differs from what was wanted. */
export interface Mismatch extends AskedRequest {
  /** The mismatch is here in the reply: `status`, `/data/policy`, `header content-type`. */
  readonly at: string
  readonly wanted: string
  readonly saw: string
}

export interface Seen {
  readonly reply: Reply
  readonly scope: Scope
}

export interface Expectation {
  /** Completes "then …": "the reply is a success". */
  readonly words: string
  /** Runs after the given steps and before `when`, to remember a value that must (not) change. What it returns comes
   * back as `before`. */
  before?(scope: Scope): Promise<unknown>
  /** Exchanges it may send itself, for `plan`. */
  readonly touches?: readonly Exchange[]
  judge(seen: Seen, before: unknown): Promise<Mismatch | undefined> | Mismatch | undefined
  /** Runs after the positive twin has succeeded, where nothing was found. Throws `StepFailed` where what was seen proves
   * nothing after all. */
  confirm?(scope: Scope, before: unknown): Promise<void>
}

/** Tried once in a run, before the first check that names it: that what such checks do to a cluster can be taken back. */
export interface Rehearsal {
  readonly id: string
  /** Each is taken back before the next begins. A step that fails shows nothing, and is for the checks to judge. */
  readonly acts: readonly (readonly Step[])[]
}

export interface CheckBody {
  /** The requirement(s) it decides; the first gives the level and the words. */
  readonly requirement: string | readonly string[]
  readonly applies?: Applies
  readonly needs?: readonly Need[]
  readonly safety?: SafetyClass
  /** Shared state it touches; checks with the same lock do not overlap. */
  readonly lock?: string
  readonly rehearsals?: readonly Rehearsal[]
  readonly given?: readonly Step[]
  /** The positive twin of a negative check: differs in one part only and must succeed in the same run. */
  readonly control?: Exchange
  readonly when: Exchange | Ceremony
  readonly then: readonly [Expectation, ...Expectation[]]
  /** Faults of the reference server that this check must notice. */
  readonly mutants: readonly [string, ...string[]]
}

export interface Check extends CheckBody {
  /** Local to its topic; says the duty. */
  readonly id: string
  readonly madeBy?: CallSite
}

export interface Topic {
  /** `<area>/<file>`; a check's address is `<topic>/<check>`. */
  readonly id: string
  readonly area: Area
  readonly kind: Kind
  readonly about: string
  readonly safety: SafetyClass
  /** Throw-away names: each check gets values of its own for these. */
  readonly names: readonly string[]
  readonly checks: readonly Check[]
}

export const check = (id: string, body: CheckBody): Check => ({ id, ...body, madeBy: callSiteOf(check) })

interface TopicBody {
  readonly about: string
  readonly safety?: SafetyClass
  readonly names?: readonly string[]
  readonly checks: readonly Check[]
}

/** A file of checks; its id is its path below `suites/`, without the ending. */
export function topic(id: string, body: TopicBody): Topic {
  const [area, file = ''] = id.split('/')
  const kind = kinds.find((word) => file === word || file.startsWith(`${word}-`))
  const known = areas.find((word) => word === area)
  if (!known || !kind) throw new TypeError(`topic ${id}: expected <area>/<kind>[-<subject>]`)
  return {
    id,
    area: known,
    kind,
    about: body.about,
    safety: body.safety ?? 'scoped',
    names: body.names ?? [],
    checks: body.checks,
  }
}

export const addressOf = (topic: Pick<Topic, 'id'>, check: Pick<Check, 'id'>): string => `${topic.id}/${check.id}`
export const requirementsOf = (check: Pick<Check, 'requirement'>): readonly string[] =>
  typeof check.requirement === 'string' ? [check.requirement] : check.requirement

/** A call site is the place in the source where a record was made. V8 notes the stack at once, and writes it out only
 * when it is read. */
export interface CallSite {
  readonly stack?: string
}

/** The call of `maker` that is under way. */
export function callSiteOf(maker: (...given: never[]) => unknown): CallSite {
  const site: CallSite = {}
  Error.captureStackTrace(site, maker)
  return site
}
