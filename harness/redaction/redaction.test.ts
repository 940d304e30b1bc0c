import 'reflect-metadata'
import { generateKeyPairSync, KeyObject, type webcrypto } from 'node:crypto'
import { faker } from '@faker-js/faker/locale/en'
import { X509CertificateGenerator } from '@peculiar/x509'
import { describe, expect, test } from 'vitest'
import { encodings } from './encodings.test-bed.ts'
import { createRedactor } from './redaction.ts'

faker.seed(20261120)

const pem = (kind: 'rsa' | 'ec' | 'ed25519', type: 'pkcs8' | 'pkcs1' | 'sec1'): string => {
  const key =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
      : kind === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : generateKeyPairSync('ed25519').privateKey
  return key.export({ format: 'pem', type }) as string
}

const derOf = (text: string): Buffer => Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64')
const wrap = (text: string, width: number): string => text.replace(new RegExp(`.{1,${width}}`, 'g'), '$&\n')
const unquotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

const unbase32 = (text: string): string[] =>
  [...text.matchAll(/[A-Za-z2-7]{10,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((skip) => {
      const bits = [...run.slice(skip).toUpperCase()]
        .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
        .join('')
      return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString()
    }),
  )

const unlisted = (text: string): string[] =>
  [...text.matchAll(/-?\d+(?:[\s,]+-?\d+)+/g)].map(([list]) => Buffer.from(list.split(/[\s,]+/).map(Number)).toString())

/** Returns whether the secret is left in a text, also after decoding each encoding where that is possible. */
function isLeft(text: string, secret: string): boolean {
  const probes = [text, decodeURIComponentSafe(text), ...unbase64(text), ...unhex(text)]
  probes.push(unquotedPrintable(text), ...unbase32(text), ...unlisted(text))
  const core = secret.trim()
  return probes.some((probe) => probe.includes(core))
}

function decodeURIComponentSafe(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

const unbase64 = (text: string): string[] =>
  [
    ...text
      .replaceAll('%2B', '+')
      .replaceAll('%2F', '/')
      .matchAll(/[A-Za-z0-9+/_-]{6,}/g),
  ].flatMap(([run]) =>
    [0, 1, 2, 3].flatMap((skip) => {
      const bytes = Buffer.from(run.slice(skip), 'base64')
      return [bytes.toString(), bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le')]
    }),
  )

const unhex = (text: string): string[] =>
  [...text.matchAll(/[0-9a-fA-F]{12,}/g)].flatMap(([run]) =>
    [0, 1].map((skip) => Buffer.from(run.slice(skip), 'hex').toString()),
  )

const printable = 'abcXYZ019-_.~!*\'() "\\<>&+/=%?#{}[]|`ü€😀\n\t'

function secretOf(length: number): string {
  const characters = [...printable]
  return Array.from({ length }, () => faker.helpers.arrayElement(characters)).join('')
}

describe('planted secrets', () => {
  test.each(Object.keys(encodings))('do not survive: %s', (name) => {
    const encode = encodings[name]
    if (!encode) throw new Error(name)
    for (let round = 0; round < 60; round++) {
      const secret = secretOf(faker.number.int({ min: 8, max: 60 }))
      if (secret.trim().length < 8) continue
      const before = faker.string.alphanumeric(faker.number.int({ min: 1, max: 7 }))
      const after = faker.string.alphanumeric(faker.number.int({ min: 1, max: 7 }))
      const text = encode(before, secret, after)
      const seen = createRedactor([secret]).redact(text)
      expect(seen, `${JSON.stringify(secret)} in ${text}`).toContain('[redacted:')
      expect(isLeft(seen, secret), `${JSON.stringify(secret)} in ${seen}`).toBe(false)
    }
  })

  test('are replaced by their kind', () => {
    const redactor = createRedactor()
    redactor.learn('correct horse', 'password')
    expect(redactor.redact('is correct horse.')).toBe('is [redacted:password].')
  })

  test('a one-time code is redacted where it is alone, and not within numbers and encodings', () => {
    const redactor = createRedactor()
    redactor.learn('000000', 'passcode')
    expect(redactor.redact('{"code":"000000","at":1700000000,"pem":"xMDAwMDAwy"} method:000000')).toBe(
      '{"code":"[redacted:passcode]","at":1700000000,"pem":"xMDAwMDAwy"} method:[redacted:passcode]',
    )
  })

  test('short values are not learnt', () => {
    const redactor = createRedactor(['abcde'])
    expect(redactor.values()).toEqual([])
    expect(redactor.redact('abcde')).toBe('abcde')
  })

  test('the longest of several secrets at one position is redacted as a whole', () => {
    expect(createRedactor(['secret-1', 'secret-1-and-more']).redact('x secret-1-and-more y')).toBe(
      'x [redacted:secret] y',
    )
  })

  test('a secret that is learnt later is redacted in a text that was redacted before', () => {
    const redactor = createRedactor()
    const text = 'x-request: planted-value-0001'
    expect(redactor.redact(text)).toBe(text)
    redactor.learn('planted-value-0001')
    expect(redactor.redact(text)).toBe('x-request: [redacted:secret]')
  })

  test('drain returns what was learnt, once', () => {
    const redactor = createRedactor(['first-secret'])
    expect(redactor.drain()).toEqual([{ value: 'first-secret', kind: 'secret' }])
    redactor.learn('second-secret', 'token')
    expect(redactor.drain()).toEqual([{ value: 'second-secret', kind: 'token' }])
    expect(redactor.drain()).toEqual([])
  })
})

describe('private keys', () => {
  const keys = [
    ['RSA, PKCS 8', pem('rsa', 'pkcs8')],
    ['RSA, PKCS 1', pem('rsa', 'pkcs1')],
    ['EC, PKCS 8', pem('ec', 'pkcs8')],
    ['EC, SEC 1', pem('ec', 'sec1')],
    ['Ed25519', pem('ed25519', 'pkcs8')],
  ] as const

  test.each(keys)('%s: no part survives in any encoding or wrapping', (_name, key) => {
    const redactor = createRedactor([key])
    const der = derOf(key)
    const body = der.toString('base64')
    const shown: Record<string, string> = {
      pem: key,
      'pem without its frame': key.split('\n').slice(1, -2).join('\n'),
      'pem in json': JSON.stringify({ private: key }),
      'pem in json in json': JSON.stringify(JSON.stringify({ private: key })),
      'pem in a url': encodeURIComponent(key),
      'pem with windows line ends': key.replaceAll('\n', '\r\n'),
      'pem, indented': key.replaceAll('\n', '\n    '),
      'one line': body,
      ...Object.fromEntries([40, 57, 64, 76].map((width) => [`wrapped at ${width}`, wrap(body, width)])),
      'in an array of lines': JSON.stringify(wrap(body, 64).trim().split('\n')),
      'base64url of the bytes': der.toString('base64url'),
      'hex of the bytes': der.toString('hex'),
      'hex of the bytes, upper case': der.toString('hex').toUpperCase(),
      'base64 of the pem': Buffer.from(key).toString('base64'),
      'base64 of the pem, wrapped': wrap(Buffer.from(key).toString('base64'), 76),
      'base64 of json with the pem': Buffer.from(JSON.stringify({ a: key })).toString('base64'),
      'bytes inside others': Buffer.concat([Buffer.from('x'), der, Buffer.from('yz')]).toString('base64'),
    }
    for (const [name, text] of Object.entries(shown)) {
      const seen = redactor.redact(text)
      // A base64 of JSON that holds the PEM differs from a base64 of the PEM at each line end.
      const remains = seen.replaceAll(/\[redacted:[^\]]+\]/g, '').replaceAll(/[\s"',:{}[\]]|private|\\n|=/g, '')
      expect(remains.length, `${name}: ${seen}`).toBeLessThan(name.startsWith('base64 of json') ? 400 : 48)
      expect(longestShared(remains, body), name).toBeLessThan(24)
    }
  })

  test('are found from their beginning in an alphabet that differs there only', () => {
    const body = `MHcC${faker.string.alphanumeric(16)}+${faker.string.alphanumeric(143)}`
    const key = `-----BEGIN EC PRIVATE KEY-----\n${wrap(body, 64).trim()}\n-----END EC PRIVATE KEY-----\n`
    expect(createRedactor([key]).redact(body.replace('+', '-'))).toBe('[redacted:secret]')
  })

  test('are found by their look, and by value from then on', () => {
    const key = pem('ec', 'sec1')
    const redactor = createRedactor()
    expect(redactor.redact(JSON.stringify({ key }))).toBe('{"key":"[redacted:private key]\\n"}')
    expect(redactor.redact(`x ${derOf(key).toString('hex')} y`)).toBe('x [redacted:private key] y')
  })

  test('a block without an end is redacted to the end of the text', () => {
    expect(createRedactor().redact('a -----BEGIN RSA PRIVATE KEY-----\nMIIE')).toBe('a [redacted:private key]')
  })

  test('certificates and public keys are unchanged', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const redactor = createRedactor([
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    ])
    const text = publicKey.export({ format: 'pem', type: 'spki' }) as string
    expect(redactor.redact(text)).toBe(text)
    expect(redactor.redact(privateKey.export({ format: 'pem', type: 'pkcs8' }) as string)).toBe(
      '[redacted:private key]\n',
    )
  })
})

describe('the certificate of a private key', () => {
  const ec = (namedCurve: string, hash: string) => ({ name: 'ECDSA', namedCurve, hash })
  const publicExponent = new Uint8Array([1, 0, 1])
  const rsa = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent, hash: 'SHA-256' }
  const pairs = [
    ['P-256', 'sec1', ec('P-256', 'SHA-256')],
    ['P-256', 'pkcs8', ec('P-256', 'SHA-256')],
    ['P-384', 'sec1', ec('P-384', 'SHA-384')],
    ['P-521', 'pkcs8', ec('P-521', 'SHA-512')],
    ['RSA', 'pkcs1', rsa],
    ['RSA', 'pkcs8', rsa],
  ] as const

  test.each(pairs)('%s, %s: is unchanged, and no part of the key is left', async (_name, type, algorithm) => {
    const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
    const key = KeyObject.from(keys.privateKey).export({ format: 'pem', type }) as string
    const redactor = createRedactor()
    redactor.learn(key, 'private key')
    // Each length of the name moves the key to another place in the base64.
    for (const name of ['CN=a', 'CN=ab', 'CN=abc']) {
      const certificate = await X509CertificateGenerator.createSelfSigned({ name, keys, signingAlgorithm: algorithm })
      const der = Buffer.from(certificate.rawData)
      const text = certificate.toString('pem')
      for (const shown of [text, JSON.stringify({ certificate: text }), der.toString('base64url'), der.toString('hex')])
        expect(redactor.redact(shown)).toBe(shown)
      expect(redactor.redact(JSON.stringify([text, key.trim()]))).toBe(JSON.stringify([text, '[redacted:private key]']))
      expect(redactor.redact(`${text} ${derOf(key).toString('base64')}`)).toBe(`${text} [redacted:private key]`)
    }
  })
})

test.each(['P-256', 'P-384', 'P-521'])('the public key of a private key on %s is unchanged', (namedCurve) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  const redactor = createRedactor()
  redactor.learn(privateKey.export({ format: 'pem', type: 'sec1' }) as string)
  const text = publicKey.export({ format: 'pem', type: 'spki' }) as string
  const der = publicKey.export({ format: 'der', type: 'spki' })
  for (const shown of [text, der.toString('base64'), der.toString('base64url'), wrap(der.toString('base64url'), 2)])
    expect(redactor.redact(shown)).toBe(shown)
})

test('a key in the alphabet of URLs is found between separators', () => {
  const { key, text } = keyInUrls()
  const redactor = createRedactor()
  redactor.learn(key)
  const shown = redactor.redact(text.replace(/..(?=.)/g, '$&:'))
  expect(longestShared(shown.replaceAll(':', ''), text)).toBe(0)
})

/** Returns a private key whose base64 has an underscore and no hyphen, which would count as a separator. */
function keyInUrls(): { readonly key: string; readonly text: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const text = privateKey.export({ format: 'der', type: 'sec1' }).toString('base64url')
  const key = privateKey.export({ format: 'pem', type: 'sec1' }) as string
  return /^[^-]*_[^-]*$/.test(text) ? { key, text } : keyInUrls()
}

function longestShared(text: string, secret: string): number {
  for (let length = 24; length <= Math.min(text.length, secret.length); length++)
    for (let at = 0; at + length <= secret.length; at++) if (text.includes(secret.slice(at, at + length))) return length
  return 0
}

describe('tokens by shape', () => {
  test.each([
    'hvs.CAESIJlWh_4-abcdefghijklmnop',
    'hvb.AAAAAQJabcdefghijklmnopqrs',
    's.aB3dE6gH9jK2mN5pQ8sT1vW4',
    'b.AAAAAQKabcdefghijklmnopqrs',
  ])('%s', (token) => {
    expect(createRedactor().redact(`{"x":"${token}"}`)).toBe('{"x":"[redacted:token]"}')
  })

  test('ordinary words with a dot are unchanged', () => {
    const text = 'this.isAVeryLongMethodNameIndeed() policies.example.kept hvs.short s.t'
    expect(createRedactor().redact(text)).toBe(text)
  })
})

// If the time grew with the square of the length, these texts would take hours, so the timeout of each test is bound
// enough.
describe('hostile texts', () => {
  test('megabytes with hundreds of secrets are searched within the timeout', () => {
    const redactor = createRedactor(Array.from({ length: 500 }, () => faker.string.alphanumeric(28)))
    const secret = faker.string.alphanumeric(28)
    redactor.learn(secret)
    const text = `${faker.string.alphanumeric(1000).repeat(4000)}${secret}`
    expect(redactor.redact(text).endsWith('[redacted:secret]')).toBe(true)
  })

  test.each([
    ['-----BEGIN PRIVATE KEY', 100_000, '[redacted:private key]'],
    ['-----BEGIN PRIVATE KEY-----', 100_000, '[redacted:private key]'],
    ['hvs.', 500_000, 'hvs.'.repeat(500_000)],
  ])('so are texts made of beginnings: %s, %i times', (beginning, times, redacted) => {
    const redactor = createRedactor([pem('ec', 'pkcs8'), 'aaaaaaaaaaaaaaaaaaaaaaaa'])
    expect(redactor.redact(beginning.repeat(times)) === redacted).toBe(true)
  })

  test('so is a text with a secret at each position', () => {
    const redactor = createRedactor(['aaaaaaaaaaaaaaaaaaaaaaaa'])
    expect(redactor.redact('a'.repeat(2_000_000))).not.toContain('aaaaaaaaaaaaaaaaaaaaaaaa')
  })
})
