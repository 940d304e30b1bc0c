/** Replaces values that differ from run to run by placeholders, so that two runs on one server read the same. */

/** A placeholder is a word in braces. Servers are unlikely to send such words themselves. */
const open = '{'

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const clock = String.raw`\d\d:\d\d:\d\d`

/** The patterns are applied in this order. A later one would also match parts of what an earlier one replaces. */
const patterns: readonly (readonly [RegExp, string | ((whole: string, ...parts: string[]) => string)])[] = [
  [/-----BEGIN ([A-Z0-9 ]{1,40})-----(?:[^-]|-(?!----))*-----END \1-----\s*/g, (_, label = '') => `{PEM ${label}}`],
  [/\[redacted:[^\][]*\]/g, '{secret}'],
  [
    /assay-[a-z0-9]+-\d+-([a-z0-9]+(?:-[a-z0-9]+)*)/gi,
    (_, word = '') => `{${word.toLowerCase().replace(/(-\d{5,}.*|-)$/, '')}}`,
  ],
  [/assay-[a-z0-9]{8}(?![a-z0-9])/gi, '{run}'],
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, '{id}'],
  // The zero time (0001-01-01) means "never", so it is not replaced.
  [
    new RegExp(String.raw`(?!0001)\d{4}-\d\d-\d\d(T| )${clock}(\.\d+)?( ?[+-]\d\d:?\d\d)?( UTC|Z)?( m=\S+)?`, 'g'),
    (_, t = '', fraction, offset = '', zone = '') =>
      `{time ${t === 'T' ? 'T' : ''}${fraction ? '.' : ''}${offset.trim()}${zone}}`,
  ],
  [new RegExp(String.raw`\w{3}, \d\d (?:${months}) \d{4} ${clock} GMT`, 'g'), '{date}'],
  [/\b(?:[0-9a-f]{2}:){7,}[0-9a-f]{2}\b/gi, '{serial:}'],
  [/\b(?:[0-9a-f]{2}-){7,}[0-9a-f]{2}\b/gi, '{serial-}'],
  [/(?:127\.0\.0\.1|\[::1\]|localhost):\d{2,5}/g, '{address}'],
  [/^[A-Za-z0-9+/]{20,}={0,2}$/g, (whole) => (isRandom(whole) ? '{random}' : whole)],
  [/(?<![A-Za-z0-9])[A-Za-z0-9_]{20,}={0,2}/g, (whole) => (isRandom(whole) ? '{random}' : whole)],
  [/(?<![A-Za-z0-9])[0-9a-f]{16,}(?![A-Za-z0-9])/gi, '{hex}'],
  [/(?<=[_-])(?=[a-f]*\d)[0-9a-f]{8}(?![0-9A-Za-z])/g, '{hex}'],
  // A position in a text varies with the length of the throw-away names in it.
  [/\b(position|line|column|offset|character) \d+/g, '$1 {number}'],
  [/\d{7,}/g, '{number}'],
]

/** Tells whether a text looks random: it has letters in both cases, and either a digit or more changes of case than
 * words have. */
function isRandom(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false
  const caseChanges = text.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0
  // Servers of the `vault` dialect generate ids of 24 letters.
  return /\d/.test(text) || caseChanges >= text.length * (text.length === 24 ? 0.25 : 0.4)
}

/** `own` has the addresses of the target itself, such as `vault.example:8200`. */
export function normalised(text: string, own: readonly string[] = []): string {
  let result = text
  for (const address of own) result = result.replaceAll(address, '{address}')
  for (const [pattern, by] of patterns) result = result.replace(pattern, by as string)
  return result
}

/** Tells whether a normalised text consists of one placeholder. */
export const isPlaceholder = (text: string): boolean => text.startsWith(open) && /^\{[^{}]*\}$/.test(text)

/** Matches placeholders for values that the server generates. Those for throw-away names do not match: the suite
 * chooses such names. */
const madeUp = /\{(?:id|serial[:-]|random|hex|number|secret|PEM [^{}]*|time [^{}]*|date)\}/
export const isMadeUp = (text: string): boolean => madeUp.test(text)

/** Tells whether a number is a time between 2001 and 2096, in seconds, milliseconds, microseconds or nanoseconds
 * since 1970. */
export const isMoment = (value: number): boolean =>
  [1, 1e3, 1e6, 1e9].some((unit) => value >= 1e9 * unit && value < 4e9 * unit)

/** Matches names of fields whose values may change with time while a check runs. */
const changesWithTime = /ttl|duration|expir|remaining|time|age/i

/** Tells whether two numbers count as equal: both are times, or the field changes with time and they differ by at
 * most 60, the duration of a check in seconds. */
export function isSameNumber(field: string, one: number, other: number): boolean {
  if (one === other || (isMoment(one) && isMoment(other))) return true
  return changesWithTime.test(field) && one > 0 && other > 0 && Math.abs(one - other) <= 60 && Math.max(one, other) > 20
}
