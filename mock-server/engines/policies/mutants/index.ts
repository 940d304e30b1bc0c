import type { Mutant } from '../../../kernel/contracts.ts'
import type { PoliciesTables } from '../tables.ts'
import { aclFaults } from './acl.ts'
import { faultsOfKind } from './each-kind.ts'
import { deletedRoleFault, levelFaults } from './levels.ts'
import { pathFaults } from './paths.ts'
import { serviceFaults } from './service.ts'
import { severalFaults } from './several.ts'

/** Every mutant of the policies engine. */
export const mutants: readonly Mutant<PoliciesTables>[] = [
  ...faultsOfKind('acl'),
  ...aclFaults,
  ...faultsOfKind('rgp'),
  ...levelFaults('rgp'),
  deletedRoleFault,
  ...faultsOfKind('egp'),
  ...levelFaults('egp'),
  ...pathFaults,
  ...severalFaults,
  ...serviceFaults,
]
