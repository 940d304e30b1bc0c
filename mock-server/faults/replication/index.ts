/** Every fault of replication. */
import { effectFaults } from './effects.ts'
import { filterFaults } from './filters.ts'
import { hindranceFaults } from './hindrances.ts'
import { joiningFaults } from './joining.ts'
import { modeFaults } from './modes.ts'
import { statusFaults } from './status.ts'

export const replicationFaults = [
  ...modeFaults,
  ...effectFaults,
  ...hindranceFaults,
  ...joiningFaults,
  ...statusFaults,
  ...filterFaults,
]
