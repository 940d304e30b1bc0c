import { topic } from '../../harness/vocabulary/index.ts'
import { issuingOf } from '../replication/activation.ts'
import { replicationNames } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import { publicKeysOf } from '../replication/public-keys.ts'
import { shapesOf } from '../replication/shapes.ts'

export default topic('dr-replication/fields', {
  about: 'What the status tells, and activation tokens that are encrypted to a public key.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...shapesOf(dr), ...issuingOf(dr), ...publicKeysOf(dr)],
})
