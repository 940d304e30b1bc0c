/** Lists every mutant of the server. */
import type { Fault } from './faults/fault.ts'
import { faults } from './faults/index.ts'

export interface KnownMutant {
  readonly id: string
  /** `kernel`, or the area whose engine the mutant changes. */
  readonly area: string
  readonly does: string
  /** True if many checks notice the mutant. Then only the checks that are about it have to name it. */
  readonly shared: boolean
}

export const mutants: readonly KnownMutant[] = faults.map(
  ({ id, does, shared = false }: Pick<Fault<never>, 'id' | 'does' | 'shared'>) => ({
    id,
    area: id.split('/')[0] ?? '',
    does,
    shared,
  }),
)
