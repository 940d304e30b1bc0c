/** Checks that are judged at the target and at the provider: the provider's log becomes evidence for every finding. */
import { check as bare, type Check, type CheckBody, type Expectation } from '../../harness/vocabulary/index.ts'
import { calls, hasProvider, needs } from './provider.ts'

/** Records the provider's log if the expectation finds a mismatch or throws. If the log has a call that our provider
 * does not implement, that is thrown instead: the target is not to blame. */
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

export const checkAtProvider = (id: string, body: CheckBody): Check => check(id, { needs, ...body })
