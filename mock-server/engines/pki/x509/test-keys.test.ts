import {
  checkPrimeSync,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
  sign,
  verify,
} from 'node:crypto'
import { expect, test } from 'vitest'
import { testRsaKey } from './test-keys.ts'
import { testPrimes } from './test-primes.ts'

test.each(Object.entries(testPrimes))('those of %s bits are primes, all of them different', (bits, primes) => {
  const numbers = primes.map((text) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`))
  expect(new Set(numbers).size).toBe(numbers.length)
  for (const number of numbers) {
    expect(checkPrimeSync(number)).toBe(true)
    // The product of two such numbers has twice the bits.
    expect(number >> BigInt(Number(bits) - 2)).toBe(3n)
    expect((number - 1n) % 65_537n).not.toBe(0n)
  }
})

test.each([2048, 3072, 4096])('a key of %i bits is one that OpenSSL takes, signs and decrypts with', (bits) => {
  const key = testRsaKey(bits)
  const spki = createPublicKey({ key: key?.spki ?? Buffer.alloc(0), format: 'der', type: 'spki' })
  const secret = createPrivateKey({ key: key?.traditional ?? Buffer.alloc(0), format: 'der', type: 'pkcs1' })
  expect(spki.asymmetricKeyDetails).toEqual({ modulusLength: bits, publicExponent: 65_537n })
  expect(createPublicKey(secret).equals(spki)).toBe(true)
  const text = Buffer.from('a text')
  expect(verify('sha256', text, spki, sign('sha256', text, secret))).toBe(true)
  expect(privateDecrypt(secret, publicEncrypt(spki, text))).toEqual(text)
  // OpenSSL writes what it has read: each number of the private key is the right one.
  expect(secret.export({ format: 'der', type: 'pkcs1' })).toEqual(key?.traditional)
})

test('each key is made once, and then there are no more', () => {
  const moduli = new Set<string>()
  let key = testRsaKey(4096)
  while (key) {
    moduli.add(key.spki.toString('hex'))
    key = testRsaKey(4096)
  }
  const pairs = (6 * 5) / 2
  // The test above has taken one.
  expect([pairs, pairs - 1]).toContain(moduli.size)
  expect(testRsaKey(4096)).toBeUndefined()
  expect(testRsaKey(1024)).toBeUndefined()
})
