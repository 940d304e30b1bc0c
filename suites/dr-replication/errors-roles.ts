import { topic } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { illegalOf } from '../replication/illegal.ts'
import { dr } from '../replication/kind.ts'

export default topic('dr-replication/errors-roles', {
  about: 'Triggers in states for which the table of states does not list them.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...illegalOf(dr)],
})
