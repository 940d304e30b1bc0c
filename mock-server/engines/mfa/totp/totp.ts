/** One-time codes of RFC 6238 over those of RFC 4226, and keys in base32 (RFC 4648). The suites compute codes with a
 * library, so a mistake cannot hide on both sides. */
import { createHmac } from 'node:crypto'

export const algorithms = ['SHA1', 'SHA256', 'SHA512'] as const
export type Algorithm = (typeof algorithms)[number]

export const isAlgorithm = (word: string): word is Algorithm => algorithms.some((known) => known === word)

/** Returns the time step of a moment (in milliseconds since the epoch) under a period in seconds. */
export const stepAt = (ms: number, period: number): number => Math.floor(ms / 1000 / period)

/** Returns the code of a time step. */
export function codeOf(key: Uint8Array, step: number, algorithm: Algorithm, digits: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac(algorithm.toLowerCase(), key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes without padding, as authenticators expect it. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += letters[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + letters[(held << (5 - bits)) & 31] : text
}
