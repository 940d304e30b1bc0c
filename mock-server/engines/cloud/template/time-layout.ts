/** Formats times in UTC by the layouts of Go, in which each part is written as in `Mon Jan 2 15:04:05 MST 2006`. */
const months = 'January February March April May June July August September October November December'.split(' ')
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const two = (value: number): string => String(value).padStart(2, '0')
const hour12 = (time: Date): number => time.getUTCHours() % 12 || 12
const yearDay = (time: Date): number =>
  Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0, 1)) / 86_400_000) + 1

/** A longer spelling comes before its own prefixes, because the first match wins. */
const parts: readonly (readonly [spelling: string, write: (time: Date) => string])[] = [
  ['2006', (time) => String(time.getUTCFullYear()).padStart(4, '0')],
  ['January', (time) => months[time.getUTCMonth()] ?? ''],
  ['Jan', (time) => (months[time.getUTCMonth()] ?? '').slice(0, 3)],
  ['Monday', (time) => days[time.getUTCDay()] ?? ''],
  ['Mon', (time) => (days[time.getUTCDay()] ?? '').slice(0, 3)],
  ['MST', () => 'UTC'],
  ['Z07:00', () => 'Z'],
  ['Z0700', () => 'Z'],
  ['-07:00', () => '+00:00'],
  ['-0700', () => '+0000'],
  ['-07', () => '+00'],
  ['002', (time) => String(yearDay(time)).padStart(3, '0')],
  ['01', (time) => two(time.getUTCMonth() + 1)],
  ['02', (time) => two(time.getUTCDate())],
  ['03', (time) => two(hour12(time))],
  ['04', (time) => two(time.getUTCMinutes())],
  ['05', (time) => two(time.getUTCSeconds())],
  ['06', (time) => two(time.getUTCFullYear() % 100)],
  ['15', (time) => two(time.getUTCHours())],
  ['_2', (time) => String(time.getUTCDate()).padStart(2, ' ')],
  ['PM', (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM')],
  ['pm', (time) => (time.getUTCHours() < 12 ? 'am' : 'pm')],
  ['.000000', (time) => `.${String(time.getUTCMilliseconds()).padStart(3, '0')}000`],
  ['.000', (time) => `.${String(time.getUTCMilliseconds()).padStart(3, '0')}`],
  ['1', (time) => String(time.getUTCMonth() + 1)],
  ['2', (time) => String(time.getUTCDate())],
  ['3', (time) => String(hour12(time))],
  ['4', (time) => String(time.getUTCMinutes())],
  ['5', (time) => String(time.getUTCSeconds())],
]

export function timeIn(layout: string, time: Date): string {
  let written = ''
  for (let at = 0; at < layout.length; ) {
    const part = parts.find(([spelling]) => layout.startsWith(spelling, at))
    written += part ? part[1](time) : layout.charAt(at)
    at += part ? part[0].length : 1
  }
  return written
}
