/** Runs under vitest, with one test for each check: it passes the recorded messages to Allure and ends with the
 * recorded status. */
import { inject, test } from 'vitest'
import { replayKey } from './replay-key.ts'

for (const { id, status, message, messages } of inject(replayKey))
  test(id, (context) => {
    Object.assign(context.task.meta, { allureRuntimeMessages: messages })
    if (status === 'skipped') context.skip(message)
    if (status !== 'passed') throw new Error(message)
  })
