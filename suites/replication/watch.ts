import type { Reply, Scope } from '../../harness/vocabulary/index.ts'
import { isRefused } from './readiness.ts'

/** How long, in seconds, is watched for what must not come. Clusters that take longer to settle also take longer to try. */
export const watchOf = ({ patience }: Scope): number => Math.max(0.2, patience / 50)

/** How old, in seconds, what a status tells may be. */
export const staleOf = ({ patience }: Scope): number => Math.max(0.15, patience / 25)

/** How long clusters may take until they try again, in seconds: near ones try again at once, and
 * far ones let the time between two tries grow. */
export const retryOf = ({ patience }: Scope): number => Math.max(0.2, 10 * (patience / 60) ** 2)

/** A trigger that is answered with a success may take effect some time after the reply; one that is refused does not. */
export const lateOf = (scope: Scope, reply: Reply): number => (isRefused(reply) ? 0 : 1.5 * retryOf(scope))

/** Pauses, in seconds, for what must end by the end of the patience, and need not end at once. */
export const gracesOf = (scope: Scope): readonly number[] => {
  const watch = watchOf(scope)
  return [watch / 2, 1.5 * watch, Math.max(4 * watch, 1.5 * retryOf(scope), scope.patience - 2 * watch)]
}
