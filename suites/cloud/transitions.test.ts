import { expect, test } from 'vitest'
import type { Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import transitions from './transitions.ts'

test('a rotation that is to fail may be retried after 429 and 503, like any other request', async () => {
  const found = transitions.checks.find(({ id }) => id === 'failed-rotation-keeps-the-root')
  if (found?.when.kind !== 'ceremony') throw new TypeError('no ceremony')
  const sent: Exchange[] = []
  const send = async (exchange: Exchange): Promise<Reply> => {
    sent.push(exchange)
    return { ...{ status: 500, headers: {}, json: {}, text: '', bytes: new Uint8Array() }, asked: exchange.path, at: 0 }
  }
  await found.when.run({ send } as unknown as Scope)
  expect(sent.map(({ path }) => path)).toEqual(['{mount}/config/rotate-root', '{mount}/sts/{use}worker'])
  expect(sent.filter(({ once }) => once)).toEqual([])
})
