import type { Reply, Scope } from '../../harness/vocabulary/index.ts'
import { isSuccess } from '../../harness/vocabulary/index.ts'

/** How long, in seconds, is watched for what must not come. Clusters that take longer to settle also take longer to try. */
export const watchOf = ({ patience }: Scope): number => Math.max(0.2, patience / 50)

/** A trigger that is answered with a success may take effect some time after the reply; one that is refused does not. */
export const lateOf = ({ patience }: Scope, reply: Reply): number => (isSuccess(reply) ? patience / 4 : 0)

/** Pauses, in seconds, for what must end and need not end at once. */
export const gracesOf = (scope: Scope): readonly number[] => {
  const watch = watchOf(scope)
  return [watch / 2, 1.5 * watch, Math.max(4 * watch, scope.patience / 4)]
}
