import { expect, test } from 'vitest'
import type { CheckNames } from '../../safety/names.ts'
import { loadDialect } from '../../targets/dialects/index.ts'
import { get, type Reply } from '../../vocabulary/index.ts'
import type { Session } from '../session.ts'
import { Callers } from './callers.ts'

const asked = get('thing', { cluster: 'second' })
const answered = (status: number) => ({ status }) as Reply

/** Returns callers of which the other one has a new token each time, and a function that tells who calls. */
async function callersOn() {
  const session = { dialect: loadDialect('vault'), operatorToken: () => 'operator' } as unknown as Session
  const callers = new Callers(session, {} as CheckNames)
  let made = 0
  callers.other = { tokenOn: async () => `other ${++made}`, isUnknownTo: () => {} }
  await callers.callAsOther('second')
  return { callers, caller: () => callers.on('second', 'operator').token }
}

test('another caller whose token was wiped before the check gets a new one, once', async () => {
  const { callers, caller } = await callersOn()
  expect([caller(), await callers.isUnknown(asked, answered(403))]).toEqual(['other 1', true])
  expect([caller(), await callers.isUnknown(asked, answered(403))]).toEqual(['other 2', true])
  expect([caller(), await callers.isUnknown(asked, answered(403))]).toEqual(['operator', false])
})

test('after another caller was served, the operator calls once that one is denied', async () => {
  const { callers, caller } = await callersOn()
  expect([caller(), await callers.isUnknown(asked, answered(200))]).toEqual(['other 1', false])
  expect([caller(), await callers.isUnknown(asked, answered(403))]).toEqual(['other 1', true])
  expect(caller()).toBe('operator')
})
