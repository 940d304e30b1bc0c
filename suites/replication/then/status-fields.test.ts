import { expect, test } from 'vitest'
import { get, type Json, type Scope, StepFailed } from '../../../harness/vocabulary/index.ts'
import { reply } from '../reply.test-bed.ts'
import { moves } from './status-fields.ts'

/** Returns whether the expectation sees progress, given several reads before the judged request and one afterwards. */
async function moved(...readings: readonly Json[]): Promise<boolean> {
  const left = readings.map((json) => reply(json))
  const next = async () => left.shift() ?? reply(readings.at(-1))
  const scope = { send: next, poll: next, patience: 1 } as unknown as Scope
  const expectation = moves(get('status'))
  const before = await expectation.before?.(scope)
  return (await expectation.judge({ reply: reply({}), scope }, before)) === undefined
}

test('a value that changes is progress, in any field', async () => {
  expect(await moved({ data: { wal: 1 } }, { data: { wal: 1 } }, { data: { wal: 2 } })).toBe(true)
  expect(await moved({ root: 'a' }, { root: 'a' }, { root: 'b' })).toBe(true)
  expect(await moved({ list: [{ at: 1 }] }, { list: [{ at: 1 }] }, { list: [{ at: 2 }] })).toBe(true)
})

test('values that change by themselves are not progress: ids of requests, times, ages', async () => {
  const still = { data: { wal: 1 } }
  expect(await moved(still, still, still)).toBe(false)
  expect(await moved({ request_id: 'a' }, { request_id: 'b' }, { request_id: 'c' })).toBe(false)
  const seen = (at: string): Json => ({ data: { last_heartbeat: `2026-01-01T00:00:0${at}Z`, wal: 1 } })
  expect(await moved(seen('0'), seen('0'), seen('1'))).toBe(false)
  const aged = (ms: number): Json => ({ clock_skew_ms: ms, replication_primary_canary_age_ms: `${ms}`, wal: 1 })
  expect(await moved(aged(1), aged(1), aged(2))).toBe(false)
})

test('a value that changes even without a write does not count, and is not enough for a verdict', async () => {
  const [counts, beside] = [[1, 2, 3, 4].map((n) => ({ n })), [1, 2, 3, 4].map((n) => ({ n, wal: 1 }))]
  await expect(moved(...counts, { n: 5 })).rejects.toBeInstanceOf(StepFailed)
  expect(await moved(...beside, { n: 5, wal: 2 })).toBe(true)
})

test('earlier changes may appear late, so reads are repeated until the values are stable', async () => {
  expect(await moved({ wal: 1 }, { wal: 2 }, { wal: 2 }, { wal: 3 })).toBe(true)
  expect(await moved({ wal: 1 }, { wal: 2 }, { wal: 2 }, { wal: 2 })).toBe(false)
})
