/** Decides after each round of a check whether it is judged again with new names, because it was lost on the way to the
 * target. */
import { pathPattern, unnamed } from '../safety/path-pattern.ts'
import {
  blockerOf,
  type FoundMismatch,
  type Level,
  type RecordedExchange,
  type Requirement,
} from '../vocabulary/index.ts'
import { ConnectionCut, OfTheWay, Unconnected } from './interruptions.ts'
import type { Outcome } from './outcome.ts'
import type { OwnSide } from './own-side.ts'
import { withFurther } from './told-once.ts'

/** An exchange without a reply of the target, although another try may get one. */
export type Lost = ConnectionCut | Unconnected | OfTheWay

export const isLost = (error: unknown): error is Lost =>
  error instanceof ConnectionCut || error instanceof Unconnected || error instanceof OfTheWay

export interface Round {
  readonly outcome: Outcome
  readonly lost: Lost | undefined
  readonly lostIn: RecordedExchange['phase']
  /** True if the target went away during the round, or one of its nodes may have been behind. */
  readonly wasDisturbed: boolean
  /** What this machine spoiled during the round, if that matters to the check. */
  readonly ownSide: OwnSide | undefined
  /** True if the target replied to something during the round. */
  readonly wasAnswered: boolean
}

export const isFinding = ({ verdict }: Outcome): boolean => verdict === 'fail' || verdict === 'warn'

/** The check that is judged. */
interface About {
  readonly level: Level
  readonly isDisruptive: boolean
  readonly deciding: readonly string[]
  /** Returns the statement of the documents that a request without any reply contradicts. */
  statementAbout(asked: string): Pick<Requirement, 'id' | 'level'> | undefined
}

/** A check is judged at most this often. */
const mostRounds = 3
/** The number of cuts at one request that rules out an accident, if they are of two rounds: all retries of one round may
 * fall into a short outage. */
const conclusiveCuts = 3

/** The rounds of one check. A target that repeatedly cuts the connection at one request, while it serves others, is
 * itself the cause. A single cut may have any cause, so the check is judged again with new names until there are enough
 * cuts to decide. What was cut while the target was away is no evidence about a request. */
export class Rounds {
  readonly #about: About
  #count = 0
  #shape = ''
  #cuts = 0
  #cutRounds = 0

  constructor(about: About) {
    this.#about = about
  }

  /** Returns the outcome of the check, or undefined if it has to be judged again. */
  decide({ outcome, lost, lostIn, wasDisturbed, wasAnswered, ownSide }: Round): Outcome | undefined {
    this.#count += 1
    if (outcome.verdict === 'pass') return outcome
    // A disruptive check is not judged again, because a change of role may end connections.
    const isLast = this.#about.isDisruptive || this.#count >= mostRounds
    if (wasDisturbed) {
      this.#cuts = this.#cutRounds = 0
      return isLast ? outcome : undefined
    }
    if (ownSide && isFinding(outcome)) return this.#doubted(ownSide)
    if (lost instanceof ConnectionCut) return this.#ofCut(lost, lostIn, isLast)
    // If the target replied to nothing at all, it may be away although its health request is answered.
    return lost && !isLast && !(this.#count > 1 && wasAnswered) ? undefined : outcome
  }

  /** A finding that may be of this machine's making is repeated once. */
  #doubted(ownSide: OwnSide): Outcome | undefined {
    if (!this.#about.isDisruptive && this.#count === 1) return undefined
    return { verdict: 'not-verified', blocker: blockerOf('own-side', ownSide) }
  }

  #ofCut(cut: ConnectionCut, phase: RecordedExchange['phase'], isLast: boolean): Outcome | undefined {
    const isConclusive = this.#add(cut)
    return isConclusive || isLast ? this.#cutOutcome(cut, phase) : undefined
  }

  /** Adds a cut, and returns whether there are enough to decide. */
  #add({ asked, attempts }: ConnectionCut): boolean {
    const shape = unnamed(pathPattern(asked))
    const isSame = shape === this.#shape
    this.#cuts = isSame ? this.#cuts + attempts : attempts
    this.#cutRounds = isSame ? this.#cutRounds + 1 : 1
    this.#shape = shape
    return this.#isConclusive
  }

  get #isConclusive(): boolean {
    return this.#cuts >= conclusiveCuts && this.#cutRounds > 1
  }

  /** Returns a finding if the judged request was cut, because the absence of a reply contradicts every expectation. A
   * cut at any other documented request contradicts a statement about that request, and keeps this check from its own
   * verdict. In a disruptive check it may be due to a change of role. */
  #cutOutcome({ asked, exchange }: ConnectionCut, phase: RecordedExchange['phase']): Outcome {
    const { level, isDisruptive, deciding, statementAbout } = this.#about
    const mismatch: FoundMismatch = {
      ...{ asked, exchange, at: 'connection', wanted: 'a reply' },
      saw: `the connection cut ${this.#cuts} times of ${this.#cuts}`,
    }
    const isFinding = this.#isConclusive && !isDisruptive
    if (isFinding && phase === 'when')
      return { verdict: level === 'must' ? 'fail' : 'warn', mismatches: [{ ...mismatch, expectation: 0 }] }
    const blocker = blockerOf('connection-cut', { asked, cuts: this.#cuts }, exchange)
    const row = isFinding ? statementAbout(asked) : undefined
    const broken = row ? [{ ...mismatch, requirement: row.id }] : []
    return withFurther({ verdict: 'not-verified', blocker }, { broken, deciding }, () => row?.level ?? 'must')
  }
}
