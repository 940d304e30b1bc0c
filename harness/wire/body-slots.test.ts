import { expect, test } from 'vitest'
import { sizeBounds } from '../vocabulary/index.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { createClient } from './client.ts'
import { BodySlots, bodySlots, LargeReplies, largeReplies } from './large-replies.ts'
import { endpointAt, scriptedServer } from './scripted-server.ts'

test('only so many bodies have a slot at once; further ones get one in the order in which they came', async () => {
  const slots = new BodySlots(2)
  const [one, two, three, four, five] = [{}, {}, {}, {}, {}]
  const order: string[] = []
  expect([slots.take(one), slots.take(two)]).toEqual([undefined, undefined])
  const waits = [slots.take(three)?.then(() => order.push('three')), slots.take(five)?.then(() => order.push('five'))]
  void slots.take(four)
  slots.free(four)
  slots.free(one)
  await waits[0]
  expect(order).toEqual(['three'])
  slots.free(three)
  await waits[1]
  slots.free(two)
  slots.free(five)
  expect([slots.take(one), slots.take(two)]).toEqual([undefined, undefined])
})

test('many replies below the large size wait for each other, and all arrive', async () => {
  const { bodiesInFlight, largeReply } = sizeBounds
  const body = 'x'.repeat(largeReply.value - 1000)
  const server = await scriptedServer((_asked, response) => response.end(body))
  const client = createClient(endpointAt(server.url), { timeoutMs: 20_000, maxRps: 0 })
  try {
    const many = (2 * bodiesInFlight.value) / largeReply.value
    const sent = Array.from({ length: many }, () => client.send({ method: 'GET', path: '/x', headers: {} }))
    for (const { reply } of await Promise.all(sent)) expect(reply?.bytes.length).toBe(body.length)
  } finally {
    await client.close()
    await server.close()
  }
})

test('a reply of at most `smallReply` needs no slot, and one that is a byte longer waits for one', async () => {
  const { bodiesInFlight, largeReply, smallReply } = sizeBounds
  const server = await scriptedServer(({ path }, response) => response.end('x'.repeat(Number(path.slice(1)))))
  const client = createClient(endpointAt(server.url), { timeoutMs: 20_000, maxRps: 0 })
  const taken = Array.from({ length: bodiesInFlight.value / largeReply.value }, () => ({}))
  const arrived: number[] = []
  const send = async (bytes: number) => {
    const { reply } = await client.send({ method: 'GET', path: `/${bytes}`, headers: {} })
    arrived.push(reply?.bytes.length ?? 0)
  }
  try {
    for (const body of taken) void bodySlots.take(body)
    const longer = send(smallReply.value + 1)
    for (let count = 0; count < 10; count++) await send(smallReply.value)
    for (const body of taken) bodySlots.free(body)
    await longer
    expect(arrived).toEqual([...Array(10).fill(smallReply.value), smallReply.value + 1])
  } finally {
    for (const body of taken) bodySlots.free(body)
    await client.close()
    await server.close()
  }
})

test('the holder of the turn for large replies needs no slot', async () => {
  const body = 'x'.repeat(sizeBounds.largeReply.value - 1000)
  const server = await scriptedServer((_asked, response) => response.end(body))
  const client = createClient(endpointAt(server.url), { timeoutMs: 20_000, maxRps: 0 })
  const holder = {}
  const taken = Array.from({ length: sizeBounds.bodiesInFlight.value / sizeBounds.largeReply.value }, () => ({}))
  try {
    for (const body of taken) void bodySlots.take(body)
    void largeReplies.enter(holder)
    const { reply } = await client.send({ method: 'GET', path: '/x', headers: {}, holder })
    expect(reply?.bytes.length).toBe(body.length)
  } finally {
    for (const body of taken) bodySlots.free(body)
    largeReplies.leave(holder)
    await client.close()
    await server.close()
  }
})

test('a request without a holder waits for its turn no longer than for its reply', async () => {
  const server = await scriptedServer((_asked, response) => response.end('x'.repeat(1_000_000)))
  const client = createClient(endpointAt(server.url), { timeoutMs: patient(300), maxRps: 0 })
  const holder = {}
  try {
    void largeReplies.enter(holder)
    const { trouble } = await client.send({ method: 'GET', path: '/x', headers: {} })
    expect(trouble).toMatch(/^this large reply waited/)
  } finally {
    largeReplies.leave(holder)
    await client.close()
    await server.close()
  }
})

test('isHeldBy is true only for the holder of the turn', () => {
  const [replies, holder] = [new LargeReplies(), {}]
  expect(replies.isHeldBy(holder)).toBe(false)
  void replies.enter(holder)
  expect(replies.isHeldBy(holder)).toBe(true)
})
