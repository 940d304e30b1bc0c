/** Makes checks of attempts on a DR secondary, and the situations in which most of them begin. */
import { type Check, type CheckBody, type Expectation, next, type Step } from '../../harness/vocabulary/index.ts'
import { replicating, roleCheck } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import { needsSeveral, readAttempt, share, started, supply } from './attempt.ts'

type Body = Omit<CheckBody, 'requirement' | 'given'> & { readonly given?: readonly Step[] }

/** Ids of requirements may lack the prefix `attempt`. */
export function attemptCheck(id: string, requirements: readonly string[], { given = [], ...body }: Body): Check {
  return roleCheck(id, {
    requirement: requirements.map((one) => dr.requirement(`attempt.${one}`)),
    given: [...replicating(dr), ...given],
    ...body,
  })
}

/** An attempt is in progress, and `{share}` alone does not complete it. */
export const running = [started(), needsSeveral, share()]
export const oneSupplied = [...running, supply()]
export const read = (expectation: Expectation): Expectation => next(readAttempt, expectation)
