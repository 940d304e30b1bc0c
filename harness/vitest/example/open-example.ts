/** Opens the own target of a worker, for the tests of the runner. */
import type { ResolvedTarget } from '../../targets/target.ts'
import type { OpenedTarget } from '../worker-plan.ts'

interface Order {
  readonly target: ResolvedTarget
  readonly left: readonly string[] | null
}

export const openTarget = async ({ target, left }: Order): Promise<OpenedTarget> => ({
  target,
  watch: async () => async () => {
    if (!left) throw new Error('it does not answer')
    return left
  },
  close: async () => {},
})
