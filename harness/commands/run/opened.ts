/** A stack of what a run has to close. Node has such a stack since version 24, but the package also runs on older
 * versions. */
export class Opened implements AsyncDisposable {
  readonly #closers: (() => unknown)[] = []

  /** Registers a function. All of them are called in reverse order, even if one fails. */
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
