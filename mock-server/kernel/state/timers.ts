export interface Timer {
  readonly at: number
  /** Timers for the same time run in the order in which they were set. */
  readonly order: number
  readonly due: () => void | Promise<void>
  isCancelled: boolean
}

const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/** A heap of timers: the first timer is found and removed without a search through all of them. */
export class Timers {
  #heap: Timer[] = []
  #cancelled = 0
  #orders = 0

  add(at: number, due: Timer['due']): Timer {
    const timer: Timer = { at, order: this.#orders++, due, isCancelled: false }
    this.#heap.push(timer)
    this.#rise(this.#heap.length - 1)
    return timer
  }

  /** A cancelled timer stays in the heap until it is the first, or until most of them are cancelled. */
  cancel(timer: Timer): void {
    if (timer.isCancelled) return
    timer.isCancelled = true
    if (++this.#cancelled <= this.#heap.length / 2) return
    this.#heap = this.#heap.filter(({ isCancelled }) => !isCancelled)
    this.#cancelled = 0
    for (let index = (this.#heap.length >> 1) - 1; index >= 0; index--) this.#sink(index)
  }

  first(): Timer | undefined {
    while (this.#heap[0]?.isCancelled) {
      this.#removeFirst()
      this.#cancelled--
    }
    return this.#heap[0]
  }

  /** Removes and returns the first timer if it is due by `until`. */
  takeUntil(until: number): Timer | undefined {
    const first = this.first()
    if (!first || first.at > until) return undefined
    this.#removeFirst()
    // A later call of `cancel` must not count this timer, which is no longer in the heap.
    first.isCancelled = true
    return first
  }

  clear(): void {
    for (const timer of this.#heap) timer.isCancelled = true
    this.#heap = []
    this.#cancelled = 0
  }

  #removeFirst(): void {
    const last = this.#heap.pop()
    if (!last || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#sink(0)
  }

  #rise(from: number): void {
    const heap = this.#heap
    for (let index = from; index > 0; ) {
      const above = (index - 1) >> 1
      if (!this.#swap(heap, above, index)) return
      index = above
    }
  }

  #sink(from: number): void {
    const heap = this.#heap
    for (let index = from; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2]
      const [leftTimer, rightTimer] = [heap[left], heap[right]]
      const below = leftTimer && rightTimer && isBefore(rightTimer, leftTimer) ? right : left
      if (!this.#swap(heap, index, below)) return
      index = below
    }
  }

  /** Swaps two timers if the lower one is earlier. Returns whether it did. */
  #swap(heap: Timer[], above: number, below: number): boolean {
    const [upper, lower] = [heap[above], heap[below]]
    if (!upper || !lower || !isBefore(lower, upper)) return false
    heap[above] = lower
    heap[below] = upper
    return true
  }
}
