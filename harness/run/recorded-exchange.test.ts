import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../redaction/redaction.ts'
import { sizeBounds } from '../vocabulary/index.ts'
import type { Attempt } from '../wire/attempt.ts'
import { jsonOf } from '../wire/reply.ts'
import { exchangeRecorded, KeptBudget, keepExchange, type RawExchange, RecordBudget } from './recorded-exchange.ts'

function kept(
  text: string,
  more: Partial<Attempt> = {},
  earlier: readonly RawExchange[] = [],
  redactor = createRedactor(),
  shared = new KeptBudget(),
) {
  const attempts = [{ sentAt: 0, durationMs: 1, status: 200, headers: {}, bytes: Buffer.from(text), ...more }]
  const json = more.trouble ? undefined : jsonOf(text)
  const outcome = { url: 'http://x/', headers: {}, attempts, ...(json === undefined ? {} : { reply: { json } }) }
  const raw = keepExchange({ phase: 'when', method: 'GET', as: 'operator', outcome }, redactor, earlier, shared)
  return { raw, redactor, recorded: () => exchangeRecorded(raw, redactor).attempts[0] }
}

describe('the record of a body', () => {
  test('keeps the beginning of a large body, with the size of the whole', () => {
    const { raw, recorded } = kept('x'.repeat(5_000_000))
    expect(raw.attempts[0]?.body?.text.length).toBeLessThan(600_000)
    expect(recorded()).toMatchObject({ responseCut: true, responseBytes: 5_000_000 })
    expect(recorded()?.responseBody).toMatch(/^x{65536}… \(cut: 5000000 bytes in all\)$/)
  })

  test('never shows half a secret where the body is cut', () => {
    const secret = createHash('shake256', { outputLength: 30_000 }).update('seed').digest('hex')
    const text = JSON.stringify({ fill: 'x'.repeat(sizeBounds.recordedBody.value - 1000), token: secret })
    const { recorded } = kept(`${text.slice(0, -1)},"rest":"${'y'.repeat(600_000)}"}`)
    expect(recorded()?.responseBody).toMatch(/x","token":"\[redacted:token\]… \(cut/)
  })

  test('never shows half a secret where the body is cut, however much redaction shortens the text before it', () => {
    const secret = (n: number) => createHash('shake256', { outputLength: 30_000 }).update(`${n}`).digest('hex')
    const list = Array.from({ length: 10 }, (_, n) => ({ token: secret(n) }))
    const { recorded } = kept(JSON.stringify(list))
    for (const { token } of list) expect(recorded()?.responseBody).not.toContain(token.slice(0, 6))
  })

  test('is left out if there is no room for the end of a secret', () => {
    const earlier: RawExchange[] = []
    for (let n = 0; n < 9; n++) earlier.push(kept('x'.repeat(1_000_000), {}, earlier).raw)
    const text = JSON.stringify({ id: 'a-known-secret-of-the-run'.repeat(8000) })
    const redactor = createRedactor(['a-known-secret-of-the-run'.repeat(2000)])
    expect(kept(text, {}, earlier, redactor).recorded()?.responseBody).toMatch(/^\[not recorded/)
  })

  test('is withheld if it was crafted to take long', () => {
    const text = JSON.stringify({ token: `${'\u0001'.repeat(30_000)}end`, again: '\u0001'.repeat(30_000) })
    expect(kept(text).recorded()?.responseBody).toMatch(/^\[withheld: it takes too long/)
  })

  test('is withheld if it holds more secrets than are searched for', () => {
    const tokens = Array.from({ length: 900 }, (_, n) => ({ client_token: `token-number-${n}` }))
    const { recorded, raw } = kept(JSON.stringify({ tokens }))
    expect(recorded()?.responseBody).toMatch(/^\[withheld/)
    expect(JSON.stringify(raw)).not.toContain('token-number-899')
  })

  test('is redacted if it broke off in the middle', () => {
    const { recorded } = kept('{"auth":{"client_token":"beginning-of-a-tok', {
      trouble: { kind: 'broken', words: 'w' },
    })
    expect(recorded()?.responseBody).toBe('{"auth":{"client_token":"[redacted:token]')
  })

  test('is left out once a check keeps too many bytes', () => {
    const earlier: RawExchange[] = []
    for (let n = 0; n < 64; n++) earlier.push(kept('x'.repeat(65_536), {}, earlier).raw)
    expect(kept('{"a":1}', {}, earlier).recorded()).toMatchObject({
      responseCut: true,
      responseBytes: 7,
      responseBody: expect.stringMatching(/^\[not recorded/),
    })
  })

  test('is left out once all checks together keep too many bytes, until one of them ends', () => {
    const shared = new KeptBudget()
    const body = 'x'.repeat(65_536)
    const keep = (text: string) => kept(text, {}, [], createRedactor(), shared)
    const first = keep(body).raw
    for (let n = 65_536; n < sizeBounds.keptForRecords.value; n += 65_536) keep(body)
    expect(shared.left).toBe(0)
    expect(keep('{"a":1}').recorded()?.responseBody).toMatch(/^\[not recorded/)
    shared.giveBack([first])
    expect(keep('{"a":1}').recorded()?.responseBody).toBe('{"a":1}')
  })

  test('has URLs and headers of bounded length', () => {
    const most = sizeBounds.recordedText.value
    const text = 'v'.repeat(most)
    const { raw, redactor, recorded } = kept('', { headers: { fits: text, long: `${text}v` } })
    const cut = `${text}… (cut: ${most + 1} characters in all)`
    expect(recorded()?.responseHeaders).toEqual({ fits: text, long: cut })
    expect(exchangeRecorded({ ...raw, url: `${text}v` }, redactor).url).toBe(cut)
  })

  test('has headers of bounded length', () => {
    const headers = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x-${n}`, 'v'.repeat(10_000)]))
    expect(JSON.stringify(kept('', { headers }).recorded()).length).toBeLessThan(25_000)
  })
})

test('a redactor that has reached its limit reports so, and still redacts configured secrets', () => {
  const redactor = createRedactor(['the-operators-own'])
  for (let n = 0; n <= sizeBounds.secretsLearnt.value; n++) redactor.learn(`secret-of-number-${n}`)
  expect(redactor.isFull).toBe(true)
  expect(redactor.redact('the-operators-own')).toBe('[redacted:secret]')
  expect(createRedactor(redactor.values()).isFull).toBe(false)
})

test('a budget serves all checks first, then those that did not pass, and then only status and sizes', () => {
  const budget = new RecordBudget()
  const spend = (verdict: 'pass' | 'fail') => {
    const detail = budget.detailFor(verdict)
    budget.spend(detail, 1024 * 1024)
    return detail
  }
  const details = Array.from({ length: 33 }, () => spend('pass'))
  expect(details).toEqual([...Array(20).fill('full'), ...Array(6).fill('brief'), ...Array(7).fill('none')])
  expect([1, 2, 3, 4].map(() => spend('fail'))).toEqual(['full', 'full', 'full', 'none'])
})
