/** Spellings and circumstances are chosen for these. */
import type { Check, Dialect, Requirement, SpellingSite, Topic } from '../vocabulary/index.ts'

export interface Spreading {
  readonly sites: readonly SpellingSite[]
  readonly dialect: Dialect
  readonly requirements: ReadonlyMap<string, Requirement>
}

/** A check that was chosen, with its topic. */
export interface Chosen {
  readonly topic: Topic
  readonly check: Check
}
