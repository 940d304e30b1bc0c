import { type Requirement, register } from '../../harness/vocabulary/index.ts'
import { filterRows } from './performance-replication-filters.ts'
import { roleRows } from './replication-roles.ts'
import { serviceRows } from './replication-rows.ts'

export const performanceReplication: readonly Requirement[] = register('performance-replication', {
  ...roleRows,
  ...serviceRows,
  ...filterRows,
})
