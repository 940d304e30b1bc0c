/** Every fault of the plugin catalog. */
import { viewFaults } from './lists.ts'
import { deletionFaults, readFaults } from './reads-and-deletions.ts'
import { accessFaults, mountFaults, refusalFaults } from './refusals-and-mounts.ts'
import { registrationFaults } from './registrations.ts'

export const pluginCatalogFaults = [
  ...viewFaults,
  ...registrationFaults,
  ...readFaults,
  ...deletionFaults,
  ...refusalFaults,
  ...accessFaults,
  ...mountFaults,
]
