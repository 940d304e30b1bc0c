import { expect, test } from 'vitest'
import { untilGone } from './ask.ts'
import { bounds } from './bounds.ts'
import type { WireOutcome } from './client.ts'

test.each([
  ['lateInCleanUp', 'late', bounds.lateInCleanUp.value],
  ['badInCleanUp', 'garbled', bounds.badInCleanUp.value],
] as const)('nothing is sent after as many replies as `%s`', async (_name, troubleKind, most) => {
  let sent = 0
  const outcome: WireOutcome = { url: 'http://x/', headers: {}, attempts: [], trouble: 'x', troubleKind }
  const ask = untilGone(async () => {
    sent += 1
    return outcome
  })
  for (let n = 0; n < 20; n++) expect(await ask({ method: 'GET', path: 'x' })).toBe(outcome)
  expect(sent).toBe(most)
})
