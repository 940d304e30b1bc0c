import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isSealedText, openText, sealText } from './jwe.ts'

const pair = generateKeyPairSync('x25519')
const text = 'eyJhbGciOi.J9.ünï'

describe('sealed text', () => {
  test('opens with the key that it was sealed for', () => {
    const sealed = sealText(text, pair.publicKey)
    expect(openText(sealed, pair.privateKey)).toBe(text)
    expect(sealed).not.toBe(sealText(text, pair.publicKey))
    expect(isSealedText(sealed)).toBe(true)
    expect(isSealedText('a.b.c')).toBe(false)
  })

  test('does not open with another key or after a change', () => {
    const sealed = sealText(text, pair.publicKey)
    expect(() => openText(sealed, generateKeyPairSync('x25519').privateKey)).toThrow()
    const parts = sealed.split('.')
    for (const [index, part] of parts.entries()) {
      if (part === '') continue
      const other = part.startsWith('A') ? 'B' : 'A'
      expect(() => openText(parts.with(index, other + part.slice(1)).join('.'), pair.privateKey)).toThrow()
    }
    for (const bad of ['', 'x', '....', text]) expect(() => openText(bad, pair.privateKey)).toThrow()
  })

  test('opens if another library sealed it', () => {
    const key = Buffer.from(`302e020100300506032b656e04220420${'5a'.repeat(32)}`, 'hex')
    // The text was sealed by jose 6, which can also open what this file seals.
    const sealed =
      'eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSIsImVwayI6eyJ4IjoiallEbkxZUzFaa1QyREFncXNzSkIwN2Joa1g4ZzlwRGUzQTRIbTIzay1CMCIsImNydiI6IlgyNTUxOSIsImt0eSI6Ik9LUCJ9fQ' +
      '..DSQaVeqjG7-NPvdn.0CjliqnKVkmxNySUZsw.zSa51Rbw0lWzmyyNmm615A'
    expect(openText(sealed, createPrivateKey({ key, format: 'der', type: 'pkcs8' }))).toBe('made elsewhere')
  })
})
