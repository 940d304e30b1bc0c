/** Serial numbers: made, and as requests write them. */
import { randomBytes } from 'node:crypto'

/** 160 bits, positive, and always of the same length. Not seeded: a serial must not come again after a restart. */
export function newSerial(): Buffer {
  const serial = randomBytes(20)
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  return serial
}

/** `0c-cc-30`, from the bytes of a serial. */
export function serialKey(serial: Buffer): string {
  const hex = serial.toString('hex')
  let key = hex.slice(0, 2)
  for (let at = 2; at < hex.length; at += 2) key += `-${hex.slice(at, at + 2)}`
  return key.startsWith('00-') ? key.slice(3) : key
}

export const serialBytes = (key: string): Buffer => Buffer.from(key.replaceAll('-', ''), 'hex')

/** `0c:cc:30`, as replies show it. */
export const shownSerial = (key: string): string => key.replaceAll('-', ':')

/** Hyphenated and in lower case; undefined for what is no serial number. */
export function serialOf(text: string, separators = /[:-]/): string | undefined {
  const pairs = text.toLowerCase().split(separators)
  return pairs.every((pair) => /^[0-9a-f]{2}$/.test(pair)) ? pairs.join('-').replace(/^00-(?=.)/, '') : undefined
}
