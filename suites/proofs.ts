/** The proofs of the checks: which check noticed which fault, as `assay selftest --faults --update` has written it. */
import type { ProofRecord } from '../harness/vocabulary/index.ts'
import record from './proofs.json' with { type: 'json' }

export const proofs: ProofRecord = record
