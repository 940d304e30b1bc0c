/** Counts the requests that are on their way at the same time. What one of them does may be half done while another is
 * answered, so nothing is concluded from a reply before all have been answered. */
export class AtOnce {
  #open = 0
  readonly #waiting: (() => void)[] = []

  async send<T>(run: () => Promise<T>): Promise<T> {
    this.#open += 1
    try {
      return await run()
    } finally {
      this.#open -= 1
      if (this.#open === 0) for (const goOn of this.#waiting.splice(0)) goOn()
    }
  }

  /** Waits until no request is on its way. */
  async answered(): Promise<void> {
    while (this.#open > 0) await new Promise<void>((goOn) => this.#waiting.push(goOn))
  }
}
