/** Makes RSA keys for tests from stored primes, which is much faster than generating them. TEST KEYS: they are not
 * secret. */
import { bitString, integer, nothing, sequence } from './der.ts'
import type { KeyPair } from './keys.ts'
import { algorithms, oidBytes } from './oids.ts'
import { testPrimes } from './test-primes.ts'

const exponent = 65_537n

const numberIn = (text: string): bigint => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)

function bytesOf(number: bigint): Buffer {
  const hex = number.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}
const whole = (number: bigint): Buffer => integer(bytesOf(number))

/** Returns the inverse of a number for a modulus. The two numbers must have no common factor. */
function inverse(number: bigint, modulus: bigint): bigint {
  let [before, rest] = [modulus, number % modulus]
  let [last, coefficient] = [0n, 1n]
  while (rest !== 0n) {
    const times = before / rest
    ;[before, rest] = [rest, before - times * rest]
    ;[last, coefficient] = [coefficient, last - times * coefficient]
  }
  return last < 0n ? last + modulus : last
}

/** Returns the private exponent for a large modulus. This is fast, because only numbers up to the small public exponent
 * are inverted. */
function exponentBy(modulus: bigint): bigint {
  const times = exponent - inverse(modulus % exponent, exponent)
  return (times * modulus + 1n) / exponent
}

/** Encodes the public and the private key (RFC 8017, appendix A.1). */
function rsaKeyOf(bits: number, p: bigint, q: bigint): KeyPair {
  const modulus = whole(p * q)
  const publicKey = sequence(modulus, whole(exponent))
  return {
    ...{ type: 'rsa', bits },
    spki: sequence(sequence(oidBytes(algorithms.rsa), nothing), bitString(publicKey)),
    traditional: sequence(
      ...[integer(0), modulus, whole(exponent), whole(exponentBy((p - 1n) * (q - 1n))), whole(p), whole(q)],
      ...[whole(exponentBy(p - 1n)), whole(exponentBy(q - 1n)), whole(inverse(q, p))],
    ),
  }
}

/** The index of the next pair of primes, by the size of the keys. All servers in a thread share it, so that no two of
 * them have the same key. */
const next = new Map<number, number>()

/** Returns a key that was never returned in this thread before. Returns undefined if all pairs of primes are used, or
 * if there are no primes for the size. */
export function testRsaKey(bits: number): KeyPair | undefined {
  const primes = testPrimes[bits / 2] ?? []
  const place = next.get(bits) ?? 0
  next.set(bits, place + 1)
  let [first, left] = [0, place]
  while (first < primes.length && left >= primes.length - first - 1) left -= primes.length - first++ - 1
  const [p, q] = [primes[first], primes[first + 1 + left]]
  return p === undefined || q === undefined ? undefined : rsaKeyOf(bits, numberIn(p), numberIn(q))
}
