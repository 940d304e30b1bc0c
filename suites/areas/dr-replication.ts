import { drReplication } from '../../fixtures/api/replication.ts'
import { areaOf } from '../area.ts'
import access from '../dr-replication/access.ts'
import errorsCeremony from '../dr-replication/errors-ceremony.ts'
import fieldsCeremony from '../dr-replication/fields-ceremony.ts'
import fieldsFilters from '../dr-replication/fields-filters.ts'
import limits from '../dr-replication/limits.ts'
import transitionsCeremony from '../dr-replication/transitions-ceremony.ts'
import transitionsOperationToken from '../dr-replication/transitions-operation-token.ts'
import transitionsSets from '../dr-replication/transitions-sets.ts'
import { drTopics as shared } from '../replication/topics.ts'

/** The suite of this area, with its topics in reading order. */
export default areaOf(
  drReplication,
  [
    shared.fields,
    access,
    limits,
    shared.versions,
    shared.errorsFields,
    shared.fieldsAddresses,
    transitionsCeremony,
    fieldsCeremony,
    fieldsFilters,
    errorsCeremony,
    transitionsOperationToken,
    shared.transitions,
    shared.transitionsSecondary,
    shared.transitionsPrimary,
    transitionsSets,
    shared.errorsRoles,
  ],
  { shared: { folder: 'replication', topics: Object.values(shared) } },
)
