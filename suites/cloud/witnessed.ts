/** Checks that are judged at the target and at the provider: the provider's log becomes evidence for every finding. */
import { check as bare, type Check, type CheckBody, type Expectation } from '../../harness/vocabulary/index.ts'
import { calls, hasProvider } from './provider.ts'

/** If something is found, or cannot be seen, the provider's log is recorded. A call in it that the provider does not
 * know explains the finding, and is not a fault of the target. */
const witnessed = (expectation: Expectation): Expectation => ({
  ...expectation,
  async judge(seen, before) {
    const record = async () => hasProvider(seen.scope) && (await calls(seen.scope))
    try {
      const found = await expectation.judge(seen, before)
      if (found) await record()
      return found
    } catch (error) {
      await record()
      throw error
    }
  },
})

export const check = (id: string, body: CheckBody): Check => {
  const [first, ...rest] = body.then
  return bare(id, { ...body, then: [witnessed(first), ...rest.map(witnessed)] })
}
