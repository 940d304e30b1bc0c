import { createGuardrails, generateSync } from 'otplib'
import { describe, expect, test } from 'vitest'
import { type Algorithm, algorithms, base32, codeOf, stepAt } from './totp.ts'

/** In RFC 6238, appendix B, the key is as long as the hash. */
const keys: Readonly<Record<Algorithm, string>> = {
  SHA1: '12345678901234567890',
  SHA256: '12345678901234567890123456789012',
  SHA512: '1234567890123456789012345678901234567890123456789012345678901234',
}
const vectors: readonly (readonly [seconds: number, ...codes: string[]])[] = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
]

describe('the codes of RFC 6238', () => {
  for (const [seconds, ...codes] of vectors) {
    test.each(algorithms.map((algorithm, index) => [algorithm, codes[index]] as const))(
      `at ${seconds} s with %s`,
      (algorithm, code) => {
        expect(codeOf(Buffer.from(keys[algorithm]), stepAt(seconds * 1000, 30), algorithm, 8)).toBe(code)
      },
    )
  }
})

describe('another authenticator gives the same code', () => {
  for (const [index, algorithm] of algorithms.entries()) {
    test.each([6, 8] as const)(`with ${algorithm} and %i digits`, (digits) => {
      const key = Buffer.from(Array.from({ length: 16 + 7 * index }, (_, at) => (at * 37 + 11) & 255))
      const [epoch, period] = [1_800_000_123, 45]
      const named = algorithm.toLowerCase() as 'sha1' | 'sha256' | 'sha512'
      const code = generateSync({ secret: base32(key), epoch, period, digits, algorithm: named })
      expect(codeOf(key, stepAt(epoch * 1000, period), algorithm, digits)).toBe(code)
    })
  }
  test('with keys of one byte', () => {
    const guardrails = createGuardrails({ MIN_SECRET_BYTES: 1 })
    const code = generateSync({ secret: base32(Buffer.from([200])), epoch: 59, guardrails })
    expect(codeOf(Buffer.from([200]), 1, 'SHA1', 6)).toBe(code)
  })
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of "%s" is that of RFC 4648, without padding', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})
