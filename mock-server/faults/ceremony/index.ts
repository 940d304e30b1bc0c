/** Every fault of the ceremonies. */
import { replyFaults } from './replies.ts'
import { cancelFaults, startFaults } from './starts.ts'
import { keyFaults, tokenFaults } from './tokens-and-keys.ts'
import { updateFaults } from './updates.ts'

export const ceremonyFaults = [
  ...startFaults,
  ...replyFaults,
  ...updateFaults,
  ...cancelFaults,
  ...tokenFaults,
  ...keyFaults,
]
