import { topic } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { performance } from '../replication/kind.ts'
import { requiredOf } from '../replication/required.ts'

export default topic('performance-replication/errors-fields', {
  about: 'Requests without a required field, and ids that are taken.',
  safety: 'disruptive',
  names: replicationNames,
  checks: requiredOf(performance),
})
