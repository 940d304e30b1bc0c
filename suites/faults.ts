/** Faults of the wire, derived from the law, and those of them that no check has to notice. */
import { faultsOf } from '../fixtures/api/faults.ts'
import { laws } from '../fixtures/api/index.ts'
import type { WireFault } from '../harness/vocabulary/index.ts'

export const wireFaults = (): readonly WireFault[] => laws.flatMap((law) => faultsOf(law))

/** Each reason is a sentence about the documents. An excuse for a fault that is noticed after all is refused. */
export const faultExcuses: readonly { readonly fault: string; readonly reason: string }[] = []
