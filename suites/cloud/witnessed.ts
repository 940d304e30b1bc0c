/** Checks that are judged at both ends: what the provider was asked is evidence for whatever is found. */
import { check as bare, type Check, type CheckBody, type Expectation } from '../../harness/vocabulary/index.ts'
import { calls, hasProvider } from './provider.ts'

/** Where something is found, or cannot be seen, the provider's log goes on record; a call in it that the provider does
 * not know is why, and no fault of the target. */
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
