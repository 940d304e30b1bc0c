/** Reads serial numbers as texts: byte pairs with or without separators (reading 11). */

/** Characters of a hundred bytes with separators; the serial of a certificate has at most 20 bytes. */
const longestSerial = 300

export const isSerial = (text: string): boolean =>
  text.length <= longestSerial && /^[0-9a-f]+(?:[-:][0-9a-f]+)*$/i.test(text)

/** Returns whether the content of an encoded integer is a negative number, which no serial is (RFC 5280, 4.1.2.2). */
export const isNegative = (content: Uint8Array): boolean => ((content[0] ?? 0) & 0x80) !== 0

/** Returns the number in the content of an encoded integer, as hexadecimal byte pairs without a leading zero byte. */
export function serialTextOf(content: Buffer): string {
  const hex = content.toString('hex')
  if (!isNegative(content)) return hex.replace(/^00(?=.)/, '')
  const size = (2n ** BigInt(content.length * 8) - BigInt(`0x${hex}`)).toString(16)
  return `-${size.padStart(size.length + (size.length % 2), '0')}`
}

/** Normalizes a serial, so that equal serials are equal texts. */
export const plainSerial = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^0-9a-f]/g, '')
    .replace(/^0+(?=.)/, '')
