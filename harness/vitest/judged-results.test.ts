import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createRedactor } from '../redaction/redaction.ts'
import type { Unrecorded } from '../run/check-result.ts'
import { RecordBudget } from '../run/recorded-exchange.ts'
import { JudgedResults } from './judged-results.ts'

const results = () => {
  const redactor = createRedactor()
  return new JudgedResults({ redactor, record: new RecordBudget(), plan: { runId: 'example' } })
}
const startedAt = '2026-01-01T00:00:00.000Z'
/** What the worker sends about a check whose requests had these bodies. */
const judged = (id: string, bodies: readonly string[], kind = 'token') => {
  const url = 'http://127.0.0.1/v1/things'
  const result = { id, verdict: 'pass', mismatches: [], startedAt, durationMs: 5 }
  const sent = bodies.map((body) => ({
    phase: 'when',
    method: 'POST',
    url,
    headers: {},
    body,
    as: 'operator',
    attempts: [],
  }))
  const unrecorded = { result, sent, names: [], isFull: false } as unknown as Unrecorded
  return {
    event: 'judged',
    id,
    judged: JSON.stringify(unrecorded),
    secrets: [{ value: `secret-of-${id}`, kind }],
  } as const
}

test('redacts what the worker has not redacted, with the secrets that come with it and their kinds', () => {
  const all = results()
  const { result, json } = all.record(judged('pki/roots/one', ['{"is":"secret-of-pki/roots/one"}']))
  expect(result.exchanges.map(({ requestBody }) => requestBody)).toEqual(['{"is":"[redacted:token]"}'])
  expect(json).toBe(JSON.stringify(result))
  expect([...all.ids]).toEqual(['pki/roots/one'])
  expect(all.judgingMs).toBe(5)
})

test('records nothing of a check whose worker knew more secrets than can be searched for', () => {
  const message = judged('pki/roots/one', ['{}'])
  const full = { ...message, judged: message.judged.replace('"isFull":false', '"isFull":true') }
  expect(results().record(full).result.exchanges).toEqual([])
})

test('yields each result only once', () => {
  const all = results()
  all.record(judged('pki/roots/one', []))
  expect([...all.take(['pki/roots/one'])].map(({ id }) => id)).toEqual(['pki/roots/one'])
  expect([...all.take(['pki/roots/one'])]).toEqual([])
})

test('keeps results compactly', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const all = results()
  const bodies = Array.from({ length: 10 }, (_, at) => `{"at":${at}}`)
  const count = 500
  // The compressor keeps so many bytes with each result unless it is copied.
  const held = 65_536
  collect()
  const before = process.memoryUsage().arrayBuffers
  for (let at = 0; at < count; at++) all.record({ ...judged(`pki/roots/n${at}`, bodies), secrets: [] })
  collect()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((count * held) / 4)
  expect(all.ids.size).toBe(count)
})
