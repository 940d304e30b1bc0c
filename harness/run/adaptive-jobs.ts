import { type Check, sizeBounds } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'

/** A target that answers sooner is near: waiting for it is no reason to ask it more at once. */
const farMs = 20
/** The quickest reply of a round tells of crowding once it is so much later than the quickest reply ever. */
const crowdedMs = (quickest: number): number => 2 * quickest + 50

/** Replies of the way. A 500 is a refusal in the documents, too, and tells of no strain. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504])

const isStrained = ({ attempts, troubleKind }: WireOutcome): boolean =>
  troubleKind === 'late' ||
  troubleKind === 'broken' ||
  troubleKind === 'unsent' ||
  attempts.some(({ status }) => status !== undefined && busy.has(status))

/** Checks that may wait for minutes until time has passed begin first: all others run meanwhile. */
export function waitingFirst<Due extends { readonly check: Pick<Check, 'needs'> }>(
  all: readonly Due[],
): readonly Due[] {
  const waits = ({ check }: Due): boolean => check.needs?.includes('clock') ?? false
  return [...all.filter(waits), ...all.filter((one) => !waits(one))]
}

/** So many checks at once as a target bears. Each round of replies in time adds one: up to a bound where the target is far,
 * and where it is near, up to the number at the start. A reply that tells of strain halves the number, once a round, and so
 * does a round that is slow as a whole. */
export class AdaptiveJobs {
  readonly #start: number
  #limit: number
  #fewest: number
  #most: number
  #running = 0
  /** These only wait for time to pass. */
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

  /** The limit was between these so far. */
  get bounds(): { readonly fewest: number; readonly most: number } {
    return { fewest: this.#fewest, most: this.#most }
  }

  /** Does the work when its turn has come; `isNext` goes before all others that wait. */
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

  /** Waits while another check has the place: whoever lets time pass asks nothing of the target. It goes on as soon as
   * the wait is over, since a check that looks late at what time has done would judge another moment. */
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

  /** Learns from what was asked and answered. */
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
