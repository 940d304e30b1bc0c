/** The reasons to judge a check again: the target went away, its nodes differ, this machine was slow, another check moved
 * the clock, or a request was lost on the way. Each has its evidence in a round, and a bound. */
import { pathPattern, unnamed } from '../safety/path-pattern.ts'
import { withFurther } from '../verdict/told-once.ts'
import {
  blockerOf,
  type FoundMismatch,
  type Level,
  type RecordedExchange,
  type Requirement,
} from '../vocabulary/index.ts'
import { ConnectionCut, Late, OfTheWay, Unconnected } from '../way/interruptions.ts'
import type { OwnSide } from '../way/own-side.ts'
import type { Outcome } from './outcome.ts'

/** An exchange without a reply of the target, although another try may get one. */
export type Lost = ConnectionCut | Late | OfTheWay | Unconnected

export const isLost = (error: unknown): error is Lost =>
  [ConnectionCut, Late, OfTheWay, Unconnected].some((kind) => error instanceof kind)

/** What one round of a check ended in, and what may have disturbed it. */
export interface Round {
  readonly outcome: Outcome
  readonly lost: Lost | undefined
  readonly lostIn: RecordedExchange['phase']
  readonly wentAway: boolean
  /** True if a node of the target may have been behind during the round. */
  readonly mayLag: boolean
  /** True if the check has waited as long as the nodes may take, and is judged at the active node next. */
  readonly isSettled: boolean
  /** What this machine spoiled during the round, if that matters to the check. */
  readonly ownSide: OwnSide | undefined
  /** True if another check moved the clock of the target during the round, so that something may have become due. */
  readonly wasClockMoved: boolean
  /** True if the target replied to something during the round. */
  readonly wasAnswered: boolean
}

export const isFinding = ({ verdict }: Outcome): boolean => verdict === 'fail' || verdict === 'warn'

/** The check that is judged. */
interface About {
  readonly level: Level
  readonly isDisruptive: boolean
  readonly deciding: readonly string[]
  readonly asked: string
  /** Returns the statement of the documents that a request without any reply contradicts. */
  statementAbout(asked: string): Pick<Requirement, 'id' | 'level'> | undefined
}

/** A reason to judge a check again. */
interface Doubt {
  /** False if the rounds so far are enough for this reason. */
  readonly isOpen: boolean
  /** The outcome of the check if it is not judged again. */
  readonly outcome: Outcome
}

/** A check is judged at most this often. */
const mostRounds = 3
/** The number of cuts at one request that rules out an accident, if they are of two rounds: all retries of one round may
 * fall into a short outage. */
const conclusiveCuts = 3

/** Decides after each round of a check whether it is judged again with new names. */
export class Rounds {
  readonly #about: About
  #count = 0
  #shape = ''
  #cuts = 0
  #cutRounds = 0
  #isContradicted = false

