/** Every fault of replication. */
import { connectionFaults } from './connections.ts'
import { effectFaults } from './effects.ts'
import { filterFaults } from './filters.ts'
import { hindranceFaults } from './hindrances.ts'
import { joiningFaults } from './joining.ts'
import { modeFaults } from './modes.ts'
import { operationTokenFaults } from './operation-tokens.ts'
import { otherKindFaults } from './other-kind.ts'
import { promotionFaults } from './promotions.ts'
import { statusFaults } from './status.ts'
import { tokenFaults } from './tokens.ts'

export const replicationFaults = [
  ...modeFaults,
  ...effectFaults,
  ...connectionFaults,
  ...otherKindFaults,
  ...hindranceFaults,
  ...promotionFaults,
  ...tokenFaults,
  ...joiningFaults,
  ...statusFaults,
  ...operationTokenFaults,
  ...filterFaults,
]
