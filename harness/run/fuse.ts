/** A target that dies in mid-run would cost every further check all its retries. */
import { TransportTrouble } from './interruptions.ts'

const mostInARow = 5

/** Blows for good once so many checks in a row ended because no connection to the target came about. */
export class Fuse {
  #inARow = 0
  #blown: string | undefined

  /** How a check ended: by which error, if any. */
  ended(error?: unknown): void {
    const isUnsent = error instanceof TransportTrouble && error.isUnsent
    this.#inARow = isUnsent ? this.#inARow + 1 : 0
    if (isUnsent && this.#inARow === mostInARow)
      this.#blown ??= `the target is gone: ${mostInARow} checks in a row found no connection (${error.message}), so nothing more is sent`
  }

  /** One sentence, once it has blown. */
  get blown(): string | undefined {
    return this.#blown
  }
}
