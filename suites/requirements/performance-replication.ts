import { type Requirement, register } from '../../harness/vocabulary/index.ts'
import { filterRows } from './performance-replication-filters.ts'
import { roleRows } from './replication-roles.ts'
import { serviceRows } from './replication-rows.ts'
import { should, transition } from './replication-sources.ts'

/** Its row says "need a storage wipe", that of update-primary says "no data wipe". Of a DR secondary neither shows. */
const wipeRows = should({
  'primary-disable.secondaries-need-wipe': [
    'A secondary of a primary that was disabled and enabled anew does not join it by update-primary without a wipe.',
    transition('primary, POST primary/disable'),
  ],
})

export const performanceReplication: readonly Requirement[] = register('performance-replication', {
  ...roleRows,
  ...wipeRows,
  ...serviceRows,
  ...filterRows,
})
