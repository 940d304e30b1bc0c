import { type Requirement, register } from '../../harness/vocabulary/index.ts'
import { tokenRows } from './dr-replication-tokens.ts'
import { roleRows } from './replication-roles.ts'
import { serviceRows } from './replication-rows.ts'
import { must, transition } from './replication-sources.ts'

/** What becomes of a DR secondary when its primary is in a performance replication set. */
const setRows = must({
  'promote.joins-performance-set': [
    'A promoted DR secondary whose primary is a performance primary takes part in performance replication.',
    transition('rule 2'),
  ],
  'promote.tries-performance-primary': [
    'A promoted DR secondary whose primary is a performance secondary tries to connect to the performance primary.',
    transition('rule 2'),
  ],
})

export const drReplication: readonly Requirement[] = register('dr-replication', {
  ...roleRows,
  ...setRows,
  ...serviceRows,
  ...tokenRows,
})
