/** A cluster has a state in each kind of replication. */
import type { Check } from '../../harness/vocabulary/index.ts'
import { roleCheck, unused } from './given.ts'
import { dr, performance, type Replication } from './kind.ts'
import { primaryEnable, statusToBeEnded } from './roles.ts'
import { ifTaken } from './then-data.ts'
import { stays } from './then-roles.ts'

export function kindsApartOf(of: Replication): readonly Check[] {
  const other = of.kind === 'dr' ? performance : dr
  return [
    roleCheck(`primary-enable-leaves-${other.kind}-replication-alone`, {
      requirement: of.requirement('primary-enable.own-kind'),
      given: [unused('main'), statusToBeEnded(other, 'main')],
      when: primaryEnable(of),
      then: [ifTaken(stays(other, 'main'))],
      mutants: [of.mutant('primary-enable-enables-the-other-kind')],
    }),
  ]
}
