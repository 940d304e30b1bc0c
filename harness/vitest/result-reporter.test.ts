import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, type TaskMeta, test } from 'vitest'
import type { TestCase } from 'vitest/node'
import { createRedactor } from '../redaction/redaction.ts'
import { ResultReporter } from './result-reporter.ts'

const judged = (id: string): TaskMeta => ({
  judged: { id, verdict: 'pass', startedAt: '2026-01-01T00:00:00.000Z', durationMs: 5 },
  result: JSON.stringify({ id }),
  secrets: [`secret-of-${id}`],
})

test('removes a result from the meta of the test, and yields it only once', () => {
  const redactor = createRedactor()
  const seen: string[] = []
  const reporter = new ResultReporter(redactor, ({ id }) => seen.push(id))
  const meta: TaskMeta = judged('pki/roots/one')
  reporter.onTestCaseResult({ meta: () => meta, result: () => ({ state: 'passed' }) } as unknown as TestCase)

  expect(meta).not.toHaveProperty('result')
  expect(seen).toEqual(['pki/roots/one'])
  expect(redactor.redact('it is secret-of-pki/roots/one')).toBe('it is [redacted:secret]')
  expect([...reporter.judged]).toEqual(['pki/roots/one'])
  expect([...reporter.take(['pki/roots/one'])]).toHaveLength(1)
  expect([...reporter.take(['pki/roots/one'])]).toHaveLength(0)
})

test('keeps results compactly', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const reporter = new ResultReporter(createRedactor())
  const text = JSON.stringify(Array.from({ length: 100 }, (_, at) => ({ url: `http://127.0.0.1/v1/${at}` })))
  const count = 500
  // The compressor keeps so many bytes with each result unless it is copied.
  const held = 65_536
  collect()
  const before = process.memoryUsage().arrayBuffers
  for (let at = 0; at < count; at++)
    reporter.onTestCaseResult({
      meta: () => ({ ...judged(`pki/roots/n${at}`), result: text, secrets: [] }),
      result: () => ({ state: 'passed' }),
    } as unknown as TestCase)
  collect()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((count * held) / 4)
  expect(reporter.judged.size).toBe(count)
})
