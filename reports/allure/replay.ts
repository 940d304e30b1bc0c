/** Run by vitest, one test a check: hands Allure what is known of it and comes to the same end. */
import { inject, test } from 'vitest'
import { replayKey } from './replay-key.ts'

for (const { id, status, message, messages } of inject(replayKey))
  test(id, (context) => {
    Object.assign(context.task.meta, { allureRuntimeMessages: messages })
    if (status === 'skipped') context.skip(message)
    if (status !== 'passed') throw new Error(message)
  })
