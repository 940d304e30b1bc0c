import { expect, test } from 'vitest'
import type { Json } from '../../harness/vocabulary/index.ts'
import { reply } from './reply.test-bed.ts'
import { returnsNo } from './returned.ts'

const row = 'performance-replication.public-key.returned'
const contradictedBy = (json?: Json) => returnsNo(reply(json), 'public key', row).contradicts?.requirement

test('a step whose reply has no text at all contradicts what it returns', () => {
  for (const json of [undefined, null, {}, { request_id: 'an-id-of-a-request', data: {} }, { data: { bits: 256 } }])
    expect(contradictedBy(json)).toBe(row)
})

test('a text may be what it returns, in a form that is not known', () => {
  expect(contradictedBy({ data: { pem: 'MC4CAQAwBQYDK2Vw' } })).toBeUndefined()
})
