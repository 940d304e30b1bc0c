import { topic } from '../../harness/vocabulary/index.ts'
import { performance } from '../replication/kind.ts'
import { availabilityOf } from '../replication/public-keys.ts'

export default topic('performance-replication/versions', {
  about: 'In which editions and versions there is what.',
  safety: 'disruptive',
  checks: availabilityOf(performance),
})
