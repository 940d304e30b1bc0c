/** Secrets that appear only when the escapes of a text are decoded or its separators are removed. */
import { generateKeyPairSync } from 'node:crypto'
import { faker } from '@faker-js/faker/locale/en'
import { describe, expect, test } from 'vitest'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { createRedactor } from './redaction.ts'

faker.seed(20261122)

const each = (text: string, encode: (code: number) => string): string =>
  [...Buffer.from(text)].map((byte) => encode(byte)).join('')
const hex = (code: number, width = 2): string => code.toString(16).padStart(width, '0')
const wrap = (text: string, width: number, by = '\n'): string =>
  text.match(new RegExp(`.{1,${width}}`, 'gs'))?.join(by) ?? ''

const percent = (text: string): string => each(text, (code) => `%${hex(code)}`)
const decimal = (text: string): string => each(text, (code) => `&#${code};`)
const unicode = (text: string): string => each(text, (code) => `\\u${hex(code, 4)}`)
const json = (text: string): string => JSON.stringify(text).slice(1, -1)
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hexOf = (text: string): string => Buffer.from(text).toString('hex')
const entities: Readonly<Record<string, string>> = {
  ...{ '.': '&period;', '/': '&sol;', '+': '&plus;', '=': '&equals;', '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  ...{ _: '&lowbar;', '"': '&quot;', "'": '&apos;', '!': '&excl;', ':': '&colon;' },
}

const encodings: Readonly<Record<string, (secret: string) => string>> = {
  'percent, each character': percent,
  'percent, upper case': (secret) => percent(secret).toUpperCase(),
  'percent, twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'percent, each character, twice': (secret) => percent(percent(secret)),
  'percent, three times': (secret) => percent(percent(encodeURIComponent(secret))),
  'decimal entities': decimal,
  'decimal entities, padded': (secret) => each(secret, (code) => `&#${String(code).padStart(6, '0')};`),
  'hexadecimal entities': (secret) => each(secret, (code) => `&#x${hex(code)};`),
  'hexadecimal entities, upper case': (secret) => each(secret, (code) => `&#X${hex(code).toUpperCase()};`),
  'named entities': (secret) => secret.replace(/[^A-Za-z0-9]/g, (found) => entities[found] ?? found),
  'entities, twice': (secret) => decimal(decimal(secret)),
  'JSON escapes': unicode,
  'JSON escapes, twice': (secret) => json(unicode(secret)),
  'JSON escapes, three times': (secret) => json(json(unicode(secret))),
  'escapes with braces': (secret) => each(secret, (code) => `\\u{${hex(code)}}`),
  'bytes of a string': (secret) => each(secret, (code) => `\\x${hex(code)}`),
  'octal bytes of a string': (secret) => each(secret, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  'a table of bytes': (secret) => each(secret, (code) => `0x${hex(code)}, `).slice(0, -2),
  'entities in JSON in a URL': (secret) => encodeURIComponent(json(decimal(secret))),
  'base64 in percent, each character': (secret) => percent(base64(secret)),
  'base64 of a token, wrapped': (secret) => wrap(base64(secret), 16),
  'base64, wrapped, in JSON': (secret) => json(wrap(base64(secret), 12, '\r\n')),
  'lines of base64 in an array': (secret) => wrap(base64(secret), 12, '",\n  "'),
  'hex with colons': (secret) => wrap(hexOf(secret), 2, ':'),
  'hex with spaces, upper case': (secret) => wrap(hexOf(secret).toUpperCase(), 2, ' '),
  'hex with dashes': (secret) => wrap(hexOf(secret), 2, '-'),
  'hex in groups of four, in lines': (secret) => wrap(wrap(hexOf(secret), 4, ' '), 20),
  'split by line breaks': (secret) => wrap(secret, 7),
  'split by white space': (secret) => wrap(secret, 5, ' \t '),
  'quoted lines': (secret) => wrap(secret, 9, '\n> '),
  'characters without a glyph between': (secret) => [...secret].join('\u200b'),
  'line breaks, in percent': (secret) => percent(wrap(secret, 8, '\r\n')),
}

const secretOf = (): string => {
  const parts = [faker.string.alphanumeric(14), faker.string.alphanumeric(9)]
  return `${parts[0]}${faker.helpers.arrayElement(['.', '/', '+', '=', '&', '_', '<', ':'])}${parts[1]}`
}

describe('exactly the secret is redacted', () => {
  test.each(Object.keys(encodings))('%s', (name) => {
    for (let round = 0; round < 40; round++) {
      const secret = secretOf()
      const redactor = createRedactor([secret])
      const shown = encodings[name]?.(secret) ?? ''
      expect(redactor.redact(`{"a":"x y=${shown}"} and more`), shown).toBe('{"a":"x y=[redacted:secret]"} and more')
      expect(redactor.redact(shown)).toBe('[redacted:secret]')
    }
  })

  test('characters of several bytes, too', () => {
    const secret = 'grün€😀-passwort'
    const redactor = createRedactor([secret])
    for (const shown of [percent(secret), [...secret].map((one) => `&#${one.codePointAt(0)};`).join('')])
      expect(redactor.redact(`<${shown}>`)).toBe('<[redacted:secret]>')
    const units = Array.from({ length: secret.length }, (_, at) => `\\u${hex(secret.charCodeAt(at), 4)}`).join('')
    expect(redactor.redact(`<${units}>`)).toBe('<[redacted:secret]>')
  })

  test('several at once, in different encodings', () => {
    const redactor = createRedactor(['first-secret-of-all', 'second-secret-of-all'])
    const text = `${percent('first-secret-of-all')} & ${unicode('second-secret-of-all')} first-secret-of-all`
    expect(redactor.redact(text)).toBe('[redacted:secret] & [redacted:secret] [redacted:secret]')
  })

  test('a token that is known by its shape only', () => {
    const redactor = createRedactor()
    expect(redactor.redact('hvs%2ECAESIJlWh_4-abcdefghijklmnop')).toBe('[redacted:token]')
    expect(redactor.redact('x=CAESIJlWh_4-abcdefghijklmnop hvs.CAESIJlWh_4-abcdefghijklmnop')).toContain('x=CAES')
  })

  test('a private key in hex with colons, as openssl prints its parts', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const der = privateKey.export({ format: 'der', type: 'pkcs1' })
    const redactor = createRedactor([privateKey.export({ format: 'pem', type: 'pkcs1' }) as string])
    const secret = wrap(wrap(der.subarray(200, 320).toString('hex'), 2, ':'), 45, '\n    ')
    // Neither side may begin or end with a digit of hex: the neighbouring digit of the key could be the same.
    expect(redactor.redact(`key:\n    ${secret}\nover`)).toBe('key:\n    [redacted:secret]\nover')
  })
})

describe('other text is unchanged', () => {
  test('a short value is found in one piece only', () => {
    const redactor = createRedactor(['abcdefgh', '123456'])
    for (const text of ['abcd efgh', 'ab:cd:ef:gh', '12 34 56', '12:34:56']) expect(redactor.redact(text)).toBe(text)
    expect(redactor.redact(percent('abcdefgh'))).toBe('[redacted:secret]')
  })

  test('ordinary texts beside hundreds of secrets', () => {
    const redactor = createRedactor(Array.from({ length: 500 }, () => faker.string.alphanumeric(16)))
    const texts = Array.from({ length: 200 }, () =>
      JSON.stringify({
        words: faker.lorem.paragraph(),
        escaped: JSON.stringify({ path: `a/${faker.string.alphanumeric(20)}\n`, html: '&lt;b&gt;&amp;#65;' }),
        url: `https://x.example/?q=${encodeURIComponent(faker.lorem.sentence())}%2525`,
        serial: wrap(faker.string.hexadecimal({ length: 40, prefix: '' }), 2, ':'),
      }),
    )
    for (const text of texts) expect(redactor.redact(text)).toBe(text)
  })

  test('broken escapes', () => {
    const redactor = createRedactor(['a-secret-of-some-length'])
    for (const text of [
      '%',
      '%zz %4',
      '&#; &#x; &#99999999; &bogus;',
      '\\u12 \\q \\',
      '%ff%fe%c3(',
      '&#1114112;',
      '\\u{110000}',
    ])
      expect(redactor.redact(text)).toBe(text)
  })
})

test('texts that are made of escapes and separators take no more than seconds of processor time', () => {
  const redactor = createRedactor(Array.from({ length: 200 }, () => faker.string.alphanumeric(24)))
  const parts = [
    '%25',
    '%2525',
    '&amp;',
    '&#38;',
    '\\\\',
    '\\u005c',
    '&',
    '%',
    '0x41 ',
    ' ',
    '\n',
    'a:',
    '%f0%9f',
    '&#',
  ]
  for (const part of parts) {
    const text = part.repeat(Math.ceil(500_000 / part.length))
    const started = process.threadCpuUsage()
    redactor.redact(text)
    const { user, system } = process.threadCpuUsage(started)
    expect(user + system, part).toBeLessThan(patient(5_000_000))
  }
})
