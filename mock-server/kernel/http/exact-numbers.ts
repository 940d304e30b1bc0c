/** Keeps the text of numbers in what callers store. Real servers return `1.0`, `1e3` and whole numbers of 20 digits as
 * they were written, but a JavaScript number loses the text. Such a number is stored as an object with one name, which
 * also survives state files and replication. */

const name = '\u0000number'

interface NumberText {
  readonly [name]: string
}

/** Matches every text with a number that JavaScript would write differently, and some others. */
const mayBeOdd = /\d[eE]|\.\d*0(?!\d)|\d{16}|-0(?![.\d])/

/** Returns whether a JSON text may have numbers that lose their text in JavaScript. */
export const hasOddNumbers = (json: string): boolean => mayBeOdd.test(json)

/** Works like `JSON.parse`, but keeps the text of numbers that JavaScript would write differently. Throws a RangeError
 * if a number is too large for any server. */
export function parseKeepingNumbers(json: string): unknown {
  const keep = (_: string, value: unknown, { source = '' }: { source?: string } = {}): unknown => {
    if (typeof value !== 'number' || String(value) === source) return value
    if (!Number.isFinite(value)) throw new RangeError(`the number ${source} is too large`)
    return { [name]: source } satisfies NumberText
  }
  return JSON.parse(json, keep)
}

const isPlainNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Returns whether a value is a number whose text was kept. */
const isNumberText = (value: object): value is NumberText =>
  Object.hasOwn(value, name) && isPlainNumber.test(String((value as NumberText)[name]))

const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

/** Returns a value in which `JSON.stringify` writes the kept numbers as they were written. */
export function withNumbersAsWritten<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (isNumberText(value)) return rawJSON(value[name]) as Value
  if (Array.isArray(value)) return value.map(withNumbersAsWritten) as Value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withNumbersAsWritten(item)])) as Value
}
