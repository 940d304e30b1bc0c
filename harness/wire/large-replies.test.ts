import { expect, test } from 'vitest'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { createClient } from './client.ts'
import { LargeReplies, largeReplies } from './large-replies.ts'
import { endpointAt, scriptedServer } from './scripted-server.ts'

test('one holder at a time has the turn, in the order in which they came', async () => {
  const replies = new LargeReplies()
  const [one, two, three] = [{}, {}, {}]
  const order: string[] = []
  expect(replies.enter(one)).toBeUndefined()
  expect(replies.enter(one)).toBeUndefined()
  const second = [replies.enter(two), replies.enter(two)].map((turn) => turn?.then(() => order.push('two')))
  const third = replies.enter(three)?.then(() => order.push('three'))
  replies.leave(one)
  await Promise.all(second)
  expect(order).toEqual(['two', 'two'])
  replies.leave(two)
  await third
  replies.leave(three)
  expect(replies.enter(one)).toBeUndefined()
})

test('garbage is collected after a holder leaves and before the next one receives anything', async () => {
  const order: string[] = []
  const replies = new LargeReplies(() => order.push('collected'))
  const [one, two] = [{}, {}]
  void replies.enter(one)
  const next = replies.enter(two)?.then(() => order.push('two'))
  replies.leave({})
  replies.leave(one)
  await next
  expect(order).toEqual(['collected', 'two'])
})

test('a holder that leaves while it waits is removed from the queue', () => {
  const replies = new LargeReplies()
  const [one, two, three] = [{}, {}, {}]
  void replies.enter(one)
  void replies.enter(two)
  replies.leave(two)
  replies.leave(one)
  expect(replies.enter(three)).toBeUndefined()
})

test('a large reply waits until the holder of the one before leaves, and the wait does not count as late', async () => {
  const body = JSON.stringify({ text: 'x'.repeat(1_000_000) })
  const server = await scriptedServer((_asked, response) => response.end(body))
  const timeoutMs = patient(1000)
  const client = createClient(endpointAt(server.url), { timeoutMs, maxRps: 0 })
  const [holder, nextHolder] = [{}, {}]
  const read = { method: 'GET', path: '/large', headers: {} }
  try {
    const first = await client.send({ ...read, holder })
    expect(first.reply?.bytes.length).toBe(body.length)
    let isDone = false
    const second = client.send({ ...read, holder: nextHolder }).then((outcome) => {
      isDone = true
      return outcome
    })
    await new Promise((resolve) => setTimeout(resolve, timeoutMs + 300))
    expect(isDone).toBe(false)
    largeReplies.leave(holder)
    expect((await second).reply?.bytes.length).toBe(body.length)
  } finally {
    largeReplies.leave(holder)
    largeReplies.leave(nextHolder)
    await client.close()
    await server.close()
  }
})
