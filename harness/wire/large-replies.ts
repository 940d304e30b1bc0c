/** This module decides who receives large replies, and when what they leave behind is collected. */
import { collectGarbage } from './garbage.ts'

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
