/** These slots limit how many bodies may grow at once beyond what every reply may have: with many checks at once, even
 * bodies that are not large would fill the memory. */
import { sizeBounds } from '../vocabulary/index.ts'

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
