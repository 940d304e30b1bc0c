/** A check that builds on an optional part names the check that decides that part. If the target does not show the
 * part, only that check reports it; the others are `not-verified` and name it (readings of the documents, 65). */
import type { Expectation } from './check.ts'
import type { Exchange } from './exchange.ts'
import type { Action } from './scope.ts'
import { requestWords } from './sentence.ts'
import { restsOn } from './step-failed.ts'

/** Makes a step that fails unless the reply meets the expectation, which the check at `address` judges. */
export const shownBefore = (exchange: Exchange, expectation: Expectation, address: string): Action => ({
  kind: 'action',
  words: `${requestWords(exchange)}: ${expectation.words}`,
  touches: [exchange],
  restsOn: address,
  async run(scope) {
    const before = await expectation.before?.(scope)
    const reply = await scope.send(exchange)
    const found = await expectation.judge({ reply, scope }, before)
    if (found) throw restsOn(found, address, reply)
  },
})

/** Returns the addresses of the checks that the steps rest on. */
export const restingOf = (steps: readonly { readonly restsOn?: string }[] = []): readonly string[] => [
  ...new Set(steps.flatMap(({ restsOn }) => restsOn ?? [])),
]
