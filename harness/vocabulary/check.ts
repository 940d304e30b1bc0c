import type { AskedRequest, Exchange, Reply } from './exchange.ts'
import type { Companion, Neighbours } from './neighbours.ts'
import type { Applies } from './requirement.ts'
import type { Ceremony, Scope, Step } from './scope.ts'
import { useName } from './use-name.ts'
import { type Area, areas, type Kind, kinds, type Need, type SafetyClass } from './words.ts'

/** One difference between what a reply shows and what the check expects. */
export interface Mismatch extends AskedRequest {
  /** The part of the reply that differs: `status`, `/data/policy`, `header content-type`. */
  readonly at: string
  readonly wanted: string
  readonly saw: string
  /** The parts of the reply that hold more than was wanted, if nothing else differs. A condition that these parts break
   * explains the mismatch. */
  readonly beyond?: readonly string[]
}

/** What an expectation finds in a reply: nothing, or a mismatch with those that are independent of it. */
export type Judgement = (Mismatch & { readonly also?: readonly Mismatch[] }) | undefined

export const mismatchesIn = (...found: readonly Judgement[]): readonly Mismatch[] => {
  const all = found.flatMap((one) => {
    if (!one) return []
    const { also = [], ...mismatch } = one
    return [mismatch, ...also]
  })
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

export function judgementOf(...found: readonly Judgement[]): Judgement {
  const [first, ...also] = mismatchesIn(...found)
  return first && also.length > 0 ? { ...first, also } : first
}

export interface Seen {
  readonly reply: Reply
  readonly scope: Scope
}

/** A mismatch with a requirement that the check need not decide. */
export interface Flaw extends Mismatch {
  readonly requirement: string
  /** True if it may be a result of something else, so that it counts only if nothing else was found. */
  readonly isSecond?: true
}

/** What must be true of each reply to the judged requests of a topic, besides what its checks decide: a certificate has
 * no further name, its path verifies. */
export interface Conditions {
  /** Each of them is decided by a check of its own. */
  readonly requirements: readonly string[]
  /** Returns everything by which a reply breaks a condition. */
  flawsIn(seen: Seen): readonly Flaw[] | Promise<readonly Flaw[]>
}

/** Something that a check made, which its judged requests do not name. What it shows before them, it shows afterwards. */
export interface Framed {
  readonly read: Exchange
  /** The requirement that it contradicts if it is gone. */
  readonly gone: string
  /** The requirements that it contradicts if a field has changed, by field. */
  readonly changed: Readonly<Record<string, string>>
}

export interface Expectation {
  /** Completes "then …": "the reply is a success". */
  readonly words: string
  /** The requirement that a mismatch contradicts, if it is not every requirement of the check: one of several, or one
   * that another check decides. */
  readonly requirement?: string
  /** Runs after the given steps and before `when`, to read a value that must (or must not) change. Its result is passed
   * to `judge` as `before`. */
  before?(scope: Scope): Promise<unknown>
  /** True if it expects a refusal with nothing changed. */
  readonly refuses?: true
  /** Exchanges that the expectation itself may send; `plan` lists them. */
  readonly touches?: readonly Exchange[]
  judge(seen: Seen, before: unknown): Promise<Judgement> | Judgement
  /** Runs after the positive twin has succeeded, unless `judge` found a mismatch. Throws `StepFailed` if the earlier
   * reads turn out to prove nothing. */
  confirm?(scope: Scope, before: unknown): Promise<void>
}

/** A step, or the deletion of each path that `after` matches. */
export interface Restoration {
  readonly after: RegExp
  readonly sends: Step | 'its deletion'
  /** Set where nothing brings back a setting that was never written: a new ground gets it, too. */
  readonly isFirst?: true
}

/** Situations that checks can share, because what a check adds to them bears its own name. */
export interface SharedGround {
  /** Beginnings of *given*. A check whose *given* begins with an equal one, compared as data, can share it. */
  readonly givens: readonly (readonly Step[])[]
  /** Matches the requests, as `POST {mount}/path`, that leave such a ground as it was, except for what has its own name. */
  readonly leave: RegExp
  /** Matches reads of what other checks have added to. Only *given* steps, and expectations that compare it with the state
   * before, can use them on a shared ground. */
  readonly grows?: RegExp
  /** Set where neighbours need what only a check prepares: they come before each check, as on a mount of its own. */
  readonly neighbours?: 'before-each'
  /** The lock of the checks that can share it. Of such grounds there is one at a time, which is taken back before a check with
   * that lock that needs another one. */
  readonly lock?: string
  /** Needs of checks that can share it all the same. */
  readonly needs?: readonly Need[]
  /** These bring such a ground back to what it was, after a check that may send what `after` matches. */
  readonly restores?: readonly Restoration[]
  /** Reads that show whether a ground is as it was. */
  readonly frame: readonly Exchange[]
}

/** A trial, made once per run before the first check that names it: can what such checks do to a cluster be undone? */
export interface Rehearsal {
  readonly id: string
  /** Each act is undone before the next one begins. A step that fails is ignored here, because the checks judge it. */
  readonly acts: readonly (readonly Step[])[]
}

export interface CheckBody {
  /** The requirements that the check decides; the first one determines the level and the wording. */
  readonly requirement: string | readonly string[]
  readonly applies?: Applies
  readonly needs?: readonly Need[]
  readonly safety?: SafetyClass
  /** The name of the shared state that the check touches; checks with the same lock do not overlap. */
  readonly lock?: string
  readonly rehearsals?: readonly Rehearsal[]
  /** The check shares no ground, for a reason that its requests do not show. */
  readonly ground?: 'own'
  readonly given?: readonly Step[]
  /** The positive twin of a negative check: it differs in one part only and must succeed in the same run. */
  readonly control?: Exchange
  readonly when: Exchange | Ceremony
  readonly then: readonly [Expectation, ...Expectation[]]
  readonly frame?: readonly Framed[]
  /** Faults of the reference server that this check must notice. Those of the checks of this package are recorded in
   * `suites/kill-matrix.json`. */
  readonly mutants?: readonly string[]
}

export interface Check extends CheckBody {
  /** Unique within its topic; names the duty that the check decides. */
  readonly id: string
  readonly mutants: readonly string[]
  readonly madeBy?: CallSite
}

export interface Topic {
  /** `<area>/<file>`; a check's address is `<topic>/<check>`. */
  readonly id: string
  readonly area: Area
  readonly kind: Kind
  readonly about: string
  readonly safety: SafetyClass
  /** Throw-away names; each check gets its own values for them. */
  readonly names: readonly string[]
  readonly conditions?: Conditions
  readonly grounds?: readonly SharedGround[]
  readonly neighbours?: readonly Neighbours[]
  readonly companions?: readonly Companion[]
  readonly checks: readonly Check[]
}

export const check = (id: string, body: CheckBody): Check => ({
  id,
  ...body,
  mutants: body.mutants ?? [],
  madeBy: callSiteOf(check),
})

interface TopicBody {
  readonly about: string
  readonly safety?: SafetyClass
  readonly names?: readonly string[]
  readonly conditions?: Conditions
  readonly grounds?: readonly SharedGround[]
  readonly neighbours?: readonly Neighbours[]
  readonly companions?: readonly Companion[]
  readonly checks: readonly Check[]
}

/** Makes a topic, which is a file of checks. Its id is the path of the file below `suites/`, without the extension. */
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
    ...(body.conditions ? { conditions: body.conditions } : {}),
    ...(body.grounds ? { grounds: body.grounds } : {}),
    ...(body.neighbours ? { neighbours: body.neighbours } : {}),
    ...(body.companions ? { companions: body.companions } : {}),
    checks: body.checks,
  }
}

