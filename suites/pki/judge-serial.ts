/** Reads serial numbers as texts: byte pairs with or without separators (reading 11). */

/** Characters of a hundred bytes with separators; the serial of a certificate has at most 20 bytes. */
const longestSerial = 300

export const isSerial = (text: string): boolean =>
  text.length <= longestSerial && /^[0-9a-f]+(?:[-:][0-9a-f]+)*$/i.test(text)

/** Normalizes a serial, so that equal serials are equal texts. */
export const plainSerial = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^0-9a-f]/g, '')
    .replace(/^0+(?=.)/, '')
