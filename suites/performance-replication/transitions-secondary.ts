import { topic } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { performance } from '../replication/kind.ts'
import { leavingOf, revokingOf } from '../replication/leaving.ts'
import { promotionOf } from '../replication/promotion.ts'
import { updatingOf } from '../replication/updating.ts'

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
