/** No part of a secret remains where a text is cut. */
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../redaction/redaction.ts'
import { field, fieldOf, type Json, type Mismatch, type Reply, type Scope, shown } from '../vocabulary/index.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { shortened } from './recorded-exchange.ts'

const secret = 'tYq8-Zr3vLw0_pXk5sNb7hJd'

const replyOf = (json: Json): Reply => ({
  ...{ status: 200, headers: {}, json, text: JSON.stringify(json), bytes: Buffer.alloc(0), asked: 'GET x', at: 0 },
})

async function sawOf(json: Json): Promise<string> {
  const seen = { reply: replyOf(json), scope: { fill: (text: string) => text } as Scope }
  const mismatch = (await field('/data', 'something else').judge(seen, undefined)) as Mismatch
  return mismatch.saw
}

/** The spellings in which a secret may occur in a field. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  plainly: (text) => text,
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in hex with colons': (text) =>
    Buffer.from(text)
      .toString('hex')
      .replace(/..(?=.)/g, '$&:'),
  'with each character escaped': (text) => text.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`),
  'in lines': (text) => text.replace(/.{7}/g, '$&\n'),
}

describe.each(Object.entries(spellings))('a secret %s', (_, spell) => {
  const spelt = spell(secret)

  test('leaves no part in the text of a mismatch, wherever the cut is', async () => {
    const redactor = createRedactor([secret])
    for (let before = 150; before < 200; before++) {
      const saw = redactor.redact(await sawOf({ data: `${' '.repeat(before)}${spelt}${' '.repeat(400)}` }))
      expect(saw).toMatch(/^" +(\[redacted:secret\] *)?[[:a-z]*… \(\d+ characters\)$/)
    }
  })
})

test('a secret that is known only later leaves no part in a text that was cut before', () => {
  const early = createRedactor()
  const texts = Array.from({ length: 30 }, (_, n) =>
    early.redact(shown(`${'.'.repeat(170 + n)}${secret}${'.'.repeat(300)}`)),
  )
  const late = createRedactor([secret])
  for (const text of texts) {
    const [, rest = ''] = /^"\.+(.*?)\.*… \(/.exec(late.redact(text)) ?? []
    expect(rest.length <= 3 || rest.startsWith('[redacted:secret]'), rest).toBe(true)
  }
})

test('the text beyond the kept part is never shown, however much redaction shortens the text before it', () => {
  const secrets = Array.from({ length: 12 }, (_, n) => `${String.fromCharCode(97 + n)}1-Q`.repeat(16_000))
  const redacted = createRedactor(secrets).redact(shown(secrets))
  for (const one of secrets) expect(redacted).not.toContain(one.slice(0, 8))
})

test('a token that is cut too short to be recognized by its look is not shown', () => {
  const text = shown(`${'x'.repeat(190)} hvs.CAESIJlU9JMYEhOPYv4igdhm9PnZDrabYTobQ4Ymnlq1qY`)
  expect(createRedactor().redact(text)).not.toContain('hvs.')
})

test('a target cannot choose where a text is cut', () => {
  const forged = fieldOf(replyOf({ data: { a: '\ufdd05,9\ufdd0seen-by-nobody\ufdd1' } }), 'a')
  expect(createRedactor().redact(shown(forged))).toBe('"\\ufdd05,9\\ufdd0seen-by-nobody\\ufdd1"')
})

test('a text with many cut marks is withheld instead of being searched for a long time', () => {
  const redactor = createRedactor(Array.from({ length: 2000 }, (_, n) => `hvs.AAAA${'A'.repeat(40)}${n}`))
  const text = 'hvs.AAAAAAAA… (1 characters '.repeat(2000)
  const started = performance.now()
  expect(redactor.redact(text)).not.toContain('hvs.AAAAAAAA')
  expect(performance.now() - started).toBeLessThan(patient(5000))
})

test('a text without secrets is cut as asked', () => {
  const redact = createRedactor(['another-secret-value']).redact
  expect(redact(shown('abcdef', 4))).toBe('"abc… (8 characters)')
  expect(redact(shown('abcdef', 8))).toBe('"abcdef"')
  expect(shortened(redact(`403 ${shown(['no', 'yes'], 5)} and ${shown({ a: 1 })}`))).toBe(
    '403 ["no"… (12 characters) and {"a":1}',
  )
})
