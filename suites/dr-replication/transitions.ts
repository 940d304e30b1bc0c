import { topic } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { joiningOf } from '../replication/joining.ts'
import { dr } from '../replication/kind.ts'
import { kindsApartOf } from '../replication/kinds-apart.ts'
import { wipingOf } from '../replication/wiping.ts'

export default topic('dr-replication/transitions', {
  about: 'A disabled cluster becomes primary, or joins a primary as its secondary.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...joiningOf(dr), ...wipingOf(dr), ...kindsApartOf(dr)],
})
