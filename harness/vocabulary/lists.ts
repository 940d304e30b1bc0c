/** Fields whose lists a target may take as JSON arrays or as comma-separated strings. */
import type { FaultSite } from './fault.ts'

/** The lists in the bodies of one endpoint: by field, the requirements that say that it may be an array. A check that
 * decides one of them is about the array, and its lists are sent as it has written them. */
export interface ListSite extends FaultSite {
  readonly lists: Readonly<Record<string, readonly string[]>>
}
