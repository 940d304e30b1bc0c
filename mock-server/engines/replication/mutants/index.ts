/** Every fault that replication can be given. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { ReplicationTables } from '../tables.ts'

export const mutants: readonly Mutant<ReplicationTables>[] = []
