/** What the main thread and a worker say to each other: one part at a time, and at most one `stop`. */
import type { Area } from '../vocabulary/index.ts'
import type { PartName } from './part-names.ts'
import type { Outcome } from './parts.ts'

export type ToWorker = { readonly area: Area; readonly part: PartName } | 'stop'

export type FromWorker =
  | { readonly said: string }
  | { readonly outcome: Outcome }
  /** The part rejected, with this message. */
  | { readonly broke: string }
