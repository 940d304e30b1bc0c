/** RSA keys for tests by the thousand, made of primes that are there already. TEST KEYS: they are no secrets. */
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

/** The inverse of a number by a modulus that it has no factor in common with. */
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

/** The private exponent by a large modulus. What has to be inverted is small, because the public exponent is. */
function exponentBy(modulus: bigint): bigint {
  const times = exponent - inverse(modulus % exponent, exponent)
  return (times * modulus + 1n) / exponent
}

/** Writes both keys as RFC 8017, appendix A.1, says. */
export function rsaKeyOf(bits: number, p: bigint, q: bigint): KeyPair {
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

/** The place of the next pair of primes, by the size of the keys. All servers of a thread go on with the same one, so that
 * none has a key of another. */
const next = new Map<number, number>()

/** Returns a key that nobody in this thread has had, or undefined once all pairs of primes have been used, or if there
 * are no primes for the size. */
export function testRsaKey(bits: number): KeyPair | undefined {
  const primes = testPrimes[bits / 2] ?? []
  const place = next.get(bits) ?? 0
  next.set(bits, place + 1)
  let [first, left] = [0, place]
  while (first < primes.length && left >= primes.length - first - 1) left -= primes.length - first++ - 1
  const [p, q] = [primes[first], primes[first + 1 + left]]
  return p === undefined || q === undefined ? undefined : rsaKeyOf(bits, numberIn(p), numberIn(q))
}
