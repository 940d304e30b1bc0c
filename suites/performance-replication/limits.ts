import { topic } from '../../harness/vocabulary/index.ts'
import { lifetimesOf, toldLifetimesOf } from '../replication/activation.ts'
import { replicationNames } from '../replication/given.ts'
import { performance } from '../replication/kind.ts'

export default topic('performance-replication/limits', {
  about: 'How long activation tokens live.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...lifetimesOf(performance), ...toldLifetimesOf(performance)],
})
