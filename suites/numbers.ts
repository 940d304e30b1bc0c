/** Reads numbers, durations and booleans in replies. The documents give no types of replies, so each may be written as
 * a string. */
import { type Json, matcher } from '../harness/vocabulary/index.ts'

const perUnit: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 }

/** Returns the seconds of a duration that is written in digits, or as a string with units; undefined for any other
 * value. */
export function secondsIn(value: Json | undefined): number | undefined {
  const text = String(value)
  if (/^\d+$/.test(text)) return Number(text)
  if (!/^(\d{1,20}(\.\d{1,20})?[hms])+$/.test(text)) return undefined
  return [...text.matchAll(/(\d{1,20}(?:\.\d{1,20})?)([hms])/g)].reduce(
    (all, [, n, unit]) => all + Number(n) * (perUnit[unit ?? ''] ?? 0),
    0,
  )
}
export const seconds = (wanted: number) => matcher(`${wanted} seconds`, (value) => secondsIn(value) === wanted)

/** Accepts a number, or the same number as a string. */
export const count = (wanted: number) =>
  matcher(String(wanted), (value) => value === wanted || value === String(wanted))

/** Returns undefined if the value is no boolean. */
export const booleanIn = (value: Json | undefined): boolean | undefined =>
  value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined
export const truth = (wanted: boolean) => matcher(String(wanted), (value) => booleanIn(value) === wanted)
