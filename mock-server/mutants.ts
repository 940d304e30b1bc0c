/** Lists every mutant of the server. The mutants of a new engine are added here. */
import { mutants as pki } from './engines/pki/mutants/index.ts'
import { faults } from './faults/index.ts'
import type { Mutant } from './kernel/contracts.ts'

export interface KnownMutant {
  readonly id: string
  /** `kernel`, or the area whose engine the mutant changes. */
  readonly area: string
  readonly does: string
  /** True if many checks notice the mutant. Then only the checks that are about it have to name it. */
  readonly shared: boolean
}

export const mutants: readonly KnownMutant[] = [...pki, ...faults].map(
  ({ id, does, shared = false }: Pick<Mutant<never>, 'id' | 'does' | 'shared'>) => ({
    id,
    area: id.split('/')[0] ?? '',
    does,
    shared,
  }),
)
