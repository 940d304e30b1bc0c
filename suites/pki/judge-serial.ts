/** Serial numbers as texts: byte pairs with or without separators (reading 11). */

export const isSerial = (text: string): boolean => /^[0-9a-f]+([-:]?[0-9a-f]+)*$/i.test(text)

/** One spelling for each serial, to compare by. */
export const plainSerial = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^0-9a-f]/g, '')
    .replace(/^0+(?=.)/, '')
