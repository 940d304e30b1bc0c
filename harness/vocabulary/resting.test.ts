import { expect, test } from 'vitest'
import { blockedBy } from '../run/outcome.ts'
import { get, type Reply, restingOf, type Scope, StepFailed, shownBefore, succeeds } from './index.ts'

const reply = (status: number): Reply => ({
  ...{ status, headers: {}, json: {}, text: '{}', bytes: new Uint8Array(), asked: 'GET a', at: 0 },
})
const answering = (status: number) => ({ send: async () => reply(status) }) as unknown as Scope
const step = shownBefore(get('a'), succeeds, 'area/fields/thing-is-read')

test('a step checks first what another check decides, and names that check if it does not hold', async () => {
  await step.run(answering(200))
  const failed = await step.run(answering(400)).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(StepFailed)
  expect(blockedBy(failed)).toMatchObject({
    verdict: 'not-verified',
    blocker: {
      kind: 'rests-on',
      code: 'rests-on',
      mend: 'look at the result of area/fields/thing-is-read first: it decides what this check builds on',
    },
  })
  expect(restingOf([step, step, {}])).toEqual(['area/fields/thing-is-read'])
})
