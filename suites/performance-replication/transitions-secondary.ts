import { topic } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { performance } from '../replication/kind.ts'
import { leavingOf, promotionOf, revokingOf, updatingOf } from '../replication/secondaries.ts'

export default topic('performance-replication/transitions-secondary', {
  about: 'A secondary is promoted, given another primary, disabled, or revoked.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [
    ...promotionOf(performance),
    ...updatingOf(performance),
    ...leavingOf(performance),
    ...revokingOf(performance),
  ],
})
