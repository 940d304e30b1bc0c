import { badRequest } from './refusal.ts'

const secondsOf: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
}

/** The longest duration in seconds, about 292 years. Longer durations would lead to invalid dates. */
const longest = 9_223_372_036

/** Parses a whole number of seconds (`90`, `"90"`) or a duration with units (`"1h30m"`). Returns seconds, or undefined
 * if the value is invalid or too long. */
export function parseDuration(value: unknown): number | undefined {
  const seconds = secondsIn(value)
  return seconds !== undefined && Math.abs(seconds) <= longest ? seconds : undefined
}

function secondsIn(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (/^-?\d+$/.test(text)) return Number(text)
  if (!/^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d))+$/.test(text)) return undefined
  let seconds = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)/g)) {
    seconds += Number(amount) * (secondsOf[unit ?? ''] ?? 0)
  }
  return Math.floor(text.startsWith('-') ? -seconds : seconds)
}

/** Reads a duration from a body field, in seconds. Returns undefined if the field is absent or empty, and refuses an
 * invalid duration. */
export function durationField(body: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = body[name]
  if (value === undefined || value === null || value === '') return undefined
  const seconds = parseDuration(value)
  if (seconds === undefined || seconds < 0) throw badRequest(`${name} is not a duration: ${JSON.stringify(value)}`)
  return seconds
}

/** Formats seconds as a duration such as `1h0m0s`. */
export const durationText = (seconds: number): string =>
  [Math.floor(seconds / 3600), 'h', Math.floor((seconds % 3600) / 60), 'm', seconds % 60, 's'].join('')
