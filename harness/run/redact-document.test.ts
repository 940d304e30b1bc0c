import { expect, test } from 'vitest'
import { checkResult, sampleResult } from '../commands/output/sample-results.test-bed.ts'
import { createRedactor } from '../redaction/redaction.ts'
import type { RecordedExchange } from '../vocabulary/index.ts'
import { redactExchanges } from './redact-document.ts'

const exchange: RecordedExchange = {
  ...{ phase: 'when', method: 'POST', url: 'https://a.example/v1/b', as: 'operator' },
  ...{ requestHeaders: { accept: 'application/json' }, attempts: [], status: 200, responseHeaders: {} },
  ...{ durationMs: 1, responseBody: '{"a":"late-secret"}', responseEncoding: 'utf8', responseBytes: 19 },
}
const document = sampleResult({ checks: [{ ...checkResult('a', 'pass'), exchanges: [exchange] }] })
const shown = (secrets: readonly string[]) =>
  redactExchanges(document, createRedactor(secrets)).checks.flatMap(({ exchanges }) => exchanges)

test('a secret that became known after an exchange was recorded is replaced in it, and in nothing else', () => {
  const [redacted] = shown(['late-secret', 'POST-when'])
  expect(redacted).toEqual({ ...exchange, responseBody: '{"a":"[redacted:secret]"}' })
  expect(redacted?.requestHeaders).toBe(exchange.requestHeaders)
})

test('an exchange without a secret is not copied', () => {
  expect(shown(['another-secret'])[0]).toBe(exchange)
})
