/** Every fault of policies. */
import { aclFaults } from './acl.ts'
import { faultsOfKind } from './each-kind.ts'
import { governingFaults } from './governing.ts'
import { levelFaults } from './levels.ts'
import { pathFaults } from './paths.ts'
import { serviceFaults } from './service.ts'

export const policiesFaults = [
  ...faultsOfKind('acl'),
  ...aclFaults,
  ...faultsOfKind('rgp'),
  ...levelFaults('rgp'),
  ...faultsOfKind('egp'),
  ...levelFaults('egp'),
  ...pathFaults,
  ...governingFaults,
  ...serviceFaults,
]
