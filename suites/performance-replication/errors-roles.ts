import { topic } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { illegalOf } from '../replication/illegal.ts'
import { performance } from '../replication/kind.ts'

export default topic('performance-replication/errors-roles', {
  about: 'Triggers in states for which the table of states does not list them.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...illegalOf(performance)],
})
