import { topic } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import { demotionOf, disablingOf } from '../replication/primaries.ts'

export default topic('dr-replication/transitions-primary', {
  about: 'A primary is demoted, or disabled.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...demotionOf(dr), ...disablingOf(dr)],
})
