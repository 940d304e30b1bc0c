/** The functions of username templates, with their names in this family of servers. */
import { createHash } from 'node:crypto'
import type { Clock, Random } from '../../../kernel/contracts.ts'
import { TemplateError } from './parse.ts'
import { timeIn } from './time-layout.ts'

export type Value = string | number | boolean
type Run = (sources: Sources, ...args: readonly Value[]) => Value

export interface Sources {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'token' | 'uuid'>
}

export interface TemplateFunction {
  /** The minimum and the maximum number of arguments. */
  readonly takes: readonly [number, number]
  readonly run: Run
}

export const isTrue = (value: Value): boolean => value !== false && value !== '' && value !== 0

function length(value: Value | undefined): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0) throw new TemplateError(`${String(value)} is not a length`)
  return number
}

const digest = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex')

/** Supports `%s`, `%d`, `%v`, `%q` and `%%`. */
function printf(format: string, args: readonly Value[]): string {
  let next = 0
  return format.replace(/%([sdvq%])/g, (_, verb: string) => {
    if (verb === '%') return '%'
    const value = args[next++]
    if (value === undefined) throw new TemplateError(`printf: too few values for ${JSON.stringify(format)}`)
    return verb === 'q' ? JSON.stringify(String(value)) : String(value)
  })
}

const text = (value: Value | undefined): string => String(value)
const many = Number.POSITIVE_INFINITY

export const functions: Readonly<Record<string, TemplateFunction>> = {
  random: { takes: [1, 1], run: ({ random }, size) => random.token(length(size)) },
  uuid: { takes: [0, 0], run: ({ random }) => random.uuid() },
  timestamp: { takes: [1, 1], run: ({ clock }, layout) => timeIn(text(layout), new Date(clock.now())) },
  unix_time: { takes: [0, 0], run: ({ clock }) => Math.floor(clock.now() / 1000) },
  unix_time_millis: { takes: [0, 0], run: ({ clock }) => clock.now() },
  truncate: { takes: [2, 2], run: (_, size, value) => text(value).slice(0, length(size)) },
  truncate_sha256: {
    takes: [2, 2],
    run(_, size, value) {
      const [whole, most] = [text(value), length(size)]
      return whole.length <= most ? whole : `${whole.slice(0, most - 8)}${digest('sha256', whole).slice(0, 8)}`
    },
  },
  sha256: { takes: [1, 1], run: (_, value) => digest('sha256', text(value)) },
  base64: { takes: [1, 1], run: (_, value) => Buffer.from(text(value)).toString('base64') },
  lowercase: { takes: [1, 1], run: (_, value) => text(value).toLowerCase() },
  uppercase: { takes: [1, 1], run: (_, value) => text(value).toUpperCase() },
  replace: { takes: [3, 3], run: (_, from, to, value) => text(value).replaceAll(text(from), text(to)) },
  printf: { takes: [1, many], run: (_, format, ...args) => printf(text(format), args) },
  len: { takes: [1, 1], run: (_, value) => text(value).length },
  eq: { takes: [2, many], run: (_, first, ...others) => others.some((other) => other === first) },
  ne: { takes: [2, 2], run: (_, first, second) => first !== second },
  lt: { takes: [2, 2], run: (_, first, second) => Number(first) < Number(second) },
  gt: { takes: [2, 2], run: (_, first, second) => Number(first) > Number(second) },
  not: { takes: [1, 1], run: (_, value) => !isTrue(value ?? '') },
  and: { takes: [1, many], run: (_, ...values) => values.find((value) => !isTrue(value)) ?? values.at(-1) ?? '' },
  or: { takes: [1, many], run: (_, ...values) => values.find(isTrue) ?? values.at(-1) ?? '' },
}
