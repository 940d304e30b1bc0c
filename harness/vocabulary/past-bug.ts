/** A public bug of a server of this kind, played between the checks and the reference server. */
import type { DifferenceParts, DifferentServer } from './difference.ts'
import type { Area } from './words.ts'

export interface PastBug {
  readonly id: string
  readonly area: Area
  /** The product, the version that had the bug or mended it, and where that is written. */
  readonly source: string
  /** One sentence that says what the server did. */
  readonly symptom: string
  /** Creates a server with the bug; called once per check and cluster. */
  readonly open?: (parts: DifferenceParts) => DifferentServer
  /** The mutant of the reference server that behaves in the same way, if the wire cannot show the bug. */
  readonly mutant?: string
  /** Says why the documents leave open what the server did. */
  readonly excuse?: string
  /** Says why the documents only imply that it is wrong, so that a warning is all that it can get. */
  readonly implied?: string
}
