import { performanceReplication } from '../../fixtures/api/replication.ts'
import { areaOf } from '../area.ts'
import fieldsFilters from '../performance-replication/fields-filters.ts'
import transitionsFilters from '../performance-replication/transitions-filters.ts'
import { performanceTopics as shared } from '../replication/topics.ts'

/** The suite of this area, with its topics in reading order. */
export default areaOf(
  performanceReplication,
  [
    shared.fields,
    shared.access,
    shared.limits,
    shared.versions,
    shared.errorsFields,
    fieldsFilters,
    transitionsFilters,
    shared.fieldsAddresses,
    shared.transitions,
    shared.transitionsSecondary,
    shared.transitionsPrimary,
    shared.errorsRoles,
  ],
  { shared: { folder: 'replication', topics: Object.values(shared) } },
)
