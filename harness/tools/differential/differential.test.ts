import { expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/server.ts'
import { readGroups } from './inputs.ts'
import { play } from './play.ts'
import { differences, type Entry, explain, grounds, readEntries, readRecord } from './record.ts'
import { factsOf } from './shapes.ts'

test('the reference server answers as the recorded one, but for the differences in the table', async () => {
  await using server = await createMockServer({ testKeys: true })
  const record = readRecord('openbao-2.6.2')
  const ours = await play(readGroups(), server.url, server.rootToken)
  expect([...record.keys()]).toEqual([...ours.keys()])
  expect(explain(differences(record, ours), readEntries())).toEqual({ unexplained: [], unneeded: [] })
})

test('each entry of the table has one of the grounds, and a sentence', () => {
  for (const { because, why } of readEntries()) {
    expect(grounds).toContain(because)
    expect(why).toMatch(/^\w.{10,}\.$/)
  }
})

test('a difference without an entry is unexplained, and a pattern without a difference is not needed', () => {
  const found = differences(
    new Map([['kv/a', [{ status: '200', 'data.n': '1.0', 'data.m': '1' }]]]),
    new Map([['kv/a', [{ status: '200', 'data.n': '1', 'data.o': '2' }]]]),
  )
  expect(found.map(({ fact }) => fact)).toEqual(['1 data.n: 1.0 → 1', '1 data.m: 1 → absent', '1 data.o: absent → 2'])
  const entry: Entry = { because: 'beyond', why: '', inputs: ['kv/*', 'pki/*'], facts: ['? data.n: *', '2 data.m: *'] }
  expect(explain(found, [entry])).toEqual({ unexplained: found.slice(1), unneeded: ['pki/*', '2 data.m: *'] })
})

test('after a refusal, or a reply without a body, nothing else is compared', () => {
  const compared = (theirs: string, ours: string) =>
    differences(new Map([['a/b', [{ status: theirs, 'data.x': '1' }]]]), new Map([['a/b', [{ status: ours }]]])).length
  expect([compared('200', '400'), compared('200', '204'), compared('200', '200')]).toEqual([1, 1, 1])
  expect(compared('204', '204')).toBe(0)
})

const shown = (body: string, status = 200) =>
  factsOf({ status, contentType: 'application/json', location: undefined, body: Buffer.from(body) })

test('numbers keep their text, and what varies becomes its kind', () => {
  const data = `{"n":[1.0,12345678901234567890],"id":"0b1f5a3c-8f43-4a57-9f0e-1f6f0a0a0a0a","at":1795914938,"ttl":3599,"o":{}}`
  expect(
    shown(`{"request_id":"x","lease_id":"","renewable":false,"warnings":["x"],"auth":null,"data":${data}}`),
  ).toEqual({
    ...{ status: '200', warnings: 'list', 'data.n': '[1.0,12345678901234567890]', 'data.id': '"<uuid>"' },
    ...{ 'data.at': '<unix time>', 'data.ttl': '3600', 'data.o': '{}' },
  })
})

test('of errors, only the status and whether they are a list are compared', () => {
  expect(shown('{"errors":["one"]}', 400)).toEqual({ status: '400', errors: 'list' })
  expect(shown('{"errors":"one"}', 400)).toEqual({ status: '400', errors: 'no list' })
  expect(shown('no json', 502)).toEqual({ status: '502', body: '<application/json>' })
})
