/** The import `time`. A time is a map of its parts in UTC, with functions that compare it. Durations are nanoseconds. */
import { strictly } from './builtins.ts'
import type { Shape } from './properties.ts'
import { Callable, EvaluationError, isMap, shown, typeName } from './values.ts'

const months = 'January February March April May June July August September October November December'.split(' ')
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const units = { nanosecond: 1, microsecond: 1e3, millisecond: 1e6, second: 1e9, minute: 60e9, hour: 3600e9 } as const

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

/** Reads seconds since the epoch, a text in RFC 3339, or a time of this import, as milliseconds. */
function millisecondsOf(name: string, value: unknown): number {
  const read =
    typeof value === 'number'
      ? value * 1000
      : typeof value === 'string' && rfc3339.test(value)
        ? Date.parse(value)
        : isMap(value) && typeof value.unix_nano === 'number'
          ? value.unix_nano / 1e6
          : Number.NaN
  if (Number.isNaN(new Date(read).getTime()))
    throw new EvaluationError(
      `${name} needs seconds since the epoch or a time such as 2006-01-02T15:04:05Z, found ${typeName(value)} ${shown(value).slice(0, 60)}`,
    )
  return read
}

const withTime = (name: string, run: (other: number) => unknown): Callable =>
  new Callable(
    name,
    1,
    strictly(([value]) => run(millisecondsOf(name, value))),
  )

function durationIn(value: unknown): number {
  if (typeof value === 'number') return value / 1e6
  throw new EvaluationError(`add needs a duration such as time.hour * 2, found ${typeName(value)}`)
}

function timeAt(at: number): Readonly<Record<string, unknown>> {
  const date = new Date(at)
  return {
    ...{ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
    ...{ hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() },
    ...{ month_name: months[date.getUTCMonth()], weekday: date.getUTCDay(), weekday_name: weekdays[date.getUTCDay()] },
    ...{
      unix: Math.floor(at / 1000),
      unix_nano: at * 1e6,
      rfc3339: date.toISOString().replace('.000Z', 'Z'),
      zone: 'UTC',
    },
    add: new Callable(
      'add',
      1,
      strictly(([duration]) => timeAt(at + durationIn(duration))),
    ),
    after: withTime('after', (other) => at > other),
    before: withTime('before', (other) => at < other),
    equal: withTime('equal', (other) => at === other),
    sub: withTime('sub', (other) => (at - other) * 1e6),
  }
}

export const timeImport = (now: number): Readonly<Record<string, unknown>> => ({
  ...units,
  now: timeAt(now),
  load: withTime('time.load', timeAt),
})

const values = (names: readonly string[]): Shape =>
  Object.fromEntries(names.map((name): [string, Shape] => [name, 'value']))

export const timeShape: Shape = {
  ...Object.fromEntries(Object.keys(timeImport(0)).map((name): [string, Shape] => [name, 'value'])),
  now: values(Object.keys(timeAt(0))),
}
