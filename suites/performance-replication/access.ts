import { topic } from '../../harness/vocabulary/index.ts'
import { callersOf } from '../replication/activation.ts'
import { replicationNames } from '../replication/given.ts'
import { performance } from '../replication/kind.ts'
import { openStatusOf } from '../replication/shapes.ts'

export default topic('performance-replication/access', {
  about: 'Who may ask for activation tokens, and for the status.',
  safety: 'disruptive',
  names: [...replicationNames, 'access'],
  checks: [openStatusOf(performance), ...callersOf(performance)],
})
