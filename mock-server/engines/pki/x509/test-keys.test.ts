import {
  checkPrimeSync,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
  sign,
  verify,
  X509Certificate,
} from 'node:crypto'
import { expect, test } from 'vitest'
import { createMockServer } from '../../../server.ts'
import { testRsaKey } from './test-keys.ts'
import { testPrimes } from './test-primes.ts'

const numberIn = (text: string): bigint => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)

test.each(Object.entries(testPrimes))('the stored numbers of %s bits are different primes', (bits, primes) => {
  const numbers = primes.map(numberIn)
  expect(new Set(numbers).size).toBe(numbers.length)
  for (const number of numbers) {
    expect(checkPrimeSync(number)).toBe(true)
    // The product of two such numbers has twice the bits.
    expect(number >> BigInt(Number(bits) - 2)).toBe(3n)
    expect((number - 1n) % 65_537n).not.toBe(0n)
  }
})

test.each([2048, 3072, 4096])('OpenSSL accepts a key of %i bits, and signs and decrypts with it', (bits) => {
  const key = testRsaKey(bits)
  const spki = createPublicKey({ key: key?.spki ?? Buffer.alloc(0), format: 'der', type: 'spki' })
  const secret = createPrivateKey({ key: key?.traditional ?? Buffer.alloc(0), format: 'der', type: 'pkcs1' })
  expect(spki.asymmetricKeyDetails).toEqual({ modulusLength: bits, publicExponent: 65_537n })
  expect(createPublicKey(secret).equals(spki)).toBe(true)
  const text = Buffer.from('a text')
  expect(verify('sha256', text, spki, sign('sha256', text, secret))).toBe(true)
  expect(privateDecrypt(secret, publicEncrypt(spki, text))).toEqual(text)
  // OpenSSL exports the same bytes, so each number of the private key is the right one.
  expect(secret.export({ format: 'der', type: 'pkcs1' })).toEqual(key?.traditional)
})

test('each key is returned once, and then there are no more', async () => {
  // Other tests of this process take keys from the module that they share.
  const fresh = './test-keys.ts?fresh'
  const { testRsaKey } = (await import(fresh)) as typeof import('./test-keys.ts')
  const moduli = new Set<string>()
  let key = testRsaKey(4096)
  while (key) {
    moduli.add(key.spki.toString('hex'))
    key = testRsaKey(4096)
  }
  expect(moduli.size).toBe((6 * 5) / 2)
  expect(testRsaKey(4096)).toBeUndefined()
  expect(testRsaKey(1024)).toBeUndefined()
})

test.each([
  ['with', true],
  ['without', false],
])('a server %s test keys has RSA keys of the stored primes: %s', async (_, testKeys) => {
  await using server = await createMockServer({ mounts: { pki: 'pki' }, ...(testKeys ? { testKeys } : {}) })
  const response = await fetch(`${server.url}/v1/pki/root/generate/internal`, {
    method: 'POST',
    headers: { 'x-vault-token': server.rootToken },
    body: JSON.stringify({ common_name: 'root.example', key_type: 'rsa', key_bits: 2048 }),
  })
  const { data } = (await response.json()) as { data: { certificate: string } }
  const { n = '' } = new X509Certificate(data.certificate).publicKey.export({ format: 'jwk' })
  const modulus = numberIn(n)
  expect((testPrimes[1024] ?? []).some((prime) => modulus % numberIn(prime) === 0n)).toBe(testKeys)
})
