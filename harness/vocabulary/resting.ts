/** A check that builds on an optional part names the check that decides that part: where the target does not show it, the one
 * check tells so, and the others are `not-verified` with its name (readings of the documents, 65). */
import type { Expectation } from './check.ts'
import type { Exchange } from './exchange.ts'
import type { Action } from './scope.ts'
import { restsOn } from './step-failed.ts'

/** The target does this already, as the check at `address` judges it. */
export const shownBefore = (exchange: Exchange, expectation: Expectation, address: string): Action => ({
  kind: 'action',
  words: `${exchange.method} \`${exchange.path}\`: ${expectation.words}`,
  touches: [exchange],
  restsOn: address,
  async run(scope) {
    const before = await expectation.before?.(scope)
    const reply = await scope.send(exchange)
    const found = await expectation.judge({ reply, scope }, before)
    if (found) throw restsOn(found, address, reply)
  },
})

/** The checks that the steps of a check rest on. */
export const restingOf = (steps: readonly { readonly restsOn?: string }[] = []): readonly string[] => [
  ...new Set(steps.flatMap(({ restsOn }) => restsOn ?? [])),
]
