/** Every mutant of replication. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { ReplicationTables } from '../tables/index.ts'
import { effectFaults } from './effects.ts'
import { filterFaults } from './filters.ts'
import { hindranceFaults } from './hindrances.ts'
import { joiningFaults } from './joining.ts'
import { modeFaults } from './modes.ts'
import { statusFaults } from './status.ts'

export const mutants: readonly Mutant<ReplicationTables>[] = [
  ...modeFaults,
  ...effectFaults,
  ...hindranceFaults,
  ...joiningFaults,
  ...statusFaults,
  ...filterFaults,
]
