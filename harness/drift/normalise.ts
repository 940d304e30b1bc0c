/** Replaces what differs from run to run by what it stands for, so that two runs on one server read the same. */

/** Each value that is replaced becomes a word in braces, and no server is likely to write such words. */
const open = '{'

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const clock = String.raw`\d\d:\d\d:\d\d`

/** In this order: what a later pattern would find inside of an earlier match is gone by then. */
const patterns: readonly (readonly [RegExp, string | ((whole: string, ...parts: string[]) => string)])[] = [
  [/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----\s*/g, (_, label = '') => `{PEM ${label}}`],
  [/\[redacted:[^\]]*\]/g, '{secret}'],
  [
    /assay-[a-z0-9]+-\d+-([a-z0-9]+(?:-[a-z0-9]+)*)/gi,
    (_, word = '') => `{${word.toLowerCase().replace(/(-\d{5,}.*|-)$/, '')}}`,
  ],
  [/assay-[a-z0-9]{8}(?![a-z0-9])/gi, '{run}'],
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, '{id}'],
  // The zero time means "never", so it stays.
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
  // A throw-away name is longer where its check has a longer number.
  [/\b(position|line|column|offset|character) \d+/g, '$1 {number}'],
  [/\d{7,}/g, '{number}'],
]

/** Letters in both cases with a digit, or changing their case more often than words do. */
function isRandom(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false
  const turns = text.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0
  // Servers of the first family make ids of 24 characters.
  return /\d/.test(text) || turns >= text.length * (text.length === 24 ? 0.25 : 0.4)
}

/** `own` are addresses of the target itself: `vault.example:8200`. */
export function normalised(text: string, own: readonly string[] = []): string {
  let left = text
  for (const address of own) left = left.replaceAll(address, '{address}')
  for (const [pattern, by] of patterns) left = left.replace(pattern, by as string)
  return left
}

/** Tells whether a normalised text says nothing but that there is something. */
export const isPlaceholder = (text: string): boolean => text.startsWith(open) && /^\{[^{}]*\}$/.test(text)

/** Placeholders for values that servers make up; those of throw-away names are named by the suite. */
const madeUp = /\{(?:id|serial[:-]|random|hex|number|secret|PEM [^}]*|time [^}]*|date)\}/
export const isMadeUp = (text: string): boolean => madeUp.test(text)

/** Numbers that are moments: seconds, milliseconds and nanoseconds since 1970 between 2001 and 2096. */
export const isMoment = (value: number): boolean =>
  [1, 1e3, 1e6, 1e9].some((unit) => value >= 1e9 * unit && value < 4e9 * unit)

/** What these fields hold runs down while a check runs. */
const runsDown = /ttl|duration|expir|remaining|time|age/i

/** Numbers that differ by no more than the duration of a check are the same. */
export function isSameNumber(field: string, one: number, other: number): boolean {
  if (one === other || (isMoment(one) && isMoment(other))) return true
  return runsDown.test(field) && one > 0 && other > 0 && Math.abs(one - other) <= 60 && Math.max(one, other) > 20
}
