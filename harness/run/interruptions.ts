/** Ways for a check to end early that are no finding about the target. */

/** No reply that could be judged came, after all retries. */
export class TransportTrouble extends Error {
  override readonly name = 'TransportTrouble'
  /** Not even a connection to the target came about. */
  readonly isUnsent: boolean
  constructor(message: string, isUnsent = false) {
    super(message)
    this.isUnsent = isUnsent
  }
}

/** The run was told to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  constructor() {
    super('the run was interrupted')
  }
}
