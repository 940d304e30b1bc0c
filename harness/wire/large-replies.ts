/** This module decides who receives large replies, and when what they leave behind is collected. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sizeBounds } from '../vocabulary/index.ts'

/** Large replies are received by one holder at a time: a parsed body takes several times its size, and a check may keep
 * some of them until its end. */
export class LargeReplies {
  readonly #between: () => void
  #holder: object | undefined
  readonly #waiting: { readonly holder: object; readonly go: () => void }[] = []

  /** `between` is called when a holder leaves, before the next one receives anything. */
  constructor(between: () => void = () => {}) {
    this.#between = between
  }

  /** Undefined where the holder may go on at once, or has entered before. */
  enter(holder: object): Promise<void> | undefined {
    if (this.#holder === undefined || this.#holder === holder) {
      this.#holder = holder
      return undefined
    }
    return new Promise((go) => this.#waiting.push({ holder, go }))
  }

  isHeldBy(holder: object): boolean {
    return this.#holder === holder
  }

  /** Ends what the holder has, and what it waits for. */
  leave(holder: object): void {
    for (let at = this.#waiting.length - 1; at >= 0; at--)
      if (this.#waiting[at]?.holder === holder) this.#waiting.splice(at, 1)
    if (this.#holder !== holder) return
    this.#between()
    this.#holder = this.#waiting[0]?.holder
    // One holder may wait with several requests.
    for (let at = 0; at < this.#waiting.length; ) {
      const next = this.#waiting[at]
      if (next?.holder === this.#holder) {
        this.#waiting.splice(at, 1)
        next?.go()
      } else at += 1
    }
  }
}

/** The instance that all clients of this thread use, because they share one memory. */
export const largeReplies = new LargeReplies(collectGarbage)

/** Limits how many bodies may grow at once beyond what every reply may have: with many checks at once, even bodies that
 * are not large would fill the memory. */
export class BodySlots {
  readonly #most: number
  readonly #taken = new Set<object>()
  readonly #waiting = new Map<object, () => void>()

  constructor(most: number) {
    this.#most = most
  }

  /** Undefined where the body may grow at once. */
  take(body: object): Promise<void> | undefined {
    if (this.#taken.size < this.#most) {
      this.#taken.add(body)
      return undefined
    }
    return new Promise((go) => this.#waiting.set(body, go))
  }

  /** Ends what the body has or waits for. */
  free(body: object): void {
    this.#waiting.delete(body)
    if (!this.#taken.delete(body)) return
    const [next] = this.#waiting
    if (!next) return
    const [other, go] = next
    this.#waiting.delete(other)
    this.#taken.add(other)
    go()
  }
}

/** The slots of this thread. */
export const bodySlots = new BodySlots(Math.floor(sizeBounds.bodiesInFlight.value / sizeBounds.largeReply.value))

/** A run against a server that answers as documented stays below. */
const plenty = 300 * 1024 * 1024

let collect: (() => void) | undefined

/** Collects at once what large replies leave behind where memory runs short: the engine would let it grow first, by as much
 * as is in use. */
export function collectGarbage(): void {
  if (process.memoryUsage.rss() < plenty) return
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}