type Judged = Pick<CheckBody, 'given' | 'when' | 'then' | 'control'>

const isLike = (one: Exchange, other: Exchange): boolean => one.method === other.method && one.path === other.path
const callerOf = ({ as = 'operator' }: Exchange): string => as

/** Returns the request that shows that the target would accept such a request: the control, or a step before. */
const twinOf = ({ given = [], when, control }: Judged): Exchange | undefined =>
  control ??
  given.find((step): step is Exchange => step.kind === 'exchange' && when.kind === 'exchange' && isLike(step, when))

const refusing = ({ then }: Judged): number => then.findIndex(({ refuses }) => refuses === true)

/** Tells whether the judged request should be refused. */
export const expectsRefusal = ({ control, then }: Pick<Judged, 'control' | 'then'>): boolean =>
  control !== undefined || then.some(({ refuses }) => refuses)

/** Tells whether a check expects a refusal although nothing in it shows that the target would accept such a request. */
export const lacksTwin = (check: Judged): boolean =>
  refusing(check) >= 0 && check.when.kind === 'exchange' && twinOf(check) === undefined

/** A refusal that a check decides: the operation, and the index in `then` of the expectation. */
export interface Refusal {
  /** Names may be templates: `POST sys/policies/acl/{policy}`. */
  readonly operation: string
  readonly expectation: number
  /** True if the request says the same as the accepted one, in a body that cannot be read. */
  readonly isMalformed?: true
}

/** Returns the refusal that a check decides if only what the request says can be the reason for it: it has the path and
 * the caller of one that the target accepts. */
export function refusalOf(check: Judged): Refusal | undefined {
  const { when } = check
  const [expectation, twin] = [refusing(check), twinOf(check)]
  if (expectation < 0 || twin === undefined) return undefined
  const isSame = when.kind === 'ceremony' || (isLike(when, twin) && callerOf(when) === callerOf(twin))
  if (!isSame) return undefined
  const isMalformed = when.kind === 'ceremony' && when.isMalformed
  const path = twin.path.replace(useName, '')
  return { operation: `${twin.method} ${path}`, expectation, ...(isMalformed ? { isMalformed } : {}) }
}

export const addressOf = (topic: Pick<Topic, 'id'>, check: Pick<Check, 'id'>): string => `${topic.id}/${check.id}`
export const requirementsOf = (check: Pick<Check, 'requirement'>): readonly string[] =>
  typeof check.requirement === 'string' ? [check.requirement] : check.requirement

/** Where in the source a record was made. V8 captures the stack immediately but formats it only when it is read. */
export interface CallSite {
  readonly stack?: string
}

/** Returns where the current call of `maker` was made. */
export function callSiteOf(maker: (...given: never[]) => unknown): CallSite {
  const site: CallSite = {}
  Error.captureStackTrace(site, maker)
  return site
}
