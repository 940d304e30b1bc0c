/** Generates serial numbers, and converts them between bytes and the formats of requests and replies. */
import { randomBytes } from 'node:crypto'

const serialLength = 20
const stock = { bytes: Buffer.alloc(0), at: 0 }

/** Random bytes are drawn for 256 serial numbers at once, because drawing twenty bytes takes as long. */
function randomSerial(): Buffer {
  if (stock.at === stock.bytes.length) Object.assign(stock, { bytes: randomBytes(256 * serialLength), at: 0 })
  const from = stock.at
  stock.at += serialLength
  return Buffer.from(stock.bytes.subarray(from, stock.at))
}

/** Returns a positive number, always of 20 bytes. It does not depend on the seed, because a serial number must not
 * recur after a restart. */
export function newSerial(): Buffer {
  const serial = randomSerial()
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  return serial
}

/** Converts the bytes of a serial number to `0c-cc-30`. */
export function serialKey(serial: Buffer): string {
  const hex = serial.toString('hex')
  let key = hex.slice(0, 2)
  for (let at = 2; at < hex.length; at += 2) key += `-${hex.slice(at, at + 2)}`
  return key.startsWith('00-') ? key.slice(3) : key
}

export const serialBytes = (key: string): Buffer => Buffer.from(key.replaceAll('-', ''), 'hex')

/** Converts the key to `0c:cc:30`, as replies show it. */
export const shownSerial = (key: string): string => key.replaceAll('-', ':')

/** Converts to the form with hyphens and lower case. Returns undefined for an invalid serial number. */
export function serialOf(text: string): string | undefined {
  const pairs = text.toLowerCase().split(/[:-]/)
  return pairs.every((pair) => /^[0-9a-f]{2}$/.test(pair)) ? pairs.join('-').replace(/^00-(?=.)/, '') : undefined
}
