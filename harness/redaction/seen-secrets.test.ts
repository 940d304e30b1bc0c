import { describe, expect, test } from 'vitest'
import { isBeyondRedaction, secretsIn } from './seen-secrets.ts'

const valuesIn = (json: Parameters<typeof secretsIn>[0]) => secretsIn(json).map(({ value }) => value)

describe('secrets by the names of their fields', () => {
  test('are found anywhere in a reply', () => {
    const json = {
      auth: { client_token: 'one', accessor: 'kept', policies: ['kept'] },
      data: { secret_key: 'two', list: [{ private_key: 'three' }], encoded_token: 'four', otp: 'five' },
      wrap_info: { token: 'six', accessor: 'kept' },
    }
    expect(valuesIn(json).sort()).toEqual(['five', 'four', 'one', 'six', 'three', 'two'])
  })

  test('include key shares, but not the names in a list', () => {
    expect(valuesIn({ keys: ['a'], keys_base64: ['b'], root_token: 'c' }).sort()).toEqual(['a', 'b', 'c'])
    expect(valuesIn({ data: { keys: ['policy-one'] } })).toEqual([])
  })

  test('include the secret of a one-time password URL', () => {
    const url = 'otpauth://totp/a:b?algorithm=SHA1&secret=JBSWY3DPEHPK3PXP&period=30'
    expect(valuesIn({ data: { url, barcode: 'png' } }).sort()).toEqual(['JBSWY3DPEHPK3PXP', url, 'png'].sort())
  })

  test('do not include other types and names', () => {
    expect(valuesIn({ token: null, password: 1, token_type: 'service', url: 'https://x', ['__proto__']: 'x' })).toEqual(
      [],
    )
    expect(valuesIn('text')).toEqual([])
  })

  test('may be more than can be redacted one by one', () => {
    expect(isBeyondRedaction(secretsIn(Array.from({ length: 2000 }, (_, n) => ({ token: `t${n}` }))))).toBe(true)
    expect(isBeyondRedaction(secretsIn({ token: 'x'.repeat(100_000) }))).toBe(true)
    expect(isBeyondRedaction(secretsIn({ token: 'x' }))).toBe(false)
  })
})
