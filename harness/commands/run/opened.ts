/** What a run has opened. Node has such a stack from version 24 on; the package runs on older ones too. */
export class Opened implements AsyncDisposable {
  readonly #closers: (() => unknown)[] = []

  /** Closes in the reverse order, whatever fails on the way. */
  defer(close: () => unknown): void {
    this.#closers.unshift(close)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.#closers.splice(0))
      try {
        await close()
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) throw failures[0]
  }
}
