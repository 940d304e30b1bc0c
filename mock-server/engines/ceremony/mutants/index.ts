import type { Mutant } from '../../../kernel/contracts.ts'
import type { CeremonyTables } from '../tables.ts'
import { replyFaults } from './replies.ts'
import { cancelFaults, startFaults } from './starts.ts'
import { keyFaults, tokenFaults } from './tokens-and-keys.ts'
import { updateFaults } from './updates.ts'

/** Every mutant of the ceremonies. */
export const mutants: readonly Mutant<CeremonyTables>[] = [
  ...startFaults,
  ...replyFaults,
  ...updateFaults,
  ...cancelFaults,
  ...tokenFaults,
  ...keyFaults,
]
