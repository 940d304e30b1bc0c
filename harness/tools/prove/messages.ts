/** The messages between the main thread and a worker. The worker gets one part at a time, and at most one `stop`. */
import type { Area } from '../../vocabulary/index.ts'
import type { PartName } from './part-names.ts'
import type { Outcome } from './parts.ts'

export type ToWorker = { readonly area: Area; readonly part: PartName } | 'stop'

export type FromWorker =
  | { readonly said: string }
  | { readonly outcome: Outcome }
  /** The message of the error with which the part rejected. */
  | { readonly broke: string }
