import { topic } from '../../harness/vocabulary/index.ts'
import { dr } from '../replication/kind.ts'
import { availabilityOf } from '../replication/public-keys.ts'

export default topic('dr-replication/versions', {
  about: 'In which editions and versions there is what.',
  safety: 'disruptive',
  checks: availabilityOf(dr),
})
