import { topic } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { joiningOf } from '../replication/joining.ts'
import { performance } from '../replication/kind.ts'
import { kindsApartOf } from '../replication/kinds-apart.ts'
import { wipingOf } from '../replication/wiping.ts'

export default topic('performance-replication/transitions', {
  about: 'A disabled cluster becomes primary, or joins a primary as its secondary.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...joiningOf(performance), ...wipingOf(performance), ...kindsApartOf(performance)],
})
