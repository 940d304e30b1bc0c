import { topic } from '../../harness/vocabulary/index.ts'
import { demotionOf } from '../replication/demotion.ts'
import { disablingOf } from '../replication/disabling.ts'
import { replicationNames } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'

export default topic('dr-replication/transitions-primary', {
  about: 'A primary is demoted, or disabled.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...demotionOf(dr), ...disablingOf(dr)],
})
