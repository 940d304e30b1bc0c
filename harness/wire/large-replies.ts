/** Bounds the memory for replies: who may receive a large one, and when garbage is collected afterwards. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sizeBounds } from '../vocabulary/index.ts'

/** Lets one holder at a time receive large replies: a parsed body takes several times its size, and a check may keep
 * several until its end. */
export class LargeReplies {
  readonly #between: () => void
  #holder: object | undefined
  readonly #waiting: { readonly holder: object; readonly go: () => void }[] = []

  /** `between` is called when a holder leaves, before the next holder receives anything, and when it receives a further
   * large reply itself. */
  constructor(between: () => void = () => {}) {
    this.#between = between
  }

  /** Returns undefined if the holder may receive immediately, which includes the holder that has the turn; else a
   * promise of the turn. */
  enter(holder: object): Promise<void> | undefined {
    if (this.#holder === holder) {
      // Of its earlier replies only a part is still needed.
      this.#between()
      return undefined
    }
    if (this.#holder === undefined) {
      this.#holder = holder
      return undefined
    }
    return new Promise((go) => this.#waiting.push({ holder, go }))
  }

  isHeldBy(holder: object): boolean {
    return this.#holder === holder
  }

  /** Gives up the holder's turn and its places in the queue. */
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

/** The instance of this thread. All its clients share it, because they share the memory. */
export const largeReplies = new LargeReplies(collectGarbage)

/** Limits how many bodies may grow beyond the size that every reply may have. Even bodies that do not count as large
 * would fill the memory if many checks received them at once. */
export class BodySlots {
  readonly #most: number
  readonly #taken = new Set<object>()
  readonly #waiting = new Map<object, () => void>()

  constructor(most: number) {
    this.#most = most
  }

  /** Returns undefined if the body may grow immediately, else a promise of its slot. */
  take(body: object): Promise<void> | undefined {
    if (this.#taken.size < this.#most) {
      this.#taken.add(body)
      return undefined
    }
    return new Promise((go) => this.#waiting.set(body, go))
  }

  /** Frees the slot of the body, or removes the body from the queue. */
  free(body: object): void {
    this.#waiting.delete(body)
    if (!this.#taken.delete(body)) return
    const [next] = this.#waiting
    if (!next) return
    const [nextBody, go] = next
    this.#waiting.delete(nextBody)
    this.#taken.add(nextBody)
    go()
  }
}

/** The slots of this thread. */
export const bodySlots = new BodySlots(Math.floor(sizeBounds.bodiesInFlight.value / sizeBounds.largeReply.value))

/** Resident memory in bytes. A run against a server that conforms to the documents stays below. */
const plenty = 200 * 1024 * 1024

let collect: (() => void) | undefined

/** Collects garbage if this process uses much memory. By itself, V8 would first let the heap grow by as much again as
 * is in use. */
export function collectGarbage(): void {
  if (process.memoryUsage.rss() < plenty) return
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}
