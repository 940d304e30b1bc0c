/** A target that cuts the connection at one request again and again, while it serves the rest, does so itself. A single cut
 * may be anybody's: the check is judged anew, with names of its own, until the cuts are many enough to tell. */
import { pathPattern, unnamed } from '../safety/path-pattern.ts'
import { blockerOf, type FoundMismatch, type Level, type RecordedExchange } from '../vocabulary/index.ts'
import type { ConnectionCut } from './interruptions.ts'
import type { Outcome } from './outcome.ts'

/** Cuts at one request that are no accident. A read is tried as often by itself. */
const tellingCuts = 3

/** The cuts of one check, over all its rounds. */
export class Cuts {
  #shape = ''
  #count = 0

  /** Adds a cut, and tells whether there are enough of them by now. */
  add({ asked, attempts }: ConnectionCut): boolean {
    const shape = unnamed(pathPattern(asked))
    this.#count = shape === this.#shape ? this.#count + attempts : attempts
    this.#shape = shape
    return this.tell
  }

  get tell(): boolean {
    return this.#count >= tellingCuts
  }

  /** At the request that is judged, no reply at all is a contradiction of whatever was wanted; anywhere else it is in the way. */
  outcome({ asked, exchange }: ConnectionCut, phase: RecordedExchange['phase'], level: Level): Outcome {
    if (phase === 'when' && this.tell) {
      const mismatch: FoundMismatch = {
        ...{
          asked,
          exchange,
          at: 'connection',
          wanted: 'a reply',
          saw: `the connection cut ${this.#count} times of ${this.#count}`,
        },
        expectation: 0,
      }
      return { verdict: level === 'must' ? 'fail' : 'warn', mismatches: [mismatch] }
    }
    return { verdict: 'not-verified', blocker: blockerOf('connection-cut', { asked, cuts: this.#count }, exchange) }
  }
}
