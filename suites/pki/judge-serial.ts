/** Serial numbers as texts: byte pairs with or without separators (reading 11). */

/** The limit is a hundred bytes with separators; certificates have 20 at most. */
const longestSerial = 300

export const isSerial = (text: string): boolean =>
  text.length <= longestSerial && /^[0-9a-f]+(?:[-:][0-9a-f]+)*$/i.test(text)

/** Gives each serial a single spelling for comparison. */
export const plainSerial = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^0-9a-f]/g, '')
    .replace(/^0+(?=.)/, '')