  /** The reasons to judge a check again that did not pass. The first one that applies decides. */
  readonly #doubts: readonly ((round: Round) => Doubt | undefined)[] = [
    (round) => this.#away(round),
    (round) => this.#nodes(round),
    (round) => this.#ownSide(round),
    (round) => this.#clock(round),
    (round) => this.#cut(round),
    (round) => this.#lost(round),
  ]

  constructor(about: About) {
    this.#about = about
  }

  /** Returns the outcome of the check, or undefined if it has to be judged again. */
  decide(round: Round): Outcome | undefined {
    this.#count += 1
    const { outcome } = round
    if (outcome.verdict === 'pass') return this.#isContradicted ? nodesDiffer(this.#about.asked, differently) : outcome
    // A disruptive check is not judged again, because a change of role may end connections.
    const isLast = this.#about.isDisruptive || this.#count >= mostRounds
    for (const doubtIn of this.#doubts) {
      const doubt = doubtIn(round)
      if (doubt) return doubt.isOpen && !isLast ? undefined : doubt.outcome
    }
    return outcome
  }

  /** What was cut while the target was away is no evidence about a request. */
  #away({ wentAway, outcome }: Round): Doubt | undefined {
    if (!wentAway) return undefined
    this.#cuts = this.#cutRounds = 0
    return { isOpen: true, outcome }
  }

  /** A node may take over what it keeps in memory a moment after the rest, unless the check has waited for it. If some
   * rounds contradict the check and others do not, nothing is decided about the service. */
  #nodes({ mayLag, isSettled, lost, outcome }: Round): Doubt | undefined {
    if (!mayLag || lost) return undefined
    this.#isContradicted ||= outcome.mismatches !== undefined
    return { isOpen: !isSettled, outcome }
  }

  /** A finding that may be of this machine's making is repeated once. */
  #ownSide({ ownSide, outcome }: Round): Doubt | undefined {
    if (!ownSide || !isFinding(outcome)) return undefined
    return { isOpen: this.#count === 1, outcome: { verdict: 'not-verified', blocker: blockerOf('own-side', ownSide) } }
  }

  /** A check may see what became due by the time that another one let pass. This is repeated once, too. */
  #clock({ wasClockMoved, lost, outcome }: Round): Doubt | undefined {
    return wasClockMoved && !lost ? { isOpen: this.#count === 1, outcome } : undefined
  }

  /** A target that repeatedly cuts the connection at one request, while it serves others, is itself the cause. A single
   * cut may have any cause. */
  #cut({ lost, lostIn, mayLag }: Round): Doubt | undefined {
    if (!(lost instanceof ConnectionCut)) return undefined
    this.#add(lost)
    return { isOpen: !this.#isConclusive, outcome: this.#cutOutcome(lost, lostIn, mayLag) }
  }

  /** If the target replied to nothing at all, it may be away although its health request is answered. */
  #lost({ lost, wasAnswered, outcome }: Round): Doubt | undefined {
    return lost && { isOpen: !(this.#count > 1 && wasAnswered), outcome }
  }

  #add({ asked, attempts }: ConnectionCut): void {
    const shape = unnamed(pathPattern(asked))
    const isSame = shape === this.#shape
    this.#cuts = isSame ? this.#cuts + attempts : attempts
    this.#cutRounds = isSame ? this.#cutRounds + 1 : 1
    this.#shape = shape
  }

  get #isConclusive(): boolean {
    return this.#cuts >= conclusiveCuts && this.#cutRounds > 1
  }

  /** Returns a finding if the judged request was cut, because the absence of a reply contradicts every expectation. A
   * cut at any other documented request contradicts a statement about that request, and keeps this check from its own
   * verdict. In a disruptive check it may be due to a change of role, and where several nodes answer, to one of them. */
  #cutOutcome({ asked, exchange }: ConnectionCut, phase: RecordedExchange['phase'], mayLag: boolean): Outcome {
    const { level, isDisruptive, deciding, statementAbout } = this.#about
    const mismatch: FoundMismatch = {
      ...{ asked, exchange, at: 'connection', wanted: 'a reply' },
      saw: `the connection cut ${this.#cuts} times of ${this.#cuts}`,
    }
    const isFinding = this.#isConclusive && !isDisruptive && !mayLag
    if (isFinding && phase === 'when')
      return { verdict: level === 'must' ? 'fail' : 'warn', mismatches: [{ ...mismatch, expectation: 0 }] }
    const blocker = blockerOf('connection-cut', { asked, cuts: this.#cuts }, exchange)
    const row = isFinding ? statementAbout(asked) : undefined
    const broken = row ? [{ ...mismatch, requirement: row.id }] : []
    return withFurther({ verdict: 'not-verified', blocker }, { broken, deciding }, () => row?.level ?? 'must')
  }
}

/** Why nothing is decided about the service, in words. */
const differently = 'the nodes behind the address answer differently'
export const atActiveOnly = 'the active node does what the documents say, and a node behind the address does not'

export const steppedDown =
  'the active node has stepped down, and "allowedHosts" of the profile does not name the node that took over'

export const nodesDiffer = (asked: string, words: string): Outcome => ({
  verdict: 'not-verified',
  blocker: blockerOf('nodes-differ', { asked, words }),
})
