import { isExclusive } from '../safety/locks.ts'
import { type Check, sizeBounds } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'

/** In ms. A target that replies faster is near: little time is lost in waiting, so more requests at once would gain
 * nothing. */
const farMs = 20
/** Returns how slow, in ms, the quickest reply of a round has to be to show that the target is overloaded, from the
 * quickest reply of the run. */
const crowdedMs = (quickest: number): number => 2 * quickest + 50

/** The statuses of replies of the way. A 500 is not among them, because the documents also use it for refusals. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504])

const isStrained = ({ attempts, troubleKind }: WireOutcome): boolean =>
  troubleKind === 'late' ||
  troubleKind === 'broken' ||
  troubleKind === 'unsent' ||
  attempts.some(({ status }) => status !== undefined && busy.has(status))

/** Puts checks that may wait for minutes first, so that all others run meanwhile, and last those that need the whole target
 * for themselves: each of them waits until nothing else runs, and nothing else begins meanwhile. */
export function waitingFirst<Due extends { readonly check: Pick<Check, 'needs' | 'lock'> }>(
  all: readonly Due[],
): readonly Due[] {
  const placeOf = ({ check: { needs, lock } }: Due): number => {
    if (isExclusive(lock)) return 2
    return needs?.includes('clock') ? 0 : 1
  }
  return all.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Runs as many checks at once as a target can handle. Each round of replies in time raises the limit by one: for a far
 * target up to a bound, for a near one up to the number at the start. A reply that shows strain, or a round that is
 * slow as a whole, halves the limit, at most once a round. */
export class AdaptiveJobs {
  readonly #start: number
  #limit: number
  #fewest: number
  #most: number
  #running = 0
  /** The number of jobs that only wait for time to pass. */
  #aside = 0
  readonly #queue: (() => void)[] = []
  #quickest = Number.POSITIVE_INFINITY
  #quickestOfRound = Number.POSITIVE_INFINITY
  #left: number
  #isStrained = false

  constructor(start: number) {
    this.#start = start
    this.#limit = start
    this.#fewest = start
    this.#most = start
    this.#left = start
  }

  get limit(): number {
    return this.#limit
  }

  /** The lowest and the highest limit so far. */
  get bounds(): { readonly fewest: number; readonly most: number } {
    return { fewest: this.#fewest, most: this.#most }
  }

  /** Runs `work` when there is room for it. `isNext` puts it before all others in the queue. */
  async run<T>(work: () => Promise<T>, isNext = false): Promise<T> {
    if (this.#isFull)
      await new Promise<void>((resolve) => (isNext ? this.#queue.unshift(resolve) : this.#queue.push(resolve)))
    else this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#fill()
    }
  }

  /** Lets another check run while this one waits for time to pass and sends nothing. After the wait this check goes on
   * immediately, even above the limit: a later read would judge another moment. */
  async aside(wait: () => Promise<void>): Promise<void> {
    this.#running--
    this.#aside++
    this.#fill()
    try {
      await wait()
    } finally {
      this.#aside--
      this.#running++
    }
  }

  /** Adjusts the limit by the outcome of an exchange. */
  saw(outcome: WireOutcome): void {
    if (isStrained(outcome)) this.#strained()
    for (const { durationMs, status } of outcome.attempts)
      if (status !== undefined) this.#quickestOfRound = Math.min(this.#quickestOfRound, durationMs)
    if (--this.#left <= 0) this.#endRound()
  }

  #strained(): void {
    if (this.#isStrained) return
    this.#isStrained = true
    this.#set(Math.floor(this.#limit / 2))
  }

  #endRound(): void {
    const quickest = this.#quickestOfRound
    this.#quickest = Math.min(this.#quickest, quickest)
    if (Number.isFinite(quickest) && quickest > crowdedMs(this.#quickest)) this.#strained()
    else if (!this.#isStrained && (this.#quickest >= farMs || this.#limit < this.#start)) this.#set(this.#limit + 1)
    this.#isStrained = false
    this.#quickestOfRound = Number.POSITIVE_INFINITY
    this.#left = this.#limit
    this.#fill()
  }

  #set(limit: number): void {
    this.#limit = Math.min(sizeBounds.adaptedJobs.value, Math.max(1, limit))
    this.#fewest = Math.min(this.#fewest, this.#limit)
    this.#most = Math.max(this.#most, this.#limit)
  }

  get #isFull(): boolean {
    return this.#running >= this.#limit || this.#running + this.#aside >= sizeBounds.adaptedJobs.value
  }

  #fill(): void {
    while (!this.#isFull) {
      const next = this.#queue.shift()
      if (!next) return
      this.#running++
      next()
    }
  }
}
