import { topic } from '../../harness/vocabulary/index.ts'
import { issuingOf } from '../replication/activation.ts'
import { replicationNames } from '../replication/given.ts'
import { performance } from '../replication/kind.ts'
import { publicKeysOf } from '../replication/public-keys.ts'
import { shapesOf } from '../replication/shapes.ts'

export default topic('performance-replication/fields', {
  about: 'What the status tells, and activation tokens that are encrypted to a public key.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...shapesOf(performance), ...issuingOf(performance), ...publicKeysOf(performance)],
})
