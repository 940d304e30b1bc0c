import { topic } from '../../harness/vocabulary/index.ts'
import { addressesOf } from '../replication/addresses.ts'
import { replicationNames } from '../replication/given.ts'
import { performance } from '../replication/kind.ts'

export default topic('performance-replication/fields-addresses', {
  about: 'Which address a cluster connects to.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...addressesOf(performance)],
})
